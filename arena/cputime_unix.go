//go:build unix

package arena

import (
	"syscall"
	"time"
)

// ProcessTime returns the processor time used by this process so far; 0 if the system does not report it.
func ProcessTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
