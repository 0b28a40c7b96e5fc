package campaign

import (
	"context"
	"fmt"

	"spar/agents"
	"spar/arena"
	"spar/configs/strict"
)

// Family is the kind of search of the tiers of a study.
type Family string

// The families. ByRecommendation means the family that plays better under the rules; Recommend finds it.
const (
	ByMCTS           Family = "mcts"
	ByMinimax        Family = "minimax"
	ByRecommendation Family = "recommended"
)

// perSimulation is the number of alpha-beta positions that take about as long as one simulation. A simulation
// evaluates every move of a position. Measured values are between five and thirty, depending on the size of the
// board.
const perSimulation = 10

// softness is the temperature of alpha-beta tiers: they choose at random among moves with nearly equal expected
// scores.
const softness = 0.03

// tier returns the agent of the family that takes about as long for a move as the given number of simulations.
func (f Family) tier(simulations int64) agents.Spec {
	if f != ByMinimax {
		return treeSearch(simulations)
	}
	s := agents.DefaultSpec()
	nodes := simulations * perSimulation
	s.Name, s.Type = fmt.Sprintf("minimax-%dv", nodes), "minimax"
	s.Description = fmt.Sprintf("Alpha-beta, %d positions a move, varied among moves of nearly the same score.", nodes)
	s.Budget = agents.Budget{Nodes: nodes}
	s.Mixture.Softmax = softness
	s.Params = agents.DefaultEval()
	return s
}

// family returns the family of a request; the default is mcts.
func (r Request) family() Family {
	if r.Tiers == "" {
		return ByMCTS
	}
	return r.Tiers
}

// Check returns an error if the name is unknown.
func (f Family) Check() error {
	switch f {
	case "", ByMCTS, ByMinimax:
		return nil
	}
	names := []string{string(ByMCTS), string(ByMinimax), string(ByRecommendation)}
	return fmt.Errorf("tiers: unknown family %q%s", f, strict.Suggest(string(f), names))
}

// Maximum number of pairs of games for a recommendation.
const recommendPairs = 48

// Recommend plays the strongest tiers of both families against each other, with the evaluation of the request. It
// returns the family that is significantly better; if neither is, it returns mcts, the default. The same request
// gives the same answer.
func Recommend(ctx context.Context, rules Rules, r Request, workers int) (Family, error) {
	r.Tiers = ""
	c, err := New(rules, r)
	if err != nil {
		return "", err
	}
	high := c.Record.Budgets[len(c.Record.Budgets)-1]
	o := arena.Comparison{
		Budget: agents.Budget{Nodes: high * perSimulation, Iterations: high},
		Pairs:  recommendPairs, Seed: r.Seed, Workers: workers,
	}
	families := [2]Family{ByMCTS, ByMinimax}
	for i, f := range families {
		o.Agents[i] = f.tier(high)
		c.valued.give(&o.Agents[i], rules.Game)
		o.Agents[i].Name = string(f)
	}
	better, err := o.Better(ctx, rules.Game)
	if err != nil {
		return "", fmt.Errorf("the family of the tiers for %s: %w", rules.Label, err)
	}
	if better >= 0 {
		return families[better], nil
	}
	return ByMCTS, nil
}
