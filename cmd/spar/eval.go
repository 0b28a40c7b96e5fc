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
	"spar/reports/table"
)

func evalCommand() *cobra.Command {
	var (
		agent           = agentFlags{name: "greedy"}
		rules           gameFlags
		position, moves string
		many            positionsFile
	)
	c := &cobra.Command{
		Use:   "eval RULES",
		Short: "Explain the evaluation of a position, feature by feature",
		Long: `Prints the features of a position for the side to move: value, weight and contribution, the largest
first, and the expected score of their sum. For an agent with a learned evaluation it prints the patterns with the
largest contributions.

Give the position as text (as "spar play" and "spar show --text" print it), as moves from the start, or both. --file
takes many positions, one JSON object per line.`,
		Example: `  printf 'b2 a1\n{"id":7,"rules":"vanishing","moves":["b2"]}\n' | spar eval classic --file -
  spar eval vanishing --moves "b2 a1 c1"
  spar eval ctor --agent ctor/learned --moves "e5 f6 e6"
  spar eval classic --position "X../.O./... X 2" --agent greedy`,
		RunE: func(c *cobra.Command, _ []string) error {
			spec, err := agent.load()
			if err != nil {
				return err
			}
			if many.path != "" {
				specs := map[*engines.Game]agents.Spec{} // as they play under the rules that lines name
				under := func(g *engines.Game) agents.Spec {
					if _, ok := specs[g]; !ok {
						specs[g] = spec.For(g)
					}
					return specs[g]
				}
				kind := func(p *engines.Position) string {
					if p == nil && spec.Evaluation.Net != nil || p != nil && under(p.Game()).Evaluation.Net != nil {
						return kindLearned
					}
					return kindEvaluation
				}
				return many.each(c, kind, rules.name, rules.set, func(a bulk.Asked, p *engines.Position) (any, error) {
					spec := under(p.Game())
					if spec.Evaluation.Net != nil {
						l, err := learnedEvaluationOf(spec, p)
						return answeredLearned{a, l}, err
					}
					return answeredEvaluation{a, evaluationOf(spec, p)}, nil
				})
			}
			g, err := rules.load()
			if err != nil {
				return err
			}
			p, err := bulk.Position(g, position, strings.Fields(moves))
			if err != nil {
				return usageError{err}
			}
			if spec = spec.For(g); spec.Evaluation.Net != nil {
				l, err := learnedEvaluationOf(spec, p)
				if err != nil {
					return usageError{err}
				}
				return reply(c, kindLearned, l, func(w io.Writer) error { return l.print(w, p) })
			}
			e := evaluationOf(spec, p)
			return reply(c, kindEvaluation, e, func(w io.Writer) error { return e.print(w, p) })
		},
	}
	rules.argument(c)
	positionFlags(c, &position, &moves)
	many.fileFlag(c, &rules.name)
	agent.flags(c, "agent whose evaluation is explained")
	jsonFlag(c)
	return c
}

// Kinds of objects that eval prints.
const (
	kindEvaluation = "evaluation"
	kindLearned    = "learned_evaluation"
)

// evaluation is the linear evaluation of a position by features.
type evaluation struct {
	Position string      `json:"position" help:"the position as text"`
	Side     string      `json:"side" help:"X or O: the side to move"`
	Terms    []eval.Term `json:"terms"`
	Value    float64     `json:"value" help:"sum of the contributions"`
	Score    float64     `json:"score" help:"expected score for the sum"`
}

// learnedEvaluation is the evaluation of a position by the patterns of a net.
type learnedEvaluation struct {
	Position string          `json:"position" help:"text of the position"`
	Side     string          `json:"side" help:"X or O: to move"`
	Net      string          `json:"net" help:"name or file of the net"`
	Terms    []patterns.Term `json:"terms"`
	Value    float64         `json:"value" help:"sum of the worths"`
	Score    float64         `json:"score" help:"expected score of the side to move, 0 to 1"`
}

// Answers to the lines of --file.
type (
	answeredEvaluation struct {
		bulk.Asked
		evaluation
	}
	answeredLearned struct {
		bulk.Asked
		learnedEvaluation
	}
)

func evaluationOf(spec agents.Spec, p *engines.Position) evaluation {
	e := eval.New(p.Game(), agents.Evaluation(spec, p.Game()))
	terms, sum := e.Explain(&p.State, p.Side())
	return evaluation{p.Text(), "XO"[p.Side() : p.Side()+1], terms, sum, e.Score(sum)}
}

func learnedEvaluationOf(spec agents.Spec, p *engines.Position) (learnedEvaluation, error) {
	net, err := spec.Evaluation.For(p.Game())
	if err == nil {
		err = bulk.Open(p)
	}
	if err != nil {
		return learnedEvaluation{}, err
	}
	terms, sum := net.Explain(&p.State, p.Side())
	return learnedEvaluation{p.Text(), "XO"[p.Side() : p.Side()+1], spec.Evaluation.File, terms, sum, net.Score(sum)}, nil
}

func (e *evaluation) print(out io.Writer, p *engines.Position) error {
	fmt.Fprintf(out, "%s\n%s\n", e.Position, p.Picture(useColour(out)))
	t := table.To(out, []string{"feature", "value", "weight", "contribution", "meaning"}, 2, 3, 4)
	for _, term := range e.Terms {
		t.Add(term.Feature, fmt.Sprintf("%.4g", term.Value), fmt.Sprintf("%.4g", term.Weight),
			fmt.Sprintf("%+.4g", term.Contribution), eval.Describe(term.Feature))
	}
	t.Write()
	if p.Over() {
		fmt.Fprintf(out, "the game is over: %s by %s\n", p.Result(), p.Reason())
	}
	return printExpected(out, e.Side, e.Value, e.Score)
}

// printExpected prints the expected score that an evaluation gives.
func printExpected(out io.Writer, side string, value, score float64) error {
	_, err := fmt.Fprintf(out, "%s player to move (%s): value %+.4g, expected score %.3f\n",
		map[string]string{"X": "first", "O": "second"}[side], side, value, score)
	return err
}

// patternsShown is the number of patterns of a learned evaluation that are printed.
const patternsShown = 20

func (l *learnedEvaluation) print(out io.Writer, p *engines.Position) error {
	fmt.Fprintf(out, "%s\n%s\n", l.Position, p.Picture(useColour(out)))
	t := table.To(out, []string{"pattern", "cells", "holds", "worth", "score"}, 4, 5)
	for _, term := range l.Terms[:min(patternsShown, len(l.Terms))] {
		t.Add(term.Table, term.Cells, term.Holds, screen.Signed(term.Worth, 1), screen.Signed(term.Percent, 1)+" %")
	}
	t.Write()
	if more := len(l.Terms) - patternsShown; more > 0 {
		fmt.Fprintf(out, "and %d smaller contributions (--json lists all)\n", more)
	}
	return printExpected(out, l.Side, l.Value, l.Score)
}
