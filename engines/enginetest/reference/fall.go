package reference

// fall drops pieces with an empty cell below them until none can fall, and reports whether any did. It updates the
// target cell of the move if that piece falls.
func (g *Game) fall(m *move) bool {
	if !g.rules.Placement.Falls {
		return false
	}
	fell := false
	for again := true; again; {
		again = false
		for _, p := range g.cells() {
			below := point{p.column, p.row + 1}
			if g.at(p) == empty || below.row == g.rules.Board.Rows || g.at(below) != empty {
				continue
			}
			owner := first
			if g.at(p) == second.letter() {
				owner = second
			}
			g.board[p.row][p.column] = empty
			g.board[below.row][below.column] = owner.letter()
			for i, q := range g.queue[owner] {
				if q == p {
					g.queue[owner][i] = below
				}
			}
			if m.to == p {
				m.to = below
			}
			fell, again = true, true
		}
	}
	return fell
}

// goalsAfterFall ends the game if falling pieces have completed a goal; the mover's goals come first.
func (g *Game) goalsAfterFall() bool {
	if g.rules.Pieces.Owner == "shared" || g.rules.Pieces.Owner == "choice" {
		return g.goals()
	}
	for _, s := range []side{g.mover, g.mover.enemy()} {
		win := g.of(s).Win
		made := g.made(s, s.letter())
		switch {
		case made != "" && win.Misere:
			g.win(s.enemy(), made)
		case made != "":
			g.win(s, made)
		case win.Captures > 0 && g.captures[s] >= win.Captures:
			g.win(s, "captures")
		case g.losingLine(s, s.letter()):
			g.win(s.enemy(), "losing_line")
		default:
			continue
		}
		return true
	}
	return false
}
