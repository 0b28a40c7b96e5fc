package engines

import (
	"cmp"
	"fmt"
	"strings"

	"spar/engines/grid"
)

// Picture draws the board as text for a terminal. The last move is in brackets. If pieces have ages, each is
// followed by its age (1 is the oldest), and the next one to leave by an exclamation mark. If colour is set, it
// uses ANSI codes: pieces and goal cells have the colours of their sides (by default X is blue and O is orange), and
// the next piece to leave is dim. On hexagons each row is shifted right by half a cell, so that neighbours touch.
func (s *State) Picture(colour bool) string {
	g := s.g
	if len(g.rules.Board.Lines) > 0 {
		return s.pictureOfLines(colour)
	}
	width := 3
	if g.fifo {
		width = 5
	}
	shift := 0
	if g.rules.Board.Shape == "hex" {
		width++ // even, so that there is a half
		shift = width / 2
	}
	var b strings.Builder
	b.WriteString("   ")
	for x := range g.grid.Columns {
		b.WriteString(centre(string(rune('a'+x)), width))
	}
	b.WriteByte('\n')
	for y := range g.grid.Rows {
		fmt.Fprintf(&b, "%*s%2d ", shift*y, "", y+1)
		for x := range g.grid.Columns {
			c := Cell(y*g.grid.Columns + x)
			text, code := s.marked(c)
			cell := centre(text, width)
			if colour && code != "" {
				cell = "\x1b[" + code + "m" + cell + "\x1b[0m"
			}
			b.WriteString(cell)
		}
		fmt.Fprintf(&b, " %d\n", y+1)
	}
	return b.String()
}

// Legend explains the marks of pictures.
func (g *Game) Legend() string {
	text := "[ ] the last move"
	if g.rules.Moves() {
		text += ", ( ) where it began"
	}
	if g.Kinds() > 0 {
		text += "; " + g.SideName(First) + " has the capital letters, " + g.SideName(Second) + " the small ones"
	}
	if g.cap > 0 {
		text += "; 1 marks a side's oldest piece, ! the piece that leaves next"
	}
	return text
}

// marked returns the glyph of a cell: in square brackets if the last move ended there, in round ones if it started
// there.
func (s *State) marked(c Cell) (text, code string) {
	text, code = s.glyph(c)
	switch {
	case s.last == NoMove:
	case c == s.last.To():
		text = "[" + text + "]"
	case c == s.last.From():
		text = "(" + text + ")"
	}
	return text, code
}

// glyph returns the text of a cell and its ANSI colour code.
func (s *State) glyph(c Cell) (text, code string) {
	for side := range 2 {
		if !s.pieces[side].Has(c) {
			continue
		}
		text, code = string(s.sign(c)), s.g.ansi(side)
		q := &s.age[side]
		for i := range q.n {
			if q.at(i) == c {
				text += fmt.Sprint(i + 1)
				if i == 0 && int(q.n) >= s.g.cap {
					text, code = text+"!", code+";2"
				}
			}
		}
		return text, code
	}
	switch on := s.g.grid.Board.Has(c); {
	case on && s.letter(c) == grid.NoneCell:
		return "#", ""
	case !on:
		return "", ""
	}
	if side := s.g.GoalOwner(c); side >= 0 {
		return ".", s.g.ansi(side)
	}
	return ".", ""
}

// ansi returns the ANSI colour code of a side.
func (g *Game) ansi(side int) string {
	return cmp.Or(g.Side(side).Ansi(), [...]string{"94", "33"}[side])
}

func centre(text string, width int) string {
	left := (width - len(text)) / 2
	return strings.Repeat(" ", max(left, 0)) + text + strings.Repeat(" ", max(width-len(text)-max(left, 0), 0))
}
