package diagram

import (
	"fmt"
	"io"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgpdf"

	"spar/engines"
	"spar/reports/board"
	"spar/reports/chart"
)

// Papers returns the sizes of paper in millimetres by name.
func Papers() map[string][2]float64 {
	return map[string][2]float64{"a4": {210, 297}, "letter": {215.9, 279.4}}
}

const (
	edge    = 12.0 // margin in millimetres that printers cannot print on
	leastMM = 8.0  // minimum width of a cell in millimetres
	mostMM  = 100.0
)

// Sheets writes a pdf to be printed at 100 %: the board with cells of mm millimetres, on several sheets if needed,
// and the pieces of both sides to cut out.
func Sheets(w io.Writer, g *engines.Game, mm float64, paper string) error {
	size, ok := Papers()[paper]
	if !ok {
		return fmt.Errorf("paper %q %w: expected a4 or letter", paper, ErrForm)
	}
	if !(mm >= leastMM && mm <= mostMM) {
		return fmt.Errorf("cells of %g mm %w: expected %g to %g", mm, ErrForm, leastMM, mostMM)
	}
	p := g.NewPosition()
	f := board.Of(&p.State)
	d := &Diagram{Game: g, Board: f.Board, Print: true, Bare: true, Unit: float64(vg.Length(mm) * vg.Millimeter)}
	width, height := d.Size()
	page := [2]vg.Length{vg.Length(size[0]) * vg.Millimeter, vg.Length(size[1]) * vg.Millimeter}
	roomX, roomY := page[0]-2*edge*vg.Millimeter, page[1]-2*edge*vg.Millimeter
	pdf := vgpdf.New(page[0], page[1])
	across, down := int(math.Ceil(width/float64(roomX))), int(math.Ceil(height/float64(roomY)))
	next := func(started bool) {
		if started {
			pdf.NextPage()
		}
	}
	for row := range down {
		for column := range across {
			next(row+column > 0)
			c := draw.New(pdf)
			b := &brush{
				d: d, c: c, unit: d.Unit, left: edge*vg.Millimeter - vg.Length(column)*roomX,
				top: page[1] - edge*vg.Millimeter + vg.Length(row)*roomY,
			}
			b.board()
			blank(c, page)
			if across*down > 1 {
				label := fmt.Sprintf("%s, sheet %d of %d: cut along the edges and join", g.Name(), row*across+column+1, across*down)
				(&brush{d: d, c: c, unit: float64(vg.Millimeter), top: page[1]}).text(size[0]/2, 6, 3.5, b.colour(chart.Ink), label)
			}
		}
	}
	for side, n := range pieces(p) {
		perRow := int(float64(roomX) / d.Unit)
		perPage := perRow * int(float64(roomY)/d.Unit)
		for i := range n {
			if i%perPage == 0 {
				pdf.NextPage()
			}
			at := i % perPage
			b := &brush{d: d, c: draw.New(pdf), unit: d.Unit, left: edge * vg.Millimeter, top: page[1] - edge*vg.Millimeter}
			b.token(float64(at%perRow)+.5, float64(at/perRow)+.5, side)
		}
	}
	_, err := pdf.WriteTo(w)
	return err
}

// blank clears the margins of a sheet, whose content belongs to the neighbouring sheets.
func blank(c draw.Canvas, page [2]vg.Length) {
	b := &brush{d: &Diagram{Print: true}, c: c}
	e := edge * vg.Millimeter
	for _, r := range [][4]vg.Length{
		{0, 0, page[0], e},
		{0, page[1] - e, page[0], page[1]},
		{0, 0, e, page[1]},
		{page[0] - e, 0, page[0], page[1]},
	} {
		var p vg.Path
		p.Move(vg.Point{X: r[0], Y: r[1]})
		p.Line(vg.Point{X: r[2], Y: r[1]})
		p.Line(vg.Point{X: r[2], Y: r[3]})
		p.Line(vg.Point{X: r[0], Y: r[3]})
		p.Close()
		b.fill(b.paper(), p)
	}
}

// pieces returns how many pieces each side needs: those of the start and the hand, or the maximum that can be on
// the board.
func pieces(p *engines.Position) (n [2]int) {
	r := p.Game().Rules()
	for side := range n {
		n[side] = p.Pieces(side).Count() + p.Hand(side)
		switch {
		case r.Pieces.Cap > 0:
			n[side] = r.Pieces.Cap + 1
		case n[side] == 0, r.Pieces.Supply == 0 && r.Movement.Steps == "none" && len(r.Setup) == 0:
			n[side] = (p.Game().Cells() + 1) / 2
		}
	}
	return n
}

// token draws a piece to cut out, within a square.
func (b *brush) token(x, y float64, side int) {
	b.stroke(b.colour(chart.Ink), .01, b.shape(true, [2]float64{x - .4, y - .4}, [2]float64{x + .4, y - .4},
		[2]float64{x + .4, y + .4}, [2]float64{x - .4, y + .4}))
	if side == engines.First {
		b.fill(b.colour(chart.Ink), circle(b.at(x, y), b.length(.3)))
		return
	}
	b.stroke(b.colour(chart.Ink), .06, circle(b.at(x, y), b.length(.28)))
}
