package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"spar/arena"
	"spar/arena/live"
	"spar/arena/store"
	"spar/arena/study"
	"spar/engines/rules"
	"spar/reports/ablation"
	"spar/reports/page"
	"spar/reports/watch"
)

// ablateOptions are the flags of ablate.
type ablateOptions struct {
	ask     ablation.Ask
	knobs   []string
	games   func() []string
	set     []string
	db      string
	workers int
	limit   int64
	dry     bool
	page    pageFlags
}

func ablateCommand() *cobra.Command {
	var o ablateOptions
	c := &cobra.Command{
		Use:   "ablate AGENT --agent-knob PATH=VALUE,VALUE",
		Short: "Measure how many Elo each knob of an agent contributes, alone and in pairs",
		Long: `Plays an agent with other values of its knobs against itself, in pairs of games under each of the
rules, and says how many Elo each value gains or loses. First every value alone, then every two values of different
knobs together.

The intervals hold jointly (Bonferroni); the p-values are adjusted by Holm. The output also has time and nodes of a
decision relative to the agent's own, and the interaction of two knobs: their joint gain minus the sum of their single
gains. Values without effect under some rules are named and not played.

Stored games are not played again: after an interrupt the same command continues. You can add rules; for more knobs
use another study. --out writes a page.`,
		Example: `  spar ablate mcts-100 --agent-knob mcts.exploration=0.2,0.8 --agent-knob mcts.final=max --rules vanishing,ctor --pairs 50
  spar ablate minimax-4 --agent-knob minimax.quiescence=false --rules checkerboard --out out/ablation --figures pdf`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: agentNames,
		RunE: func(c *cobra.Command, args []string) error {
			o.ask.Agent = args[0]
			for _, name := range o.games() {
				o.ask.Rules = append(o.ask.Rules, rules.JoinLabel(ownOverrides(name, o.set)))
			}
			if len(o.knobs) == 0 {
				return usagef("give at least one --agent-knob PATH=VALUE,VALUE")
			}
			for _, text := range o.knobs {
				k, err := ablation.ParseKnob(text)
				if err != nil {
					return usagef("--agent-%w", err)
				}
				o.ask.Knobs = append(o.ask.Knobs, k)
			}
			plan, err := ablation.NewPlan(o.ask)
			if errors.Is(err, ablation.ErrKnob) {
				return usagef("--agent-%w", err)
			}
			if err != nil {
				return usageError{byFlags(c, err, map[string]string{"pairs": "pairs", "openings": "opening-plies"})}
			}
			for _, part := range plan.Parts {
				if t := part.Tournament; t != nil && t.Database != "" && !c.Flags().Changed("db") {
					o.db = t.Database
				}
			}
			return o.run(c, plan)
		},
	}
	f := c.Flags()
	f.StringArrayVar(&o.knobs, "agent-knob", nil, "a knob and values to try, like mcts.exploration=0.2,0.8 "+
		"(repeatable)")
	o.games = gamesFlag(c)
	setFlag(c, &o.set)
	f.BoolVar(&o.ask.Single, "single", false, "one knob at a time only, not in pairs")
	f.IntVar(&o.ask.Pairs, "pairs", 100, "pairs of games of each value under each of the rules")
	f.IntVar(&o.ask.Plies, "opening-plies", 2, "random plies at the start of each pair")
	everySeedFlag(c, &o.ask.Seed)
	agentSetFlag(c, &o.ask.AgentSet)
	f.StringArrayVar(&o.ask.PlanSet, "plan-set", nil, "set a key of the tournament, like budget.iterations=500 "+
		"or openings.draw=balanced (repeatable)")
	apartFrom(c, "plan-set", map[string]string{
		"games": "rules", "pairs": "pairs", "openings.plies": "opening-plies",
		"seed": "seed", "workers": "workers", "database": "db",
	})
	f.StringVar(&o.db, "db", "out/ablation.db", "the study's file")
	workersFlag(c, &o.workers)
	f.Int64Var(&o.limit, "limit", 0, "stop after this many games")
	f.BoolVar(&o.dry, "dry-run", false, "show what would be played, and play nothing")
	o.page.flags(c)
	jsonFlag(c)
	return c
}

