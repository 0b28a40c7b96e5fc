package main

import (
	"strings"
	"testing"

	"spar/agents"
	"spar/arena"
	"spar/engines"
)

// The live view counts finished pairs, from the view of the plan's first agent whoever sat first, and leaves half pairs out of
// the ratings. Three pairs of 2, 1 and 2 points of 2 are 5 of 6: 83.3 %.
func TestLiveStandings(t *testing.T) {
	t.Parallel()
	l := newLiveStandings(&arena.Tournament{
		Plan:    arena.Plan{Stop: arena.Stop{SPRT: &arena.SPRT{Elo0: 0, Elo1: 50}}},
		Players: []agents.Spec{{Name: "a"}, {Name: "b"}},
	})
	win, loss := engines.FirstWins, engines.SecondWins
	for _, g := range []liveGame{
		{"classic", "a", "b", 0, win, 5, false},
		{"classic", "b", "a", 0, loss, 7, false},
		{"classic", "b", "a", 1, win, 9, false},
		{"classic", "a", "b", 2, win, 5, true},
		{"classic", "b", "a", 2, loss, 5, false},
		{"classic", "a", "b", 1, win, 5, false},
		{"classic", "a", "b", 3, loss, 6, false}, // its other half is missing
	} {
		l.add(g)
	}
	if want := [5]float64{0, 0, 1, 0, 2}; l.penta != want {
		t.Errorf("pairs by points %v, want %v", l.penta, want)
	}
	text := l.table()
	for _, want := range []string{"1  a ", "83.3 %", "16.7 %", "mean length 6.0 plies, 1 faults", "pairs of 0, ½, 1, 1½, 2 points: 0 0 1 0 2"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if got := l.summary(); !strings.HasPrefix(got, "sequential test of Elo 0 against 50: LLR ") || !strings.Contains(got, "a leads, Elo +") {
		t.Errorf("summary: %s", got)
	}
	if empty := newLiveStandings(&arena.Tournament{Players: []agents.Spec{{Name: "a"}}}); empty.table() != "" || empty.summary() != "mean length 0.0 plies, 0 faults" {
		t.Errorf("before the first game: %q, %q", empty.table(), empty.summary())
	}
}
