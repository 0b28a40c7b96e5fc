package tuning

import (
	"context"
	"strings"
	"testing"

	"spar/arena/study"
)

// A stored game in the place of one of this tuning must be that one: of its opening and of its seed.
func TestStoredGamesMustBeThose(t *testing.T) {
	t.Parallel()
	for name, old := range map[string]study.Game{"another opening": {Opening: 4, Seed: 7}, "another seed": {Opening: 3, Seed: 8}} {
		h := &hall{t: &Tuning{}, seed: 7, stored: map[int64]study.Game{0: old}}
		if _, err := h.play(context.Background(), []encounter{{pairs: 1, opening: 3}}); err == nil || !strings.Contains(err.Error(), "is not the one that this tuning plays") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
