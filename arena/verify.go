package arena

import (
	"fmt"
	"strings"

	"spar/arena/study"
	"spar/engines"
)

// Verify replays a stored game. It returns an error that names the difference from its row, if there is one.
func Verify(g *engines.Game, row study.Game) error {
	p := g.NewPosition()
	err := p.PlayText(strings.Fields(row.Moves))
	switch {
	case err != nil:
		return fmt.Errorf("game %d: %w", row.ID, err)
	case p.Ply() != row.Plies:
		return fmt.Errorf("game %d: its moves have %d plies, the row says %d", row.ID, p.Ply(), row.Plies)
	case p.Over() && (p.Result().String() != row.Result || p.Reason().String() != row.Reason):
		return fmt.Errorf("game %d: its moves end in %s by %s, the row says %q by %q", row.ID, p.Result(), p.Reason(),
			row.Result, row.Reason)
	case !p.Over() && engineReason(row.Reason):
		return fmt.Errorf("game %d: the game continues after its last move, the row says %q by %q", row.ID, row.Result,
			row.Reason)
	case gameHash(g.RulesHash(), p.Played()) != row.Hash: // by which repetitions are told
		return fmt.Errorf("game %d: the hash of its rules and moves is %d, the row says %d", row.ID,
			gameHash(g.RulesHash(), p.Played()), row.Hash)
	}
	return nil
}
