package lines

import "slices"

// steals reports whether strategy stealing shows that the second player cannot win. The first player must place at
// least as many pieces in the first turn, and all lines of the second player must contain a line of the first.
func (g *Game) steals() bool {
	return !g.Misere && g.First[1] == 1 && !slices.ContainsFunc(g.Lines[1], func(long []uint8) bool {
		return !slices.ContainsFunc(g.Lines[0], func(short []uint8) bool { return subset(short, long) })
	})
}

// subset reports whether a set of cells is part of another one; both are sorted.
func subset(few, many []uint8) bool {
	for _, c := range few {
		if !slices.Contains(many, c) {
			return false
		}
	}
	return true
}

// mirrors reports whether a side can avoid losing a misère game by always placing on the image of the opponent's
// last cell. The images come from a symmetry that exchanges cells in pairs, except one cell on which the first
// player begins. Every line of the side then contains a cell and its image, which belongs to the other side. Or it
// contains that first cell, and the other side has completed the image of the line before.
func (g *Game) mirrors(side int) bool {
	if !g.Misere || g.First != [2]int{1, 1} {
		return false
	}
	return slices.ContainsFunc(g.Symmetries, func(to []uint8) bool {
		fixed, begin := 0, uint8(none)
		for c, x := range to {
			switch {
			case int(x) == c:
				fixed, begin = fixed+1, x
			case int(to[x]) != c:
				return false
			}
		}
		return fixed == 1-side && !slices.ContainsFunc(g.Lines[side], func(l []uint8) bool {
			return !slices.ContainsFunc(l, func(c uint8) bool {
				return to[c] != c && slices.Contains(l, to[c])
			}) &&
				(slices.Contains(l, begin) || !slices.ContainsFunc(g.Lines[1-side],
					func(other []uint8) bool { return subset(other, image(to, l)) }))
		})
	})
}
