package chart

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Part is a part of each bar. It has the same colour in every bar.
type Part struct {
	Name   string
	Colour Colour
}

func (p Part) colour(i int) Colour { return p.Colour.or(series(i)) }

// partsKey returns the legend of parts.
func partsKey(parts []Part) (key []entry) {
	for i, p := range parts {
		key = append(key, entry{p.Name, func(c draw.Canvas, at vg.Point) {
			block(c, p.colour(i), rect(at.X-5, at.Y-5, at.X+5, at.Y+5))
		}})
	}
	return key
}

// Outcome returns the parts for results of games. Games ended by a cap have their own part and are not draws.
func Outcome(named func(string) string) []Part {
	return []Part{{named("first player"), First}, {"draw", Draws}, {"ply limit", Caps}, {named("second player"), Second}}
}

// Bar is one bar of a Stack.
type Bar struct {
	Label string
	// one for each part: counts or fractions, drawn as fractions of their sum; negative ones count as 0
	Values []float64
	N      int // number of games, written at the right; 0 = none
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
	f := &Forest{Dim: s.Dim, X: Axis{Unit: Percent, Max: 1}}
	shares := make([][]float64, len(s.Bars))
	some := false
	for i, b := range s.Bars {
		row := Row{Label: b.Label, Note: " "}
		if b.N > 0 {
			row.Note = Text(float64(b.N), Integer, 0) + " games"
		}
		if shares[i] = sharesOf(b.Values, len(s.Parts)); shares[i] == nil {
			row.Note = "no games"
		}
		some = some || shares[i] != nil
		f.Rows = append(f.Rows, row)
	}
	if !some {
		return noData("shares")
	}
	frame, height := f.frame(newSpread())
	used := make([]Part, len(s.Parts)) // the legend has no others
	frame.top = 30
	frame.Add(paint(func(c draw.Canvas, p *plot.Plot, x, y transform) {
		if s.Ref > 0 { // below the bars, so that it strikes through no label
			c.StrokeLine2(dashed(Ink), x(s.Ref), c.Min.Y, x(s.Ref), c.Max.Y)
		}
		for i := range s.Bars {
			h := y(height(i))
			rowNote(c, h, f.Rows[i].Note)
			from := 0.0
			for j, v := range shares[i] {
				if v <= 0 {
					continue
				}
				x0, x1 := x(from), x(from+v)
				from += v
				k := s.Parts[j].colour(j)
				used[j] = Part{s.Parts[j].Name, k}
				block(c, k, rect(x0, h-9, x1-1, h+9))
				t := textStyle(tickSize, k.ink())
				t.XAlign = text.XCenter
				if note := Text(v, Percent, 0); t.Width(note)+6 < x1-x0 {
					c.FillText(t, point((x0+x1)/2, h+lift), note)
				}
			}
		}
		legend(c, 0, partsKey(used))
	}))
	frame.draw(c)
	return nil
}

// sharesOf divides values by their sum; nil if the sum is 0.
func sharesOf(vs []float64, parts int) []float64 {
	out := make([]float64, parts)
	sum := 0.0
	for i := range min(parts, len(vs)) {
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
