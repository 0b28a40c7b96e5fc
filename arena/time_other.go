//go:build !unix

package arena

import "time"

// processTime is the processor time that this process has used so far, which is not known here.
func processTime() time.Duration { return 0 }
