package main

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"spar/arena/store"
	"spar/configs"
	"spar/reports/page"
	"spar/reports/pages"
	"spar/reports/watch"
	"spar/tuning"
)

// tuneOptions are the flags that all commands with a tuning file have.
type tuneOptions struct{ planFlags }

func (o *tuneOptions) attach(c *cobra.Command) {
	c.Args = cobra.ExactArgs(1)
	c.ValidArgsFunction = shipped(configs.Tunings)
}

// run returns what a command does with the tuning that its argument names.
func (o *tuneOptions) run(do func(c *cobra.Command, t *tuning.Tuning) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		if o.DB != "" {
			o.Set = append(o.Set, "database="+strconv.Quote(o.DB)) // whatever it would mean in YAML
		}
		t, err := loadPlan(c, configs.Tunings, args[0], &o.planFlags, tuning.Load)
		if err != nil {
			return err
		}
		if o.Workers > 0 {
			t.Workers = o.Workers
		}
		return do(c, t)
	}
}

func tuneCommand() *cobra.Command {
	var o tuneOptions
	var machines machineFlags

	var own struct {
		Dry bool `flag:"dry-run" help:"show what would be tuned, and play only sample games"`
	}
	c := &cobra.Command{
		Use:   "tune TUNING",
		Short: "Search for better parameters of an agent by playing games",
		Long: `Tunes parameters of an agent (weights of its evaluation, knobs of its search) as a tuning file describes, and
writes the tuned agent as a YAML file. "spar tune validate" then tests the result on games that the training never
saw.

Every game is stored in the study. To continue after an interrupt, run the same command again; the result is the
same on any number of workers.`,
		Example: `  spar tune checkerboard
  spar tune my-tuning.yaml --set games=2000 --db out/mine.db`,
		RunE: o.run(func(c *cobra.Command, t *tuning.Tuning) error {
			if err := t.Fit(c.Context()); err != nil {
				return err
			}
			if own.Dry {
				c.SetContext(noPrograms(c.Context()))
				if wantsJSON(c) {
					return sayJSON(c, "tuning_plan", tuningPlan{
						t.Name, t.Label, t.Start.Name, t.Method, t.Games,
						t.Params, t.Direction, t.Probe.Positions,
					})
				}
				return pages.Planned(t).Text(c.OutOrStdout(), 0)
			}
			return tune(c, t, &machines)
		}),
	}
	declare(c, &o, &machines, &own)
	printsJSON(c, "tuning", tuningResult{})
	printsJSON(c, "tuning_plan --dry-run", tuningPlan{})

	c.AddCommand(tuneValidateCommand(), tuneReportCommand())
	return c
}

// tune runs a tuning and writes the tuned agent.
func tune(c *cobra.Command, t *tuning.Tuning, machines *machineFlags) error {
	var r *tuning.Result
	seconds, err := playTuning(c, t, machines, func(db *store.DB, tell tuning.Progress) (err error) {
		r, err = t.Run(c.Context(), db, tell)
		return err
	})
	if err != nil {
		return err
	}
	written, err := t.WriteAgents(r)
	if err != nil {
		return err
	}
	out := c.OutOrStdout()
	if wantsJSON(c) {
		return printJSON(out, "tuning", tuningResult{r, written, machines.lost})
	}
	fmt.Fprintf(out, "%s: %s, %d games (%d played now, checks included, in %.1f s), stored in %s\n\n",
		t.Name, t.Method, r.Games, r.Played, seconds, t.Database)
	if err := pages.Tuning(pages.Tuned{Tuning: t, Result: r}).Text(out, 0); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "\ntuned agent: %s (starting agent: %s)\n"+
		"next, test it on games that the training never saw: spar tune validate %s --db %s\n",
		written[0], written[1], page.ShellWord(c.Flags().Arg(0)), page.ShellWord(t.Database))
	return err
}

// playTuning runs a part of a tuning that plays games, in its study and with other machines if the flags request
// it. It returns the seconds that it took.
func playTuning(c *cobra.Command, t *tuning.Tuning, machines *machineFlags,
	play func(db *store.DB, tell tuning.Progress) error,
) (seconds float64, err error) {
	db, err := store.Open(calm(c), t.Database, store.Create)
	if err != nil {
		return 0, err
	}
	defer db.Close()
	began := time.Now()
	var leave func() error
	if t.Assets, t.Pool, leave, err = machines.open(c, db, t.Workers, nil); err != nil {
		return 0, err
	}
	progress := &tuneProgress{Display: newDisplay(c), t: t}
	t.Again = func(text string) { progress.Say("warning: " + text) }
	err = play(db, progress.tell)
	progress.Clear()
	seconds = time.Since(began).Seconds()
	if err = errors.Join(err, leave()); err != nil {
		err = unfinishedGames(err, progressed{
			Name: t.Name, DB: t.Database, WallS: seconds, Lost: machines.lost,
		})
	}
	return seconds, err
}

// tuneProgress shows the progress of a tuning.
type tuneProgress struct {
	*watch.Display
	t     *tuning.Tuning
	check string
}

func (p *tuneProgress) tell(s tuning.Status) {
	if c := s.Check; c != nil {
		p.check = fmt.Sprintf("Elo against the starting agent %s", c.Match.Elo)
		return
	}
	if s.Rate() == 0 {
		return
	}
	left, _ := s.Left()
	p.Show(func() string {
		return fmt.Sprintf("%.0f/%.0f games, %.0f games/s, %s left%s\n%s", s.Done, s.Total, s.Rate(), left.Round(time.Second),
			p.weights(s.Current), p.check)
	})
}

// weights prints the numbers that have changed most.
func (p *tuneProgress) weights(current []float64) string {
	best, at := 0.0, 0
	for i, x := range current {
		if q := p.t.Params[i]; q.Scale > 0 {
			if d := (x - q.Start) / q.Scale; d*d > best {
				best, at = d*d, i
			}
		}
	}
	if len(current) == 0 {
		return ""
	}
	return fmt.Sprintf("; %s %.3g (was %.3g)", p.t.Params[at].Name, current[at], p.t.Params[at].Start)
}

// tuningResult is the output of kind tuning.
type tuningResult struct {
	*tuning.Result
	Files []string `json:"files" help:"written: the tuned agent and the starting agent"`
	Lost  []string `json:"lost_workers,omitempty" help:"machines that stopped answering and did not return"`
}

// tuningPlan is the output of kind tuning_plan.
type tuningPlan struct {
	Name       string         `json:"name" help:"name of the tuning"`
	Rules      string         `json:"rules" help:"name of the rules"`
	Agent      string         `json:"agent" help:"where the search starts"`
	Method     string         `json:"method" help:"pipeline, spsa, td or regression"`
	Games      int            `json:"games" help:"number of training games"`
	Parameters []tuning.Param `json:"parameters" help:"what the command tunes: path, targets, start, min, max, scale, integer"`
	Direction  bool           `json:"direction" help:"whether only the direction of the weights matters"`
	Positions  int            `json:"sample_positions" help:"sample positions from which the scales were estimated"`
}
