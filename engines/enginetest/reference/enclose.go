package reference

import (
	"slices"

	"spar/engines/rules"
)

// Named groups of cells, and captures by enclosing that depend on the kind of a piece.

// group returns the cells of the named groups.
func (g *Game) group(names []string) (cells []point) {
	for _, c := range g.rules.Cells {
		if slices.Contains(names, c.Name) {
			cells = append(cells, g.listed(c.At, first)...)
		}
	}
	return cells
}

// kindOf returns the kind of a piece; an empty one without kinds.
func (g *Game) kindOf(m man) rules.Kind {
	if m.kind < len(g.rules.Kinds) {
		return g.rules.Kinds[m.kind]
	}
	return rules.Kind{}
}

// bars reports whether a piece cannot end a move on a cell; lets, whether it can go over it all the same.
func (g *Game) bars(m man, p point) bool { return slices.Contains(g.group(g.kindOf(m).Avoids), p) }
func (g *Game) lets(m man, p point) bool { return slices.Contains(g.group(g.kindOf(m).Passes), p) }

// press removes from a board the pieces that the piece on a cell has enclosed by arriving there.
func (g *Game) press(b layout, at point) {
	m, c := b[at], g.rules.Custodian
	if c.Effect != "remove" || g.kindOf(m).Encloses == "helps" || g.kindOf(m).Encloses == "never" {
		return
	}
	closes := func(q point) bool {
		if o, taken := b[q]; taken {
			return o.owner == m.owner && g.kindOf(o).Encloses != "never"
		}
		return slices.Contains(g.group(c.Hostile), q)
	}
	beside := func(p point) (out []point, all bool) {
		all = true
		for _, d := range rookDirections {
			q, ok := g.next(p, d)
			all = all && ok
			if ok {
				out = append(out, q)
			}
		}
		return out, all
	}
	strong := func(p point) bool {
		k := g.kindOf(b[p])
		if k.Sides != 4 || len(k.Beside) == 0 {
			return k.Sides == 4
		}
		near := g.group(k.Beside)
		around, _ := beside(p)
		return slices.Contains(near, p) || slices.ContainsFunc(around, func(q point) bool {
			return slices.Contains(near, q)
		})
	}
	enemy := func(p point) bool { o, taken := b[p]; return taken && o.owner == m.owner.enemy() }
	words := c.Directions
	if len(words) == 0 {
		words = []string{"king"}
	}
	var gone []point
	for _, d := range directionsOf(words, first) {
		ray := g.ray(at, d)
		if len(ray) == 0 || !enemy(ray[0]) {
			continue
		}
		if strong(ray[0]) {
			if around, all := beside(ray[0]); all && !slices.ContainsFunc(around, func(q point) bool {
				return !closes(q)
			}) {
				gone = append(gone, ray[0])
			}
			continue
		}
		n := slices.IndexFunc(ray, func(q point) bool { return !enemy(q) || strong(q) })
		if n > 0 && !enemy(ray[n]) && ray[n] != at && closes(ray[n]) && (c.Length == 0 || c.Length == n) {
			gone = append(gone, ray[:n]...)
		}
	}
	for _, p := range gone {
		delete(b, p)
	}
}
