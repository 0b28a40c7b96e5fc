package balance

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"spar/agents"
	"spar/arena/evidence"
	"spar/engines"
	"spar/engines/enginetest"
)

// The sums of a group of five games, by hand: a pair from an opening, which is one unit, a game from the start, one that a cap ended and
// that does not replay, and a pair of which one game was a forfeit, which counts only for how games end.
func TestSumsOfUnits(t *testing.T) {
	t.Parallel()
	const cells = 10
	a := &record{id: 1, pair: 5, plies: 7, opening: 2, half: 2, replay: replay{
		logTree: 3, legal: 30, decisions: 5, forced: 2, logChoice: 4, passes: 1, coverage: 8, visited: 8, unique: 6, effects: 4, undone: 3, removed: 2,
		uses: useCounts{0: 3}, rated: 4, kept: 3, givenUp: 2, swapped: true,
	}}
	b := &record{id: 2, pair: 5, at: 1, plies: 9, opening: 2, half: 0, replay: replay{
		logTree: 5, legal: 20, decisions: 7, forced: 3, logChoice: 2, passes: 4, coverage: 5, visited: 10, unique: 10, effects: 8, undone: 1, removed: 1,
		uses: useCounts{0: 1, 2: 2}, rated: 3, kept: 3,
	}}
	c := &record{id: 3, at: 2, plies: 4, half: 1, kind: endDraw, replay: replay{logTree: 1, legal: 8, coverage: 4, visited: 5, unique: 5, effects: 2, swapped: true}}
	bad := &record{id: 4, at: 3, plies: 40, half: 1, kind: endCap, replay: replay{bad: true, legal: 99, decisions: 9, rated: 9}}
	whole := &record{id: 5, at: 4, pair: 6, plies: 3, opening: 2, half: 2, replay: replay{logTree: 2, legal: 6, decisions: 1, coverage: 3, visited: 4, unique: 4, rated: 1, kept: 1}}
	lost := &record{id: 6, at: 5, pair: 6, plies: 2, opening: 2, half: 2, kind: endForfeit, marks: evidence.Forfeit, replay: replay{legal: 50, decisions: 9, rated: 5, givenUp: 9}}
	d := newGroup(0, cells, "k", "mirror", "x")
	for _, r := range []*record{a, c, b, bad, lost, whole} {
		d.take(r, false)
	}
	d.finish()

	same := func(what string, got, want any) {
		t.Helper()
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(effect{}, tally{}), cmp.Comparer(func(x, y float64) bool { return math.Abs(x-y) < 1e-12 })); diff != "" {
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
	same("spread of lengths", d.length[lengthAll].effect, effect{units: 4, games: 5, sum: 63, square: 1755, clusters: 16*16 + 16 + 1600 + 9, cross: 32 + 4 + 40 + 3, sizes: 7})
	for k, want := range map[int][]float64{lengthFinished: {23, 155, 4}, lengthWon: {10, 58, 2}, lengthDrawn: {4, 16, 1}, lengthLost: {9, 81, 1}} {
		same("lengths", d.length[k].rows.total, want)
	}
	if d.length[lengthAll].plies.n != 5 || d.length[lengthFinished].plies.n != 4 || len(d.worst) != 1 || d.worst[0].id != 1 {
		t.Errorf("%+v, worst %v", d.length[lengthAll].plies, d.worst)
	}
	same("games to look at", d.early, []int64{1, 3, 2, 5})
}

// The worst games are those with the most given away, the first ones among equals, at most five of them, whatever their order.
func TestWorstGames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		givenUp []int32
		want    []int64
	}{
		{[]int32{0, 0}, nil},
		{[]int32{1, 0, 2}, []int64{3, 1}},
		{[]int32{1, 1, 1, 1, 1, 1, 1}, []int64{1, 2, 3, 4, 5}},
		{[]int32{1, 2, 3, 4, 5, 6}, []int64{6, 5, 4, 3, 2}},
		{[]int32{2, 2, 2, 2, 2, 1, 3}, []int64{7, 1, 2, 3, 4}},
	} {
		d := newGroup(0, 9, "k", "mirror", "x")
		for i, n := range c.givenUp {
			d.game(&record{id: int64(i + 1), replay: replay{givenUp: n}})
		}
		var got []int64
		for _, r := range d.worst {
			got = append(got, r.id)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v", c.givenUp, got, c.want)
		}
	}
}

