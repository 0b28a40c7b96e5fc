//go:build unix

package ugi

import (
	"os"
	"syscall"
)

// Supported reports whether this build can run engines that are other programs.
const Supported = true

// ofFamily lets the children of a process end with it, and leaves Ctrl-C to us alone.
func ofFamily(guarded bool) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: !guarded, Setsid: guarded}
}

// killFamily kills a process and those of its group.
func killFamily(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) } // ESRCH: nobody is left

// wake lets a stopped process go on.
func wake(p *os.Process) { _ = p.Signal(syscall.SIGCONT) }

// shortages are the errors of a system that has nothing left to run a program with.
func shortages() []error {
	return []error{syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM, syscall.EAGAIN, syscall.ETXTBSY}
}
