package balance

import (
	"context"
	"os"
	"runtime"
	"syscall"
	"testing"
	"time"

	"spar/arena/campaign"
	"spar/engines/enginetest"
)

// TestLarge measures 100,000 random games of ctor, 100 plies each, from a study; set SPAR_LARGE=1. The issue allows 20 s and 1 GB.
func TestLarge(t *testing.T) {
	if os.Getenv("SPAR_LARGE") == "" {
		t.Skip("SPAR_LARGE is not set")
	}
	g := enginetest.Load(t, "ctor")
	db := studyOf(t, g, "ctor", campaign.PurposeMirror, randomGames(g, 1, 1, 100_000, 1))
	runtime.GC()
	var most uint64
	stop := make(chan bool)
	go func() {
		for {
			select {
			case <-stop:
				return
			case <-time.After(50 * time.Millisecond):
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				most = max(most, m.Sys)
			}
		}
	}()
	began, used := time.Now(), processorTime(t)
	r, err := Study(context.Background(), db, "ctor", StudyOptions{})
	if err != nil {
		t.Fatal(err)
	}
	close(stop)
	cpu := processorTime(t) - used
	t.Logf("%v, %v of processors, %d MB, %d games of %.1f plies", time.Since(began), cpu, most>>20, r.Study.Games, r.Groups[0].Length.All.Mean.Value)
	if cpu > 20*time.Second || most > 1<<30 { // the wall clock depends on what else the machine does
		t.Errorf("took %v of processors and %d MB", cpu, most>>20)
	}
}

// processorTime is what the process has used of all processors.
func processorTime(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
