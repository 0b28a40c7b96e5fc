package serve

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"spar/arena"
	"spar/configs/strict"
)

// Played plays a tournament while pages show it. A page can pause it, which finishes the games in progress, and
// continue it. Played returns when the tournament is finished, or when ctx ends.
func Played(ctx context.Context, o Options, play func(context.Context) (arena.Summary, error)) (sum arena.Summary,
	err error,
) {
	var mu sync.Mutex
	stop := func() {}
	again := make(chan struct{}, 1)
	o.Run.Stop = func() { mu.Lock(); defer mu.Unlock(); stop() }
	o.Run.Go = func() {
		select {
		case again <- struct{}{}:
		default: // it has been asked to already
		}
	}
	l, err := Listen(o.Listen)
	if err != nil {
		return sum, err
	}
	defer l.Close() // Serve has closed it already
	s, err := New(ctx, o)
	if err != nil {
		return sum, strict.Badf("the pages cannot be shown: %w", err)
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	serving, end := context.WithCancel(context.WithoutCancel(ctx))
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(serving, l) }()
	defer func() {
		end()
		<-ended
	}()
	if addresses, err := s.Addresses(l.Addr()); err == nil { // the run matters more than the addresses of its page
		fmt.Fprintln(o.Log, strings.Join(addresses, "\n"))
	}
	for played := int64(0); ; {
		round, cancel := context.WithCancel(ctx)
		mu.Lock()
		stop = cancel
		mu.Unlock()
		sum, err = play(round)
		stopped := round.Err() != nil
		cancel()
		played += sum.Played
		sum.Before = sum.Before + sum.Played - played
		sum.Played = played
		if err != nil || sum.Finished || !stopped || ctx.Err() != nil {
			return sum, err
		}
		fmt.Fprintln(o.Log, "stopped: continue the run on its page, or end it with Ctrl-C")
		select {
		case <-again:
		case <-ctx.Done():
			return sum, nil
		}
	}
}
