package pace

import (
	"context"
	"math"
	"time"
)

// Limit is the time that a command may take, its last steps included: it ends at most Slack later. The zero value is
// no limit. It reads the clock of package time, which testing/synctest fakes.
type Limit struct{ began, end time.Time }

// Within begins a limit now; without a limit where d is not above 0.
func Within(d time.Duration) Limit {
	if d <= 0 {
		return Limit{}
	}
	now := time.Now()
	return Limit{now, now.Add(d)}
}

// Seconds are so many seconds as a duration; at most about 290 years.
func Seconds(s float64) time.Duration {
	return time.Duration(min(s*float64(time.Second), math.MaxInt64/2))
}

// Set tells whether there is a limit.
func (l Limit) Set() bool { return !l.end.IsZero() }

// Left is the time until the end: 0 once it has passed, the longest duration without a limit.
func (l Limit) Left() time.Duration {
	if !l.Set() {
		return math.MaxInt64
	}
	return max(0, time.Until(l.end))
}

// Spent is the share of the time that has passed, from 0 to 1; 0 without a limit.
func (l Limit) Spent() float64 {
	if !l.Set() {
		return 0
	}
	return 1 - float64(l.Left())/float64(max(1, l.end.Sub(l.began)))
}

// Over tells whether the time is up.
func (l Limit) Over() bool { return l.Left() == 0 }

// Part is the limit of a step that may take a share of the time left: 0.8 leaves a fifth for the steps after it.
func (l Limit) Part(share float64) Limit {
	if !l.Set() {
		return l
	}
	now := time.Now()
	return Limit{now, now.Add(time.Duration(share * float64(l.Left())))}
}

// Slack is how much later than its end a limit is still kept: a tenth of it, or two seconds if that is more.
func (l Limit) Slack() time.Duration { return max(l.end.Sub(l.began)/10, 2*time.Second) }

// Soft is a context that ends with the limit: from then on nothing new is begun.
func (l Limit) Soft(ctx context.Context) (context.Context, context.CancelFunc) {
	if !l.Set() {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, l.end)
}

// Hard is a context that ends half the slack later: what runs then is given up, which leaves the other half for saving.
func (l Limit) Hard(ctx context.Context) (context.Context, context.CancelFunc) {
	if !l.Set() {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, l.end.Add(l.Slack()/2))
}
