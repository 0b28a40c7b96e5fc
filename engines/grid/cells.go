package grid

import (
	"fmt"
	"strings"
)

// The letters of cells in start positions and in the text of a position.
const (
	Letters   = "XO"
	FreeCell  = '.'
	NoneCell  = '#' // a cell that the board does not have
	CellWords = "X, O, . for an empty cell and # for one that the board does not have"
)

// CellNamed parses the name of a cell of the grid, including cells missing from the board.
func (t *Grid) CellNamed(name string) (Cell, bool) {
	var col rune
	var row int
	n, err := fmt.Sscanf(name, "%c%d", &col, &row)
	if n < 2 || err != nil || fmt.Sprintf("%c%d", col, row) != name {
		return NoCell, false
	}
	x := int(col - 'a')
	if x < 0 || x >= t.Columns || row < 1 || row > t.Rows {
		return NoCell, false
	}
	return Cell((row-1)*t.Columns + x), true
}

// NameOf returns the name of a cell, like c2.
func (t *Grid) NameOf(c Cell) string {
	return fmt.Sprintf("%c%d", 'a'+int(c)%t.Columns, int(c)/t.Columns+1)
}

// LastName returns the name of the last cell.
func (t *Grid) LastName() string { return t.NameOf(Cell(t.Cells - 1)) }

// Setup returns the pieces of both sides in the rows of a start position. It ignores everything in the rows that is
// not a piece on the board.
func (t *Grid) Setup(rows []string) (pieces [2]Bits) {
	for y, row := range rows {
		for x := range min(len(row), t.Columns) {
			if side := strings.IndexByte(Letters, row[x]); side >= 0 && y < t.Rows {
				pieces[side] = pieces[side].Or(t.Bit[y*t.Columns+x])
			}
		}
	}
	return pieces
}

// The sides of a game. A side is also an index into tables.
const (
	First  = 0 // the player who plays X
	Second = 1 // the player who plays O
)
