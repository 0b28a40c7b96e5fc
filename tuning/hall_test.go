package tuning

import (
	"context"
	"errors"
	"strings"
	"testing"

	"spar/arena"
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

// Where the context has ended a tuning says how far it has come in all its halls, those that were not opened left out; any other error
// stays what it is.
func TestHowFarItHasCome(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	errOther := errors.New("other")
	halls := []*hall{nil, {stored: map[int64]study.Game{0: {}, 1: {}}, played: 3}, {stored: map[int64]study.Game{0: {}}, played: 10}}
	if err := stopped(ctx, errOther, 50, halls...); !errors.Is(err, errOther) {
		t.Errorf("not stopped: %v", err)
	}
	stop()
	var e *arena.StoppedError
	if err := stopped(ctx, ctx.Err(), 50, halls...); !errors.As(err, &e) || e.Before != 3 || e.Played != 13 || e.Total != 50 {
		t.Errorf("%+v, %v", e, err)
	}
}
