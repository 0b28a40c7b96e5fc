package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"spar/agents"
	"spar/agents/pace"
	"spar/arena"
	"spar/arena/live"
	"spar/arena/store"
	"spar/configs"
	"spar/configs/plain"
	"spar/ratings"
	"spar/reports/page"
	"spar/reports/pages"
	"spar/reports/screen"
	"spar/reports/serve"
	"spar/reports/standings"
	"spar/reports/trial"
	"spar/reports/watch"
)

func runCommand() *cobra.Command {
	var plan planFlags
	var o runOptions
	var own struct {
		Details bool    `flag:"details" help:"print the ratings, intervals and tests of each game"`
		Tables  bool    `flag:"tables" help:"also write the Markdown, JSON and tables (CSV and JSON) of the tournament's report"`
		Serve   address `flag:"serve" help:"show pages at this address during the run, like 127.0.0.1:7727; the pages can stop and continue it"`
	}
	c := &cobra.Command{
		Use:   "run TOURNAMENT",
		Short: "Play a tournament, or continue an interrupted one",
		Long: `Plays the games of a tournament file in parallel, stores each in the study's SQLite file, and prints
standings. The same file and seed give the same games on any number of workers.

Ctrl-C finishes and stores the games that are being played. Run the same command again to continue, even after a crash.`,
		Example: `  spar run quickstart
  spar run my-tournament.yaml --workers 8 --db results.db
  spar run quickstart --set pairs=2 --db try.db`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: shipped(configs.Tournaments),
		RunE: func(c *cobra.Command, args []string) error {
			override := func(key string) func(string) bool {
				return func(s string) bool { return strings.HasPrefix(s, key+"=") }
			}
			if at := slices.IndexFunc(plan.Set, override("database")); at >= 0 {
				plan.DB = strings.TrimPrefix(plan.Set[at], "database=")
				plan.Set = slices.Delete(plan.Set, at, at+1)
			}
			t, err := loadPlan(c, configs.Tournaments, args[0], &plan, arena.LoadPlan)
			if err != nil {
				return err
			}
			if plan.Workers > 0 {
				t.Workers = plan.Workers
			}
			if plan.DB != "" {
				t.Into(plan.DB, slices.ContainsFunc(plan.Set, override("report")))
			}
			if t.Database == "" {
				t.Database = "out/" + t.Name + ".db"
			}
			o.details = own.Details
			o.page.Tables = own.Tables
			o.serve = string(own.Serve)
			return runTournament(c, t, o)
		},
	}
	declare(c, &plan, &o, &own)
	playKinds(c)
	return c
}

// playKinds adds the kinds of objects that commands print that play tournaments.
func playKinds(c *cobra.Command) {
	printsJSON(c, "run_plan --dry-run", arena.Preview{})
	printsJSON(c, "summary", summary{})
	printsJSON(c, "sprt", trial.Verdict{})
	printsJSON(c, "standings", standings.Standings{})
}

// runTournament plays a tournament, or shows what it would play, and prints its results.
func runTournament(c *cobra.Command, t *arena.Tournament, o runOptions) error {
	if o.Dry {
		return previewRun(c, t)
	}
	if err := checkRun(c, t, o); err != nil {
		return err
	}
	db, probed, err := openRun(c, t, o)
	if err != nil {
		return err
	}
	defer db.Close()
	sum, err := playRun(c, t, db, &o, probed)
	last := summary{Finished: sum.Finished, Why: sum.Why, progressed: &progressed{
		Name: t.Name, DB: t.Database, Total: sum.Total, Before: sum.Before, Played: sum.Played, Faults: sum.Faults,
		Withdrawn: sum.Withdrawn, WallS: sum.Wall.Seconds(), Lost: o.Machines.lost,
	}}
	if sum.Total == 0 { // it did not get as far as to know
		last.progressed = nil
	}
	if err == nil && !wantsJSON(c) {
		err = printRun(calm(c), c, t, db, sum, o.details)
	}
	if err == nil && sum.Finished && t.Report != "" {
		last.Report, err = t.Report, reportRun(c, t, db, o)
	}
	if err == nil && !sum.Finished && interrupted(c) {
		err = errStopped
	}
	if err != nil {
		last.Finished, last.Why = false, ""
		return unfinished{err, last}
	}
	if !wantsJSON(c) {
		return nil
	}
	return printSummary(calm(c), c, t, db, last)
}

