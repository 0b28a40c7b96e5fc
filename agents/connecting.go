package agents

import (
	"context"
	"slices"

	"spar/agents/connection"
	"spar/agents/eval"
	"spar/agents/pace"
	"spar/engines"
)

// rootOf returns the searcher for proved wins if the agent's search uses the connection evaluation, otherwise nil.
func rootOf(g *engines.Game, model eval.Model) *connection.Root {
	if _, ok := model.(*connection.Model); ok {
		return connection.NewRoot(g)
	}
	return nil
}

// proved returns the decision if a win is proved before the search. Otherwise it removes losing moves from those that
// the search may choose. An agent that draws its moves by scores, or that may not play some moves, always searches.
func (c *common) proved(
	ctx context.Context, root *connection.Root, p *engines.Position, allowed *[]engines.Move, deadline pace.Deadline,
	positions int64,
) (Decision, bool) {
	if root == nil || c.softmax > 0 {
		return Decision{}, false
	}
	f := root.Look(ctx, &p.State, deadline.Time, positions)
	if m := f.Win; m != engines.NoMove && (len(*allowed) == 0 || slices.Contains(*allowed, m)) {
		return Decision{
			Best: []engines.Move{m}, Move: m, PV: []engines.Move{m},
			Score: 1, Value: 1, Exact: true, Depth: 1, Nodes: f.Looked,
		}, true
	}
	if len(*allowed) == 0 {
		*allowed = f.Moves
	}
	return Decision{}, false
}
