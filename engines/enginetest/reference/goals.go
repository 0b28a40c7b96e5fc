package reference

import (
	"slices"
	"strconv"
)

// number parses an integer. The rules must be valid.
func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		panic(err)
	}
	return n
}

// made returns the goal, other than a line, that a side has completed with pieces of one letter; empty if there is
// none.
func (g *Game) made(s side, letter byte) string {
	switch {
	case g.hasLine(s, letter):
		return "line"
	case g.hasPattern(s, letter):
		return "pattern"
	case g.hasConnection(s):
		return "connection"
	case g.hasReached(s):
		return "reach"
	}
	return g.eitherMade(s)
}

// hasReached reports whether enough pieces of a side are on its goal cells.
func (g *Game) hasReached(s side) bool {
	win, there := g.of(s).Win, 0
	for _, p := range g.listed(win.Reach, s) {
		attacks := func(t turn) bool { return t[0].after[p].owner == s.enemy() }
		if g.at(p) != s.letter() || win.ReachKind != "" && g.men[p].kind != g.kindNamed(win.ReachKind) {
			continue
		}
		captures, _ := g.reachable(g.men, s.enemy())
		if !win.ReachSafe || !slices.ContainsFunc(captures, attacks) {
			there++
		}
	}
	return len(win.Reach) > 0 && there >= max(1, win.ReachCount)
}

// eitherMade returns the goal that a side has, whoever has moved; empty if there is none.
func (g *Game) eitherMade(s side) string {
	win := g.of(s).Win
	if !g.movement && g.men == nil {
		return ""
	}
	if win.Gather && g.together(s) {
		return "gather"
	}
	for _, p := range g.listed(win.ShutIn, s) {
		if g.at(p) != s.letter() {
			continue
		}
		near := g.neighbours(p)
		if len(near) > 0 && !slices.ContainsFunc(near, func(q point) bool {
			return g.at(q) != s.enemy().letter()
		}) {
			return "shut_in"
		}
	}
	if win.ReachSafe && g.hasReached(s) {
		return "reach"
	}
	if win.NoneLeft && len(g.queue[s]) == 0 && g.hand[s] == 0 {
		return "none_left"
	}
	return ""
}

// together reports whether every piece of a side can be reached from the first one over neighbouring pieces of the side.
func (g *Game) together(s side) bool {
	own := g.queue[s]
	if len(own) == 0 {
		return false
	}
	group := []point{own[0]}
	for i := 0; i < len(group); i++ {
		for _, q := range g.neighbours(group[i]) {
			if g.at(q) == s.letter() && !slices.Contains(group, q) {
				group = append(group, q)
			}
		}
	}
	return len(group) == len(own)
}

// goals ends the game if the ply has completed one of the mover's goals, captured too many pieces of a side, or made a
// losing line.
func (g *Game) goals() bool {
	sides, letters := []side{g.mover}, []byte{g.mover.letter()}
	switch g.rules.Pieces.Owner {
	case "shared":
		sides = []side{g.mover, g.mover.enemy()}
		letters = []byte{'X'}
	case "choice":
		sides = []side{g.mover, g.mover.enemy()}
		letters = []byte{'X', 'O'}
	}
	nobodys := len(sides) > 1
	for _, s := range sides {
		for _, letter := range letters {
			win := g.of(s).Win
			if made := g.made(s, letter); made != "" {
				if made == "gather" && g.eitherMade(s.enemy()) == "gather" {
					g.draw(made)
				} else if win.Misere {
					g.win(s.enemy(), made)
				} else {
					g.win(s, made)
				}
				return true
			}
			if win.Captures > 0 && g.captures[s] >= win.Captures {
				g.win(s, "captures")
				return true
			}
			if nobodys && g.losingLine(s, letter) {
				g.win(s.enemy(), "losing_line")
				return true
			}
		}
	}
	for _, s := range []side{g.mover.enemy(), g.mover} {
		if g.isEliminated(s) {
			g.win(s.enemy(), "elimination")
			return true
		}
	}
	for _, s := range []side{g.mover.enemy(), g.mover} {
		if g.bereft(s) {
			g.win(s.enemy(), "taken")
			return true
		}
	}
	other := g.mover.enemy()
	if made := g.eitherMade(other); made != "" && !nobodys {
		if g.of(other).Win.Misere {
			other = g.mover
		}
		g.win(other, made)
		return true
	}
	if !nobodys && g.losingLine(g.mover, g.mover.letter()) {
		g.win(g.mover.enemy(), "losing_line")
		return true
	}
	return false
}

