package sheet

import (
	"bytes"
	"slices"
	"testing"

	"spar/configs/must"
	"spar/engines/enginetest"
)

// A sheet has a diagram for each kind of move and each way to win that its rules have, the same ones every time.
func TestSheets(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]string{
		"nine-mens-morris": {"Start", "Placement", "Step", "Taking a piece off", "Flight", "Too few pieces", "No move left"},
		"fox-and-geese":    {"Start", "Step (Geese)", "Step (Fox)", "Jump that captures (Fox)", "Win of Geese: no move left", "Win of Fox: too few pieces", "Win of Fox: no move left"},
		"hexapawn":         {"Start", "Step", "Capture", "An arrival", "No move left"},
		"reversi6":         {"Start", "Placement that turns pieces over", "More pieces"},
		"draughts":         {"Start", "Step", "Jump that captures", "Promotion", "Chain of captures", "No move left"},
		"vanishing":        {"Start", "Placement", "Placement that makes the oldest piece leave", "A line"},
	} {
		var pages [2]string
		var titles []string
		for i := range pages {
			s, html := Of(enginetest.Load(t, name)), bytes.Buffer{}
			must.Do(t, s.HTML(&html))
			pages[i], titles = html.String(), nil
			for _, e := range s.Examples {
				titles = append(titles, e.Title)
			}
		}
		for _, title := range want {
			if !slices.Contains(titles, title) {
				t.Errorf("%s has no diagram %q: %q", name, title, titles)
			}
		}
		if pages[0] != pages[1] {
			t.Errorf("%s differs from one time to the next", name)
		}
	}
}
