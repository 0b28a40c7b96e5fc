//go:build linux && !race

package solve

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
	"testing"

	"spar/engines/enginetest"
)

// Nothing about memory can be told under the race detector, which takes many times what the program does.

// Counting stays within its limit: the whole process takes little more.
func TestCountKeepsItsLimit(t *testing.T) {
	if os.Getenv("SPAR_COUNT") != "" {
		_, _, err := Count(t.Context(), enginetest.Load(t, "connect4"), Options{Workers: 1, Memory: 20_000_000})
		var full *MemoryError
		if !errors.As(err, &full) || full.Complete || full.Bytes <= full.Limit {
			t.Errorf("expected a MemoryError, got %v", err)
		}
		return
	}
	t.Parallel()
	if testing.Short() {
		t.Skip("counts millions of states")
	}
	c := exec.Command(os.Args[0], "-test.run=^TestCountKeepsItsLimit$")
	c.Env = append(os.Environ(), "SPAR_COUNT=1")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	usage, ok := c.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		t.Skip("this system does not say how much memory a process took")
	}
	t.Logf("%d kB", usage.Maxrss)
	if usage.Maxrss > 70_000 { // and 50 MB for the program itself and what is being collected
		t.Errorf("%d kB under a limit of 20 MB", usage.Maxrss)
	}
}
