package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"spar/arena/live"
	"spar/arena/store"
	"spar/configs"
	"spar/configs/files"
	"spar/reports/balance"
	"spar/reports/page"
	"spar/reports/pages"
	"spar/tuning/sweep"
	"spar/tuning/target"
)

// sweepOptions are the flags that "sweep" and "balance search" share.
type sweepOptions struct {
	db, write string
	workers   int
	dry       bool
	asCSV     bool
	markdown  bool
	page      pageFlags
	machines  machineFlags
}

func (o *sweepOptions) flags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&o.db, "db", "", "the study's file (default out/NAME.db)")
	workersFlag(c, &o.workers)
	fileFlag(c, &o.write, "write", "", "write the best rules, after measuring again, to this .yaml file", yamlEndings()...)
	f.BoolVar(&o.dry, "dry-run", false, "list the variants and count the games, and play nothing")
	f.BoolVar(&o.asCSV, "csv", false, "print every variant as a line of CSV")
	f.BoolVar(&o.markdown, "markdown", false, "print the whole report as Markdown")
	jsonFlag(c)
	o.page.flags(c)
	o.machines.flags(c)
}

func sweepNames(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return configs.Names(configs.Sweeps), cobra.ShellCompDirectiveDefault
}

const freshHelp = `Spar first solves variants that are small enough. An exact draw ranks before all measured values. A
variant with a forced win is excluded, unless the targets allow it, and does not play in a search. The tables mark
exact values. The best variants are chosen by their scores, so those scores are too good. Spar measures them again
with new seeds and prints how many variants it tried. A search ends with exit code 3 if its best does not meet the
targets then, with the whole 95 % interval.

Every game is stored in one study. After an interrupt the same command continues, with the same result on any number
of workers. You can report on a variant as on any other rules: spar report STUDY.db --rules 'VARIANT'.`

func sweepCommand() *cobra.Command {
	var (
		o        sweepOptions
		set      []string
		withSeed func(set []string) []string
	)
	c := &cobra.Command{
		Use:   "sweep SWEEP",
		Short: "Vary knobs of rules and measure fairness, length and depth",
		Long: `Plays every variant of the rules that a sweep file describes, with the same seeds and openings, and
measures the first player's score, draws, completion, length and depth of each. The file names a grid or a sample of
the combinations of knobs.

` + freshHelp,
		Example: `  spar sweep vanishing-size
  spar sweep checkerboard-cap --set games=50 --set fresh=100 --db out/try-cap.db
  spar sweep my-sweep.yaml --csv`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: sweepNames,
		RunE: func(c *cobra.Command, args []string) error {
			s, err := loadConfig(c, configs.Sweeps, args[0], withSeed(set), sweep.Load)
			if err != nil {
				return err
			}
			return runSweep(c, args, s, o)
		},
	}
	c.Flags().StringArrayVar(&set, "set", nil, "override a key of the sweep file, like games=50 (repeatable)")
	withSeed = seedFlag(c)
	o.flags(c)
	apartFrom(c, "set", map[string]string{"database": "db", "workers": "workers"})
	return c
}

func searchCommand() *cobra.Command {
	var (
		rules          gameFlags
		o              sweepOptions
		knobs, targets []string
		tiers          []int
		unguarded      bool
		plan           = sweep.DefaultPlan()
	)
	c := &cobra.Command{
		Use:   "search RULES --knob KNOB=VALUES --target TARGET",
		Short: "Search for values of knobs with which rules meet targets",
		Long: `Searches the values of knobs for rules that meet the targets, by successive halving: every candidate
plays some games, the half nearest to the targets plays twice as many, and so on until the finalists are left. The
targets have to hold for each tier.

Knobs: pieces.cap=4..12 (whole numbers), pieces.cap=4..12..2 (with a step), board.wrap=none,torus (a list).

Targets: fpa<=0.02 (the first player's score within 2 points of even), score in [0.48, 0.52], completion>=99%,
draws<=20%, length<=60, alive>=0.5 (each mechanic happens in half of the games), depth>=6 (steps of 60 % from the
random player up).

Spar adds guards, unless a target has the same measure: at least 90 % of the games end, at most 90 % are draws, each
mechanic happens in a tenth of the games, depth is at least 1. --no-guards omits them. The same search can be a
file for "spar sweep" with design: halving.

` + freshHelp,
		Example: `  spar balance search vanishing --knob pieces.cap=3..6 --knob board.columns=3..5 --target 'fpa<=0.05' --write out/fair.yaml
  spar balance search checkerboard --knob pieces.cap=4..12 --target 'score in [0.48, 0.52]' --tiers 50,100`,
		RunE: func(c *cobra.Command, args []string) error {
			if len(knobs) == 0 || len(targets) == 0 {
				return usagef("a search needs --knob and --target, like --knob pieces.cap=4..12 --target 'fpa<=0.02'")
			}
			if _, err := rules.load(); err != nil {
				return err
			}
			rules.name, rules.set = ownOverrides(rules.name, rules.set)
			plan.Name, plan.Rules, plan.Design, plan.Targets, plan.Tiers = fileName(
				rules.name,
			)+"-search", rules.name, sweep.Halving,
				targets, tiers
			if !unguarded {
				plan.Targets = sweep.Guarded(targets)
			}
			for _, text := range knobs {
				k, err := sweep.ParseKnob(text)
				if err != nil {
					return usagef("--knob %w", err)
				}
				plan.Knobs = append(plan.Knobs, k)
			}
			var err error
			if plan.Set, err = overrideMap(rules.set); err != nil {
				return err
			}
			s, err := sweep.New(plan)
			if err != nil {
				return byFlags(c, err, map[string]string{
					"knobs": "knob", "targets": "target", "tiers": "tiers", "games": "games", "points": "points", "best": "finalists",
					"fresh": "fresh", "ladder": "ladder", "learn": "learn",
				})
			}
			return runSweep(c, args, s, o)
		},
	}
	rules.argument(c)
	f := c.Flags()
	f.StringArrayVar(&knobs, "knob", nil, "a knob with its values, like pieces.cap=4..12 (repeatable)")
	f.StringArrayVar(&targets, "target", nil, "a target, like fpa<=0.02 (repeatable)")
	f.IntSliceVar(&tiers, "tiers", plan.Tiers, "simulations for each move of the agents, weakest first")
	f.BoolVar(&unguarded, "no-guards", false, "add no guards to the targets")
	f.IntVar(&plan.Games, "games", 60, "games of each tier against itself in the first round; doubled from "+
		"round to round")
	f.IntVar(&plan.Points, "points", 0, "candidates at the start, spread over the knobs; 0 = every combination")
	f.IntVar(&plan.Best, "finalists", plan.Best, "candidates to measure again")
	f.IntVar(&plan.Fresh, "fresh", 1000, "games of each tier against itself when measured again")
	f.IntVar(&plan.Ladder, "ladder", plan.Ladder, "games between each two neighbouring tiers (the lowest is "+
		"random play), to measure depth")
	f.IntVar(&plan.Learn, "learn", 0, "first learn one evaluation for all variants from this many games of "+
		"self-play; 0 = use the hand-made one")
	everySeedFlag(c, &plan.Seed)
	o.flags(c)
	return c
}

