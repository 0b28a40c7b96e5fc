package balance

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"spar/arena/campaign"
	"spar/engines/enginetest"
)

// The difference of two numbers, by hand: the sides that point the same way add by squares, 3 and 4 to 5; an end is open where either
// side that makes it is, and what is missing differs from nothing.
func TestDifferenceOfOpenEnds(t *testing.T) {
	t.Parallel()
	before := Number{Value: 10, Lo: 6, Hi: 14, N: 7, Of: "games", Unit: "plies"}
	after := Number{Value: 30, Lo: 27, Hi: 33, N: 5, Of: "games", Unit: "plies"}
	open := func(n Number, lo, hi bool) Number { n.LoOpen, n.HiOpen = lo, hi; return n }
	for _, c := range []struct {
		before, after Number
		want          Number
	}{
		{before, after, Number{Value: 20, Lo: 15, Hi: 25}},
		{after, before, Number{Value: -20, Lo: -25, Hi: -15}},
		{open(before, true, false), after, Number{Value: 20, Lo: 15, HiOpen: true}},
		{open(before, false, true), after, Number{Value: 20, LoOpen: true, Hi: 25}},
		{before, open(after, true, false), Number{Value: 20, LoOpen: true, Hi: 25}},
		{before, open(after, false, true), Number{Value: 20, Lo: 15, HiOpen: true}},
	} {
		got := Difference(c.before, c.after)
		if got.Value != c.want.Value || got.Lo != c.want.Lo || got.Hi != c.want.Hi || got.LoOpen != c.want.LoOpen || got.HiOpen != c.want.HiOpen || got.N != 5 || got.Unit != "plies" {
			t.Errorf("%+v less %+v is %+v, want %+v", c.after, c.before, got, c.want)
		}
	}
	for _, got := range []Number{Difference(Number{}, after), Difference(before, Number{})} {
		if got.OK() {
			t.Errorf("a difference from nothing: %+v", got)
		}
	}
	// Without equal sides: 3 below the one and 2 above the other make the lower side, 1 above and 0.5 below the upper.
	got := Difference(Number{Value: 0, Lo: -0.5, Hi: 2, N: 1}, Number{Value: 5, Lo: 2, Hi: 6, N: 1})
	near(t, "lower side", got.Value-got.Lo, math.Hypot(3, 2))
	near(t, "upper side", got.Hi-got.Value, math.Hypot(1, 0.5))
}

// The advantage counted in doublings: 100 Elo where a doubling gives 50 are 2, with an error by the delta method. The step up counts,
// for the top tier the step to it, over two doublings half of it; no step that may give nothing, none from below the doublings, and
// no advantage without an error.
func TestAdvantageInDoublings(t *testing.T) {
	t.Parallel()
	elo := func(v, half float64) Number { return Number{Value: v, Lo: v - half, Hi: v + half, N: 50} }
	tier := func(name string, advantage Number) tierGroup {
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
	none := Number{}
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
		{tier("f", Number{Value: 100, Lo: 100, Hi: 100, N: 50}), 0, 0},
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

// A measurement that is given up while the game is being solved ends, however few games there are to read.
func TestCancelledWhileSolving(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "vanishing")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	d := records(g, "vanishing", []Event{event(1, campaign.PurposeMirror, "random")}, nil, randomGames(g, 1, 1, 1, 1))
	if _, err := Measure(ctx, d, Options{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// A duel is analysed by pairs while no more than one game to ten pairs is without its other half, and otherwise by games, which then
// are all there.
func TestDuelByPairsOrGames(t *testing.T) {
	t.Parallel()
	m := newMeasurer(Options{})
	for _, c := range []struct {
		pairs   [5]float64
		alone   int64
		byPairs bool
		warning bool
	}{
		{[5]float64{20, 30, 50, 60, 40}, 0, true, false},
		{[5]float64{20, 30, 50, 60, 40}, 20, true, true},
		{[5]float64{20, 30, 50, 60, 40}, 21, false, false},
		{[5]float64{}, 0, false, false},
		{[5]float64{}, 30, false, false},
	} {
		d := duel{pairs: c.pairs, alone: c.alone, wins: 22, draws: 5, losses: 13}
		_, score := m.duel(d)
		_, want := m.match([]float64{13, 5, 22})
		if c.byPairs {
			_, want = m.match(c.pairs[:])
		}
		if score.Value != want.Value || score.N != want.N || score.Lo != want.Lo || strings.Contains(score.Warning, "without their pair") != c.warning {
			t.Errorf("%v and %d alone: %+v, want %+v", c.pairs, c.alone, score, want)
		}
	}
}