// Clusters of two games that are equal have the effect 2, those of one the effect 1, those of two opposites less than 1, which counts
// as 1; below ten clusters, and where all games are alike, nothing is known.
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

// Numbers are counted and found by rank, from 0.
func TestDist(t *testing.T) {
	t.Parallel()
	var d dist
	for _, x := range []int{4, 0, 2, 4, 2, 2} { // 0 2 2 2 4 4
		d.add(x)
	}
	for rank, want := range []float64{0, 2, 2, 2, 4, 4, 4} {
		if got := d.at(rank); got != want {
			t.Errorf("rank %d: %g, want %g", rank, got, want)
		}
	}
	for x, want := range []int64{1, 0, 3, 0, 2, 0, 0} {
		if got := d.count(x); got != want || d.n != 6 {
			t.Errorf("%d: %d times, want %d", x, got, want)
		}
	}
}

// Games are short where the whole interval of their median lies within four turns of each player.
func TestShort(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		median     Number
		placements int
		want       bool
	}{
		{Number{Value: 7, Lo: 6, Hi: 8, N: 9}, 1, true},
		{Number{Value: 7, Lo: 6, Hi: 9, N: 9}, 1, false},
		{Number{Value: 15, Lo: 6, Hi: 16, N: 9}, 2, true},
		{Number{Value: 15, Lo: 6, Hi: 17, N: 9}, 2, false},
		{Number{Value: 7, Lo: 6, HiOpen: true, N: 9}, 1, false},
		{Number{Value: 7, Lo: 6, Hi: 8, HiOpen: true, N: 9}, 1, false},
		{Number{Value: 7, LoOpen: true, Hi: 8, N: 9}, 1, true},
		{Number{}, 1, false},
	} {
		g := Group{}
		g.Length.All.Median = c.median
		if got := g.Short(c.placements); got != c.want {
			t.Errorf("%+v of %d placements: %t", c.median, c.placements, got)
		}
	}
}

// The odd games: among equals the first; a capped one is not the longest, and may be the shortest.
func TestOddGames(t *testing.T) {
	t.Parallel()
	var o oddGames
	for i, r := range []record{
		{plies: 8},
		{plies: 8},
		{plies: 6, kind: endDraw},
		{plies: 6, kind: endDraw},
		{plies: 5, kind: endDraw},
		{plies: 9},
		{plies: 9, kind: endForfeit},
		{plies: 12, kind: endCap},
		{plies: 11, kind: endCap},
		{plies: 12, kind: endCap},
		{plies: 5},
	} {
		r.id = int64(i + 1)
		o.add(&r)
	}
	if got := []int64{o.longest.id, o.shortest.id, o.last.id, o.draw.id, o.capped.id}; !slices.Equal(got, []int64{6, 5, 8, 5, 9}) {
		t.Errorf("longest, shortest, last, draw, capped: %v", got)
	}
	if d := cmp.Diff(map[int32]int64{8: 1, 6: 3, 5: 5, 9: 6, 12: 8, 11: 9}, o.ofPlies); d != "" || o.plies.n != 11 {
		t.Error(d)
	}
}

