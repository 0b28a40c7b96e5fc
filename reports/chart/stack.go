package chart

import (
	"fmt"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Part is a part of a whole. It has the same colour in every bar.
type Part struct {
	Name   string
	Colour Colour
}

// Outcome returns the parts for results of games. Games ended by a cap have their own part and are not draws.
func Outcome() []Part {
	return []Part{{"first wins", First}, {"draw", Draws}, {"cap", Caps}, {"second wins", Second}}
}

// Bar is one bar of a Stack.
type Bar struct {
	Label string
	// one for each part: counts or fractions, drawn as fractions of their sum; negative ones count as 0
	Values []float64
	N      int // number written at the right; 0 = none
}

// Stack is a list of bars of 100 %, each divided into its parts with their percentages. The first bar is at the
// top.
type Stack struct {
	Dim
	Parts []Part
	Bars  []Bar
	Ref   float64 // place of a vertical line, such as 0.5; 0 = none
}

// Size implements Chart.
func (s *Stack) Size() (w, h float64) { return s.or(Half, rowsHeight(len(s.Bars))+22) }

// Draw implements Chart.
func (s *Stack) Draw(c draw.Canvas) error {
	rows := make([]Row, len(s.Bars))
	shares := make([][]float64, len(s.Bars))
	some := false
	for i, b := range s.Bars {
		rows[i] = Row{Label: b.Label, Note: " "}
		if b.N > 0 {
			rows[i].Note = fmt.Sprintf("n = %s", Text(float64(b.N), Integer, 0))
		}
		shares[i] = sharesOf(b.Values, len(s.Parts))
		if shares[i] == nil {
			rows[i].Note = "no games"
		} else {
			some = true
		}
	}
	if !some {
		return noData("shares")
	}
	f := &Forest{Dim: s.Dim, X: Axis{Unit: Percent, Min: 0, Max: 1}, Rows: rows}
	frame, at := f.frame(newSpread())
	frame.top = 30
	frame.Add(paint(func(c draw.Canvas, p *plot.Plot, x, y func(float64) vg.Length) {
		for i := range s.Bars {
			h := y(at(i))
			rowNote(c, h, rows[i])
			from := 0.0
			for j, v := range shares[i] {
				if v <= 0 {
					continue
				}
				x0, x1 := x(from), x(from+v)
				from += v
				k := s.Parts[j].Colour.or(Series()[j%len(Series())])
				c.FillPolygon(k, []vg.Point{{X: x0, Y: h - 9}, {X: x1 - 1, Y: h - 9}, {X: x1 - 1, Y: h + 9}, {X: x0, Y: h + 9}})
				t := textStyle(tickSize, Paper)
				t.XAlign = text.XCenter
				if note := Text(v, Percent, 0); t.Width(note)+6 < x1-x0 {
					c.FillText(t, vg.Point{X: (x0 + x1) / 2, Y: h + lift}, note)
				}
			}
		}
		if s.Ref > 0 {
			c.StrokeLine2(dashed(Ink), x(s.Ref), c.Min.Y, x(s.Ref), c.Max.Y)
		}
		s.key(c)
	}))
	frame.draw(c)
	return nil
}

// key draws a legend of the parts above the bars.
func (s *Stack) key(c draw.Canvas) {
	at := vg.Point{X: c.Min.X, Y: c.Max.Y + 14}
	for j, p := range s.Parts {
		k := p.Colour.or(Series()[j%len(Series())])
		c.FillPolygon(k, []vg.Point{
			{X: at.X, Y: at.Y - 5},
			{X: at.X + 10, Y: at.Y - 5},
			{X: at.X + 10, Y: at.Y + 5},
			{X: at.X, Y: at.Y + 5},
		})
		t := textStyle(tickSize, Ink)
		c.FillText(t, vg.Point{X: at.X + 14, Y: at.Y + lift}, p.Name)
		at.X += 14 + t.Width(p.Name) + 12
	}
}

// sharesOf divides values by their sum; nil if the sum is 0.
func sharesOf(vs []float64, parts int) []float64 {
	out := make([]float64, parts)
	sum := 0.0
	for i := 0; i < parts && i < len(vs); i++ {
		if finite(vs[i]) {
			out[i] = max(vs[i], 0)
			sum += out[i]
		}
	}
	if sum == 0 {
		return nil
	}
	for i := range out {
		out[i] /= sum
	}
	return out
}
