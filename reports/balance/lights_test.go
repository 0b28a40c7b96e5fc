package balance

import (
	"strings"
	"testing"

	"spar/arena/campaign"
)

// A game that one side wins by force is not called good because the agents score evenly, nor one of which nobody knows
// what stronger agents would do.
func TestForcedWinIsNotGood(t *testing.T) {
	t.Parallel()
	m := newMeasurer(Options{})
	for _, c := range []struct {
		winner string
		colour Colour
		begins string
	}{
		{"first", Poor, "Solved."},
		{"draw", Good, "Solved."},
		{"", Middling, "Who wins under stronger play is unknown: "},
	} {
		r := &Report{Groups: []Group{{Name: "a against itself", Found: Found{Outcome: Outcome{Score: m.share(10_000, 20_000)}}}}}
		if c.winner != "" {
			r.Exact = &campaign.Exact{Winner: c.winner, Text: "Solved."}
		}
		r.Verdict = m.conclude(r, false)
		r.Lights = r.lights()
		for _, l := range r.Lights {
			if l.Measure == "first_score" && l.Colour != c.colour {
				t.Errorf("winner %q: %s, want %s", c.winner, l.Colour, c.colour)
			}
		}
		if text := r.Verdict.Text; !strings.HasPrefix(text, c.begins) {
			t.Errorf("winner %q: %s", c.winner, text)
		}
	}
}
