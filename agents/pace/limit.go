package pace

import (
	"context"
	"math"
	"time"
)

// Limit is the time that a command may take, including its last steps. The command ends at most Slack after it.
// The zero value means no limit. It uses the clock of package time, which testing/synctest can replace.
type Limit struct{ began, end time.Time }

// Within returns a limit that starts now and ends after d, or no limit if d is not positive.
func Within(d time.Duration) Limit {
	if d <= 0 {
		return Limit{}
	}
	now := time.Now()
	return Limit{now, now.Add(d)}
}

// Seconds converts seconds to a duration of at most about 290 years.
func Seconds(s float64) time.Duration {
	return time.Duration(min(s*float64(time.Second), math.MaxInt64/2))
}

// Set reports whether there is a limit.
func (l Limit) Set() bool { return !l.end.IsZero() }

// Left returns the remaining time: 0 after the end, and the longest duration if there is no limit.
func (l Limit) Left() time.Duration {
	if !l.Set() {
		return math.MaxInt64
	}
	return max(0, time.Until(l.end))
}

// Spent returns the fraction of the time that has passed, from 0 to 1; 0 without a limit.
func (l Limit) Spent() float64 {
	if !l.Set() {
		return 0
	}
	return 1 - float64(l.Left())/float64(max(1, l.end.Sub(l.began)))
}

// Over reports whether the time has passed.
func (l Limit) Over() bool { return l.Left() == 0 }

// Part returns a limit for a step that may take the given fraction (share) of the remaining time: 0.8 leaves a fifth
// for later steps.
func (l Limit) Part(share float64) Limit {
	if !l.Set() {
		return l
	}
	now := time.Now()
	return Limit{now, now.Add(time.Duration(share * float64(l.Left())))}
}

// Slack returns how late a command with the limit may end: a tenth of the limit, at least two seconds.
func (l Limit) Slack() time.Duration { return max(l.end.Sub(l.began)/10, 2*time.Second) }

// Soft returns a context that ends with the limit; after that, no new work should start.
func (l Limit) Soft(ctx context.Context) (context.Context, context.CancelFunc) {
	if !l.Set() {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, l.end)
}

// Hard returns a context that ends half the slack after the limit. It cancels running work, so that the other half
// of the slack remains for saving.
func (l Limit) Hard(ctx context.Context) (context.Context, context.CancelFunc) {
	if !l.Set() {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, l.end.Add(l.Slack()/2))
}
