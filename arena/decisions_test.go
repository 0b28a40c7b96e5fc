package arena

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"spar/engines"
)

// A match of a knockout goes to who has more points of its pairs, of equals after the last tie-break to the better seed, and to him, too,
// where both were withdrawn. One that is tied, or has not been played, stays open, also where one of the two was withdrawn.
func TestDecidedMatches(t *testing.T) {
	t.Parallel()
	const w, d, l = engines.FirstWins, engines.Drawn, engines.SecondWins
	for name, c := range map[string]struct {
		games     []engines.Result // by pairs: a is first in the first game of each
		next      int
		withdrawn []bool
		void      bool
		want      int
	}{
		"not played":             {nil, 0, []bool{false, false}, false, -1},
		"a wins both":            {[]engines.Result{w, l}, 1, []bool{false, false}, false, 0},
		"b wins both":            {[]engines.Result{l, w}, 1, []bool{false, false}, false, 1},
		"a by half a point":      {[]engines.Result{w, w, d, l}, 2, []bool{false, false}, false, 0},
		"tied":                   {[]engines.Result{w, w}, 1, []bool{false, false}, false, -1},
		"before the last one":    {[]engines.Result{w, w}, 1 + maxTiebreaks, []bool{false, false}, false, -1},
		"tied to the end":        {[]engines.Result{w, w}, 2 + maxTiebreaks, []bool{false, false}, false, 0},
		"b wins in the end":      {[]engines.Result{l, w}, 2 + maxTiebreaks, []bool{false, false}, false, 1},
		"tied, both withdrawn":   {[]engines.Result{d, d}, 1, []bool{true, true}, false, 0},
		"tied, a withdrawn":      {[]engines.Result{d, d}, 1, []bool{true, false}, false, -1},
		"tied, b withdrawn":      {[]engines.Result{d, d}, 1, []bool{false, true}, false, -1},
		"void, a withdrawn":      {[]engines.Result{0, 0}, 1, []bool{true, false}, true, 1},
		"void, b withdrawn":      {[]engines.Result{0, 0}, 1, []bool{false, true}, true, 0},
		"void, both withdrawn":   {[]engines.Result{0, 0}, 1, []bool{true, true}, true, 0},
		"b ahead, both withdraw": {[]engines.Result{l, w}, 1, []bool{true, true}, false, 1},
	} {
		s := &Schedule{withdrawn: c.withdrawn}
		m := knockoutMatch{a: 0, b: 1, next: c.next, won: -1}
		for i, r := range c.games {
			g := slot{outcome: r, void: c.void}
			g.First, g.Second = i%2, 1-i%2
			s.games = append(s.games, g)
			if i%2 == 1 {
				m.pairs = append(m.pairs, int64(i/2))
			}
		}
		f := &knockout{t: &Tournament{Plan: Plan{Pairs: 2}}, matches: []knockoutMatch{m}}
		if f.decide(s); f.matches[0].won != c.want {
			t.Errorf("%s: won by %d, want %d", name, f.matches[0].won, c.want)
		}
	}
}

// superseding is a study of which only games are taken out of their places.
type superseding struct {
	Study
	places []Slot
	from   int64
}

func (s *superseding) Supersede(_ context.Context, _ string, keep func(event, number int64) bool) (n int64, _ error) {
	for _, p := range s.places {
		if !keep(p.Event, p.Number) {
			n++
		}
	}
	return n, nil
}

func (s *superseding) SupersedeFrom(_ context.Context, event, number int64) (int64, error) {
	s.from = number
	return 100 * event, nil
}

// Of whom nobody trusts all games go but those that were played again alike; where results decide who meets whom, also all from the first of
// them in this event on, whoever played them.
func TestWhatIsSuperseded(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		format string
		places []Slot
		tested []Slot
		n      int64
		from   int64 // -1: none
	}{
		{"swiss", []Slot{{1, 7}, {1, 4}, {1, 9}}, nil, 103, 4},
		{"knockout", []Slot{{1, 4}, {1, 7}}, []Slot{{1, 4}}, 101, 7},
		{"swiss", []Slot{{2, 3}, {1, 0}, {1, 5}}, nil, 103, 0},
		{"swiss", []Slot{{2, 3}}, nil, 1, -1},
		{"swiss", []Slot{{1, 3}}, []Slot{{1, 3}}, 0, -1},
		{"swiss", nil, nil, 0, -1},
		{"round-robin", []Slot{{1, 7}, {1, 4}}, nil, 2, -1},
	} {
		db := &superseding{places: c.places, from: -1}
		tour := &Tournament{Plan: Plan{Format: c.format}}
		n, err := tour.supersede(t.Context(), db, 1, &Distrust{Worker: "w", Tested: func(s Slot) bool { return slices.Contains(c.tested, s) }})
		if err != nil || n != c.n || db.from != c.from {
			t.Errorf("%s: %d games, from %d on, %v; want %s", c.format, n, db.from, err, fmt.Sprint(c.n, " from ", c.from))
		}
	}
}
