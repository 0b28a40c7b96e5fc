package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"spar/arena"
	"spar/arena/store"
	"spar/reports/trial"
)

// lastOrders is the maximum time for work to end after the second interrupt.
const lastOrders = 800 * time.Millisecond

// toSave is the maximum time for saving games of a study that cannot be written, after that, and for saying so.
const toSave = 10 * time.Second

// calm returns the context of a command without its interrupts, for work that must end in good order.
func calm(c *cobra.Command) context.Context { return context.WithoutCancel(c.Context()) }

// interrupted reports whether an interrupt has ended the work of a command.
func interrupted(c *cobra.Command) bool { return c.Context().Err() != nil }

type secondKey struct{}

// withInterrupts returns a context that the first interrupt ends, so that the work ends in good order. Soon after the
// second the process ends, whatever it waits for: a command started in the background of a script would otherwise
// ignore it.
func withInterrupts(parent context.Context, losses *store.Losses) (ctx context.Context, release func()) {
	second, kill := context.WithCancel(context.WithoutCancel(parent))
	ctx, stop := context.WithCancel(context.WithValue(parent, secondKey{}, second))
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		for _, end := range []func(){stop, kill} {
			select {
			case <-signals:
				end()
			case <-second.Done(): // released
				return
			}
		}
		time.AfterFunc(lastOrders, func() {
			code := exitInterrupted // what was committed is safe
			if losses.Settle(toSave); losses.Err() != nil {
				time.Sleep(toSave) // the command says where the games are, and ends
				code = exitFailed
			}
			os.Exit(code)
		})
	}()
	return ctx, func() {
		signal.Stop(signals)
		stop()
		kill()
	}
}

// secondInterrupt returns a context that ends with the second interrupt. The first one ends only ctx, so that
// pairs in progress can finish. It ends with ctx if the study's file is gone.
func secondInterrupt(ctx context.Context) (hard context.Context, release func()) {
	hard, kill := context.WithCancel(context.WithoutCancel(ctx))
	second, _ := ctx.Value(secondKey{}).(context.Context)
	stops := []func() bool{context.AfterFunc(second, kill), context.AfterFunc(ctx, func() {
		if errors.As(context.Cause(ctx), new(*store.GoneError)) { // games in flight are of no use to a study that is gone
			kill()
		}
	})}
	return hard, func() {
		for _, stop := range stops {
			stop()
		}
		kill()
	}
}

// unfinished is the error for work that ended early, because of an interrupt or a failure of Spar. With --json,
// the last object that the command prints reports it.
type unfinished struct {
	err     error
	summary summary
}

func (u unfinished) Error() string { return u.err.Error() }
func (u unfinished) Unwrap() error { return u.err }

// unfinishedGames returns the error for games that ended early. It includes the progress that err contains.
func unfinishedGames(err error, p progressed) error {
	if s := (*arena.StoppedError)(nil); errors.As(err, &s) {
		p.Total = s.Total
		p.Before = s.Before
		p.Played = s.Played
	}
	return unfinished{err, summary{progressed: &p}}
}

// summary is the last object that "run" and "match" print, and any other command with --json that ended early.
type summary struct {
	Finished bool   `json:"finished" help:"false: run the same command again to continue or start over (after an interrupt the exit code is 130)"`
	Why      string `json:"why,omitempty" help:"why it is finished"`
	Error    string `json:"error,omitempty" help:"reason why the work ended early"`
	*progressed
	// Report is the path of the report's folder.
	Report string         `json:"report,omitempty" help:"folder of the report that was written"`
	Test   *trial.Verdict `json:"test,omitempty" help:"result of the sequential test of a match, as in kind sprt"`
}

// progressed is the progress of games.
type progressed struct {
	Name      string   `json:"name,omitempty" help:"name of the tournament, sweep or tuning"`
	DB        string   `json:"db" help:"the study's file"`
	Total     int64    `json:"total" help:"games of the whole work, or their upper limit"`
	Before    int64    `json:"before" help:"games that earlier runs stored"`
	Played    int64    `json:"played" help:"games that this run stored"`
	Faults    int64    `json:"faults" help:"forfeited games"`
	Withdrawn []string `json:"withdrawn,omitempty" help:"agents that were withdrawn"`
	WallS     float64  `json:"wall_s" help:"seconds that this run took; like the fields from name on, only for work with games"`
	Lost      []string `json:"lost_workers,omitempty" help:"machines that stopped answering and did not return"`
}

// lastWord prints the summary if a command with --json ended early.
func lastWord(c *cobra.Command, err error, why string) error {
	if on, known := c.Flags().GetBool("json"); known != nil || !on {
		return nil
	}
	var u unfinished
	errors.As(err, &u)
	u.summary.Error = why
	return sayJSON(c, "summary", u.summary)
}
