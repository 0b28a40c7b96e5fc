package agents

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"

	"spar/agents/eval"
	"spar/agents/mcts"
	"spar/configs/strict"
	"spar/engines"
)

func mctsKind() kind {
	when := func(holds func(mcts.Options) bool) func(*Spec, *engines.Game) bool {
		return func(s *Spec, _ *engines.Game) bool { return holds(s.MCTS) }
	}
	withoutPriors := func(o mcts.Options) bool { return o.Selection != "puct" && o.Bias == 0 }
	return kind{
		name:      "mcts",
		about:     "Monte-Carlo tree search",
		knobs:     valueKnobs("mcts", "budget"),
		evaluates: true,
		searches:  true,
		budget:    Budget{Iterations: mcts.PlainIterations},
		idle: []idleRule{
			{
				"mcts.reuse",
				"the rules count repetitions, so each move starts a new tree",
				func(_ *Spec, g *engines.Game) bool { return g.Rules().Draw.Repetition > 0 },
			},
			{"mcts.noise", "it changes priors, which selection uct uses only with bias", when(withoutPriors)},
			{
				"mcts.noise_alpha", "there is no noise",
				when(func(o mcts.Options) bool { return o.Noise == 0 || withoutPriors(o) }),
			},
			{
				"mcts.rollout_epsilon", "rollouts are not greedy",
				when(func(o mcts.Options) bool { return o.Rollout != "greedy" }),
			},
			{
				"mcts.rollout_plies", "there are no rollouts",
				when(func(o mcts.Options) bool { return o.Rollout == "none" }),
			},
			{
				"weights late_weights late_from movement_weights evaluation scale mixture.ignores_opponent mcts.perspective",
				"nothing uses an evaluation: selection is uct without bias or implicit, and rollouts go to the end",
				func(s *Spec, _ *engines.Game) bool { return !s.MCTS.Evaluates() && !s.Budget.Timed() },
			},
			{
				"mcts.policy_temperature",
				"only selection puct computes priors from scores, and the connection evaluation has its own priors",
				func(s *Spec, _ *engines.Game) bool {
					return s.MCTS.Selection != "puct" || s.Evaluation.Kind == Connection
				},
			},
			{"mcts.forced", noThreats, withoutThreats},
			{"budget.depth", "simulations have no depth limit", always},
		},
		threads: func(s *Spec) int { return s.MCTS.Threads },
		blind:   func(s *Spec) bool { return !s.MCTS.Evaluates() },
		zeros: func(s *Spec) {
			s.MCTS.MaxNodes = cmp.Or(s.MCTS.MaxNodes, mcts.DefaultOptions().MaxNodes)
			s.MCTS.Threads, s.MCTS.Forced = cmp.Or(s.MCTS.Threads, 1), cmp.Or(s.MCTS.Forced, "auto")
			s.MCTS.Perspective = cmp.Or(s.MCTS.Perspective, "first")
		},
		read: func(s *Spec, doc *strict.Document) {
			if !doc.Has("mcts.fpu") {
				s.MCTS.FPU = s.MCTS.DefaultFPU()
			}
			if err := s.MCTS.Check(); err != nil && !doc.Doubtful("mcts") {
				doc.Errorf("mcts.fpu", "%v", err)
			}
		},
		deeper: func(s *Spec) string {
			s.Budget.Iterations = 4 * cmp.Or(s.Budget.Iterations, s.DefaultBudget().Iterations)
			return fmt.Sprintf("mcts, %d iterations", s.Budget.Iterations)
		},
		make: func(_ context.Context, s Spec, g *engines.Game, c common, model eval.Model) (Agent, error) {
			return &mctsAgent{common: c, search: mcts.New(g, model, s.MCTS)}, nil
		},
	}
}

// mctsAgent plays by Monte-Carlo tree search.
type mctsAgent struct {
	common
	search *mcts.Searcher
}

func (a *mctsAgent) NewGame(Seed) { a.search.Reset() }

func (a *mctsAgent) Choose(ctx context.Context, p *engines.Position, b Budget, rng *rand.Rand) (Decision, error) {
	iterations := b.Iterations
	if iterations == 0 || b.Nodes > 0 && b.Nodes < iterations { // a node is a simulation here
		iterations = b.Nodes
	}
	end, release := b.until()
	defer release()
	may, d, proved := a.start(ctx, p, end, iterations)
	if proved {
		return d, nil
	}
	r := a.search.Search(ctx, p, mcts.Limits{Iterations: iterations, Deadline: end, Root: may}, rng)
	d = Decision{
		Best:  r.Best,
		Move:  r.Move,
		Score: r.Score,
		Value: r.Score,
		Depth: len(r.PV),
		Nodes: r.Iterations,
		PV:    r.PV,
		Exact: r.Exact,
	}
	if a.softmax > 0 || !r.Drawn {
		a.decide(&d, len(r.Moves), func(i int) (engines.Move, float64) { return r.Moves[i].Move, r.Moves[i].Score }, rng)
	}
	if d.PV[0] != d.Move {
		d.PV = a.search.Line(d.Move)
		d.Depth = len(d.PV)
	}
	return d, nil
}
