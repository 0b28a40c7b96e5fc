package balance

import (
	"testing"

	"spar/arena/campaign"
	"spar/engines/enginetest"
)

// Each reason a game can end for, and what it counts for: of the games that the rules or a cap ended, which completed;
// whether a drawn one is a draw by the rules. A forfeit and an adjudication say nothing about completion.
func TestWhatAnEndingCountsFor(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	for _, c := range []struct {
		reason, result          string
		kind                    string
		judged, completed, caps int64 // of one such game
		draws                   int64
	}{
		{"line", "first", "win", 1, 1, 0, 0},
		{"full_board", "draw", "draw", 1, 1, 0, 1},
		{"repetition", "draw", "draw", 1, 1, 0, 1},
		{"ply_cap", "draw", "cap", 1, 0, 1, 0},
		{"clock", "draw", "cap", 1, 0, 1, 0},
		{"resign", "first", "adjudicated", 0, 0, 0, 0},
		{"agreed_draw", "draw", "adjudicated", 0, 0, 0, 1},
		{"exact", "second", "adjudicated", 0, 0, 0, 0},
		{"forfeit_illegal", "second", "forfeit", 0, 0, 0, 0},
		{"forfeit_timeout", "first", "forfeit", 0, 0, 0, 0},
	} {
		// Two games won on the board, and two that ended so: the share of completed games is 1 of 1 or 2 and 2 more of
		// either.
		var games []Game
		for i := range 4 {
			x := played(t, g, int64(i+1), "top", "top", centreWin5)
			if i >= 2 {
				x.Result, x.Reason = c.result, c.reason
			}
			games = append(games, x)
		}
		r := measureGames(t, records(g, "classic", []Event{event(1, campaign.PurposeMirror, "top")},
			players(map[string]int64{"top": 100}), games), Options{})
		e, o := r.Groups[0].Ends, r.Groups[0].Outcome
		played, completed := 2+2*c.judged, 2+2*c.completed
		if e.Completion.N != played || e.Completion.Value != float64(completed)/float64(played) {
			t.Errorf("%s: completion %+v, want %d of %d", c.reason, e.Completion, completed, played)
		}
		if o.Caps != 2*c.caps || o.Draws != 2*c.draws {
			t.Errorf("%s: %d caps and %d draws, want %d and %d", c.reason, o.Caps, o.Draws, 2*c.caps, 2*c.draws)
		}
		found := false
		for _, s := range e.Reasons {
			if s.Reason != c.reason {
				continue
			}
			found = true
			if want := map[bool]int64{true: 4, false: 2}[c.reason == "line"]; s.Kind != c.kind || s.Games != want ||
				s.By[c.result] != want {
				t.Errorf("%s: %+v, want kind %s, %d games won by %s", c.reason, s, c.kind, want, c.result)
			}
		}
		if !found {
			t.Errorf("%s is not among the reasons %+v", c.reason, e.Reasons)
		}
	}
}