func (o *ablateOptions) run(c *cobra.Command, plan *ablation.Plan) error {
	out := c.OutOrStdout()
	if o.dry {
		planned := ablationPlan{
			plan.Base.Name, plan.Games(), o.db, partsOf(plan),
			append([]ablation.Idle{}, plan.Idle...),
		}
		return reply(c, "ablation_plan", planned, func(out io.Writer) error {
			fmt.Fprintf(out, "ablation of %s: %d games into %s\n", plan.Base.Name, plan.Games(), o.db)
			for _, p := range partsOf(plan) {
				fmt.Fprintf(out, "%s: %s\n", p.Rules, strings.Join(p.Variants, "; "))
			}
			for _, i := range plan.Idle {
				fmt.Fprintf(out, "not played under %s: %v (%s)\n", i.Rules, i.Settings, i.Why)
			}
			return nil
		})
	}
	calm := context.WithoutCancel(c.Context())
	db, err := store.Open(calm, o.db, store.Create)
	if err != nil {
		return err
	}
	defer db.Close()
	hard, release := secondInterrupt(c.Context())
	defer release()
	sum, err := plan.Play(c.Context(), hard, db, ablation.Options{
		Workers: o.workers, Limit: o.limit,
		Watch: func(t *arena.Tournament) (*live.Feed, error) {
			if wantsJSON(c) {
				return nil, nil
			}
			feed := live.NewFeed(time.Now)
			shown, err := watch.NewRun(calm, newDisplay(c), t, db)
			if err == nil {
				feed.Attach(shown.Hear)
			}
			return feed, err
		},
	})
	last := summary{Finished: sum.Finished, progressed: &progressed{
		DB: o.db, Total: sum.Total, Before: sum.Before,
		Played: sum.Played, Faults: sum.Faults, WallS: sum.Wall.Seconds(),
	}}
	var other *store.PlanError
	if errors.As(err, &other) {
		return usageError{err}
	}
	if err != nil {
		return unfinished{err, last}
	}
	r, err := plan.Measure(calm, db)
	if err != nil {
		return err
	}
	if wantsJSON(c) {
		err = printJSON(out, "ablation", r)
	} else {
		if !last.Finished {
			fmt.Fprintf(out, "not finished: run the same command again to continue\n\n")
		}
		err = r.Text(out)
	}
	if err == nil && o.page.out != "" && len(r.Effects) > 0 {
		build := study.ThisBuild()
		doc := plan.Page(r, build.Command, []page.Fact{
			{Name: "spar", Value: build.Version + " " + build.Commit},
			{Name: "processor", Value: build.CPU},
			{Name: "study", Value: o.db},
		})
		err = o.page.save(c, doc, "ablation", false, "ablation", r)
	}
	switch {
	case err != nil || last.Finished:
		return err
	case c.Context().Err() != nil:
		return unfinished{errStopped, last}
	case wantsJSON(c):
		return printJSON(out, "summary", last)
	}
	return nil
}

// ablationPart describes the planned games under one set of rules.
type ablationPart struct {
	Rules    string   `json:"rules" help:"name of the rules"`
	Variants []string `json:"variants" help:"values that are played"`
}

func partsOf(plan *ablation.Plan) (out []ablationPart) {
	for _, p := range plan.Parts {
		part := ablationPart{p.Rules, []string{}}
		for _, v := range p.Variants {
			part.Variants = append(part.Variants, v.Words())
		}
		out = append(out, part)
	}
	return out
}

// ablationPlan is the output of kind ablation_plan.
type ablationPlan struct {
	Agent string          `json:"agent" help:"the unchanged agent"`
	Games int64           `json:"games" help:"games"`
	DB    string          `json:"db" help:"the study's file"`
	Parts []ablationPart  `json:"parts"`
	Idle  []ablation.Idle `json:"idle"`
}
