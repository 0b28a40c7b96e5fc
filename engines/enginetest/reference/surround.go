package reference

import "slices"

// surround captures the pieces that a piece which arrived on the cell has surrounded.
func (g *Game) surround(arrived point, s side) {
	if g.rules.Surround.Threshold == 0 {
		return
	}
	if !g.rules.Surround.Cascade {
		g.surroundPass(g.neighbours(arrived), s)
		return
	}
	for g.surroundPass(g.cells(), s) {
	}
}

// surroundPass captures all surrounded enemy pieces among the candidates at once. It reports whether there were
// any.
func (g *Game) surroundPass(candidates []point, s side) bool {
	var captured []point
	for _, p := range candidates {
		if g.at(p) != s.enemy().letter() {
			continue
		}
		around := 0
		for _, n := range g.neighbours(p) {
			if g.at(n) == s.letter() {
				around++
			}
		}
		if around >= g.rules.Surround.Threshold {
			captured = append(captured, p)
		}
	}
	slices.SortFunc(captured, byCell)
	for _, p := range captured {
		g.remove(p)
		if g.rules.Surround.Effect == "convert" {
			g.add(p, s)
		}
	}
	return len(captured) > 0
}

// trim removes the mover's oldest pieces while there are more than the cap allows.
func (g *Game) trim(s side) {
	if g.rules.Pieces.Cap == 0 || g.plies-g.traded < g.rules.Pieces.RemovalFromPly {
		return
	}
	for len(g.queue[s]) > g.rules.Pieces.Cap {
		g.remove(g.queue[s][0])
	}
}
