//go:build !unix

package ugi

import (
	"os"
	"syscall"
)

// Supported reports whether this build can run engines that are other programs. It is false on this system,
// because the system cannot end a process together with all its children.
const Supported = false

func ofFamily(bool) *syscall.SysProcAttr { return nil }

func killFamily(p *os.Process) { _ = p.Kill() }

func wake(*os.Process) {}

func shortages() []error { return nil }