func runSweep(c *cobra.Command, args []string, s *sweep.Sweep, o sweepOptions) error {
	if o.db != "" {
		s.Database = o.db
	}
	if o.workers > 0 {
		s.Workers = o.workers
	}
	if o.dry {
		return reply(c, "sweep_plan", s.Outlook(), func(w io.Writer) error { return pages.SweepPlanText(w, s) })
	}
	hard, release := secondInterrupt(c.Context())
	defer release()
	db, err := store.Open(hard, s.Database, store.Create)
	if err != nil {
		return err
	}
	defer db.Close()
	assets, pool, leave, err := o.machines.open(c, db, s.Workers, nil)
	if err != nil {
		return err
	}
	began, shown, feed := time.Now(), newDisplay(c), live.NewFeed(time.Now)
	feed.Attach(shown.Hear)
	r, err := s.Run(c.Context(), hard, db, sweep.Options{
		Measure: balance.OfVariant, Workers: s.Workers, Progress: playing(shown), Feed: feed, Assets: assets, Pool: pool,
		Nets:  filepath.Dir(s.Database),
		Stage: func(text string) { shown.Show(func() string { return text }) },
	})
	err = errors.Join(err, leave())
	shown.Clear()
	if err != nil {
		return unfinishedGames(planTrouble(err), progressed{
			Name: s.Name, DB: s.Database, WallS: time.Since(began).Seconds(),
			Lost: o.machines.lost,
		})
	}
	command := page.Command{Text: commandLine(c, args), Note: "plays the games, or continues, and makes this page"}
	d := pages.Sweep(r, []page.Command{command})
	switch {
	case o.markdown:
		err = d.Markdown(c.OutOrStdout(), nil)
	case wantsJSON(c):
		err = printJSON(c.OutOrStdout(), "sweep", sweepResult{r, o.machines.lost})
	case o.asCSV:
		err = pages.SweepCSV(c.OutOrStdout(), r)
	default:
		err = pages.SweepText(c.OutOrStdout(), r)
	}
	if err == nil && o.page.out != "" {
		err = o.page.save(c, d, fileName(s.Name), false, "sweep", r)
	}
	if err != nil {
		return err
	}
	failed := s.Design == sweep.Halving && s.Best > 0 && (len(r.Again) == 0 || r.Again[0].Verdict != target.Met)
	if o.write != "" && failed { // nothing stands under the name of a success that is none
		note(c, "%s was not written: no variant meets the targets\n", o.write)
	} else if o.write != "" {
		if err := writeWinner(c, s, r, o.write); err != nil {
			return err
		}
	}
	if failed {
		return errTarget
	}
	return nil
}

// writeWinner writes the best rules to a file.
func writeWinner(c *cobra.Command, s *sweep.Sweep, r *sweep.Result, path string) error {
	rules, comments, ok := s.Winner(r, strings.TrimSuffix(strings.TrimSuffix(filepath.Base(path), ".yaml"), ".yml"))
	if !ok {
		return usagef("--write: no variant was measured again, because best is 0")
	}
	if err := files.Write(path, func(w io.Writer) error { return sweep.WriteRules(w, rules, comments...) }); err != nil {
		return err
	}
	if _, err := loadGame(path, nil); err != nil {
		return fmt.Errorf("%s does not load: %w", path, err)
	}
	note(c, "wrote %s\n", path)
	return nil
}

// sweepResult is the output of kind sweep.
type sweepResult struct {
	*sweep.Result
	Lost []string `json:"lost_workers,omitempty" help:"machines that stopped answering and did not return; absent if there are none"`
}
