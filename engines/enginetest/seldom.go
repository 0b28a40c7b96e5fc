package enginetest

import (
	"os"
	"runtime/debug"
)

// CollectSeldom raises GOGC unless it is set. The garbage collector then runs only after the heap of a package's
// tests has grown to five times the memory in use. The heaps of these tests are so small that the collector would
// run every 4 MB and take up to a third of the time. Call it from TestMain.
func CollectSeldom() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}
