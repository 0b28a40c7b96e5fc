package review

import (
	"testing"

	"spar/engines"
	"spar/engines/enginetest"
)

// Classic tic-tac-toe is rated as the original program did: its word for a first move that draws is good, that of exact
// values best.
func TestRatedAsClassic(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	j := judge(t, "random", "")
	r, err := j.Review(t.Context(), g, []string{"b2"}, engines.First)
	if err != nil || r.Plies[0].Class != Good {
		t.Errorf("%+v, %v", r, err)
	}
}
