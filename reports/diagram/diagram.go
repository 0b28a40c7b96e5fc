// Package diagram draws positions for print and for pages: coordinates, pieces with the numbers of their moves,
// arrows and marked cells. Boards have squares, hexagons or drawn lines.
//
// [Of] makes a [Diagram] of a game as far as it was played. A Diagram is a chart, so that package chart writes it
// as svg, png or pdf.
package diagram

import (
	"fmt"
	"image/color"
	"math"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"spar/engines"
	"spar/engines/rules"
	"spar/reports/board"
	"spar/reports/chart"
)

// Diagram is one position.
type Diagram struct {
	Game    *engines.Game
	Board   string      // one letter for each cell: X, O or the letter of a kind, . for empty, or # where there is no cell
	Numbers map[int]int // for each cell, the number of the move that placed its piece
	Arrows  [][2]int    // arrows, each from a cell to a cell
	Marks   []int       // cells with a ring
	Crosses []int       // cells marked with a cross
	Hands   string      // pieces in hand, in words, written below the board; empty without hands
	Print   bool        // draw black on white, without the colours of the sides
}

// Of returns the diagram of a position after some moves. A piece that a move placed has the move's number. If the
// last move moved a piece, an arrow shows it.
func Of(p *engines.Position, moves []string) (*Diagram, error) {
	first := p.Ply()
	frames, _, err := board.Replay(p, moves)
	if err != nil {
		return nil, err
	}
	last := frames[len(frames)-1]
	d := &Diagram{
		Game:    p.Game(),
		Board:   last.Signs(),
		Hands:   last.Hands,
		Numbers: map[int]int{},
	}
	for i, f := range frames {
		for _, c := range append(f.Leaving(), f.From) {
			delete(d.Numbers, c)
		}
		if f.To >= 0 && f.Kinds == "" {
			d.Numbers[f.To] = first + i
		}
		if d.Arrows = nil; f.From >= 0 && f.To >= 0 {
			d.Arrows = [][2]int{{f.From, f.To}}
		}
		d.Marks = f.Win
	}
	return d, nil
}

// unit is the width of a cell in pixels.
const unit = 48.

// margin is the space for coordinates, in cell widths.
const margin = .5

func (d *Diagram) hex() bool { return d.Game.Rules().Board.Shape == "hex" }

// cells returns the size of the board in cell widths.
func (d *Diagram) cells() (width, height float64) {
	columns, rows := float64(d.Game.Columns()), float64(d.Game.Rows())
	if d.hex() {
		return columns + (rows-1)/2, (rows-1)*math.Sqrt(3)/2 + 2/math.Sqrt(3)
	}
	return columns, rows
}

// Size implements chart.Chart.
func (d *Diagram) Size() (width, height float64) {
	w, h := d.cells()
	return unit * (w + 2*margin), unit * (h + 2*margin)
}

// Draw implements chart.Chart.
func (d *Diagram) Draw(c draw.Canvas) error {
	b := &brush{d: d, c: c, top: c.Max.Y, left: c.Min.X}
	b.board()
	b.coordinates()
	for cell := range d.Board {
		b.piece(cell)
	}
	if w, h := d.cells(); d.Hands != "" {
		b.text(margin+w/2, h+1.5*margin, min(.27, 1.6*(w+2*margin)/float64(len(d.Hands))), chart.Ink, d.Hands)
	}
	for _, cell := range d.Marks {
		x, y := b.centre(cell)
		b.stroke(chart.Good, .07, b.circle(x, y, .43))
	}
	for _, cell := range d.Crosses {
		x, y := b.centre(cell)
		for _, way := range []float64{-.36, .36} {
			b.stroke(chart.Poor, .08, b.shape(false, xy{x - .36, y - way}, xy{x + .36, y + way}))
		}
	}
	for _, a := range d.Arrows {
		b.arrow(a[0], a[1])
	}
	return nil
}

// Alt describes the diagram in words.
func (d *Diagram) Alt() string {
	var out []string
	r := d.Game.Rules()
	for side := range 2 {
		var cells []string
		for c := range d.Board {
			if of, _, ok := r.KindAt(d.Board[c]); ok && of == side {
				name := d.Game.CellName(engines.Cell(c))
				if d.Game.Kinds() > 0 {
					name = strings.ToUpper(d.Board[c:c+1]) + " " + name
				}
				cells = append(cells, name)
			}
		}
		if len(cells) > 0 {
			out = append(out, d.Game.PieceName(side)+" on "+strings.Join(cells, ", "))
		}
	}
	if len(out) == 0 {
		out = []string{"no pieces"}
	}
	var blocked []int
	for c := range d.Board {
		if d.Board[c] == '#' && d.Game.BoardCells().Has(engines.Cell(c)) {
			blocked = append(blocked, c)
		}
	}
	if len(blocked) > 0 {
		out = append(out, "blocked: "+board.Names(d.Game, blocked))
	}
	if d.Hands != "" {
		out = append(out, strings.Replace(d.Hands, "I", "i", 1))
	}
	for _, a := range d.Arrows {
		out = append(out, fmt.Sprintf("an arrow from %s to %s", d.Game.CellName(engines.Cell(a[0])),
			d.Game.CellName(engines.Cell(a[1]))))
	}
	if len(d.Marks) > 0 {
		out = append(out, "marked: "+board.Names(d.Game, d.Marks))
	}
	if len(d.Crosses) > 0 {
		out = append(out, "crossed out: "+board.Names(d.Game, d.Crosses))
	}
	return board.Title(d.Game) + ": " + strings.Join(out, "; ") + "."
}

