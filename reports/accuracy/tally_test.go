package accuracy

import "testing"

// Without a decision nothing was given away.
func TestNoDecisions(t *testing.T) {
	t.Parallel()
	if r := new(tally).result(); r.Decisions != 0 || r.MeanLoss != 0 || r.Kept != 0 {
		t.Errorf("%+v", r)
	}
}
