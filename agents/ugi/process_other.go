//go:build !unix

package ugi

import (
	"os"
	"syscall"
)

// Supported reports whether this build can run engines that are other programs. Where a family of processes cannot be
// ended together it does not try.
const Supported = false

func ofFamily(bool) *syscall.SysProcAttr { return nil }

func killFamily(p *os.Process) { _ = p.Kill() }

func wake(*os.Process) {}

func shortages() []error { return nil }
