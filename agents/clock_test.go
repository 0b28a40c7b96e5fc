package agents

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"spar/agents/pace"
	"spar/agents/ugi"
)

// A program that takes a little more processor time than it has is warned once, and forfeits at twice its time.
func TestProgramsPayForProcessorTime(t *testing.T) {
	t.Parallel()
	var warned []string
	ctx := ugi.WithHost(context.Background(), ugi.Host{Warn: func(text string) { warned = append(warned, text) }})
	a := &external{name: "p"}
	for _, c := range []struct {
		used     time.Duration
		forfeits bool
		warnings int
	}{{99, false, 0}, {110, false, 0}, {111, false, 1}, {199, false, 1}, {200, true, 1}} {
		err := a.charge(ctx, c.used*time.Millisecond, 100*time.Millisecond)
		if errors.Is(err, ugi.ErrTimeout) != c.forfeits || (err != nil) != c.forfeits || len(warned) != c.warnings {
			t.Errorf("%d ms of 100: %v, %q", c.used, err, warned)
		}
	}
}

// A clock of processor time needs a time, one thread and a system that has it.
func TestClockOfABudget(t *testing.T) {
	t.Parallel()
	cpu := Budget{Seconds: 1, Clock: "cpu"}
	for _, c := range []struct {
		b       Budget
		threads int
		want    string
	}{
		{Budget{Clock: "cpu"}, 1, "no effect without seconds"},
		{Budget{Clock: "wall", Nodes: 5}, 1, "no effect without seconds"},
		{Budget{Seconds: 1, Clock: "wall"}, 4, ""},
		{cpu, 4, map[bool]string{true: "one thread", false: "no clock"}[pace.HasCPU]},
		{cpu, 1, map[bool]string{true: "", false: "no clock"}[pace.HasCPU]},
	} {
		if err := c.b.Check(c.threads); (err != nil) != (c.want != "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v, %d threads: %v, want %q", c.b, c.threads, err, c.want)
		}
	}
	if text := cpu.String(); text != "1s of processor time" {
		t.Error(text)
	}
}
