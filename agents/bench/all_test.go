package bench_test

import (
	"context"
	"errors"
	"testing"

	"spar/agents/bench"
	"spar/engines/enginetest"
)

// By the ticking clock every look at the time costs half a CPU-second, so rounds of the same work have the same
// rates: those of Play and Search.
func TestAll(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "vanishing")
	r, err := bench.All(context.Background(), g, ticking(), 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	games := bench.Play(context.Background(), g, ticking(), 2, 0, 1)
	if want := float64(games.Playouts) / games.CPU; r.Playouts != (bench.Rate{PerS: want, Lo: want, Hi: want}) {
		t.Errorf("playouts %+v, want %v", r.Playouts, want)
	}
	uct, err := bench.Search(context.Background(), g, spec(t, "uct-1k"), ticking(), 2, 3)
	if want := float64(uct.Nodes) / uct.CPU; err != nil || r.UCT.PerS != want {
		t.Errorf("uct %+v, want %v, %v", r.UCT, want, err)
	}
	if r.Rules != "vanishing" || r.Rounds != 3 || r.PUCT.PerS <= 0 || r.AlphaBeta.PerS <= 0 ||
		r.AlphaBeta.Lo > r.AlphaBeta.Hi {
		t.Errorf("%+v", r)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := bench.All(ended, g, ticking(), 2, 3); !errors.Is(err, context.Canceled) {
		t.Errorf("after an interrupt: %v", err)
	}
}
