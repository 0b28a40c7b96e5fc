package solve

import (
	"context"

	"spar/engines"
	"spar/engines/solve/lines"
)

// tableCells is the number of cells up to which the table of a line game may fit into a few GB. A proof of a game won by
// connecting, or of one without draws that has a pie rule, is instant: such tables are made for quickCells cells at most.
const (
	tableCells = 20
	quickCells = 12
)

// BeyondTables reports whether Prove can find the value of a game's start when a table cannot. This holds for line
// games and connection games on boards too large for a table, and for games without draws that have a pie rule.
func BeyondTables(g *engines.Game) bool {
	e, err := Endless(g)
	if err != nil {
		return false
	}
	if g.Rules().Turn.Pie.On() {
		p := newPieProver(context.Background(), e, ProofOptions{}, nil)
		if e = p.plain; p.settled {
			return g.Cells() > quickCells
		}
	}
	_, err = lines.From(e)
	return err == nil && g.Cells() > tableCells ||
		solverOf(e, ProofOptions{Memory: 1}) != nil && g.Cells() > quickCells
}

// HasProver reports whether Prove has a special search for the start of a game: for line games, games in which pieces
// only fill the board, and games won by connecting.
func HasProver(g *engines.Game) bool {
	e, err := Endless(g)
	if err != nil {
		return false
	}
	e = e.WithoutPie()
	_, err = lines.From(e)
	return err == nil || newField(e) != nil || solverOf(e, ProofOptions{Memory: 1}) != nil
}

// lineNodes is how many positions of other searches take as long as one of package lines.
const lineNodes = 10

// quickNodes is the maximum number of positions that alpha-beta searches before package lines begins. It takes less than
// 0.1 s.
const quickNodes = 10_000

// lineGame returns the line game from the start, or from a position after a first turn of one piece, in which the
// second player is the first of a smaller game. It returns nil for other positions and other games.
func lineGame(s *engines.State) *lines.Game {
	g, err := lines.From(s.Game())
	switch {
	case err != nil:
	case s.Ply() == 0 && s.Side() == engines.First:
		return g
	case s.Ply() == 1 && g.First[engines.First] == 1 && s.Side() == engines.Second:
		return g.After(uint8(s.Last().To()))
	}
	return nil
}

// proveLines proves the value of a line game, within about the time that another search takes for nodes positions.
func proveLines(ctx context.Context, g *lines.Game, nodes uint64, memory int64) Proof {
	p := lines.Prove(ctx, g, lines.Options{Nodes: max(1, nodes/lineNodes), Memory: memory})
	out := unproved()
	out.Nodes, out.Method = p.Nodes, p.Method()
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
