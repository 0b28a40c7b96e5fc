//go:build !unix

package arena

import "time"

// ProcessTime is the processor time that this process has used so far, which is not known here.
func ProcessTime() time.Duration { return 0 }
