package balance

import (
	"strings"
	"testing"

	"spar/arena/campaign"
	"spar/engines/enginetest"
	"spar/ratings"
)

// Numbers of games that ended when they were clear have the intervals of sequences, of the same games whose number was
// fixed the usual ones; a rung of the ladder is judged by pairs.
func TestWhatWasLookedAt(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	study := func(clear bool) *Report {
		var games []Game
		for i := range int64(40) {
			x := played(t, g, i+1, "top", "top", map[bool]string{true: centreWin5, false: cornerDraw}[i%4 > 0])
			x.Hash = i + 1
			games = append(games, x)
		}
		for i := range int64(40) { // top wins as the first player, and draws as the second
			a, b, moves := "top", "low", centreWin5
			if i%2 == 1 {
				a, b, moves = "low", "top", cornerDraw
			}
			x := played(t, g, 100+i, a, b, moves)
			x.Event, x.Hash, x.Pair = 2, 100+i, 100+i/2
			games = append(games, x)
		}
		events := []Event{event(1, campaign.PurposeMirror, "low", "top"), event(2, campaign.PurposeLadder, "low", "top")}
		events[0].Clear, events[1].Clear = clear, clear
		return measureGames(t, records(g, "classic", events, players(map[string]int64{"low": 10, "top": 20}), games),
			Options{})
	}
	same := func(n ratings.Estimate, s ratings.Estimate) bool {
		return n.Method == s.Method && n.Value == s.Value && n.Lo == s.Interval.Lo && n.Hi == s.Interval.Hi && n.N == s.N
	}
	r := study(true)
	o := r.Groups[r.Headline].Outcome
	if !same(o.Score, ratings.ConfidenceSequence([]int64{0, 10, 30}, 0.95)) ||
		!same(o.Draw, ratings.ConfidenceSequence([]int64{30, 10}, 0.95)) {
		t.Errorf("score %+v, draws %+v", o.Score, o.Draw)
	}
	if c := r.Groups[r.Headline].Ends.Completion; !same(c, ratings.ConfidenceSequence([]int64{0, 40}, 0.95)) {
		t.Errorf("completion %+v", c)
	}
	if !same(r.Completed, ratings.ConfidenceSequence([]int64{0, 80}, 0.95)) {
		t.Errorf("completion of all games %+v", r.Completed)
	}
	if s := r.Ladder.Rungs[0].Score; !same(s, ratings.ConfidenceSequence([]int64{0, 0, 0, 20, 0}, 0.95)) ||
		r.Ladder.Rungs[0].Elo.LoOpen {
		t.Errorf("rung %+v", r.Ladder.Rungs[0])
	}
	fixed := study(false)
	if o := fixed.Groups[fixed.Headline].Outcome; o.Score.Method != "wilson, clustered" || o.Draw.Method != "wilson, clustered" ||
		o.Score.Value != 0.875 {
		t.Errorf("fixed: %+v", o.Score)
	}
	if s := fixed.Ladder.Rungs[0].Score; s.Method == "confidence sequence" {
		t.Errorf("fixed: %+v", s)
	}
}

// Whether games end is told by all games of the study where those of the strongest tier are too few, and never against
// them.
func TestEndsByAllGames(t *testing.T) {
	t.Parallel()
	m := newMeasurer(Options{})
	for _, c := range []struct {
		name         string
		capped, n    int64 // of the headline
		allCapped, N int64
		want         Colour
		wide         bool
	}{
		{"few games, all end", 0, 120, 0, 900, Good, true},
		{"few games, all end, and few in all", 0, 120, 0, 200, Undecided, false},
		{"one tier that does not end among many that do", 40, 120, 40, 20_000, Poor, false},
		{"decided alone", 0, 4000, 0, 9000, Good, false},
		{"caps among the others", 2, 120, 200, 900, Poor, true},
		{"no games but those of the headline", 0, 120, 0, 120, Undecided, false},
	} {
		r := &Report{Groups: []Group{{Name: "a against itself"}}}
		r.Groups[0].Ends.Completion = m.sequence([]int64{c.capped, c.n - c.capped}, "games", "share")
		r.Groups[0].Outcome.Score = m.share(c.n/2, c.n)
		r.Completed = m.sequence([]int64{c.allCapped, c.N - c.allCapped}, "games", "share")
		r.Verdict = m.conclude(r, false)
		l := r.lights()[2]
		if wide := strings.Contains(l.Text, "of all games between agents that search"); l.Colour != c.want ||
			wide != c.wide {
			t.Errorf("%s: %s (%s)", c.name, l.Colour, l.Text)
		}
	}
}

// The exact value of rules is had by a table, by a proof, or not at all.
func TestExactOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rules  string
		set    []string
		memory int64
		want   string
	}{
		{"classic", nil, 16_000_000, "With best play the game is a draw; 9 of 9 first moves keep it."},
		{"classic", []string{"board.columns=4"}, 16_000_000, "The first player wins by force, in 7 plies; "},
		{"classic", []string{"board.columns=4"}, 1, "The first player wins by force, beginning with "},
		{"classic", []string{"board.columns=5", "board.rows=5", "win.line=4"}, 1, "With best play the game is a draw " +
			"(proved, "},
		{"reversi", nil, 1, ""},
	} {
		e, err := campaign.ExactOf(t.Context(), enginetest.Load(t, c.rules, c.set...), c.memory, campaign.ProofNodes, 1)
		text := ""
		if e != nil {
			text = e.Text
		}
		if err != nil || !strings.HasPrefix(text, c.want) || (c.want == "") != (e == nil) {
			t.Errorf("%s %v in %d bytes: %q, %v; want %q", c.rules, c.set, c.memory, text, err, c.want)
		}
	}
}