// previewRun shows what a run would play, without starting programs.
func previewRun(c *cobra.Command, t *arena.Tournament) error {
	for _, p := range t.Players {
		if err := agents.CheckCommand(p); err != nil {
			return err
		}
	}
	if err := agents.Fit(c.Context(), t.Rules, t.Players...); err != nil {
		return err
	}
	would, err := t.Preview(noPrograms(c.Context()))
	if err != nil {
		return err
	}
	out := c.OutOrStdout()
	if wantsJSON(c) {
		return printJSON(out, "run_plan", would)
	}
	most := atMost(would.Exact)
	fmt.Fprintf(out, "%s (%s): %s%d games (sets of rules: %d, agents: %d, pairs: %d), stored in %s\n",
		would.Name, would.Format, most, would.Games, len(would.Rules), len(would.Agents), would.Pairs, would.DB)
	for _, w := range would.Warnings {
		fmt.Fprintf(out, "warning: %s\n", w)
	}
	if would.Expected == 0 {
		return say(c, "no estimate of the time: every game needs an external program, and a dry run starts none\n")
	}
	return say(c, "%sabout %s on %d workers, estimated from a sample of games\n", most,
		pace.Seconds(would.Expected).Round(time.Second), would.Workers)
}

// atMost returns words before a number of games that may be an upper limit.
func atMost(exact bool) string {
	if exact {
		return ""
	}
	return "at most "
}

// checkRun returns an error if the results of a run have no place. It writes nothing.
func checkRun(c *cobra.Command, t *arena.Tournament, o runOptions) error {
	for _, w := range t.Warnings() {
		note(c, "warning: %s\n", w)
	}
	if err := store.Check(c.Context(), t.Database); err != nil {
		return err
	}
	if err := checkPage(t.Report); err != nil {
		return usagef("report: %w", err)
	}
	if o.page.Tables && (t.Report == "" || page.IsFile(t.Report)) {
		return usagef("--tables needs a folder: set report in the tournament's file, or use --set report=FOLDER")
	}
	return nil
}

// openRun opens the study of a run. It creates the file only if the agents' programs start, and reports whether they
// need not be started again for a test.
func openRun(c *cobra.Command, t *arena.Tournament, o runOptions) (db *store.DB, probed bool, err error) {
	probed = o.Machines.machines.CoordinateOnly // other machines start the programs
	if _, err := os.Stat(t.Database); !probed && errors.Is(err, fs.ErrNotExist) {
		if err := t.Probe(c.Context()); err != nil {
			return nil, false, startError(err)
		}
		probed = true
	}
	db, err = store.Open(calm(c), t.Database, store.Create)
	return db, probed, err
}

// playRun plays the games of a run, in this process or on other machines, while its progress is shown.
func playRun(c *cobra.Command, t *arena.Tournament, db *store.DB, o *runOptions, probed bool) (arena.Summary, error) {
	hard, release := secondInterrupt(c.Context())
	defer release()
	feed := live.NewFeed(time.Now)
	if wantsJSON(c) {
		feed.Attach(newDisplay(c).Hear)
	} else {
		shown, err := watch.NewRun(calm(c), newDisplay(c), t, db)
		if err != nil {
			return arena.Summary{}, err
		}
		feed.Attach(shown.Hear)
	}
	assets, pool, leave, err := o.Machines.open(c, db, t.Workers, feed)
	if err != nil {
		return arena.Summary{}, err
	}
	play := func(ctx context.Context) (arena.Summary, error) {
		return arena.Run(ctx, hard, t, db, arena.Options{
			Limit: o.Limit, Feed: feed, Probed: probed, Assets: assets, Pool: pool,
		})
	}
	var sum arena.Summary
	if o.serve == "" {
		sum, err = play(c.Context())
	} else {
		run := &serve.Run{Study: t.Database, Event: t.Name, Feed: feed}
		if pool == nil {
			run.Workers = t.WorkerCount()
		}
		sum, err = serve.Played(c.Context(), serve.Options{
			Listen:  o.serve,
			Studies: []string{t.Database},
			Folder:  filepath.Dir(t.Database),
			Log:     c.ErrOrStderr(),
			Run:     run,
		}, play)
	}
	err = errors.Join(err, leave())
	if gone := (*store.GoneError)(nil); errors.As(context.Cause(c.Context()), &gone) {
		err = errors.Join(err, gone)
	}
	if errors.Is(err, arena.ErrStart) {
		err = startError(err)
	}
	return sum, err
}

