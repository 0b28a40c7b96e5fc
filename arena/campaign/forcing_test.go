package campaign

import (
	"testing"
)

// probe is games that began with some moves, as many of each kind of play.
func probe(moves string, t Tally) Probe {
	return Probe{Moves: moves, By: map[string]Tally{AlphaBeta: t, TreeSearch: t, Across: t}}
}

// A first move forces where it won every game when it was tried, whoever played, and holds against all replies together
// with nine tenths of the points, and with three quarters against each. Without replies, or where the second ply is not
// the other side's, nobody knows.
func TestForcingMoves(t *testing.T) {
	t.Parallel()
	won := probe("a", Tally{First: 10})
	mixed := won
	mixed.By = map[string]Tally{AlphaBeta: {First: 10}, TreeSearch: {First: 10}, Across: {First: 9, Draws: 1}}
	for name, c := range map[string]struct {
		stage Stage
		best  string
		want  bool
	}{
		"all replies lose":             {Stage{Side: "second", FirstMoves: []Probe{won}, Replies: []Probe{probe("a b", Tally{First: 9, Second: 1})}}, "a", true},
		"a little less than all":       {Stage{Side: "second", FirstMoves: []Probe{won}, Replies: []Probe{probe("a b", Tally{First: 89, Second: 11})}}, "a", false},
		"one reply nearly holds":       {Stage{Side: "second", FirstMoves: []Probe{won}, Replies: []Probe{probe("a b", Tally{First: 3, Second: 1}), probe("a c", Tally{First: 36})}}, "a", true},
		"one reply holds":              {Stage{Side: "second", FirstMoves: []Probe{won}, Replies: []Probe{probe("a b", Tally{First: 74, Second: 26}), probe("a c", Tally{First: 990})}}, "a", false},
		"the last reply holds":         {Stage{Side: "second", FirstMoves: []Probe{won}, Replies: []Probe{probe("a c", Tally{First: 990}), probe("a b", Tally{First: 74, Second: 26})}}, "a", false},
		"one kind of play draws":       {Stage{Side: "second", FirstMoves: []Probe{mixed}, Replies: []Probe{probe("a b", Tally{First: 10})}}, "a", false},
		"no replies were tried":        {Stage{Side: "second", FirstMoves: []Probe{won}}, "a", false},
		"the first side goes on":       {Stage{Side: "first", FirstMoves: []Probe{won}, Replies: []Probe{probe("a b", Tally{First: 10})}}, "a", false},
		"no first moves":               {Stage{Side: "second", Replies: []Probe{probe("a b", Tally{First: 10})}}, "", false},
		"the better of two":            {Stage{Side: "second", FirstMoves: []Probe{probe("b", Tally{First: 9, Second: 1}), won}, Replies: []Probe{probe("a b", Tally{First: 10})}}, "a", true},
		"another side has the victory": {Stage{Side: "second", FirstMoves: []Probe{probe("a", Tally{Second: 10})}, Replies: []Probe{probe("a b", Tally{First: 10})}}, "a", false},
	} {
		best, ok := c.stage.forcing()
		if ok != c.want || best.Moves != c.best {
			t.Errorf("%s: %q forces: %t", name, best.Moves, ok)
		}
	}
}

// An inquiry is settled where the two last of at least four stages are firm about the same, and the one before them
// speaks for it, too.
func TestWhenAnInquiryIsSettled(t *testing.T) {
	t.Parallel()
	at := func(first int64) Stage { return Stage{Free: probe("", Tally{First: first, Second: 100 - first})} }
	for _, c := range []struct {
		scores []int64 // of the first player, stage by stage
		want   bool
	}{
		{nil, false},
		{[]int64{95, 95, 95}, false}, // too few
		{[]int64{50, 95, 95, 95}, true},
		{[]int64{50, 75, 90, 90}, true},
		{[]int64{50, 74, 95, 95}, false},
		{[]int64{95, 95, 89, 95}, false},
		{[]int64{95, 95, 95, 89}, false},
		{[]int64{50, 25, 10, 10}, true},
		{[]int64{95, 95, 5, 5}, false},
		{[]int64{95, 5, 5, 95}, false},
	} {
		var stages []Stage
		for _, x := range c.scores {
			stages = append(stages, at(x))
		}
		if got := Settled(stages); got != c.want {
			t.Errorf("%v: settled %t", c.scores, got)
		}
	}
	turned := Stage{Side: "second", Free: probe("", Tally{First: 95, Second: 5}), Replies: []Probe{probe("a b", Tally{First: 7, Second: 3})}}
	if got := turned.stands(firm); got != Unknown {
		t.Errorf("a claim that a reply turns: %s", got)
	}
}
