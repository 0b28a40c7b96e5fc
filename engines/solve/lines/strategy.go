package lines

import "slices"

// steals reports whether the second player cannot win because the first could use his strategy. The first player places
// at least as many pieces in his first turn, whose extra pieces do no harm, and the second player's lines are the first
// one's, too, or longer.
func (g *Game) steals() bool {
	return !g.Misere && g.First[1] == 1 && !slices.ContainsFunc(g.Lines[1], func(long []uint8) bool {
		return !slices.ContainsFunc(g.Lines[0], func(short []uint8) bool { return subset(short, long) })
	})
}

// subset reports whether sorted cells are all among others.
func subset(few, many []uint8) bool {
	for _, c := range few {
		if !slices.Contains(many, c) {
			return false
		}
	}
	return true
}

// mirrors reports whether a side cannot lose a misère game because it always answers a piece by one on the image of its
// cell. The images are a symmetry that exchanges cells in pairs, but for one on which the first player begins. A line
// of the side contains a cell and its image, which then belongs to the other side; or it lies beside that first cell,
// and its image holds a line that the other side has completed before.
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
			return !slices.ContainsFunc(l, func(c uint8) bool { return to[c] != c && slices.Contains(l, to[c]) }) &&
				(slices.Contains(l, begin) || !slices.ContainsFunc(g.Lines[1-side], func(other []uint8) bool { return subset(other, image(to, l)) }))
		})
	})
}
