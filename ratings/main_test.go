package ratings

import (
	"os"
	"runtime/debug"
	"testing"
)

func TestMain(m *testing.M) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400) // as enginetest.CollectSeldom, which would bring its imports along
	}
	m.Run()
}
