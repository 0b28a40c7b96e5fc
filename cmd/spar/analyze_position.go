package main

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"spar/agents"
	"spar/configs/strict"
	"spar/engines"
	"spar/engines/bulk"
	"spar/reports/review"
)

// positionQuestion are the options of "spar analyze" about a position: its best moves, or the parts of its evaluation.
type positionQuestion struct {
	Best     bool          `flag:"best" not:"parts db game perspective" help:"print all best moves of the position after --moves, instead of a review"`
	Parts    bool          `flag:"parts" not:"db game perspective" help:"print the features of the position and their weights in the agent's evaluation, instead of a review"`
	Position string        `flag:"position" not:"file" help:"with --best or --parts: text of the position from which --moves start"`
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
			case *review.Evaluation:
				return struct {
					bulk.Asked
					*review.Evaluation
				}{a, v}, err
			case *review.LearnedEvaluation:
				return struct {
					bulk.Asked
					*review.LearnedEvaluation
				}{a, v}, err
			case *review.Hint:
				return struct {
					bulk.Asked
					*review.Hint
				}{a, v}, err
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
		return err
	}
	v, err := q.answer(c.Context(), p)
	if err := errors.Join(err, q.judge.Close()); err != nil {
		return err
	}
	return reply(c, q.kind(p), v, func(w io.Writer) error { return v.Text(w, p) })
}

// answer returns what the question asks of a position.
func (q *positionQuestion) answer(ctx context.Context, p *engines.Position) (review.Explained, error) {
	spec := q.specFor(p)
	if q.Best || spec.Evaluation.Net != nil {
		if err := bulk.Open(p); err != nil {
			return nil, err
		}
	}
	if q.Best {
		h, err := q.judge.Hint(ctx, p)
		return &h, err
	}
	v, err := review.Explain(spec, p)
	return v, strict.Bad(err)
}

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
