package enginetest

import (
	"os"
	"runtime/debug"
)

// CollectSeldom raises GOGC so that the heap of a package's tests grows to five times what is in use before the
// garbage collector runs, unless GOGC is set. The heaps of these tests are so small that the collector would run
// every 4 MB and take up to a third of the time. Call it from TestMain.
func CollectSeldom() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}
