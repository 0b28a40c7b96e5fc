package balance

import (
	"math"
	"testing"

	"spar/ratings"
)

// The advantage counted in doublings: 100 Elo where a doubling gives 50 are 2, with an error by the delta method. The
// step up counts, for the top tier the step to it, over two doublings half of it; no step that may give nothing, none
// from below the doublings, and no advantage without an error.
func TestAdvantageInDoublings(t *testing.T) {
	t.Parallel()
	elo := func(v, half float64) ratings.Estimate {
		return ratings.Estimate{Value: v, Interval: ratings.Interval{Lo: v - half, Hi: v + half}, N: 50}
	}
	tier := func(name string, advantage ratings.Estimate) tierGroup {
		g := &Group{}
		g.Outcome.Elo = advantage
		return tierGroup{group: g, tier: Tier{Name: name}}
	}
	ladder := &Ladder{Rungs: []Rung{
		{Lower: "random", Upper: "a", Elo: elo(300, 10)},
		{Lower: "a", Upper: "b", Elo: elo(50, 10), Doubling: 1},
		{Lower: "b", Upper: "c", Elo: elo(80, 10), Doubling: 2},
		{Lower: "c", Upper: "d", Elo: elo(8, 10), Doubling: 1},
		{Lower: "d", Upper: "e", Elo: elo(10, 10), Doubling: 1},
		{Lower: "e", Upper: "f", Elo: elo(10, 0), Doubling: 1},
		{Lower: "f", Upper: "g", Elo: elo(20, 5), Doubling: 1},
	}}
	none := ratings.Estimate{}
	for _, c := range []struct {
		t    tierGroup
		want float64 // 0 = no point
		half float64
	}{
		{tier("random", elo(100, 10)), 0, 0},
		{tier("a", elo(100, 10)), 2, math.Hypot(10.0/50, 2*10.0/50)},
		{tier("b", elo(100, 10)), 2.5, math.Hypot(10.0/40, 2.5*10.0/80)},
		{tier("c", elo(100, 10)), 0, 0}, // 8 ± 10 may be nothing
		{tier("d", elo(100, 10)), 0, 0}, // 10 ± 10, too
		{tier("e", elo(100, 10)), 0, 0}, // a step without an error
		{tier("f", elo(100, 10)), 5, math.Hypot(10.0/20, 5*5.0/20)},
		{tier("g", elo(100, 10)), 5, math.Hypot(10.0/20, 5*5.0/20)}, // the top: by the step to it
		{tier("f", none), 0, 0},
		{tier("f", ratings.Estimate{Value: 100, Interval: ratings.Interval{Lo: 100, Hi: 100}, N: 50}), 0, 0},
		{tier("h", elo(100, 10)), 0, 0},
	} {
		got := rungTrend([]tierGroup{c.t}, ladder).Points
		if (len(got) == 1) != (c.want != 0) {
			t.Errorf("%s: %+v, want %g", c.t.tier.Name, got, c.want)
			continue
		}
		if len(got) == 1 {
			near(t, c.t.tier.Name, got[0].Number.Value, c.want)
			near(t, c.t.tier.Name+" lo", got[0].Number.Lo, c.want-c.half)
			near(t, c.t.tier.Name+" hi", got[0].Number.Hi, c.want+c.half)
		}
	}
	if got := rungTrend([]tierGroup{tier("a", elo(100, 10))}, nil); len(got.Points) != 0 {
		t.Errorf("without a ladder: %+v", got)
	}
}
