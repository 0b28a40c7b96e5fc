package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"spar/agents"
	"spar/agents/eval"
	"spar/agents/patterns"
	"spar/engines"
	"spar/engines/bulk"
	"spar/reports/screen"
)

func evalCommand() *cobra.Command {
	var (
		rules, position, moves string
		agent                  = "greedy"
		set, agentSet          []string
		asJSON                 bool
	)
	c := &cobra.Command{
		Use:   "eval RULES",
		Short: "Explain the evaluation of a position, feature by feature",
		Long: `Prints the features of a position from the side to move: value, weight and contribution, the largest first, and the
expected score that the sum stands for. For an agent with a learned evaluation: the patterns that say most. The position is given as its text (as "spar play" and "spar show --text" print it), as moves from the start, or both.`,
		Example: `  spar eval vanishing --moves "b2 a1 c1"
  spar eval ctor --agent ctor/learned --moves "e5 f6 e6"
  spar eval classic --position "X../.O./... X 2" --agent greedy`,
		RunE: func(c *cobra.Command, _ []string) error {
			g, err := loadGame(rules, set)
			if err != nil {
				return err
			}
			spec, err := loadAgent(agent, agentSet)
			if err != nil {
				return err
			}
			p, err := bulk.Position(g, position, strings.Fields(moves))
			if err != nil {
				return usageError{err}
			}
			if spec.Evaluation.Net != nil {
				return explainNet(c.OutOrStdout(), spec, p, asJSON)
			}
			e := eval.New(g, agents.Evaluation(spec, g))
			terms, sum := e.Explain(&p.State, p.Side())
			out := c.OutOrStdout()
			if asJSON {
				return printJSON(out, "evaluation", struct {
					Position string      `json:"position"`
					Side     string      `json:"side"`
					Terms    []eval.Term `json:"terms"`
					Value    float64     `json:"value"`
					Score    float64     `json:"score"`
				}{p.Text(), "XO"[p.Side() : p.Side()+1], terms, sum, e.Score(sum)})
			}
			fmt.Fprintf(out, "%s\n%s\n", p.Text(), p.Picture(useColour(out)))
			t := screen.NewTable(out, screen.Row{"feature", "value", "weight", "contribution", "meaning"}, 2, 3, 4)
			for _, term := range terms {
				t.AppendRow(screen.Row{term.Feature, fmt.Sprintf("%.4g", term.Value), fmt.Sprintf("%.4g", term.Weight), fmt.Sprintf("%+.4g", term.Contribution), eval.Describe(term.Feature)})
			}
			t.Render()
			if p.Over() {
				fmt.Fprintf(out, "the game is over: %s by %s\n", p.Result(), p.Reason())
			}
			_, err = fmt.Fprintf(out, "%s to move (%s): value %+.4g, expected score %.3f\n", []string{"first player", "second player"}[p.Side()], []string{"X", "O"}[p.Side()], sum, e.Score(sum))
			return err
		},
	}
	rulesArgument(c, &rules)
	agentFlag(c, &agent, "the agent whose weights count")
	positionFlags(c, &position, &moves)
	setFlag(c, &set)
	agentSetFlag(c, &agentSet)
	jsonFlag(c, &asJSON)
	return c
}

// patternsShown is how many patterns of a learned evaluation are printed.
const patternsShown = 20

// explainNet prints what the patterns of a learned evaluation say of a position.
func explainNet(out io.Writer, spec agents.Spec, p *engines.Position, asJSON bool) error {
	net, err := spec.Evaluation.Net.For(p.Game())
	if err != nil {
		return usageError{err}
	}
	if p.Over() {
		return usagef("the game is over: %s by %s", p.Result(), p.Reason())
	}
	terms, sum := net.Explain(&p.State, p.Side())
	if asJSON {
		return printJSON(out, "learned_evaluation", struct {
			Position string          `json:"position"`
			Side     string          `json:"side"`
			Net      string          `json:"net"`
			Terms    []patterns.Term `json:"terms"`
			Value    float64         `json:"value"`
			Score    float64         `json:"score"`
		}{p.Text(), "XO"[p.Side() : p.Side()+1], spec.Evaluation.File, terms, sum, net.Score(sum)})
	}
	fmt.Fprintf(out, "%s\n%s\n", p.Text(), p.Picture(useColour(out)))
	t := screen.NewTable(out, screen.Row{"pattern", "cells", "holds", "worth", "score"}, 4, 5)
	for _, term := range terms[:min(patternsShown, len(terms))] {
		t.AppendRow(screen.Row{term.Table, term.Cells, term.Holds, fmt.Sprintf("%+.1f", term.Worth), fmt.Sprintf("%+.1f %%", term.Percent)})
	}
	t.Render()
	if more := len(terms) - patternsShown; more > 0 {
		fmt.Fprintf(out, "and %d that say less (all of them: --json)\n", more)
	}
	_, err = fmt.Fprintf(out, "%s to move (%s): value %+.4g, expected score %.3f\n", []string{"first player", "second player"}[p.Side()], []string{"X", "O"}[p.Side()], sum, net.Score(sum))
	return err
}
