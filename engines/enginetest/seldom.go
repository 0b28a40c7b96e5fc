package enginetest

import (
	"os"
	"runtime/debug"
)

// CollectSeldom lets the heap of a package's tests grow to five times what is in use before garbage is collected,
// unless GOGC says otherwise. Their heaps are so small that they would be collected at every 4 MB: up to a third of
// their time. For TestMain.
func CollectSeldom() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}
