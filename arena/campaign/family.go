package campaign

import (
	"fmt"

	"spar/agents"
	"spar/configs/strict"
	"spar/engines"
)

// Family is the kind of search of the tiers of a study.
type Family string

// The families. ByRecommendation means that of the strongest search for the rules: see Recommended.
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

// Recommended returns the family of the search that measured strongest for a game, or for the nearest one: see
// agents.Strongest.
func Recommended(g *engines.Game) (Family, error) {
	t, err := agents.ShippedStrongest()
	if err != nil {
		return "", err
	}
	s, err := agents.LoadSpec(agents.NearestRow(t.For(g), 0).Search)
	if s.Type == string(ByMinimax) {
		return ByMinimax, err
	}
	return ByMCTS, err
}
