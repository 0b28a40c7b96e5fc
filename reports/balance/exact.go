package balance

import (
	"fmt"

	"spar/engines"
	"spar/engines/solve"
)

// endsSurely returns the reason why every game must end: each ply adds a piece, and the cells run out. It returns
// an empty text if the rules do not guarantee that, or if a ply cap may end the game first.
func endsSurely(g *engines.Game) string {
	free, err := solve.Endless(g) // without draws by repetition and by the cap
	limit := g.Rules().Draw.MaxPlies
	if err != nil || free.MayNotEnd() || limit > 0 && limit < g.Cells() {
		return ""
	}
	return fmt.Sprintf("every game ends: no piece leaves the board or moves, so the board's %d cells fill up",
		g.Cells())
}
