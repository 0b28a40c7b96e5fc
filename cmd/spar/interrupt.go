package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// lastOrders is how long work may take to end after the second interrupt.
const lastOrders = 800 * time.Millisecond

// secondInterrupt returns a context that lasts on after the first interrupt, which ends ctx and lets pairs in flight finish; a
// second one, of either kind, ends it too, and soon after that the process.
func secondInterrupt(ctx context.Context) (hard context.Context, release func()) {
	hard, kill := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		again := make(chan os.Signal, 1)
		signal.Notify(again, os.Interrupt, syscall.SIGTERM)
		defer signal.Stop(again)
		select {
		case <-again:
			kill()
			time.AfterFunc(lastOrders, func() { os.Exit(exitInterrupted) }) // what was committed is safe
		case <-hard.Done():
		}
	})
	return hard, func() {
		stop()
		kill()
	}
}

// interrupted is the error of work that an interrupt ended before it was finished and whose output has said so; nil where none did.
func interrupted(ctx context.Context, finished bool) error {
	if finished || ctx.Err() == nil {
		return nil
	}
	return errStopped
}

// summary is the last object of "run" and "match", and of every other work that ended before it was finished.
type summary struct {
	Name      string   `json:"name,omitempty"`
	Database  string   `json:"database"`
	Finished  bool     `json:"finished"`
	Why       string   `json:"why,omitempty"`
	Total     int64    `json:"total,omitempty"`
	Before    int64    `json:"before"`
	Played    int64    `json:"played"`
	Faults    int64    `json:"faults"`
	Withdrawn []string `json:"withdrawn,omitempty"`
	WallS     float64  `json:"wall_s"`
}
