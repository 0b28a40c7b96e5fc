//go:build linux && !race

package solve

import (
	"errors"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"testing"

	"spar/configs/must"
	"spar/engines/enginetest"
)

// Nothing about memory can be told under the race detector, which takes many times what the program does.

// Counting stays within its limit: the whole process takes little more. It says so itself: what the system tells of a
// process that has ended has in it what its parent took when it was started.
func TestCountKeepsItsLimit(t *testing.T) {
	if os.Getenv("SPAR_COUNT") != "" {
		_, _, err := Count(t.Context(), enginetest.Load(t, "connect4"), Options{Workers: 1, Memory: 20_000_000})
		var full *MemoryError
		if !errors.As(err, &full) || full.Complete || full.Bytes <= full.Limit {
			t.Errorf("expected a MemoryError, got %v", err)
		}
		status := must.Get(os.ReadFile("/proc/self/status"))(t)
		os.Stdout.Write(status)
		return
	}
	t.Parallel()
	if testing.Short() {
		t.Skip("counts millions of states")
	}
	c := exec.Command(os.Args[0], "-test.run=^TestCountKeepsItsLimit$")
	c.Env = append(os.Environ(), "SPAR_COUNT=1", "GOGC=100")
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	peak := regexp.MustCompile(`(?m)^VmHWM:\s*([0-9]+) kB$`).FindSubmatch(out)
	if peak == nil {
		t.Skip("this system does not say how much memory a process took")
	}
	took := must.Get(strconv.Atoi(string(peak[1])))(t)
	if took < 20_000 || took > 70_000 { // and 50 MB for the program itself and what is being collected
		t.Errorf("%d kB under a limit of 20 MB", took)
	}
}
