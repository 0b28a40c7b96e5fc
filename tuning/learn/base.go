package learn

import (
	"context"
	"fmt"
	"math"

	"spar/agents"
	"spar/agents/eval"
	"spar/agents/patterns"
	"spar/engines"
)

// Bases that a net can have.
const (
	NoBase = "none" // no base: the tables are the whole evaluation
	// the linear evaluation that searches have without a net; the tables start as zero corrections to it
	LinearBase = agents.Linear
)

// calibrationGames is the number of games from which the scale of the linear evaluation is found.
const calibrationGames = 2 * batch

// calibrated returns the linear evaluation of a game with the scale that predicts the results of its own games best, by
// logistic regression. It must be in logits, as the tables are.
func calibrated(ctx context.Context, g *engines.Game, a patterns.Architecture, o Options) (*eval.Params, error) {
	p := agents.Evaluation(agents.Spec{Type: "minimax", Evaluation: agents.EvaluationOptions{Kind: agents.Linear}}, g)
	p.Scale = 100
	a.Linear = &p
	l, err := patterns.NewLayout(g, a)
	if err != nil {
		return nil, err
	}
	o.Seed, o.Run = o.Seed^0xba5e, 0
	t := &Training{o: o, game: g, layout: l, trainer: l.NewTrainer()}
	net, err := t.Net()
	if err != nil {
		return nil, err
	}
	lessons, err := t.playHere(ctx, net, calibrationGames) // not on a pool: every machine must use the same base
	if err != nil {
		return nil, err
	}
	var xs, ys []float64
	e := eval.New(g, p)
	for _, lesson := range lessons {
		s := g.NewState()
		for i, m := range lesson.Moves {
			if !lesson.Random[i] && !lesson.Cut {
				xs, ys = append(xs, e.Value(&s, s.Side())), append(ys, engines.OfFirst(lesson.Result, s.Side()))
			}
			s.Play(m)
		}
	}
	k := slope(xs, ys)
	if !(k > 0) {
		return nil, fmt.Errorf("%w: the linear evaluation does not predict the results of %d games; learn without it "+
			"(--base none)", ErrNoSignal, calibrationGames)
	}
	p.Scale = min(max(1/k, 1e-3), 1e6)
	return &p, nil
}

// slope returns the factor that converts evaluations to logits that predict results between 0 and 1. It uses
// Newton's method. It returns 0 if all evaluations are 0.
func slope(xs, ys []float64) float64 {
	square := 0.0
	for _, x := range xs {
		square += x * x
	}
	if square == 0 {
		return 0
	}
	rms := math.Sqrt(square / float64(len(xs)))
	k := 0.0 // of x/rms; a small ridge keeps it finite where the sign of x decides every result
	for range 50 {
		gradient, curvature := -k, 1.0
		for i, x := range xs {
			x /= rms
			p := 1 / (1 + math.Exp(-k*x))
			gradient += (ys[i] - p) * x
			curvature += p * (1 - p) * x * x
		}
		step := max(-1, min(1, gradient/curvature))
		if k += step; math.Abs(step) < 1e-9 {
			break
		}
	}
	return k / rms
}
