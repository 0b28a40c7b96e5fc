//go:build unix

package arena

import (
	"syscall"
	"time"
)

// ProcessTime is the processor time that this process has used so far; 0 if the system does not tell it.
func ProcessTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
