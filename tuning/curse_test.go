package tuning

import (
	"math"
	"testing"

	"spar/agents"
)

// The expected maximum of m standard normal variables (Harter 1961), which Blom's formula meets within 0.03; of one it
// is 0.
func TestCurse(t *testing.T) {
	t.Parallel()
	for m, want := range map[int]float64{1: 0, 2: 0.5642, 3: 0.8463, 5: 1.1630, 10: 1.5388, 100: 2.5076} {
		if got := curse(m); !(math.Abs(got-want) <= 0.03) {
			t.Errorf("of %d: %.4f, want %.4f", m, got, want)
		}
	}
}

// Deeper is one ply more, or four times the simulations; an agent that states none has the defaults, 4 plies and 1000.
func TestDeeper(t *testing.T) {
	t.Parallel()
	spec := func(kind string, b agents.Budget) agents.Spec {
		s := agents.DefaultSpec()
		s.Name, s.Type, s.Budget = "x", kind, b
		return s
	}
	for _, c := range []struct {
		in   agents.Spec
		kind string
		want agents.Budget
		text string
	}{
		{spec("heuristic", agents.Budget{}), "minimax", agents.Budget{Depth: 2}, "minimax, depth 2"},
		{spec("minimax", agents.Budget{Depth: 3}), "minimax", agents.Budget{Depth: 4}, "minimax, depth 4"},
		{spec("minimax", agents.Budget{}), "minimax", agents.Budget{Depth: 5}, "minimax, depth 5"},
		{spec("mcts", agents.Budget{Iterations: 50}), "mcts", agents.Budget{Iterations: 200}, "mcts, 200 iterations"},
		{spec("mcts", agents.Budget{}), "mcts", agents.Budget{Iterations: 4000}, "mcts, 4000 iterations"},
	} {
		got, text := c.in.Deeper()
		if got.Type != c.kind || got.Budget != c.want || text != c.text || got.Name != "x deeper" ||
			c.in.Type == "heuristic" && got.Minimax.TableMB != 1 {
			t.Errorf("%s %+v: %s %s %+v, %q; want %s %+v, %q", c.in.Type, c.in.Budget, got.Name, got.Type, got.Budget, text,
				c.kind, c.want, c.text)
		}
	}
}

// The mean over the pool is not certain where every game was won. Of 20 pairs without a loss, the lower end is
// 0.025^(1/20) (Clopper and Pearson 1934); with another such match the distance is that over the square root of 2.
func TestPoolWithoutLosses(t *testing.T) {
	t.Parallel()
	won := matchResult{counts: [5]float64{4: 20}}
	low := 1 - (1-math.Pow(0.025, 1.0/20))/math.Sqrt2
	if e, err := average([]matchResult{won, won}); err != nil || e.N != 40 || e.Hi != 1 || math.Abs(e.Lo-low) > 1e-9 {
		t.Errorf("%+v, want from %g, %v", e, low, err)
	}
}
