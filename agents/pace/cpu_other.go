//go:build !linux

package pace

import "time"

// HasCPU reports whether this system can measure the processor time of a thread and of another process.
const HasCPU = false

// ThreadTime returns the processor time that the calling thread has used; on this system always 0.
func ThreadTime() time.Duration { return 0 }