// brush draws a diagram on a canvas whose y axis points up.
type brush struct {
	d         *Diagram
	c         draw.Canvas
	top, left vg.Length
}

// centre returns the middle of a cell, in cell widths from the upper left corner.
func (b *brush) centre(cell int) (x, y float64) {
	column := float64(cell % b.d.Game.Columns())
	row := float64(cell / b.d.Game.Columns())
	m := margin
	if b.d.hex() {
		return m + column + row/2 + .5, m + row*math.Sqrt(3)/2 + 1/math.Sqrt(3)
	}
	return m + column + .5, m + row + .5
}

func (b *brush) length(cells float64) vg.Length { return vg.Length(cells * unit) }

func (b *brush) at(x, y float64) vg.Point {
	return vg.Point{X: b.left + b.length(x), Y: b.top - b.length(y)}
}

// colour returns a colour as it is drawn. Print has black on white instead of the colours of a page.
func (b *brush) colour(k color.Color) color.Color {
	of, ok := k.(chart.Colour)
	switch {
	case !ok || !b.d.Print:
		return k
	case of == chart.Paper:
		return color.White
	}
	return color.Black
}

func (b *brush) stroke(k color.Color, width float64, p vg.Path) {
	b.c.SetLineStyle(draw.LineStyle{Color: b.colour(k), Width: b.length(width)})
	b.c.Stroke(p)
}

func (b *brush) fill(k color.Color, p vg.Path) {
	b.c.SetColor(b.colour(k))
	b.c.Fill(p)
}

func (b *brush) text(x, y, size float64, k color.Color, s string) {
	style := text.Style{
		Color:   b.colour(k),
		Font:    font.Font{Typeface: "Liberation", Variant: "Sans", Size: b.length(size)},
		XAlign:  text.XCenter,
		YAlign:  text.YCenter,
		Handler: text.Plain{Fonts: font.DefaultCache},
	}
	b.c.FillText(style, b.at(x, y), s)
}

func (b *brush) circle(x, y, r float64) vg.Path {
	var p vg.Path
	p.Move(b.at(x+r, y))
	p.Arc(b.at(x, y), b.length(r), 0, 2*math.Pi)
	p.Close()
	return p
}

// xy is a place on the board, in cell widths from the upper left corner.
type xy [2]float64

// shape returns the polygon through some points.
func (b *brush) shape(closed bool, points ...xy) vg.Path {
	var p vg.Path
	for i, to := range points {
		at := b.at(to[0], to[1])
		if i == 0 {
			p.Move(at)
		} else {
			p.Line(at)
		}
	}
	if closed {
		p.Close()
	}
	return p
}

// outline returns the outline of a cell around its middle; half is half its width.
func (b *brush) outline(x, y, half float64) vg.Path {
	if !b.d.hex() {
		return b.square(x, y, half)
	}
	r := 2 * half / math.Sqrt(3)
	return b.shape(true, xy{x, y - r}, xy{x + half, y - r/2}, xy{x + half, y + r/2}, xy{x, y + r},
		xy{x - half, y + r/2}, xy{x - half, y - r/2})
}

func (b *brush) square(x, y, half float64) vg.Path {
	return b.shape(true, xy{x - half, y - half}, xy{x + half, y - half}, xy{x + half, y + half}, xy{x - half, y + half})
}

// board draws the cells, or the drawn lines.
func (b *brush) board() {
	lines := b.d.Game.Rules().Board.Lines
	for _, line := range lines {
		var points []xy
		for _, name := range line {
			if c, err := b.d.Game.ParseCell(name); err == nil { // the rules have been checked
				x, y := b.centre(int(c))
				points = append(points, xy{x, y})
			}
		}
		b.stroke(chart.Axes, .04, b.shape(false, points...))
	}
	for _, c := range board.Gaps(b.d.Game) {
		x, y := b.centre(c)
		b.fill(chart.Axes, b.outline(x, y, .5))
	}
	for c := range b.d.Board {
		if !b.d.Game.BoardCells().Has(engines.Cell(c)) {
			continue
		}
		x, y := b.centre(c)
		b.goals(c, len(lines) > 0)
		if len(lines) > 0 {
			b.fill(chart.Axes, b.circle(x, y, .08))
		} else {
			b.stroke(chart.Axes, .025, b.outline(x, y, .5))
		}
	}
}

