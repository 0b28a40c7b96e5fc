package solve

import (
	"context"

	"spar/engines"
	"spar/engines/solve/lines"
)

// tableCells is the number of cells up to which the table of a line game may fit into a few GB.
const tableCells = 20

// BeyondTables reports whether a game is a line game that is too large for a table. Prove has provers for its start.
func BeyondTables(g *engines.Game) bool {
	_, err := lines.From(g)
	return err == nil && g.Cells() > tableCells
}

// HasProver reports whether Prove has a search of its own for the start of a game: a line game, one in which pieces only
// fill the board, or one won by connecting.
func HasProver(g *engines.Game) bool {
	e, err := Endless(g)
	if err != nil {
		return false
	}
	_, err = lines.From(e)
	return err == nil || newField(e) != nil || newConnections(e, ProofOptions{Memory: 1}) != nil
}

// lineNodes is how many positions of other searches take as long as one of package lines.
const lineNodes = 10

// quickNodes is the maximum number of positions that alpha-beta searches before package lines begins. It takes less than
// 0.1 s.
const quickNodes = 10_000

// lineGame returns the line game of an empty board; nil for other positions and other games.
func lineGame(s *engines.State) *lines.Game {
	if g, err := lines.From(s.Game()); err == nil && s.Ply() == 0 && s.Side() == engines.First {
		return g
	}
	return nil
}

// proveLines proves the value of a line game, within about the time that another search takes for nodes positions.
func proveLines(ctx context.Context, g *lines.Game, nodes uint64, memory int64) Proof {
	p := lines.Prove(ctx, g, lines.Options{Nodes: max(1, nodes/lineNodes), Memory: memory})
	out := Proof{AtLeast: Loss, AtMost: Win, Move: engines.NoMove, Nodes: p.Nodes, Method: p.Method()}
	switch {
	case p.Value == lines.First:
		out.AtLeast = Win
	case p.Value == lines.Second:
		out.AtMost = Loss
	default:
		if p.Wins[0].Known {
			out.AtMost = Draw
		}
		if p.Wins[1].Known {
			out.AtLeast = Draw
		}
	}
	return out
}