// reportRun writes the pages of a finished run.
func reportRun(c *cobra.Command, t *arena.Tournament, db *store.DB, o runOptions) error {
	o.page.Out, o.page.quiet = t.Report, true
	err := writeReports(c, db, t.Labels, reportOptions{
		Page:   o.page,
		Values: -1,
		brief:  true,
		silent: !o.details,
	})
	if err == nil {
		err = writeIndex(c, t, db, o.page)
	}
	if err == nil && !wantsJSON(c) {
		err = say(c, "report: %s\n", page.Path(t.Report, indexName(t), true))
	}
	return err
}

// indexName returns the name of the first page of a tournament's report, which is that of no game.
func indexName(t *arena.Tournament) string {
	name := "index"
	for slices.ContainsFunc(t.Labels, func(label string) bool {
		return strings.EqualFold(fileName(label), name)
	}) {
		name += "-page"
	}
	return name
}

// writeIndex writes the first page of a tournament's report, which links to those of the games.
func writeIndex(c *cobra.Command, t *arena.Tournament, db *store.DB, to pageFlags) error {
	pools, err := standings.Study(c.Context(), db, standings.Both, ratings.Options{})
	if err != nil || len(pools) == 0 {
		return err
	}
	kinds, err := db.Kinds(c.Context())
	if err != nil {
		return err
	}
	d, err := pages.Tournament(t.Name, t.Database, pools, kinds, func(rules string) string {
		return filepath.Base(page.Path(t.Report, fileName(rules), len(t.Labels) > 1))
	})
	if err != nil {
		return err
	}
	all, _ := standings.Split(pools)
	return to.save(c, d, indexName(t), true, "standings", all.JSON(standings.Extras{Crosstable: true}))
}

// printSummary prints the sequential tests of a match, the summary and the ratings with --json.
func printSummary(ctx context.Context, c *cobra.Command, t *arena.Tournament, db *store.DB, last summary) error {
	out := c.OutOrStdout()
	tests, err := trial.OfMatch(ctx, t, db)
	if err != nil {
		return err
	}
	if n := len(tests); n > 0 {
		last.Test, tests = tests[n-1], tests[:n-1]
	}
	for _, v := range tests {
		err = errors.Join(err, printJSON(out, "sprt", v))
	}
	return errors.Join(err, printJSON(out, "summary", last),
		printStandings(ctx, c, db, standingsOptions{By: standings.Both}, ""))
}

// printRun shows the progress of a run, and prints the standings.
func printRun(ctx context.Context, c *cobra.Command, t *arena.Tournament, db *store.DB, sum arena.Summary,
	details bool,
) error {
	out := c.OutOrStdout()
	rate := float64(sum.Played) / max(sum.Wall.Seconds(), 1e-9)
	fmt.Fprintf(out, "%s: %s played in %.1f s (%.0f games/s), %d of %s%d stored in %s\n",
		t.Name, screen.Plural(sum.Played, "game"), sum.Wall.Seconds(), rate, sum.Before+sum.Played,
		atMost(sum.Exact), sum.Total, t.Database)
	if sum.Finished {
		fmt.Fprintf(out, "finished: %s\n", sum.Why)
	} else {
		fmt.Fprintf(out, "not finished: run the same command again to continue\n")
	}
	if sum.Faults > 0 {
		fmt.Fprintf(out, "%s forfeited (spar games --db %s --faults)\n", screen.Plural(sum.Faults, "game"), t.Database)
	}
	for _, name := range sum.Withdrawn {
		fmt.Fprintf(out, "%s was withdrawn after %d forfeits in a row\n", name, t.Faults.Withdraw)
	}
	fmt.Fprintln(out)
	tests, err := trial.OfMatch(ctx, t, db)
	if err != nil || len(tests) == 0 {
		return cmp.Or(err, printStandings(ctx, c, db, standingsOptions{By: standings.Both, Details: details}, ""))
	}
	for _, v := range tests { // not the ratings, which ignore the stopping rule
		if err := v.Short(out, sum.Finished); err != nil {
			return err
		}
		fmt.Fprintln(out)
	}
	return say(c,
		"First player's score, and notes: spar standings %[1]s --details\nAll estimates of the test: spar sprt --db "+
			"%[1]s\n",
		plain.Line(db.Path()))
}

// runOptions are the flags that "run" and "match" share.
type runOptions struct {
	Dry       bool  `flag:"dry-run"`
	Limit     int64 `flag:"limit"`
	Machines  machineFlags
	EngineLog engineLog

	details bool      // print the ratings and tests of each game
	page    pageFlags // of the tournament's report
	serve   string    // address of the pages during the run; empty for none
}
