package arena

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"spar/arena/study"
	"spar/engines"
	"spar/ratings"
)

// A sequential test says how many pairs did not count, be it one, and nothing where all did.
func TestPairsThatDoNotCountAreTold(t *testing.T) {
	t.Parallel()
	p, err := LoadPlan("test", []byte("name: x\nformat: match\ngames: [vanishing]\nagents: [random, greedy]\npairs: 5000\nopenings: {plies: 2}\nstop: {sprt: {elo0: 0, elo1: 100}}\n"))
	if err != nil {
		t.Fatal(err)
	}
	s := NewSchedule(p)
	for void, want := range map[int]string{0: "", 1: " (1 more repeat", 2: " (2 more repeat"} {
		r, why := &stopRule{}, ""
		for n := 0; why == "" && n < 10000; n++ {
			g := &slot{outcome: engines.FirstWins}
			g.Number, g.First = int64(n), n%2
			if g.First != 0 || n%10 < 2 { // the first agent takes both games of most pairs, and one of the others
				g.outcome = engines.SecondWins
			}
			why, _ = r.sprt(s, g, n/2 >= void)
		}
		if !strings.HasPrefix(why, "sequential test: accept_h1 after ") && !strings.HasPrefix(why, "sequential test: accept") || strings.Contains(why, "more repeat") != (void > 0) || !strings.Contains(why, want) {
			t.Errorf("%d pairs do not count: %q", void, why)
		}
	}
}

// Where all pairs end alike nothing is known of their spread: the interval that is told is as wide as that of the same pairs without a
// stopping rule.
func TestUniformPairsAreToldWidely(t *testing.T) {
	t.Parallel()
	p, err := LoadPlan("test", []byte("name: x\nformat: match\ngames: [vanishing]\nagents: [random, greedy]\npairs: 5000\nopenings: {plies: 2}\nstop: {sprt: {elo0: 0, elo1: 30}}\n"))
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
	if want := "95 % " + bounds(plain.Interval) + " (median"; !strings.Contains(why, want) {
		t.Errorf("%q, want %q", why, want)
	}
}

// A row has what was measured of each side where it belongs.
func TestRowKeepsTheSidesApart(t *testing.T) {
	t.Parallel()
	r := Result{Slot: Slot{Event: 2, Number: 3}, Spent: [2]time.Duration{4 * time.Millisecond, 5500 * time.Microsecond}, Nodes: [2]int64{6, 7}, Plies: 8, OpeningPlies: 9, Moves: "b2 a1", Reason: "line", Detail: "said", Hash: 10, Timed: true, Worker: "w"}
	want := study.Game{
		Event: 2, Number: 3, Rules: 11, First: 12, Second: 13, Pair: 14, Opening: 15, OpeningPlies: 9, Seed: 16, Moves: "b2 a1", Result: r.Outcome.String(), Reason: "line", Detail: "said",
		Plies: 8, FirstMS: 4, SecondMS: 5.5, FirstNodes: 6, SecondNodes: 7, Hash: 10, Timed: true, Worker: "w",
	}
	if got := r.Row(11, 12, 13, 14, 15, 16); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}
