package sweep

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"spar/arena/store"
)

// A file that states only what has to be stated is a grid of two tiers, 50 and 100 iterations, 200 games of each with itself and 40
// against each other, of which the best two are played again with 400; its seed is 1, like that of every other plan.
func TestWhatAFileLeavesOut(t *testing.T) {
	t.Parallel()
	s := mustLoad(t, "name: bare\nrules: classic\nknobs: [{knob: board.columns, values: [3, 4]}]\ntargets: [\"draws<=90%\"]\n")
	if s.Design != Grid || !slices.Equal(s.Tiers, []int{50, 100}) || s.Games != 200 || s.Ladder != 40 || s.Best != 2 || s.Fresh != 400 || s.Seed != 1 {
		t.Errorf("%+v", s.Plan)
	}
	// Two variants: random play and two tiers of 200 games each, and two steps of the ladder of 40; two finalists: two tiers of 400.
	if first, fresh := s.Planned(); first != 2*(3*200+2*40) || fresh != 2*2*400 {
		t.Errorf("%d and %d games planned, want 1360 and 1600", first, fresh)
	}
}

// On the command line a search has a ladder where one of its targets is judged by it, a grid always.
func TestLadderOfTheCommandLine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		design, target string
		want           int
	}{{Grid, "draws<=90%", 40}, {Grid, "depth>=1", 40}, {Halving, "draws<=90%", 0}, {Halving, "depth>=1", 40}} {
		p := DefaultPlan()
		p.Name, p.Rules, p.Design, p.Targets, p.Knobs = "x", "classic", c.design, []string{c.target}, []Knob{{Knob: "board.columns", Values: []any{3, 4}}}
		s, err := New(p)
		if err != nil || s.Ladder != c.want {
			t.Errorf("%s for %s: %v, want a ladder of %d games", c.design, c.target, err, c.want)
		}
	}
}

// A sweep says which of how many variants it measures, and a ladder gives each its depth.
func TestStagesAndDepthOfAGrid(t *testing.T) {
	t.Parallel()
	s := mustLoad(t, "name: told\nrules: classic\nknobs: [{knob: board.columns, values: [3, 4]}]\ntiers: [5]\ngames: 4\nladder: 4\nbest: 1\nfresh: 4\ntargets: [\"draws<=90%\"]\n")
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "told.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var told []string
	r, err := s.Run(t.Context(), t.Context(), db, Options{Workers: 1, Stage: func(text string) {
		if strings.HasPrefix(text, "measuring variant") {
			told = append(told, text)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(told, []string{"measuring variant 1 of 2", "measuring variant 2 of 2"}) {
		t.Errorf("%q", told)
	}
	for _, v := range r.Variants {
		if !v.Numbers["depth"].OK() {
			t.Errorf("%s has no depth", v.Rules)
		}
	}
}
