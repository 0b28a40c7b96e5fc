package tuning

import (
	"strings"
	"testing"

	"spar/agents"
	"spar/arena/evidence"
	"spar/arena/study"
	"spar/configs/must"
	"spar/ratings"
)

// hallOf is a hall whose games are all stored, so that nothing is played: pair after pair, each by what its first agent
// scores in both games: w won, d drawn, l lost, in capital letters where the game repeats another. Openings are counted
// from one on.
func hallOf(t *Tuning, from int64, results string) *matchRunner {
	h := &matchRunner{t: t, purpose: "validation", rules: 1, seed: 7, stored: map[int64]study.Game{}, show: func(int64) {}}
	for n, c := range strings.ReplaceAll(results, " ", "") {
		won := map[rune]string{'w': "first", 'd': "draw", 'l': "second"}
		if n%2 == 1 { // it moves second
			won['w'], won['l'] = "second", "first"
		}
		g := study.Game{
			Opening: from + int64(n/2), Seed: 7, Result: won[c|0x20], First: int64(1 + n%2),
			Second: int64(2 - n%2), Hash: int64(100 + n),
		}
		if c < 'a' {
			g.Marks, g.Hash = evidence.Repeated, int64(100+n%2) // as the first ones
		}
		h.stored[int64(n)] = g
	}
	return h
}

// certain is an agent that leaves nothing to chance: its equal games are one.
func certain(t *testing.T, name string) agents.Spec {
	t.Helper()
	s, err := agents.LoadSpec("greedy", "ties=first")
	if err != nil || !s.Deterministic() {
		t.Fatal("the agent leaves something to chance", err)
	}
	s.Name = name
	return s
}

// The sequential test ends as soon as it can tell, and no game after that is one of it; pairs of which a game repeats
// an earlier one say nothing.
func TestSequentialTest(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		most    int
		results string
		games   int64
		state   ratings.State
		pairs   int64
	}{
		{"undecided", 12, strings.Repeat("wl", 12), 24, ratings.StateContinue, 12},
		{"a single pair", 1, "wd", 2, ratings.StateContinue, 1},
		{"repetitions", 8, "wl wD wl Wl wl wl wl wl", 16, ratings.StateContinue, 6},
		{"nothing new after a batch", 12, strings.Repeat("wl", 8) + strings.Repeat("WL", 4), 24, ratings.StateContinue, 8},
	} {
		x := &examiner{t: &Tuning{Plan: Plan{Validation: Validation{Most: c.most, Elo1: 20}}}, out: &Examination{}}
		x.tuned, x.start = certain(t, "a"), certain(t, "b")
		x.m = hallOf(&Tuning{}, 0, c.results)
		must.Do(t, x.sequential(t.Context()))
		if n := x.out.SPRT.Elo.N; x.out.Games != c.games || x.out.SPRT.State != c.state || n != c.pairs {
			t.Errorf("%s: %d games, %s after %d; want %d, %s after %d", c.name, x.out.Games, x.out.SPRT.State, n, c.games,
				c.state, c.pairs)
		}
	}
	for results, want := range map[string]ratings.State{
		"wwwwwwwdwwwwwlww": ratings.StateAcceptH1,
		"lllllldlllllwlll": ratings.StateAcceptH0,
	} {
		x := &examiner{t: &Tuning{Plan: Plan{Validation: Validation{Most: 400, Elo1: 20}}}, out: &Examination{}}
		x.tuned, x.start = certain(t, "a"), certain(t, "b")
		x.m = hallOf(&Tuning{}, 0, strings.Repeat(results, 50))
		must.Do(t, x.sequential(t.Context()))
		n := float64(x.out.SPRT.Elo.N)
		if x.out.SPRT.State != want || n >= 400 || x.out.Games != int64(2*n) {
			t.Errorf("%s after %g pairs, %d games, want %s", x.out.SPRT.State, n, x.out.Games, want)
		}
	}
}