// goals shades a cell that belongs to a side's goal: in the colour of the side, or in one of two greys for print. A
// cell of both goals has that of the second player in the middle.
func (b *brush) goals(c int, point bool) {
	x, y := b.centre(c)
	half := .5
	for side := range 2 {
		if !b.d.Game.GoalCells(side).Has(engines.Cell(c)) {
			continue
		}
		cell := b.outline(x, y, half)
		if point {
			cell = b.circle(x, y, half-.05)
		}
		half = .28
		if b.d.Print {
			b.fill(color.Gray{[2]uint8{0xec, 0xcc}[side]}, cell)
			continue
		}
		b.fill(chart.Thin, cell) // a white side has a goal on white paper, too
		faded := [2]chart.Colour{chart.First, chart.Second}[side].Fade(.3)
		if rgb, ok := b.d.Game.Side(side).RGB(); ok {
			faded = color.NRGBA{uint8(rgb[0]), uint8(rgb[1]), uint8(rgb[2]), 0x4d}
		}
		b.fill(faded, cell)
	}
}

// coordinates writes the names of columns above the board and those of rows to its left.
func (b *brush) coordinates() {
	columns := b.d.Game.Columns()
	for c := range columns {
		x, y := b.centre(c)
		b.text(x, y-.78, .27, chart.Muted, string(rune('a'+c)))
	}
	for r := range b.d.Game.Rows() {
		x, y := b.centre(r * columns)
		b.text(x-.76, y, .27, chart.Muted, fmt.Sprint(r+1))
	}
}

// piece draws the piece of a cell: X filled with rounded corners, O as a ring, each with its letter or the number of
// its move.
func (b *brush) piece(cell int) {
	x, y := b.centre(cell)
	label := strings.ToUpper(b.d.Board[cell : cell+1])
	if n := b.d.Numbers[cell]; n > 0 {
		label = fmt.Sprint(n)
	}
	r := b.d.Game.Rules()
	side, _, ok := r.KindAt(b.d.Board[cell])
	first, second := chart.First, chart.Second
	if b.d.Game.Mechanics().Has(rules.SharedPieces) {
		first, second = chart.Ink, chart.Ink
	}
	switch h := .34; {
	case b.d.Board[cell] == '#' && b.d.Game.BoardCells().Has(engines.Cell(cell)): // blocked
		b.fill(chart.Muted, b.outline(x, y, .42))
	case ok && side == engines.First:
		square := b.square(x, y, h)
		fill, edge, ink := b.side(engines.First, first, first, chart.Paper)
		b.fill(fill, square)
		b.stroke(edge, .03, square)
		b.text(x, y, .38, ink, label)
	case ok:
		fill, edge, ink := b.side(engines.Second, chart.Paper, second, second)
		b.fill(fill, b.circle(x, y, .35))
		b.stroke(edge, .06, b.circle(x, y, h))
		b.text(x, y, .38, ink, label)
	}
}

// side returns the colours of a side's pieces. On a screen these are the ones that the rules state, if any.
func (b *brush) side(side int, fill, edge, ink color.Color) (of, around, on color.Color) {
	s := b.d.Game.Side(side)
	rgb, ok := s.RGB()
	if !ok || b.d.Print {
		return fill, edge, ink
	}
	letter := color.Color(color.White)
	if s.Ink() == "#000000" {
		letter = color.Black
	}
	return color.RGBA{uint8(rgb[0]), uint8(rgb[1]), uint8(rgb[2]), 0xff}, chart.Ink, letter
}

// arrow draws an arrow from one cell to another. Across joined edges it has two parts, which go on to the edge of the
// picture.
func (b *brush) arrow(from, to int) {
	x0, y0 := b.centre(from)
	x1, y1 := b.centre(to)
	ox, oy, joined := b.way(x1-x0, y1-y0)
	far := math.Hypot(ox, oy)
	if far == 0 {
		return
	}
	dx, dy := ox/far, oy/far
	x0 += .1 * dx
	y0 += .1 * dy
	x1 -= .36 * dx
	y1 -= .36 * dy
	if joined {
		b.stroke(chart.Ink, .06, b.shape(false, xy{x0, y0}, xy{x0 + ox, y0 + oy}))
		x0, y0 = x1-ox, y1-oy
	}
	b.stroke(chart.Ink, .06, b.shape(false, xy{x0, y0}, xy{x1 - .1*dx, y1 - .1*dy}))
	b.fill(chart.Ink, b.shape(true, xy{x1, y1}, xy{x1 - .24*dx - .12*dy, y1 - .24*dy + .12*dx},
		xy{x1 - .24*dx + .12*dy, y1 - .24*dy - .12*dx}))
}

// way returns the shortest way that has a given offset, along a row, column or diagonal if one has. It may cross joined
// edges.
func (b *brush) way(x, y float64) (dx, dy float64, joined bool) {
	w, h := b.d.cells()
	across, down := b.d.Game.Rules().Board.Joined()
	if !across {
		w = 0
	}
	if !down {
		h = 0
	}
	least := math.Inf(1)
	for i := range 9 { // first without a joined edge
		ox, oy := x+float64((i+1)%3-1)*w, y+float64((i/3+1)%3-1)*h
		far := math.Hypot(ox, oy)
		if ox*oy != 0 && math.Abs(ox) != math.Abs(oy) {
			far += w + h
		}
		if far < least {
			dx, dy, least = ox, oy, far
		}
	}
	return dx, dy, dx != x || dy != y
}
