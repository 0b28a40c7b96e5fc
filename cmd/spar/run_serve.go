package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"spar/arena"
	"spar/arena/live"
	"spar/reports/serve"
)

// servedRun plays a tournament while pages show it. A page may stop it, which finishes the games in flight, and let it go on; the
// command ends when the tournament is finished, or with an interrupt.
func servedRun(c *cobra.Command, address string, workers int, t *arena.Tournament, feed *live.Feed, play func(context.Context) (arena.Summary, error)) (sum arena.Summary, err error) {
	var mu sync.Mutex
	stop := func() {}
	again := make(chan struct{}, 1)
	s, err := serve.New(c.Context(), serve.Options{
		Listen: address, Studies: []string{t.Database}, Folder: filepath.Dir(t.Database), Log: c.ErrOrStderr(),
		Run: &serve.Run{
			Study: t.Database, Event: t.Name, Feed: feed, Workers: workers,
			Stop: func() { mu.Lock(); defer mu.Unlock(); stop() },
			Go: func() {
				select {
				case again <- struct{}{}:
				default: // it has been asked to already
				}
			},
		},
	})
	if err != nil {
		return sum, usageError{err}
	}
	defer s.Close()
	l, err := s.Listen()
	if err != nil {
		return sum, err
	}
	serving, end := context.WithCancel(context.WithoutCancel(c.Context()))
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(serving, l) }()
	defer func() {
		end()
		<-ended
	}()
	if addresses, err := s.Addresses(l.Addr()); err == nil { // the run matters more than the addresses of its page
		fmt.Fprintln(c.ErrOrStderr(), strings.Join(addresses, "\n"))
	}
	for played := int64(0); ; {
		ctx, cancel := context.WithCancel(c.Context())
		mu.Lock()
		stop = cancel
		mu.Unlock()
		sum, err = play(ctx)
		stopped := ctx.Err() != nil
		cancel()
		played += sum.Played
		sum.Before, sum.Played = sum.Before+sum.Played-played, played
		if err != nil || sum.Finished || !stopped || c.Context().Err() != nil {
			return sum, err
		}
		fmt.Fprintln(c.ErrOrStderr(), "stopped: the page can let it go on; Ctrl-C ends it")
		select {
		case <-again:
		case <-c.Context().Done():
			return sum, nil
		}
	}
}
