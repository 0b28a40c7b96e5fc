//go:build !unix

package arena

import "time"

// ProcessTime returns the processor time used by this process so far; on this system always 0.
func ProcessTime() time.Duration { return 0 }
