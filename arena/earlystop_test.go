package arena

import (
	"slices"
	"testing"

	"spar/engines"
	"spar/ratings"
)

// Match-ups end by themselves: of three agents that play themselves one wins every game as first player and ends at its
// least number of rounds, one is even and plays all, and one ends at the very game at which a sequence, fed with its
// games one by one, leaves the limit.
func TestClearMatchUpsEnd(t *testing.T) {
	t.Parallel()
	p := scheduled(t, "name: x\npairs: 100\ngames: [classic]\nagents: [random, {agent: random, name: "+
		"even}, {agent: random, name: ahead}]\n")
	p.Format = "mirror"
	p.Stop.EarlyStop = &EarlyStop{Score: []float64{0.4, 0.6}, Least: 12, Level: 0.95}
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
		if pair >= 11 && ratings.ConfidenceSequence(counts, 0.95).Interval.Lo >= 0.6 {
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
