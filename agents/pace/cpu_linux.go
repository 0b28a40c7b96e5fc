package pace

import (
	"syscall"
	"time"
	"unsafe"
)

// HasCPU reports whether this system can measure the processor time of a thread and of another process.
const HasCPU = true

const threadClock = 3 // CLOCK_THREAD_CPUTIME_ID of clock_gettime(2)

// ThreadTime returns the processor time that the calling thread has used. A goroutine that compares two values must
// stay on its thread: see runtime.LockOSThread.
func ThreadTime() time.Duration { t, _ := clockTime(threadClock); return t }

// ProcessTime returns the processor time that all threads of a process have used; false if there is no such process.
func ProcessTime(pid int) (time.Duration, bool) {
	return clockTime(uintptr(uint32(^int32(pid))<<3 | 2)) // as clock_getcpuclockid(3) makes it
}

func clockTime(id uintptr) (time.Duration, bool) {
	var at syscall.Timespec
	_, _, err := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, id, uintptr(unsafe.Pointer(&at)), 0)
	return time.Duration(at.Nano()), err == 0
}
