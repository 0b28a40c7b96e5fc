package campaign

import (
	"spar/engines"
)

// FirstMoves returns the first moves, only one of each class of symmetric moves. It omits moves that end the game,
// because no play follows them.
func FirstMoves(g *engines.Game) []string {
	start := g.NewPosition()
	seen := map[engines.Move]bool{}
	var out []string
	for _, m := range start.AppendMoves(nil) {
		if seen[m] {
			continue
		}
		for _, p := range g.Symmetries() {
			if image := start.Transform(p); image.Hash() == start.Hash() {
				seen[engines.TransformMove(m, p)] = true
			}
		}
		next := g.NewPosition()
		if next.Play(m); !next.Over() {
			out = append(out, g.MoveText(m))
		}
	}
	return out
}