// Games are counted by their first moves, whole pairs by turns in either half, and by their openings of any length.
func TestFirstMovesAndLines(t *testing.T) {
	t.Parallel()
	short := prefix{1, 2}.cut(2)
	games := []record{
		{id: 7, pair: 0, half: 2, replay: replay{prefix: prefix{1, 2, 3}.cut(3)}},
		{id: 8, pair: 0, half: 1, replay: replay{prefix: prefix{1, 2, 4}.cut(3)}},
		{id: 6, pair: 1, half: 0, replay: replay{prefix: prefix{1, 2, 3}.cut(3)}},
		{id: 9, pair: 2, half: 2, replay: replay{prefix: short}},
		{id: 5, pair: 2, half: 2, replay: replay{prefix: prefix{3, 2, 4}.cut(3)}},
	}
	var f firstSums
	var l lineSums
	for i := range games {
		games[i].first, games[i].second = int32(i), int32(i+1)
		f.add(&games[i])
		l.add(&games[i])
	}
	l.order()
	if x := f.moves[1]; x.tallies != [3]tally{{2, 1, 1}, {2, 1, 0}, {0, 0, 1}} || x.pairs != 3 || len(f.agents) != 6 {
		t.Errorf("%+v by %v", *x, f.agents)
	}
	if x := f.moves[3]; x.tallies != [3]tally{{1, 0, 0}, {1, 0, 0}, {}} || x.pairs != 1 || len(f.moves) != 2 {
		t.Errorf("%+v", *x)
	}
	one, two := prefix{1}.cut(1), prefix{3}.cut(1)
	for plies, want := range map[int][]line{
		1: {{one, 2, 1, 1, 7}, {two, 1, 0, 0, 5}},
		2: {{short, 2, 1, 1, 7}, {prefix{3, 2}.cut(2), 1, 0, 0, 5}},
		3: {{prefix{1, 2, 3}.cut(3), 1, 0, 1, 7}, {prefix{1, 2, 4}.cut(3), 0, 1, 0, 8}, {prefix{3, 2, 4}.cut(3), 1, 0, 0, 5}},
		4: nil,
	} {
		if got := sorted(l.lines, plies); !slices.Equal(got, want) || l.games != 5 {
			t.Errorf("%d plies: %+v, want %+v", plies, got, want)
		}
	}
	if n := (&line{wins: 3, draws: 2, losses: 4}).games(); n != 9 || short[1] != 2 || short[2] != engines.NoMove {
		t.Errorf("%d games of %v", n, short)
	}
}

// Of a single game, too, it is told how often a mechanic of its rules happened; of none nothing.
func TestMechanicsOfOneGame(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "vanishing") // pieces leave by age
	d := newGroup(0, 9, "k", "mirror", "x")
	d.finish()
	if got := newMeasurer(Options{}).alive(g, d); len(got) != 0 {
		t.Errorf("without games %+v", got)
	}
	d = newGroup(0, 9, "k", "mirror", "x")
	d.take(&record{id: 1, plies: 9, half: 2, replay: replay{uses: useCounts{6: 3}}}, false)
	d.finish()
	if got := newMeasurer(Options{}).alive(g, d); len(got) != 1 || got[0].Mechanic != "leaves" || got[0].PerGame.Value != 3 || got[0].Games.Value != 1 {
		t.Errorf("%+v, want three leaves in one game", got)
	}
}

// The amount of a tier is what its budget states and can be doubled; mcts without limits runs a thousand simulations.
func TestAmountOfATier(t *testing.T) {
	t.Parallel()
	of := func(kind string, b agents.Budget) Agent {
		s := agents.DefaultSpec()
		s.Type = kind
		return Agent{Spec: &s, Budget: b}
	}
	d := &Data{Agents: map[string]Agent{
		"free": of("mcts", agents.Budget{}), "few": of("mcts", agents.Budget{Iterations: 50}), "deep": of("minimax", agents.Budget{Depth: 4}),
		"free minimax": of("minimax", agents.Budget{}), "nodes": of("minimax", agents.Budget{Nodes: 700}), "timed": of("mcts", agents.Budget{Seconds: 0.5}),
		"chance": of("random", agents.Budget{Nodes: 9}), "unstated": {},
	}}
	for name, want := range map[string]int64{"free": 1000, "few": 50, "deep": 0, "free minimax": 0, "nodes": 700, "timed": 500, "chance": 0, "unstated": 0, "unknown": 0} {
		if got := d.tier(name); got.Amount != want || got.Name != name || got.Timed != (name == "timed") {
			t.Errorf("%s: %+v, want %d", name, got, want)
		}
	}
}
