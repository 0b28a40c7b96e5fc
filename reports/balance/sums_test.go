package balance

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"spar/arena/evidence"
)

// The sums of a group of five games, by hand: a pair from an opening, which is one unit, a game from the start, one
// that a cap ended and that does not replay, and a pair of which one game was a forfeit, which counts only for how
// games end.
func TestSumsOfUnits(t *testing.T) {
	t.Parallel()
	const cells = 10
	a := &record{id: 1, pair: 5, plies: 7, opening: 2, half: 2, replay: replay{
		logTree: 3, legal: 30, decisions: 5, forced: 2, logChoice: 4, passes: 1, coverage: 8, visited: 8, unique: 6,
		effects: 4, undone: 3, removed: 2,
		uses: useCounts{0: 3}, rated: 4, kept: 3, givenUp: 2, swapped: true,
	}}
	b := &record{id: 2, pair: 5, at: 1, plies: 9, opening: 2, half: 0, replay: replay{
		logTree: 5, legal: 20, decisions: 7, forced: 3, logChoice: 2, passes: 4, coverage: 5, visited: 10, unique: 10,
		effects: 8, undone: 1, removed: 1,
		uses: useCounts{0: 1, 2: 2}, rated: 3, kept: 3,
	}}
	c := &record{id: 3, at: 2, plies: 4, half: 1, kind: endDraw, replay: replay{
		logTree: 1, legal: 8, coverage: 4,
		visited: 5, unique: 5, effects: 2, swapped: true,
	}}
	bad := &record{id: 4, at: 3, plies: 40, half: 1, kind: endCap, replay: replay{
		bad: true, legal: 99, decisions: 9,
		rated: 9,
	}}
	whole := &record{
		id: 5, at: 4, pair: 6, plies: 3, opening: 2, half: 2,
		replay: replay{logTree: 2, legal: 6, decisions: 1, coverage: 3, visited: 4, unique: 4, rated: 1, kept: 1},
	}
	lost := &record{
		id: 6, at: 5, pair: 6, plies: 2, opening: 2, half: 2, kind: endForfeit, marks: evidence.Forfeit,
		replay: replay{legal: 50, decisions: 9, rated: 5, givenUp: 9},
	}
	d := newGroup(0, cells, "k", "mirror", "x")
	for _, r := range []*record{a, c, b, bad, lost, whole} {
		d.take(r, false)
	}
	d.finish()

	same := func(what string, got, want any) {
		t.Helper()
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(effect{}, tally{}),
			cmp.Comparer(func(x, y float64) bool { return math.Abs(x-y) < 1e-12 })); diff != "" {
			t.Errorf("%s: %s", what, diff)
		}
	}
	same("units", []int64{d.board.n, d.choice.n, d.exact.n, d.tree.n, d.won.n}, []int64{3, 2, 2, 4, 3})
	same("choice", d.choice.total, []float64{13, 5, 8, 56, 6, 5})
	same("choice of the pair", d.choice.flat[:choiceColumns], []float64{12, 5, 7, 50, 6, 5})
	same("board", d.board.total, []float64{2, 4, 0.25, 4, 14, 3, 23})
	var alive [2*uses + 1]float64
	alive[0], alive[2], alive[uses], alive[uses+2], alive[2*uses] = 4, 2, 2, 1, 4
	same("alive", d.alive.total, alive[:])
	same("exact", d.exact.total, []float64{7, 1, 8})
	same("games with solved positions", d.rated, int64(3))
	same("flawless", d.flawless, effect{units: 2, games: 3, sum: 2, square: 2, clusters: 2, cross: 3, sizes: 5})
	same("tree", d.tree.total, []float64{11, 4, 64, 13})
	same("won", d.won.total, []float64{56, 13, 19, 3})
	same("results", d.tally, tally{2, 2, 1})
	same("pies", d.swaps, int64(2))
	same("all lengths", d.length[lengthAll].rows.total, []float64{63, 49 + 81 + 16 + 1600 + 9, 5})
	same("spread of lengths", d.length[lengthAll].effect, effect{
		units: 4, games: 5, sum: 63, square: 1755,
		clusters: 16*16 + 16 + 1600 + 9, cross: 32 + 4 + 40 + 3, sizes: 7,
	})
	for k, want := range map[int][]float64{
		lengthFinished: {23, 155, 4}, lengthWon: {10, 58, 2}, lengthDrawn: {4, 16, 1},
		lengthLost: {9, 81, 1},
	} {
		same("lengths", d.length[k].rows.total, want)
	}
	if d.length[lengthAll].plies.n != 5 || d.length[lengthFinished].plies.n != 4 || len(d.worst) != 1 ||
		d.worst[0].id != 1 {
		t.Errorf("%+v, worst %v", d.length[lengthAll].plies, d.worst)
	}
	same("games to look at", d.early, []int64{1, 3, 2, 5})
}

// Clusters of two games that are equal have the effect 2, those of one the effect 1, those of two opposites less than
// 1, which counts as 1; below ten clusters, and where all games are alike, nothing is known.
func TestDesignEffect(t *testing.T) {
	t.Parallel()
	type cluster [4]float64 // times, games, sum, sum of squares
	for name, c := range map[string]struct {
		clusters []cluster
		want     float64
	}{
		"equal":     {[]cluster{{5, 2, 2, 2}, {5, 2, 0, 0}}, 2},
		"nine":      {[]cluster{{5, 2, 2, 2}, {4, 2, 0, 0}}, 1},
		"single":    {[]cluster{{20, 1, 1, 1}, {20, 1, 0, 0}}, 1},
		"opposites": {[]cluster{{20, 2, 1, 1}}, 1},
		"alike":     {[]cluster{{20, 2, 2, 2}}, 1},
		// The mean is 15/25; the games' squares 15 - 9 = 6; 5 (2-1.2)² + 5 (0.4)² + 5 (1.2)² = 3.2 + 0.8 + 7.2 = 11.2.
		"of two sizes": {[]cluster{{5, 2, 2, 2}, {5, 1, 1, 1}, {5, 2, 0, 0}}, 11.2 / 6},
	} {
		var e effect
		for _, x := range c.clusters {
			e.add(x[0], x[1], x[2], x[3])
		}
		d := groupData{opened: true}
		if got := d.design(e); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %g, want %g", name, got, c.want)
		}
		if d.opened = false; d.design(e) != 1 {
			t.Errorf("%s: an effect of games without openings", name)
		}
	}
}
