package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"spar/arena/live"
	"spar/arena/store"
	"spar/configs"
	"spar/configs/files"
	"spar/engines"
	"spar/engines/rules"
	"spar/reports/balance"
	"spar/reports/page"
	"spar/reports/pages"
	"spar/tuning/target"
	"spar/tuning/variants"
)

// sweepOptions are the flags of a sweep.
type sweepOptions struct {
	planFlags
	Knobs     []string `flag:"knob" key:"knobs" help:"a knob with its values, like pieces.cap=4..12 (repeatable)"`
	Targets   []string `flag:"target" key:"targets" help:"search for this target, like fpa<=0.02 (repeatable)"`
	Unguarded bool     `flag:"no-guards" help:"do not add the usual targets for completion, draws, mechanics and depth"`
	Write     string   `flag:"write" file:".yaml .yml" help:"measure the best rules again and write them to this .yaml file"`
	Dry       bool     `flag:"dry-run" help:"list the variants and count the games, and play nothing"`
	Markdown  bool     `flag:"markdown" help:"print the whole report as Markdown"`
	Page      pageFlags
	Machines  machineFlags
}

func (o *sweepOptions) attach(c *cobra.Command) {
	printsJSON(c, "sweep", sweepResult{})
	printsJSON(c, "sweep_plan --dry-run", variants.Outlook{})
}

func sweepCommand() *cobra.Command {
	var o sweepOptions
	c := &cobra.Command{
		Use:   "sweep SWEEP, or RULES --knob KNOB=VALUES [--target TARGET]",
		Short: "Vary knobs of rules: measure every value, or search for rules that meet targets",
		Long: `Plays the variants of some rules with the same seeds, and measures the first player's score, draws,
completion, length and depth of each. A file, or --knob, says which knobs vary. With --target the sweep is a search:
all candidates play some games, the half nearest to the targets plays twice as many, and so on until the finalists are
left.

Knobs: pieces.cap=4..12 (whole numbers), pieces.cap=4..12..2 (with a step), board.wrap=none,torus (a list).

Targets: fpa<=0.02 (the first player's score within 2 points of even), score in [0.48, 0.52], completion>=99%,
finished>=90%, draws<=20%, length<=60, alive>=0.5 (each mechanic happens in half of the games), depth>=6 (levels of
play from random to strong, each scoring 60 % against the one below). Targets have to hold for each tier. Spar adds
guards, unless a target has the same measure: at least 90 % of the games end, at most 90 % are draws, each mechanic
happens in a tenth of the games, depth is at least 1.

--set changes a key of the file or of the search (spar help yaml sweeps), or a knob of all variants.

Spar skips variants that break the game: invalid rules, a goal that nobody can reach, another mechanic that loses its
effect. It solves those that are small enough. An exact draw ranks before all measured values. A variant with a forced
win is excluded, unless the targets allow it, and does not play in a search. In a search, a candidate's games of a round
stop once it is clear which targets it meets, and a candidate that clearly misses one is dropped; all these decisions
together err in at most 5 % of searches. The best variants are chosen by their scores, so those scores are too good.
Spar measures them again with new seeds and prints how many variants it tried. A search ends with exit code 3 if the
best variant then does not meet the targets with its whole 95 % interval.

Every game is stored in one study. To continue after an interrupt, run the same command again; the result is
the same on any number of workers. You can report on a variant as on any other rules: spar report STUDY.db --rules
'VARIANT'.`,
		Example: `  spar sweep vanishing-size
  spar sweep checkerboard-cap --set games=50 --set fresh=100 --db out/try-cap.db
  spar sweep vanishing --knob pieces.cap=3..6 --knob board.columns=3..5 --target 'fpa<=0.05' --write out/fair.yaml
  spar sweep checkerboard --knob pieces.cap=4..12 --target 'score in [0.48, 0.52]' --set tiers=[50,100]`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: shipped(configs.Sweeps),
		RunE: func(c *cobra.Command, args []string) error {
			s, err := planSweep(c, args[0], &o)
			if err != nil {
				return err
			}
			return runSweep(c, args, s, o)
		},
	}
	declare(c, &o)
	return c
}

