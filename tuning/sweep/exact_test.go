package sweep

import (
	"path/filepath"
	"strings"
	"testing"

	"spar/arena/store"
	"spar/reports/balance"
)

// With three pieces vanishing tic-tac-toe is won by force, with five it is a draw. The draw is measured again, whatever
// the games of the agents say; the forced win is out where nothing or fairness is wanted, and plays no game of a
// search. Targets that allow a forced win, or that are about other things, leave it in. Rows say what is exact.
func TestVariantsAreSolvedFirst(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		plan string
		win  bool // the forced win may be measured again
	}{
		"no targets":      {"", false},
		"fairness":        {`targets: ["fpa<=0.45"]`, false},
		"a win is wanted": {`targets: ["score>=0.6"]`, true},
		"something else":  {`targets: ["completion>=0.5"]`, true},
		"search":          {"targets: [\"score<=0.9\"]\ndesign: halving", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := mustLoad(t, "name: few\nrules: vanishing\nknobs: [{knob: pieces.cap, values: [3, 5]}]\ntiers: [1]\ngames: "+
				"4\nladder: 0\nbest: 2\nfresh: 4\n"+c.plan)
			db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "sweep.db"), store.Create)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = db.Close() })
			r, err := s.Run(t.Context(), t.Context(), db, Options{Measure: balance.OfVariant, Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			again := map[string]string{}
			for _, a := range r.Again {
				again[a.Values[0]] = a.Brief()
			}
			if _, ok := again["3"]; ok != c.win || again["5"] != "draw" {
				t.Errorf("measured again: %v", again)
			}
			for _, v := range r.Variants {
				if (v.Values[0] == "3") != strings.HasPrefix(v.Brief(), "first player wins in ") {
					t.Errorf("%s: %s", v.Rules, v.Brief())
				}
			}
			if played := r.Variants[0].Numbers["score"].Known(); played == (name == "search") ||
				(r.Excluded == 1) != (name == "search") {
				t.Errorf("the forced win played: %t, excluded %d", played, r.Excluded)
			}
		})
	}
}
