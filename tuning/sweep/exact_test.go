package sweep

import (
	"path/filepath"
	"strings"
	"testing"

	"spar/arena/balance"
	"spar/arena/store"
)

// A finalist whose exact value misses a target of fairness misses it, however evenly agents play it that do not find the win: with three
// pieces vanishing tic-tac-toe is won by force, with five it is a draw, which comes first then.
func TestFinalistsAreJudgedExactly(t *testing.T) {
	t.Parallel()
	s := mustLoad(t, `
name: fair
rules: vanishing
knobs: [{knob: pieces.cap, values: [3, 5]}]
tiers: [2]
games: 8
ladder: 0
best: 2
fresh: 60
targets: ["fpa<=0.45", "completion>=0.5"]
`)
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "sweep.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	r, err := s.Run(t.Context(), t.Context(), db, Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Again) != 2 || r.Again[0].Values[0] != "5" || !strings.HasPrefix(r.Again[0].Exact, "With best play it is a draw") {
		t.Fatalf("%+v", r.Again)
	}
	won := r.Again[1]
	if won.Verdict != balance.Missed || !strings.HasPrefix(won.Exact, "The first player wins by force") {
		t.Errorf("%s: %s", won.Verdict, won.Exact)
	}
	for _, j := range won.Judged {
		if missed := j.Verdict == balance.Missed && j.Exact == won.Exact; missed != (j.Measure == "fpa") {
			t.Errorf("%s is %s (%s); fresh games say %v", j.Target, j.Verdict, j.Exact, j.Number.Value)
		}
	}
	for _, j := range r.Again[0].Judged {
		if j.Exact != "" {
			t.Errorf("%s of a draw: %s", j.Target, j.Exact)
		}
	}
}

// Finalists are solved where there is a target that the value can miss, one is enough; without a target nothing is judged, and nothing is solved for it.
func TestFinalistsAreSolvedForTargetsOnly(t *testing.T) {
	t.Parallel()
	for targets, solved := range map[string]bool{"": false, `targets: ["fpa<=0.45"]`: true} {
		s := mustLoad(t, `
name: few
rules: vanishing
knobs: [{knob: pieces.cap, values: [3, 4]}]
tiers: [1]
games: 4
ladder: 0
best: 1
fresh: 4
`+targets)
		db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "sweep.db"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		r, err := s.Run(t.Context(), t.Context(), db, Options{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Again) != 1 || (r.Again[0].Exact != "") != solved || (len(r.Again[0].Judged) == 1) != solved || (r.Again[0].Verdict != "") != solved {
			t.Errorf("%q: %+v", targets, r.Again)
		}
	}
}
