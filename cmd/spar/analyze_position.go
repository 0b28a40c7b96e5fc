package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"spar/agents"
	"spar/agents/eval"
	"spar/agents/patterns"
	"spar/engines"
	"spar/engines/bulk"
	"spar/reports/review"
	"spar/reports/screen"
	"spar/reports/table"
)

// positionQuestion are the options of "spar analyze" about a position: its best moves, or the parts of its evaluation.
type positionQuestion struct {
	Best     bool          `flag:"best" not:"parts db game perspective out" help:"print all best moves of the position after the moves, instead"`
	Parts    bool          `flag:"parts" not:"db game perspective out" help:"print the features of the position and their weights in the agent's evaluation, instead"`
	Position string        `flag:"position" not:"file" help:"with --best or --parts: text of a position, before the moves"`
	many     positionsFile // --file

	judge *review.Judge                 // for the best moves
	spec  agents.Spec                   // for the parts
	under map[*engines.Game]agents.Spec // spec as it plays each game
}

// run answers for one position, or for those in a file.
func (q *positionQuestion) run(c *cobra.Command, rules, moves, file string, set []string) error {
	q.under = map[*engines.Game]agents.Spec{}
	if file != "" {
		q.many.path = file
		err := q.many.each(c, q.kind, rules, set, func(a bulk.Asked, p *engines.Position) (any, error) {
			v, err := q.answer(c.Context(), p)
			switch v := v.(type) {
			case *evaluation:
				return answeredEvaluation{a, *v}, err
			case *learnedEvaluation:
				return answeredLearned{a, *v}, err
			case *hint:
				return answeredHint{a, v.Hint}, err
			}
			return nil, err
		})
		return errors.Join(err, q.judge.Close())
	}
	g, err := loadGame(rules, set)
	if err != nil {
		return err
	}
	p, err := bulk.Position(g, q.Position, strings.Fields(moves))
	if err != nil {
		return usageError{err}
	}
	v, err := q.answer(c.Context(), p)
	if err := errors.Join(err, q.judge.Close()); err != nil {
		return err
	}
	return reply(c, q.kind(p), v, func(w io.Writer) error { return v.print(w, p) })
}

// answer returns what the question asks of a position.
func (q *positionQuestion) answer(ctx context.Context, p *engines.Position) (interface {
	print(out io.Writer, p *engines.Position) error
}, error,
) {
	if !q.Parts || q.specFor(p).Evaluation.Net != nil {
		if err := bulk.Open(p); err != nil {
			return nil, usageError{err}
		}
	}
	switch spec := q.specFor(p); {
	case q.Best:
		h, err := q.judge.Hint(ctx, p)
		return &hint{h}, err
	case spec.Evaluation.Net != nil:
		net, err := spec.Evaluation.For(p.Game())
		if err != nil {
			return nil, usageError{err}
		}
		terms, sum := net.Explain(&p.State, p.Side())
		return &learnedEvaluation{p.Text(), side(p), spec.Evaluation.File, terms, sum, net.Score(sum)}, nil
	default:
		e := eval.New(p.Game(), agents.Evaluation(spec, p.Game()))
		terms, sum := e.Explain(&p.State, p.Side())
		return &evaluation{p.Text(), side(p), terms, sum, e.Score(sum)}, nil
	}
}

func side(p *engines.Position) string { return "XO"[p.Side() : p.Side()+1] }

// specFor returns the agent as it plays the game of a position; nil = the agent itself.
func (q *positionQuestion) specFor(p *engines.Position) agents.Spec {
	if p == nil {
		return q.spec
	}
	if _, ok := q.under[p.Game()]; !ok {
		q.under[p.Game()] = q.spec.For(p.Game())
	}
	return q.under[p.Game()]
}

// kind returns the kind of the answer for a position; nil for one that cannot be read.
func (q *positionQuestion) kind(p *engines.Position) string {
	switch {
	case q.Best:
		return "hint"
	case q.specFor(p).Evaluation.Net != nil:
		return "learned_evaluation"
	}
	return "evaluation"
}

// hint is the answer to --best.
type hint struct{ review.Hint }

func (h *hint) print(out io.Writer, _ *engines.Position) error {
	_, err := fmt.Fprintf(out, "%s: %s   (%s)\n", h.Side, strings.Join(h.Best, " "), h.Worth())
	return err
}

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
	answeredHint struct {
		bulk.Asked
		review.Hint
	}
	answeredEvaluation struct {
		bulk.Asked
		evaluation
	}
	answeredLearned struct {
		bulk.Asked
		learnedEvaluation
	}
)

func (e *evaluation) print(out io.Writer, p *engines.Position) error {
	fmt.Fprintf(out, "%s\n%s\n", e.Position, p.Picture(screen.Coloured(out)))
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
	fmt.Fprintf(out, "%s\n%s\n", l.Position, p.Picture(screen.Coloured(out)))
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
