package accuracy

import "testing"

// Without a decision nothing was given away.
func TestNoDecisions(t *testing.T) {
	t.Parallel()
	if r := new(tally).result(); r.Decisions != 0 || r.MeanLoss != 0 || r.Kept != 0 {
		t.Errorf("%+v", r)
	}
}

// A game in which nothing was decided is no part of a share, and a game counts once, however often it is closed.
func TestGamesWithoutDecisions(t *testing.T) {
	t.Parallel()
	parts := map[int]*partTally{}
	for _, kept := range []int64{1, 0, 1} {
		count(parts, 7, kept)
	}
	x := parts[7]
	x.endGame()
	once := x.share
	if x.endGame(); x.share != once || x.kept != 0 || x.of != 0 {
		t.Errorf("closed twice: %+v, once %+v", x.share, once)
	}
}
