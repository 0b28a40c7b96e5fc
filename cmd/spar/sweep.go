package main

import (
	"cmp"
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
	Write    string `flag:"write" file:".yaml .yml" help:"write the best rules, after measuring again, to this .yaml file"`
	Dry      bool   `flag:"dry-run" help:"list the variants and count the games, and play nothing"`
	CSV      bool   `flag:"csv" help:"print every variant as a line of CSV"`
	Markdown bool   `flag:"markdown" help:"print the whole report as Markdown"`
	Page     pageFlags
	Machines machineFlags
}

func (o *sweepOptions) attach(c *cobra.Command) {
	printsJSON(c, "sweep", sweepResult{})
	printsJSON(c, "sweep_plan --dry-run", sweep.Outlook{})
}

const freshHelp = `Spar first solves variants that are small enough. An exact draw ranks before all measured values. A
variant with a forced win is excluded, unless the targets allow it, and does not play in a search. The tables mark
exact values. The best variants are chosen by their scores, so those scores are too good. Spar measures them again
with new seeds and prints how many variants it tried. A search ends with exit code 3 if its best does not meet the
targets then, with the whole 95 % interval.

Every game is stored in one study. After an interrupt the same command continues, with the same result on any number
of workers. You can report on a variant as on any other rules: spar report STUDY.db --rules 'VARIANT'.`

func sweepCommand() *cobra.Command {
	var o sweepOptions
	var plan planFlags
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
		ValidArgsFunction: shipped(configs.Sweeps),
		RunE: func(c *cobra.Command, args []string) error {
			s, err := loadPlan(c, configs.Sweeps, args[0], &plan, sweep.Load)
			if err != nil {
				return err
			}
			return runSweep(c, args, s, o, plan.DB, plan.Workers)
		},
	}
	declare(c, &plan, &o)
	return c
}

func searchCommand() *cobra.Command {
	var rules gameFlags
	var o sweepOptions
	plan := sweep.DefaultPlan()
	plan.Games, plan.Fresh = 60, 1000
	var own struct {
		Knobs     []string `flag:"knob" key:"knobs" help:"a knob with its values, like pieces.cap=4..12 (repeatable)"`
		Targets   []string `flag:"target" key:"targets" help:"a target, like fpa<=0.02 (repeatable)"`
		Unguarded bool     `flag:"no-guards" help:"add no guards to the targets"`
		DB        string   `flag:"db" help:"the study's file (default out/NAME.db)"`
		Workers   int      `flag:"workers"`
	}
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
			if len(own.Knobs) == 0 || len(own.Targets) == 0 {
				return usagef("a search needs --knob and --target, like --knob pieces.cap=4..12 --target 'fpa<=0.02'")
			}
			if _, err := rules.load(); err != nil {
				return err
			}
			rules.Name, rules.Set = ownOverrides(rules.Name, rules.Set)
			plan.Name, plan.Rules, plan.Design, plan.Targets = fileName(rules.Name)+"-search", rules.Name, sweep.Halving, own.Targets
			if !own.Unguarded {
				plan.Targets = sweep.Guarded(own.Targets)
			}
			for _, text := range own.Knobs {
				k, err := sweep.ParseKnob(text)
				if err != nil {
					return usagef("--knob %w", err)
				}
				plan.Knobs = append(plan.Knobs, k)
			}
			var err error
			if plan.Set, err = overrideMap(rules.Set); err != nil {
				return err
			}
			s, err := sweep.New(plan)
			if err != nil {
				return byFlags(c, err)
			}
			return runSweep(c, args, s, o, own.DB, own.Workers)
		},
	}
	declare(c, &rules, &own, &plan, &o)
	return c
}

func runSweep(c *cobra.Command, args []string, s *sweep.Sweep, o sweepOptions, db string, workers int) error {
	s.Database = cmp.Or(db, s.Database)
	s.Workers = cmp.Or(workers, s.Workers)
	if o.Dry {
		return reply(c, "sweep_plan", s.Outlook(), func(w io.Writer) error { return pages.SweepPlanText(w, s) })
	}
	hard, release := secondInterrupt(c.Context())
	defer release()
	study, err := store.Open(hard, s.Database, store.Create)
	if err != nil {
		return err
	}
	defer study.Close()
	assets, pool, leave, err := o.Machines.open(c, study, s.Workers, nil)
	if err != nil {
		return err
	}
	began, shown, feed := time.Now(), newDisplay(c), live.NewFeed(time.Now)
	feed.Attach(shown.Hear)
	r, err := s.Run(c.Context(), hard, study, sweep.Options{
		Measure: balance.OfVariant, Workers: s.Workers, Progress: playing(shown), Feed: feed, Assets: assets, Pool: pool,
		Nets:  filepath.Dir(s.Database),
		Stage: func(text string) { shown.Show(func() string { return text }) },
	})
	err = errors.Join(err, leave())
	shown.Clear()
	if err != nil {
		return unfinishedGames(planTrouble(err), progressed{
			Name: s.Name, DB: s.Database, WallS: time.Since(began).Seconds(),
			Lost: o.Machines.lost,
		})
	}
	command := page.Command{Text: commandLine(c, args), Note: "plays the games, or continues, and makes this page"}
	d := pages.Sweep(r, []page.Command{command})
	switch {
	case o.Markdown:
		err = d.Markdown(c.OutOrStdout(), nil)
	case wantsJSON(c):
		err = printJSON(c.OutOrStdout(), "sweep", sweepResult{r, o.Machines.lost})
	case o.CSV:
		err = pages.SweepCSV(c.OutOrStdout(), r)
	default:
		err = pages.SweepText(c.OutOrStdout(), r)
	}
	if err == nil && o.Page.Out != "" {
		err = o.Page.save(c, d, fileName(s.Name), false, "sweep", r)
	}
	if err != nil {
		return err
	}
	failed := s.Design == sweep.Halving && s.Best > 0 && (len(r.Again) == 0 || r.Again[0].Verdict != target.Met)
	if o.Write != "" && failed { // nothing stands under the name of a success that is none
		note(c, "%s was not written: no variant meets the targets\n", o.Write)
	} else if o.Write != "" {
		if err := writeWinner(c, s, r, o.Write); err != nil {
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
