package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"

	"github.com/spf13/cobra"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"spar/arena"
	"spar/arena/store"
	"spar/configs"
)

func runCommand() *cobra.Command {
	var (
		set     []string
		db      string
		workers int
		seed    int64
		limit   int64
		dry     bool
	)
	c := &cobra.Command{
		Use:   "run TOURNAMENT",
		Short: "Play a tournament, or go on with one that was interrupted",
		Long: `Plays the games of a tournament file in parallel and stores each in the study's SQLite file. The same file and seed give the
same games on any number of workers. Ctrl-C finishes the games in flight and stores them; running the same command again
goes on where it stopped, also after a crash.`,
		Example: `  spar run quickstart
  spar run my-tournament.yaml --workers 8 --db results.db
  spar run quickstart --set pairs=2 --db try.db`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: tournamentNames,
		RunE: func(c *cobra.Command, args []string) error {
			if workers < 0 || limit < 0 {
				return usagef("--workers and --limit must not be below 0")
			}
			file, data, err := configs.Read(configs.Tournaments, args[0])
			if err != nil {
				return usageError{err}
			}
			if c.Flags().Changed("seed") {
				set = append(set, fmt.Sprintf("seed=%d", seed))
			}
			t, err := arena.LoadPlan(file, data, set...)
			if err != nil {
				return err
			}
			if workers > 0 {
				t.Workers = workers
			}
			if db != "" {
				t.Database = db
			}
			if t.Database == "" {
				t.Database = "out/" + t.Name + ".db"
			}
			return runTournament(c, t, limit, dry)
		},
	}
	c.Flags().StringArrayVar(&set, "set", nil, "override a key of the tournament file, like pairs=10 (repeatable)")
	c.Flags().StringVar(&db, "db", "", "the study's file, in place of the tournament's")
	c.Flags().IntVar(&workers, "workers", 0, "games at a time; 0 = one a core")
	c.Flags().Int64Var(&seed, "seed", 0, "seed, in place of the tournament's")
	c.Flags().Int64Var(&limit, "limit", 0, "stop after this many games")
	c.Flags().BoolVar(&dry, "dry-run", false, "say what would be played, and play nothing")
	return c
}

func runTournament(c *cobra.Command, t *arena.Tournament, limit int64, dry bool) error {
	out := c.OutOrStdout()
	if dry {
		_, err := fmt.Fprintf(out, "%s: %d games (%d games of rules, %d agents, %d pairs each) into %s\n",
			t.Name, arena.NewSchedule(t).Len(), len(t.Rules), len(t.Players), t.Pairs, t.Database)
		return err
	}
	db, err := store.Open(c.Context(), t.Database)
	if err != nil {
		return err
	}
	defer db.Close()
	// The first interrupt ends the command's context and lets games in flight finish; a second one ends those too.
	hard, kill := context.WithCancel(context.WithoutCancel(c.Context()))
	defer kill()
	stop := context.AfterFunc(c.Context(), func() {
		again := make(chan os.Signal, 1)
		signal.Notify(again, os.Interrupt)
		defer signal.Stop(again)
		select {
		case <-again:
			kill()
		case <-hard.Done():
		}
	})
	defer stop()
	sum, err := arena.Run(c.Context(), hard, t, db, limit, newProgress(c.ErrOrStderr()))
	var plan *store.PlanError
	if errors.As(err, &plan) {
		return usageError{err}
	}
	if err != nil {
		return err
	}
	rate := float64(sum.Played) / max(sum.Wall.Seconds(), 1e-9)
	fmt.Fprintf(out, "%s: %d games played in %.1f s (%.0f games/s), %d of %d stored in %s\n",
		t.Name, sum.Played, sum.Wall.Seconds(), rate, sum.Before+sum.Played, sum.Total, t.Database)
	if sum.Before+sum.Played < sum.Total {
		fmt.Fprintf(out, "not finished: run the same command again to go on\n")
	}
	fmt.Fprintln(out)
	return printStandings(context.WithoutCancel(c.Context()), out, db, standingsOptions{by: "both"})
}

// progress shows a bar to a person, and a line every few seconds to a file.
type progress struct {
	out     io.Writer
	bars    *mpb.Progress
	bar     *mpb.Bar
	total   int64
	done    int64
	before  int64
	faults  int
	began   time.Time
	lastSay time.Time
}

func newProgress(w io.Writer) *progress { return &progress{out: w} }

const sayEvery = 5 * time.Second

func (p *progress) Begin(total, done int64) {
	p.total, p.done, p.before = total, done, done
	p.began = time.Now()
	p.lastSay = p.began
	if !isTerminal(p.out) {
		return
	}
	p.bars = mpb.New(mpb.WithOutput(p.out), mpb.WithWidth(40))
	p.bar = p.bars.New(total, mpb.BarStyle().Lbound("[").Filler("=").Tip(">").Padding(" ").Rbound("]"),
		mpb.PrependDecorators(decor.CountersNoUnit("%d/%d games ")),
		mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return " " + p.rate() })))
	p.bar.SetCurrent(done)
}

func (p *progress) rate() string {
	played := float64(p.done - p.before)
	elapsed := time.Since(p.began).Seconds()
	if played == 0 || elapsed <= 0 {
		return ""
	}
	left := time.Duration(float64(p.total-p.done) / played * elapsed * float64(time.Second)).Round(time.Second)
	return fmt.Sprintf("%.0f games/s, %s left", played/elapsed, left)
}

func (p *progress) Game(r *arena.Record) {
	p.done++
	if r.Detail != "" {
		p.faults++
	}
	if p.bar != nil {
		p.bar.SetCurrent(p.done)
		return
	}
	if now := time.Now(); now.Sub(p.lastSay) >= sayEvery {
		p.lastSay = now
		fmt.Fprintf(p.out, "%d/%d games, %s, %d faults\n", p.done, p.total, p.rate(), p.faults)
	}
}

func (p *progress) End() {
	if p.bar != nil {
		if p.done < p.total {
			p.bar.Abort(false)
		}
		p.bars.Wait()
	}
}
