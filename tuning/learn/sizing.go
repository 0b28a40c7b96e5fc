package learn

import (
	"context"
	"fmt"
	"time"

	"spar/agents/pace"
)

// sizing adapts the number of games of a training run to its time, because games get slower or faster as the net
// learns.
type sizing struct {
	limit     pace.Limit
	next      int       // index of the next entry of corrections
	at        time.Time // time of the last correction
	done      int64     // games done at the last correction
	corrected bool      // the number of games has changed since the last save
}

// corrections are the fractions of the time at which the number of games is corrected.
var corrections = [...]float64{1. / 16, 1. / 8, 1. / 4, 1. / 2, 3. / 4, 9. / 10}

// newSizing starts the clock. Without correct, the number of games stays: a resumed training run must give the same
// net.
func newSizing(limit pace.Limit, correct bool) sizing {
	f := sizing{limit: limit, at: time.Now(), next: len(corrections)}
	if correct {
		f.next = 0
	}
	return f
}

// correct adjusts the number of games to the remaining time, by the speed since the last correction, if one is due.
func (t *Training) correct() {
	f := &t.sizing
	if spent := f.limit.Spent(); f.next == len(corrections) || spent < corrections[f.next] {
		return
	}
	if n, gone := t.o.batchSize(), t.done-f.done; gone > 0 {
		more := f.limit.Left().Seconds() * float64(gone) / max(time.Since(f.at).Seconds(), 1e-9)
		t.o.Games, f.corrected = t.done+int64(more)/n*n, true
	}
	f.at, f.done = time.Now(), t.done
	for f.next < len(corrections) && corrections[f.next] <= f.limit.Spent() {
		f.next++
	}
}

// timeUp ends a training run whose time is over before all games are played.
func (t *Training) timeUp() error {
	if t.done == 0 {
		return t.tooShort()
	}
	t.o.Games, t.sizing.corrected = t.done, true
	return nil
}

func (t *Training) tooShort() error {
	return fmt.Errorf("too little time for %d games of self-play: use more --minutes or a smaller --batch",
		t.o.batchSize())
}

// pace returns the seconds that a game and its update take on all workers, measured in the second half of the given
// time.
func (t *Training) pace(ctx context.Context, limit pace.Limit) (float64, error) {
	began := time.Now()
	half, before := began, t.done
	for {
		net, err := t.Net()
		if err != nil {
			return 0, err
		}
		lessons, err := t.playTrusted(ctx, net, int(t.o.batchSize()))
		if err != nil {
			return 0, err
		}
		for _, lesson := range lessons {
			if !lesson.Cut {
				t.trainer.Learn(lesson, t.o.Lambda, t.o.Rate)
			}
		}
		t.done += int64(len(lessons))
		now := time.Now()
		if limit.Over() {
			return now.Sub(half).Seconds() / float64(t.done-before), nil
		}
		if half == began && limit.Spent() >= 0.5 {
			half, before = now, t.done
		}
	}
}
