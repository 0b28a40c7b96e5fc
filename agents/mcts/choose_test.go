package mcts

import (
	"testing"

	"pgregory.net/rapid"

	"spar/agents/eval"
	"spar/engines/enginetest"
)

// The short cuts of UCB1 choose what the long way chooses, with the same draws, whatever has been tried and proved.
func TestShortCutsChooseTheSame(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	taken := [2]int{}
	rapid.Check(t, func(rt *rapid.T) {
		o := DefaultOptions()
		o.Selection, o.Rollout = "uct", "random"
		o.Exploration = rapid.SampledFrom([]float64{0, 0.4, 1, 1.4, 3}).Draw(rt, "exploration")
		o.FPU = rapid.SampledFrom([]float64{-1, 0, 0.5, 1, 2, 2.5, 4, 10}).Draw(rt, "first play urgency")
		side := uint8(rapid.IntRange(0, 1).Draw(rt, "side"))
		var nodes []node
		before := int32(1)
		tried := rapid.SampledFrom([]int{0, 1, 3, 20, 5000}).Draw(rt, "most visits")
		proofs := rapid.SampledFrom([][]uint8{{unproved}, {unproved, unproved, provedDraw, provedSecond - side}}).
			Draw(rt, "proofs")
		for range rapid.IntRange(1, 12).Draw(rt, "children") {
			c := node{side: side, proof: rapid.SampledFrom(proofs).Draw(rt, "proof")}
			c.visits = int32(
				rapid.IntRange(min(tried, rapid.IntRange(0, 1).Draw(rt, "at least")), tried).Draw(rt, "visits"),
			)
			c.points = float64(rapid.IntRange(0, 2*int(c.visits)).Draw(rt, "half points")) / 2
			before += c.visits
			nodes = append(nodes, c)
		}
		parent := node{
			count:  uint16(len(nodes)),
			side:   1 - side,
			visits: before,
			points: float64(before) / 2,
		}
		choose := func(short bool) (int32, uint64) {
			s := New(g, eval.New(g, eval.Params{}), o)
			s.tree.plainUCB = s.tree.plainUCB && short
			s.tree.plantRoot(parent)
			parent.children = s.tree.room(len(nodes))
			copy(s.tree.children(&parent), nodes)
			w := s.crew[0]
			w.src.Seed(1, uint64(before))
			at := w.selectChild(&parent, before, parent.points)
			return at, w.src.Uint64()
		}
		at, draw := choose(true)
		if want, wantDraw := choose(false); at != want || draw != wantDraw {
			rt.Fatalf("child %d of %+v is chosen, want %d", at, nodes, want)
		}
		s := New(g, eval.New(g, eval.Params{}), o)
		if s.tree.highestUCB(nodes, 1) >= 0 {
			taken[0]++
		}
		if s.tree.untriedFirst > 0 {
			taken[1]++
		}
	})
	if taken[0] == 0 || taken[1] == 0 {
		t.Errorf("the short cuts were open %d and %d times: too few for a test", taken[0], taken[1])
	}
}
