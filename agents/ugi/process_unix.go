//go:build unix

package ugi

import (
	"os"
	"syscall"
)

// Supported reports whether this build can run engines that are other programs.
const Supported = true

// ofFamily starts a process in its own process group, so that it can be killed with its children and does not receive
// Ctrl-C.
func ofFamily(guarded bool) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: !guarded, Setsid: guarded}
}

// killFamily kills a process and its process group.
func killFamily(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) } // ESRCH: nobody is left

// wake continues a stopped process.
func wake(p *os.Process) { _ = p.Signal(syscall.SIGCONT) }

// shortages returns the errors of a system that lacks the resources to run a program.
func shortages() []error {
	return []error{syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM, syscall.EAGAIN, syscall.ETXTBSY}
}
