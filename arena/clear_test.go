package arena

import (
	"slices"
	"testing"

	"spar/arena/evidence"
	"spar/engines"
	"spar/ratings"
)

// Match-ups end by themselves: of three agents that play themselves one wins every game as first player and ends at its least number of
// rounds, one is even and plays all, and one ends at the very game at which a sequence, fed with its games one by one, leaves the limit.
func TestClearMatchUpsEnd(t *testing.T) {
	t.Parallel()
	p := scheduled(t, "name: x\nformat: mirror\npairs: 100\ngames: [classic]\nagents: [random, {agent: random, name: even}, {agent: random, name: ahead}]\n")
	p.Stop.Clear = &Clear{Score: []float64{0.4, 0.6}, Least: 12, Level: 0.95}
	how := func(j Job) (engines.Result, int8) {
		switch j.First {
		case 0:
			return engines.FirstWins, 0
		case 1:
			return engines.Winner(int(j.Number % 2)), 0
		}
		return draw(j.Number, 0.8, 0.2), 0
	}
	got := simulate(t, p, how, 3, 1, ended{})
	games := [3][]int64{}
	for n := range got.counted() {
		games[n/2%3] = append(games[n/2%3], n)
	}
	if len(games[0]) != 24 || len(games[1]) != 200 {
		t.Errorf("%d and %d games of who always wins and who is even, want 24 and 200", len(games[0]), len(games[1]))
	}
	slices.Sort(games[2])
	counts, stops := make([]int64, 3), 0
	for pair := int64(0); stops == 0 && pair < 100; pair++ {
		for _, n := range []int64{6*pair + 4, 6*pair + 5} {
			counts[int(2*draw(n, 0.8, 0.2).Score(engines.First))]++
		}
		if pair >= 11 && ratings.Sequence(counts, 0.95).Interval.Lo >= 0.6 {
			stops = int(2 * (pair + 1))
		}
	}
	if stops <= 24 || stops >= 200 || len(games[2]) != stops {
		t.Errorf("who is ahead played %d games, want %d", len(games[2]), stops)
	}
	if len(got.why) == 0 || got.why[:4] == "what" {
		t.Errorf("why %q: one match-up was never clear", got.why)
	}
}

// Each question is asked: where draws or ends are not clear the match-up goes on, and what is asked of pairs is asked of pairs.
func TestClearAsksAll(t *testing.T) {
	t.Parallel()
	add := func(t *tally, n int64, first int, o engines.Result, capped bool) {
		t.add(&slot{Job: Job{Number: n, First: first, Second: 1 - first}, outcome: o, capped: capped, marks: evidence.Marks(0)}, true)
	}
	fill := func(capped bool) *tally {
		var x tally
		for i := range int64(30) { // the first of the two wins in both seats
			add(&x, 2*i, 0, engines.FirstWins, false)
			add(&x, 2*i+1, 1, engines.SecondWins, capped)
		}
		return &x
	}
	for _, c := range []struct {
		name   string
		clear  Clear
		capped bool
		want   bool
	}{
		{"score", Clear{Score: []float64{0.5}}, false, true},
		{"a limit too near", Clear{Score: []float64{0.5, 0.99}}, false, false},
		{"draws", Clear{Score: []float64{0.5}, Draws: []float64{0.2}}, false, true},
		{"draws too near", Clear{Score: []float64{0.5}, Draws: []float64{0.01}}, false, false},
		{"ends", Clear{Score: []float64{0.5}, Ends: []float64{0.8}}, false, true},
		{"half of them capped", Clear{Score: []float64{0.5}, Ends: []float64{0.5}}, true, false},
	} {
		c.clear.Level = 0.95
		x := fill(c.capped)
		if got := c.clear.clear(x); got != c.want {
			t.Errorf("%s: %t, want %t", c.name, got, c.want)
		}
		if x.score[4] != 30 || len(x.score) != 5 {
			t.Errorf("pairs %v, want 30 that were won twice", x.score)
		}
	}
}

// A limit at the very end of an interval is not within it: the answer is clear there, and anywhere beyond, but not inside.
func TestClearAtTheEnds(t *testing.T) {
	t.Parallel()
	counts := []int64{10, 5, 25}
	v := ratings.Sequence(counts, 0.95).Interval
	for x, want := range map[float64]bool{v.Lo: true, v.Hi: true, v.Lo - 0.01: true, v.Hi + 0.01: true, v.Lo + 1e-9: false, v.Hi - 1e-9: false, (v.Lo + v.Hi) / 2: false} {
		if got := (&Clear{Score: []float64{x}, Level: 0.95}).clear(&tally{score: counts}); got != want {
			t.Errorf("a limit of %g beside %g to %g: clear %t", x, v.Lo, v.Hi, got)
		}
	}
	if !(&Clear{Level: 0.95}).clear(&tally{score: counts}) {
		t.Error("nothing is asked, and that is not clear")
	}
}