// planSweep makes a sweep of a file, or of rules and knobs. Targets make it a search.
func planSweep(c *cobra.Command, name string, o *sweepOptions) (*variants.Sweep, error) {
	for _, text := range o.Targets {
		if _, err := target.Parse(text); err != nil {
			return nil, usagef("--target %w", err)
		}
	}
	targets := o.Targets
	if len(targets) > 0 && !o.Unguarded {
		targets = variants.Guarded(targets)
	}
	if len(o.Knobs) == 0 {
		if len(targets) > 0 {
			text, err := json.Marshal(targets)
			if err != nil {
				return nil, err
			}
			o.Set = append(slices.Clone(o.Set), "targets="+string(text), "design="+variants.Halving)
		}
		return loadPlan(c, configs.Sweeps, name, &o.planFlags, variants.Load)
	}
	plan := variants.DefaultPlan()
	plan.Rules, plan.Name, plan.Targets = name, fileName(name)+"-sweep", targets
	if len(targets) > 0 {
		plan.Name = fileName(name) + "-search"
		plan.Design = variants.Halving
		plan.Games = 60
		plan.Fresh = 1000
	}
	for _, text := range o.Knobs {
		k, err := variants.ParseKnob(text)
		if err != nil {
			return nil, usagef("--knob %w", err)
		}
		plan.Knobs = append(plan.Knobs, k)
	}
	var own, keys []string
	for _, text := range o.Set {
		if key, _, _ := strings.Cut(text, "="); slices.Contains(rules.KnobPaths(), key) {
			own = append(own, text)
		} else {
			keys = append(keys, text)
		}
	}
	if _, err := loadGame(name, own); err != nil {
		return nil, err
	}
	plan.Rules, own = ownOverrides(name, own)
	var err error
	if plan.Set, err = overrideMap(own); err != nil {
		return nil, err
	}
	if changed(c, "seed") {
		plan.Seed = o.Seed
	}
	s, err := variants.New(plan, keys...)
	return s, byFlags(c, err)
}

func runSweep(c *cobra.Command, args []string, s *variants.Sweep, o sweepOptions) error {
	if o.Write != "" && s.Best == 0 {
		return usagef("--write: this sweep measures no variant again; add a --target, or --set best=1")
	}
	s.Database = cmp.Or(o.DB, s.Database)
	s.Workers = cmp.Or(o.Workers, s.Workers)
	if o.Dry {
		return reply(c, "sweep_plan", s.Outlook(), func(w io.Writer) error {
			return pages.SweepPlanText(w, s)
		})
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
	began := time.Now()
	shown := newDisplay(c)
	feed := live.NewFeed(time.Now)
	feed.Attach(shown.Hear)
	r, err := s.Run(c.Context(), hard, study, variants.Options{
		Measure:  balance.OfVariant,
		Workers:  s.Workers,
		Progress: playing(shown),
		Feed:     feed,
		Assets:   assets,
		Pool:     pool,
		Nets:     filepath.Dir(s.Database),
		Stage:    shown.ShowText,
	})
	err = errors.Join(err, leave())
	shown.Clear()
	if err != nil {
		return unfinishedGames(err, progressed{
			Name: s.Name, DB: s.Database, WallS: time.Since(began).Seconds(),
			Lost: o.Machines.lost,
		})
	}
	command := page.Command{Text: commandLine(c, args), Note: "This command plays or continues the games and writes this " +
		"page:"}
	if err := o.Page.show(c, pages.Sweep(r, []page.Command{command}), o.Markdown, fileName(s.Name), "sweep",
		sweepResult{r, o.Machines.lost}, r); err != nil {
		return err
	}
	why := "no variant is confirmed to meet the targets"
	missed := len(s.Targets) > 0 && s.Best > 0 && (len(r.Again) == 0 || r.Again[0].Verdict != target.Met)
	if o.Write != "" && len(r.Again) == 0 {
		missed, why = true, "Spar measured no variant again"
	}
	if o.Write != "" && missed { // nothing stands under the name of a success that is none
		note(c, "%s was not written: %s\n", o.Write, why)
	} else if o.Write != "" {
		best, comments, _ := s.Winner(r, bare(filepath.Base(o.Write)))
		if err := writeRules(c, o.Write, best, comments); err != nil {
			return err
		}
	}
	if missed && (s.Design == variants.Halving || o.Write != "") { // a plain sweep asks for no winner
		return errTarget
	}
	return nil
}

// writeRules writes rules to a file, from which they have to load.
func writeRules(c *cobra.Command, path string, r engines.Rules, comments []string) error {
	if err := files.Write(path, func(w io.Writer) error {
		return variants.WriteRules(w, r, comments...)
	}); err != nil {
		return err
	}
	if _, err := loadGame(path, nil); err != nil {
		return fmt.Errorf("%s does not load: %w", path, err)
	}
	note(c, "wrote %s\n", path)
	return nil
}

// sweepResult is the output of kind variants.
type sweepResult struct {
	*variants.Result
	Lost []string `json:"lost_workers,omitempty" help:"machines that stopped answering and did not return"`
}
