package arena

import (
	"strings"
	"testing"

	"spar/engines"
	"spar/ratings"
)

// Where all pairs end alike nothing is known of their spread: the interval that is told is as wide as that of the same
// pairs without a stopping rule.
func TestUniformPairsAreToldWidely(t *testing.T) {
	t.Parallel()
	p, err := LoadPlan("test", []byte("name: x\nformat: match\ngames: [vanishing]\nagents: [random, greedy]\npairs: "+
		"5000\nopenings: {plies: 2}\nstop: {sprt: {elo0: 0, elo1: 30}}\n"))
	if err != nil {
		t.Fatal(err)
	}
	s, r, why, n := NewSchedule(p), &stopRule{}, "", 0
	for ; why == "" && n < 10000; n++ {
		g := &slot{outcome: engines.SecondWins} // in every game: each agent takes one of two
		g.Number, g.First = int64(n), n%2
		why, _ = r.sprt(s, g, true)
	}
	plain, err := ratings.AnalyzeMatch([]float64{0, 0, float64(n / 2), 0, 0}, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	if want := "95 % " + bounds(plain.Elo.Interval) + " (median"; !strings.Contains(why, want) {
		t.Errorf("%q, want %q", why, want)
	}
}
