package env

import (
	"strconv"

	"spar/engines"
)

// Coder numbers the moves of a game: placements by their cell (row by row from the top left), then stop, swap and pass, then steps and
// jumps by the cells that they lead from and to.
type Coder struct {
	cells int
	moves bool
}

// NewCoder is the coder of a game.
func NewCoder(g *engines.Game) Coder {
	const still = engines.Wraps | engines.LongTurns | engines.Pie | engines.PlaceRegions | engines.Openings | engines.Falling | engines.Ages |
		engines.LeaveAfterWin | engines.LateAges | engines.Reuse | engines.Surrounds | engines.Removes | engines.Cascades | engines.Lines |
		engines.ExactLines | engines.LineRegions | engines.Majorities | engines.FullBoards | engines.Repetitions | engines.PlyCaps |
		engines.Passes | engines.StuckDraws | engines.StuckWins
	return Coder{cells: g.Cells(), moves: g.Mechanics()&^still != 0}
}

// wordCount is the number of moves without a cell.
const wordCount = 3

// words are the moves without a cell, in the order of their numbers.
func words() [wordCount]engines.Move {
	return [wordCount]engines.Move{engines.Stop, engines.Swap, engines.Pass}
}

// Actions is one more than the greatest number.
func (c Coder) Actions() int {
	n := c.cells + wordCount
	if c.moves {
		n += 2 * c.cells * c.cells
	}
	return n
}

// Action is the number of a move.
func (c Coder) Action(m engines.Move) int {
	if m.IsPlacement() {
		return int(m.To())
	}
	for i, w := range words() {
		if m == w {
			return c.cells + i
		}
	}
	at := c.cells + wordCount + int(m.From())*c.cells + int(m.To())
	if m.IsJump() {
		at += c.cells * c.cells
	}
	return at
}

// Planes names the planes of an observation: one number a cell each, row by row from the top left, as the side to move sees them.
func Planes(g *engines.Game) []string {
	names := []string{"own", "enemy"}
	if g.Rules().Pieces.Cap > 0 {
		names = append(names, "own_leaves", "enemy_leaves") // 1 = the next to leave, falling towards 0 for the newest
	}
	return names
}

// Extras names the numbers of an observation that are no planes.
func Extras(g *engines.Game) []string {
	names := []string{"second_to_move", "placements_left", "ply"}
	if g.Rules().Pieces.Supply > 0 {
		names = append(names, "own_hand", "enemy_hand", "moving")
	}
	if g.Mechanics()&engines.Seats != 0 {
		names = append(names, "sides_exchanged") // 1 = after a swap of turn.pie: seats
	}
	return names
}

// FillPlanes appends the numbers of the planes of a position to dst, one plane after the other.
func FillPlanes(dst []float32, s *engines.State) []float32 {
	g := s.Game()
	sides := [2]int{s.Side(), 1 - s.Side()}
	for _, side := range sides {
		pieces := s.Pieces(side)
		for c := range g.Cells() {
			x := float32(0)
			if pieces.Has(engines.Cell(c)) {
				x = 1
			}
			dst = append(dst, x)
		}
	}
	if g.Rules().Pieces.Cap == 0 {
		return dst
	}
	var room [engines.CellSpace]engines.Cell
	for _, side := range sides {
		ages := s.Ages(side, room[:0])
		at := len(dst)
		dst = append(dst, make([]float32, g.Cells())...)
		for i, c := range ages {
			dst[at+int(c)] = float32(len(ages)-i) / float32(len(ages))
		}
	}
	return dst
}

// AppendPlanes writes the planes of a position as one list of JSON.
func AppendPlanes(dst []byte, s *engines.State) []byte {
	var room [4 * 128]float32
	return AppendNumbers(dst, FillPlanes(room[:0], s))
}

// FillExtras appends the other numbers of a position to dst.
func FillExtras(dst []float32, s *engines.State) []float32 {
	dst = append(dst, float32(s.Side()), float32(s.PliesLeft()), float32(s.Ply()))
	if s.Game().Rules().Pieces.Supply > 0 {
		moving := float32(0)
		if s.Moving() {
			moving = 1
		}
		dst = append(dst, float32(s.Hand(s.Side())), float32(s.Hand(1-s.Side())), moving)
	}
	if s.Game().Mechanics()&engines.Seats != 0 {
		exchanged := float32(0)
		if s.Traded() {
			exchanged = 1
		}
		dst = append(dst, exchanged)
	}
	return dst
}

// AppendExtras writes the other numbers of a position as one list of JSON.
func AppendExtras(dst []byte, s *engines.State) []byte {
	var room [8]float32
	return AppendNumbers(dst, FillExtras(room[:0], s))
}

// AppendNumbers writes numbers as one list of JSON, with four digits where they are no whole numbers.
func AppendNumbers(dst []byte, numbers []float32) []byte {
	dst = append(dst, '[')
	for i, x := range numbers {
		if i > 0 {
			dst = append(dst, ',')
		}
		switch n := int(x); {
		case float32(n) != x:
			dst = strconv.AppendFloat(dst, float64(x), 'g', 4, 32)
		case 0 <= n && n < 10:
			dst = append(dst, byte('0'+n))
		default:
			dst = strconv.AppendInt(dst, int64(n), 10)
		}
	}
	return append(dst, ']')
}
