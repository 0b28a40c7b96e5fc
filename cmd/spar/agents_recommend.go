package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"spar/agents"
	"spar/arena"
	"spar/engines"
	"spar/reports/screen"
	"spar/reports/table"
)

func agentsRecommendCommand() *cobra.Command {
	var (
		rules                    gameFlags
		names, agentSet, budgets []string
		o                        arena.Recommending
	)
	c := &cobra.Command{
		Use:   "recommend RULES",
		Short: "Find the best kind of search under some rules at a budget",
		Long: `Plays kinds of search against each other at the same budget, in pairs of games from nearly equal openings, and
drops each that is significantly weaker than another, until one is left. If the pairs do not suffice, the answer is
"undecided". The 95 % intervals hold for all comparisons together, at every interim analysis.

Candidates are alpha-beta (minimax) and Monte-Carlo tree search (mcts), each with the default evaluation and, if that is a
net, also with the weights; and tree search with random games (uct). --agent names other candidates; --budget replaces
their own budgets. With several budgets, Spar gives one answer for each; "spar learn validate --budgets" makes the same
comparison for a net. A budget is a time for each decision (50ms) on this machine, or a count (1k): simulations of mcts,
positions of minimax. One simulation of mcts evaluates every move of a position, so times are a fairer comparison than
counts; the output shows the times.`,
		Example: `  spar agents recommend ctor --budget 50ms
  spar agents recommend breakthrough --budget 10ms,50ms,1s --pairs 24
  spar agents recommend connect4 --set win.line=5 --budget 1k --pairs 24 --json
  spar agents recommend vanishing --agent minimax-4 --agent mcts-1k --agent-set mcts-1k:mcts.implicit=0.3`,
		RunE: rules.run(func(c *cobra.Command, g *engines.Game) error {
			at, err := parseBudgets(budgets)
			if err != nil {
				return err
			}
			knobs, err := knobsByAgent(names, agentSet)
			if err != nil {
				return err
			}
			seen := map[string]bool{}
			for _, name := range names {
				s, err := loadAgent(name, knobs[name])
				if err != nil {
					return err
				}
				if seen[s.Name] {
					return usagef("--agent: two candidates are called %s", s.Name)
				}
				seen[s.Name] = true
				o.Candidates = append(o.Candidates, s)
			}
			if len(names) == 1 {
				return usagef("--agent %s: expected two candidates or more", names[0])
			}
			shown := newDisplay(c)
			o.Interim = func(r arena.Recommendation) {
				shown.Show(func() string { return fmt.Sprintf("%s: %s", r.Budget, screen.Plural(int64(r.Games), "game")) })
			}
			for _, o.Budget = range at {
				r, err := arena.Recommend(c.Context(), g, o)
				shown.Clear()
				if err != nil && !errors.Is(err, context.Canceled) {
					return err
				}
				if err := reply(c, "recommendation", r, recommendationText(r)); err != nil {
					return err
				}
				if !r.Finished {
					return unfinished{err: errStopped}
				}
			}
			return nil
		}),
	}
	rules.argument(c)
	positive(c, "pairs")
	f := c.Flags()
	f.StringSliceVar(&budgets, "budget", []string{"50ms"}, "budget of each decision: a time, or a count like 1k; "+
		"or several, separated by commas")
	f.StringArrayVarP(&names, "agent", "a", nil, "a candidate, instead of the kinds of search (repeatable)")
	completes(c, "agent", agentNames)
	agentSetsFlag(c, &agentSet)
	f.IntVar(&o.Pairs, "pairs", 96, "maximum number of pairs of games between two candidates")
	everySeedFlag(c, &o.Seed)
	workersFlag(c, &o.Workers)
	jsonFlag(c)
	return c
}

// parseBudgets reads the budgets of decisions.
func parseBudgets(texts []string) ([]agents.Budget, error) {
	out := make([]agents.Budget, len(texts))
	for i, text := range texts {
		var err error
		if out[i], err = arena.ParseBudget(text); err != nil {
			return nil, usageError{err}
		}
	}
	return out, nil
}

// recommendationText returns a function that prints a recommendation.
func recommendationText(r arena.Recommendation) func(io.Writer) error {
	return func(out io.Writer) error {
		t := table.To(out, []string{"a", "b", "score of a", "pairs"}, 3, 4)
		for _, d := range r.Duels {
			t.Add(d.Agent, d.Opponent, table.Of(d.Estimate), d.Pairs)
		}
		t.Write()
		t = table.To(out, []string{"candidate", "ms per decision", "games", ""}, 2, 3)
		for _, k := range r.Candidates {
			beaten := ""
			if k.Beaten != "" {
				beaten = "beaten by " + k.Beaten
			}
			t.Add(k.Name, fmt.Sprintf("%.1f", k.Decision), k.Games, beaten)
		}
		t.Write()
		_, err := fmt.Fprintf(out, "%s (openings: %s; %d games)\n", r, r.Openings, r.Games)
		return err
	}
}
