// Package lines proves the values of line games: each side places pieces on empty cells, pieces never move or
// leave, and the first line of one player's pieces ends the game. That player wins, or loses if the game is misère. A
// full board without a line is a draw.
//
// From converts rules to a Game, and returns an error for rules of other games. Prove asks two questions about a
// game, "does the first player win?" and "does the second?". The side of the question is the attacker, the other
// one the defender, who wins or draws. If both answers are negative, the game is a draw. Each answer comes from
// the first method that gives it:
//
//   - strategies that hold from the start (strategy.go): stealing, symmetry, pairs of cells (pairing.go);
//   - the potential of Erdős and Selfridge, as a test of positions (search.go);
//   - sequences of moves that each force the reply (package threats);
//   - a proof-number search (search.go), in misère games one by depth (misere.go), that uses all of these, in positions
//     that it updates move by move (position.go).
//
// A line is live for its owner as long as the other side has no piece on it. A cell is open as long as it is empty
// and on a live line of either side. Other cells are dead: their content can never matter again.
package lines

import (
	"fmt"
	"math/bits"
	"slices"

	"spar/engines"
	"spar/engines/rules"
)

// Game is a line game.
type Game struct {
	Cells      int
	Lines      [2][][]uint8 // for each side, the cells of each of its lines
	Misere     bool         // the owner of a completed line loses
	First      [2]int       // number of pieces that each side places in its first turn; later turns have one
	Symmetries [][]uint8    // permutations of the cells that keep the lines of both sides; the identity first
}

// maxCells is the maximum number of cells of a board, and the size of the search's tables.
const maxCells = 128

// Set is a set of cells.
type Set [2]uint64

func (s *Set) add(c uint8)     { s[c>>6&1] |= 1 << (c & 63) }
func (s *Set) remove(c uint8)  { s[c>>6&1] &^= 1 << (c & 63) }
func (s Set) has(c uint8) bool { return s[c>>6&1]>>(c&63)&1 != 0 }
func (s Set) count() int       { return bits.OnesCount64(s[0]) + bits.OnesCount64(s[1]) }

// least returns the lowest-numbered cell of a set, which must not be empty.
func (s Set) least() uint8 {
	if s[0] != 0 {
		return uint8(bits.TrailingZeros64(s[0]))
	}
	return uint8(64 + bits.TrailingZeros64(s[1]))
}

// From returns the line game of rules, or an error that names a mechanic that line games cannot have. It ignores the
// rules for repetition and for sides without a move, which never apply in line games.
func From(e *engines.Game) (*Game, error) {
	known := rules.MechanicsOf(rules.Lines, rules.LineRegions, rules.LineDirections, rules.Wraps, rules.Hexagons,
		rules.FirstTurns, rules.Misere, rules.FullBoards, rules.Unequal, rules.SecondTurns, rules.Repetitions,
		rules.Passes, rules.StuckDraws, rules.StuckWins)
	if other := e.Mechanics().Without(known); other != (rules.Mechanics{}) {
		return nil, fmt.Errorf("%s is not a line game: it has %v", e.Name(), other)
	}
	r := e.Rules()
	own, second := r.Of(0), r.Of(1)
	switch {
	case !r.Draw.FullBoard:
		return nil, fmt.Errorf("%s is not a line game: a full board is not a draw", e.Name())
	case own.Win.Line == 0 || second.Win.Line == 0:
		return nil, fmt.Errorf("%s is not a line game: a side has no win.line", e.Name())
	case own.Win.Misere != second.Win.Misere:
		return nil, fmt.Errorf("%s is not a line game: win.misere differs between the sides", e.Name())
	case e.Cells() > maxCells:
		return nil, fmt.Errorf("%s has %d cells: expected at most %d", e.Name(), e.Cells(), maxCells)
	}
	g := &Game{Cells: e.Cells(), Misere: own.Win.Misere, First: [2]int{r.FirstTurn(0), r.FirstTurn(1)}}
	for side := range 2 {
		for _, w := range e.Windows(side) {
			var line []uint8
			for c := range w.Cells.Each {
				line = append(line, uint8(c))
			}
			g.Lines[side] = append(g.Lines[side], line)
		}
	}
	for _, p := range e.Symmetries() {
		to := make([]uint8, len(p))
		for c, x := range p {
			to[c] = uint8(x)
		}
		g.Symmetries = append(g.Symmetries, to)
	}
	return g, nil
}

// After returns the game that remains when the first player has placed a piece on a cell. It exchanges the sides and
// renumbers the other cells.
func (g *Game) After(c uint8) *Game {
	out := &Game{Cells: g.Cells - 1, Misere: g.Misere, First: [2]int{g.First[1], 1}}
	without := func(cells []uint8) (rest []uint8) {
		for _, x := range cells {
			if x > c {
				x--
			} else if x == c {
				continue
			}
			rest = append(rest, x)
		}
		return rest
	}
	for _, line := range g.Lines[0] {
		out.Lines[1] = append(out.Lines[1], without(line))
	}
	for _, line := range g.Lines[1] {
		if !slices.Contains(line, c) {
			out.Lines[0] = append(out.Lines[0], without(line))
		}
	}
	for _, p := range g.Symmetries {
		if p[c] == c {
			image := make([]uint8, 0, len(p))
			for x, to := range p {
				if uint8(x) != c {
					image = append(image, without([]uint8{to})...)
				}
			}
			out.Symmetries = append(out.Symmetries, image)
		}
	}
	return out
}

// keep returns the symmetries that also map a set of lines to itself.
func keep(symmetries [][]uint8, lines [][]uint8) [][]uint8 {
	known := map[string]bool{}
	for _, l := range lines {
		known[string(l)] = true
	}
	return slices.DeleteFunc(slices.Clone(symmetries), func(to []uint8) bool {
		return slices.ContainsFunc(lines, func(l []uint8) bool { return !known[string(image(to, l))] })
	})
}

// image returns the image of a sorted line under a symmetry.
func image(to, line []uint8) []uint8 {
	out := make([]uint8, len(line))
	for i, c := range line {
		out[i] = to[c]
	}
	slices.Sort(out)
	return out
}

// weak splits the board into connected parts and returns one game for each: the attacker has only the lines of
// that part, and the defender has none. If the attacker wins none of these games, the attacker does not win the
// whole game, because the defender can always reply in the same part.
func (g *Game) weak(attacker int) []*Game {
	part := make([]int, g.Cells)
	for c := range part {
		part[c] = c
	}
	for _, l := range g.Lines[attacker] {
		for _, c := range l {
			if from, to := part[c], part[l[0]]; from != to {
				for i := range part {
					if part[i] == from {
						part[i] = to
					}
				}
			}
		}
	}
	var out []*Game
	at := map[int]*Game{}
	for _, l := range g.Lines[attacker] {
		w := at[part[l[0]]]
		if w == nil {
			w = &Game{Cells: g.Cells, First: g.First}
			at[part[l[0]]] = w
			out = append(out, w)
		}
		w.Lines[attacker] = append(w.Lines[attacker], l)
	}
	for _, w := range out {
		w.Symmetries = keep(g.Symmetries, w.Lines[attacker])
	}
	return out
}
