package bench_test

import (
	"context"
	"math"
	"testing"

	"spar/agents/bench"
	"spar/engines/enginetest"
)

// ticking is a clock whose CPU time moves by half a second, its wall time by a second with every look.
func ticking() bench.Clock {
	var cpu, wall float64
	return bench.Clock{CPU: func() float64 { cpu += 0.5; return cpu }, Wall: func() float64 { wall++; return wall }}
}

// By the clock, games come in chunks of 64: of looks at 1, 2, 3 seconds the third says stop. By count there are so
// many games, the same for the same seed. The shares add up to 1.
func TestPlay(t *testing.T) {
	t.Parallel()
	ctx, g := context.Background(), enginetest.Load(t, "classic")
	timed := bench.Play(ctx, g, ticking(), 3, 0, 1)
	if timed.Playouts != 2*64 || timed.Wall != 5 || timed.CPU != 0.5 { // the CPU time is looked at twice, at the ends
		t.Errorf("%+v", timed)
	}
	play := func(seed int64) bench.Playouts { return bench.Play(ctx, g, ticking(), 3, 1000, seed) }
	counted, again, other := play(1), play(1), play(2)
	if counted.Playouts != 1000 || counted != again || counted.Moves == other.Moves && counted.First == other.First {
		t.Errorf("%+v, again %+v, with another seed %+v", counted, again, other)
	}
	if sum := counted.First + counted.Second + counted.Draw; math.Abs(sum-1) > 1e-12 || counted.Moves < 5*1000 ||
		counted.Moves > 9*1000 {
		t.Errorf("shares of %v, %d moves", sum, counted.Moves)
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if r := bench.Play(ended, g, ticking(), 3, 0, 1); r.Playouts != 0 || r.First != 0 {
		t.Errorf("after an interrupt: %+v", r)
	}
}
