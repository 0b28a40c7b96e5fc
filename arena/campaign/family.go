package campaign

import (
	"fmt"

	"spar/agents"
	"spar/configs/strict"
	"spar/engines"
	"spar/engines/rules"
)

// Family is the kind of search of the tiers of a study.
type Family string

// The families. ByRecommendation means that of the strongest search for the rules: see Recommended.
const (
	ByMCTS           Family = "mcts"
	ByMinimax        Family = "minimax"
	ByRecommendation Family = "recommended"
)

// On boards of at most smallBoard cells, alpha-beta with mostNodes positions a move plays almost perfectly: its score is
// nearer to the exact value than that of tree search (reports/research/remedies.md).
const (
	smallBoard = 16
	mostNodes  = 8000
	shortBoard = 12 // with more cells, agents that see so far move back and forth for long, where the rules allow it
)

// Small reports whether the tiers of a game are alpha-beta unless a study says otherwise.
func Small(g *engines.Game) bool { return g.Cells() <= smallBoard && !g.Mechanics().Has(rules.Kinds) }

func large(g *engines.Game) bool { return !Small(g) }

// NodesPer is the number of alpha-beta positions that take about as long as one simulation. A simulation
// evaluates every move of a position. Measured values are between five and thirty, depending on the size of the
// board.
const NodesPer = 10

// usual returns the family that a study of a game has if its request names none.
func usual(g *engines.Game) Family {
	if Small(g) {
		return ByMinimax
	}
	return ByMCTS
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
// agents.Strongest. On small boards it is alpha-beta.
func Recommended(g *engines.Game) (Family, error) {
	if Small(g) {
		return ByMinimax, nil
	}
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
