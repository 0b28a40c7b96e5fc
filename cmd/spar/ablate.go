package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"spar/agents"
	"spar/arena"
	"spar/arena/store"
	"spar/configs"
	"spar/configs/strict"
	"spar/engines/rules"
	"spar/reports/trial"
)

// ablateOptions are the flags of ablate.
type ablateOptions struct {
	Ask     trial.Ablation
	Knobs   []string `flag:"agent-knob" help:"a knob and values to try, like mcts.exploration=0.2,0.8 (repeatable)"`
	Games   playedGames
	DB      string `flag:"db=out/ablation.db" key:"database" help:"the study's file"`
	Workers int    `flag:"workers" key:"workers"`
	Limit   int64  `flag:"limit"`
	Dry     bool   `flag:"dry-run"`
	Page    pageFlags
}

func ablateCommand() *cobra.Command {
	var o ablateOptions
	c := &cobra.Command{
		Use:   "ablate AGENT --agent-knob PATH=VALUE,VALUE",
		Short: "Measure how much Elo each knob of an agent contributes, alone and in pairs",
		Long: `Plays an agent with other values of its knobs against the agent itself, in pairs of games, and prints
how much Elo each value gains or loses under each set of rules. Spar tries every value alone, then every two values of
different knobs together.

The intervals are corrected for multiple comparisons (Bonferroni). The interaction of two knobs is their joint gain
minus the sum of their single gains. Spar names values that have no effect under some rules, and does not play them.

Stored games are not played again. To continue after an interrupt, run the same command again. You can add rules to a
study later; more knobs need another study. --out writes a page.`,
		Example: `  spar ablate mcts-100 --agent-knob mcts.exploration=0.2,0.8 --agent-knob mcts.final=max --rules vanishing,ctor --pairs 50
  spar ablate minimax-4 --agent-knob minimax.quiescence=false --rules checkerboard --out out/ablation --figures pdf`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: shipped(configs.Agents),
		RunE: func(c *cobra.Command, args []string) error {
			o.Ask.Agent = args[0]
			for _, name := range o.Games.names() {
				o.Ask.Rules = append(o.Ask.Rules, rules.JoinLabel(ownOverrides(name, o.Games.Set)))
			}
			if len(o.Knobs) == 0 {
				return usagef("give at least one --agent-knob PATH=VALUE,VALUE")
			}
			for _, text := range o.Knobs {
				k, err := trial.ParseKnob(text)
				if err != nil {
					return usagef("--agent-%w", err)
				}
				o.Ask.Knobs = append(o.Ask.Knobs, k)
			}
			err := o.Ask.Plan()
			if errors.Is(err, trial.ErrKnob) {
				return usagef("--agent-%w", err)
			}
			if err != nil {
				return strict.Bad(byFlags(c, err))
			}
			for _, part := range o.Ask.Parts {
				if t := part.Tournament; t.Database != "" && !changed(c, "db") {
					o.DB = t.Database
				}
			}
			return o.run(c)
		},
	}
	declare(c, &o)
	printsJSON(c, "ablation", trial.AblationResult{})
	printsJSON(c, "ablation_plan --dry-run", trial.AblationPlan{})
	return c
}

func (o *ablateOptions) run(c *cobra.Command) error {
	a, out := &o.Ask, c.OutOrStdout()
	planned := a.Planned(o.DB)
	for _, part := range a.Parts {
		if err := agents.Fit(c.Context(), part.Tournament.Rules, part.Tournament.Players...); err != nil {
			return err
		}
	}
	if o.Dry {
		return reply(c, "ablation_plan", planned, planned.Text)
	}
	db, err := store.Open(calm(c), o.DB, store.Create)
	if err != nil {
		return err
	}
	defer db.Close()
	sum := arena.Summary{Finished: true, Total: planned.Games}
	for _, part := range a.Parts {
		run := runOptions{Limit: o.Limit - sum.Played}
		if o.Limit > 0 && run.Limit <= 0 {
			sum.Finished = false
			break
		}
		run.Limit = max(0, run.Limit)
		if o.Workers > 0 { // else as the plan says
			part.Tournament.Workers = o.Workers
		}
		of, err := playRun(c, part.Tournament, db, &run, false)
		sum.Before += of.Before
		sum.Played += of.Played
		sum.Faults += of.Faults
		sum.Wall += of.Wall
		sum.Finished = of.Finished
		if err != nil {
			return unfinished{err, o.summary(sum)}
		}
		if !of.Finished {
			break
		}
		sum.Total -= of.Total - of.Before - of.Played // it may end before all its games
	}
	r, err := a.Measure(calm(c), db)
	if err != nil {
		return err
	}
	if wantsJSON(c) {
		err = printJSON(out, "ablation", r)
	} else {
		if !sum.Finished {
			fmt.Fprintf(out, "not finished: run the same command again to continue\n\n")
		}
		err = r.Text(out)
	}
	if err == nil && o.Page.Out != "" && len(r.Effects) > 0 {
		err = o.Page.save(c, r.Page(o.DB), "ablation", false, "ablation", r)
	}
	switch {
	case err != nil || sum.Finished:
		return err
	case interrupted(c):
		return unfinished{errStopped, o.summary(sum)}
	case wantsJSON(c):
		return printJSON(out, "summary", o.summary(sum))
	}
	return nil
}

func (o *ablateOptions) summary(sum arena.Summary) summary {
	return summary{Finished: sum.Finished, progressed: &progressed{
		DB: o.DB, Total: sum.Total, Before: sum.Before, Played: sum.Played, Faults: sum.Faults, WallS: sum.Wall.Seconds(),
	}}
}
