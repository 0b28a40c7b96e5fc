package sweep

import (
	"slices"
	"testing"
)

// A file that states only what has to be stated is a grid of two tiers, 50 and 100 iterations, 200 games of each with
// itself and 40 against each other, of which the best two are played again with 400; its seed is 1, like that of every
// other plan.
func TestWhatAFileLeavesOut(t *testing.T) {
	t.Parallel()
	s := mustLoad(t, "name: bare\nrules: classic\nknobs: [{knob: board.columns, values: [3, 4]}]\ntargets: "+
		"[\"draws<=90%\"]\n")
	if s.Design != Grid || !slices.Equal(s.Tiers, []int{50, 100}) || s.Games != 200 || s.Ladder != 40 || s.Best != 2 ||
		s.Fresh != 400 || s.Seed != 1 {
		t.Errorf("%+v", s.Plan)
	}
	// Two variants: random play and two tiers of 200 games each, and two steps of the ladder of 40; two finalists: two
	// tiers of 400.
	if first, fresh := s.Planned(); first != 2*(3*200+2*40) || fresh != 2*2*400 {
		t.Errorf("%d and %d games planned, want 1360 and 1600", first, fresh)
	}
}