// losingLine reports whether there is a line that loses for a side.
func (g *Game) losingLine(s side, letter byte) bool {
	if g.rules.Lose.Line == 0 {
		return false
	}
	runs, _ := g.runs(g.rules.Lose.Line, g.of(s).Win.Directions)
	return slices.ContainsFunc(runs, func(run []point) bool {
		return !slices.ContainsFunc(run, func(p point) bool { return g.at(p) != letter })
	})
}

// hasPattern reports whether a side has one of the shapes, rotated or mirrored, anywhere on the board.
func (g *Game) hasPattern(s side, letter byte) bool {
	for _, text := range g.of(s).Win.Pattern {
		for _, image := range g.images(offsets(text)) {
			for _, at := range g.cells() {
				all := true
				var cells []point
				for _, d := range image {
					p, ok := g.away(at, d)
					all = all && ok && g.at(p) == letter
					cells = append(cells, p)
				}
				slices.SortFunc(cells, byCell)
				if all && len(slices.Compact(cells)) == len(image) {
					return true
				}
			}
		}
	}
	return false
}

// images returns a shape under all rotations and reflections that keep the neighbours of the grid.
func (g *Game) images(shape []direction) [][]direction {
	maps := [][4]int{
		{1, 0, 0, 1},
		{-1, 0, 0, 1},
		{1, 0, 0, -1},
		{-1, 0, 0, -1},
		{0, 1, 1, 0},
		{0, -1, 1, 0},
		{0, 1, -1, 0},
		{0, -1, -1, 0},
	}
	if g.rules.Board.Shape == "hex" { // those that keep the set of six neighbours
		maps = nil
		for a := range 81 {
			m := [4]int{a%3 - 1, a/3%3 - 1, a/9%3 - 1, a/27 - 1}
			kept := true
			for _, d := range []direction{{1, 0}, {0, 1}, {1, -1}} {
				e := direction{m[0]*d.columns + m[1]*d.rows, m[2]*d.columns + m[3]*d.rows}
				kept = kept && slices.Contains([]direction{{1, 0}, {0, 1}, {1, -1}, {-1, 0}, {0, -1}, {-1, 1}}, e)
			}
			if kept {
				maps = append(maps, m)
			}
		}
	}
	var out [][]direction
	for _, m := range maps {
		var image []direction
		for _, d := range shape {
			image = append(image, direction{m[0]*d.columns + m[1]*d.rows, m[2]*d.columns + m[3]*d.rows})
		}
		out = append(out, image)
	}
	return out
}

// hasConnection reports whether a chain of a player's pieces joins two edges.
func (g *Game) hasConnection(s side) bool {
	from, to := "near", "far"
	switch g.of(s).Win.Connect {
	case "", "none":
		return false
	case "left_right":
		from, to = "left", "right"
	}
	if s == second && g.of(s).Win.Connect == "top_bottom" {
		from, to = "left", "right"
	} else if s == second {
		from, to = "near", "far"
	}
	var reached []point
	for _, p := range g.listed([]string{from}, s) {
		if g.at(p) == s.letter() {
			reached = append(reached, p)
		}
	}
	for i := 0; i < len(reached); i++ {
		for _, n := range g.neighbours(reached[i]) {
			if g.at(n) == s.letter() && !slices.Contains(reached, n) {
				reached = append(reached, n)
			}
		}
	}
	return slices.ContainsFunc(g.listed([]string{to}, s), func(p point) bool {
		return slices.Contains(reached, p)
	})
}

// isEliminated reports whether a side has fewer pieces than the win.eliminate of its enemy.
func (g *Game) isEliminated(s side) bool {
	pieces := len(g.queue[s])
	win := g.of(s.enemy()).Win
	if win.OnBoard {
		if g.supplied && !g.movement && !g.apart() || g.apart() && g.hand[s] > 0 {
			return false
		}
	} else {
		pieces += g.hand[s]
	}
	return pieces < win.Eliminate
}
