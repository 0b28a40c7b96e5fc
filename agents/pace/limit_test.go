package pace_test

import (
	"context"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"spar/agents/pace"
)

// Limits in the time of a fake clock, after 40 of 100 seconds: what is left, parts of it, and when the two contexts
// end.
func TestLimit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		began, ctx := time.Now(), context.Background()
		l := pace.Within(100 * time.Second)
		time.Sleep(40 * time.Second)
		part := l.Part(0.5)
		if l.Left() != time.Minute || part.Left() != 30*time.Second || math.Abs(l.Spent()-0.4) > 1e-9 ||
			l.Slack() != 10*time.Second ||
			part.Slack() != 3*time.Second ||
			pace.Within(time.Second).Slack() != 2*time.Second {
			t.Errorf("left %v, half of it %v", l.Left(), part.Left())
		}
		for _, c := range []struct {
			of   func(context.Context) (context.Context, context.CancelFunc)
			ends time.Duration
		}{{part.Soft, 70 * time.Second}, {l.Soft, 100 * time.Second}, {l.Hard, 105 * time.Second}} {
			ctx, cancel := c.of(ctx)
			defer cancel()
			if <-ctx.Done(); time.Since(began) != c.ends {
				t.Errorf("ended after %v, want %v", time.Since(began), c.ends)
			}
		}
		if !l.Over() || l.Left() != 0 || l.Part(0.5).Left() != 0 {
			t.Errorf("after the end: %v left", l.Left())
		}
		none := pace.Within(0)
		soft, cancel := none.Soft(ctx)
		defer cancel()
		if soft.Err() != nil || none.Set() || none.Over() || none.Spent() != 0 || none.Part(0.1).Set() ||
			none.Left() != math.MaxInt64 {
			t.Error("no limit is one")
		}
	})
}
