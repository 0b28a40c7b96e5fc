package chart

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Bin is one bar of a histogram: the number of values from Lo up to but not including Hi, for each part.
type Bin struct {
	Lo, Hi float64
	Counts []float64
}

// Histogram shows a distribution. The bars of several parts are stacked.
type Histogram struct {
	Dim
	X     Axis
	Y     string // label of the axis, like "games"
	Parts []Part // Parts of every bar; empty means one part without a name.
	Bins  []Bin
	Marks []Ref // vertical lines, like the median
}

// Size implements Chart.
func (h *Histogram) Size() (w, height float64) { return h.or(Half, 230) }

// Draw implements Chart.
func (h *Histogram) Draw(c draw.Canvas) error {
	xs, ys := newSpread(), newSpread()
	ys.add(0)
	for _, b := range h.Bins {
		if !finite(b.Lo, b.Hi) || b.Hi <= b.Lo {
			continue
		}
		sum := 0.0
		for _, v := range b.Counts {
			if finite(v) && v > 0 {
				sum += v
			}
		}
		ys.add(sum)
		xs.add(b.Lo, b.Hi)
	}
	if ys.hi == 0 {
		return noData("histogram")
	}
	x := h.X
	if x.Min == 0 && x.Max == 0 {
		x.Min, x.Max = xs.lo, xs.hi
	}
	w, height := h.Size()
	f := newFrame(x, Axis{Label: h.Y, Unit: Integer, Min: 0, Max: ys.hi * 1.08}, xs, ys, w, height, false, true)
	if len(h.Parts) > 1 {
		f.top += 18
	}
	f.Add(paint(func(c draw.Canvas, p *plot.Plot, x, y func(float64) vg.Length) {
		for _, b := range h.Bins {
			if !finite(b.Lo, b.Hi) || b.Hi <= b.Lo {
				continue
			}
			x0, x1 := clamp(x(b.Lo), c.Min.X, c.Max.X), clamp(x(b.Hi), c.Min.X, c.Max.X)
			if x1-x0 > 4 {
				x1--
			}
			from := 0.0
			for j, v := range b.Counts {
				if !finite(v) || v <= 0 {
					continue
				}
				k := A
				if j < len(h.Parts) {
					k = h.Parts[j].Colour.or(Series()[j%len(Series())])
				}
				y0, y1 := y(from), y(from+v)
				c.FillPolygon(k, []vg.Point{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}})
				from += v
			}
		}
		if len(h.Parts) > 1 {
			above := c
			above.Max.Y += markHeight * vg.Length(min(len(h.Marks), 2))
			(&Stack{Parts: h.Parts}).key(above)
		}
	}), marks(h.Marks))
	f.headroom(h.Marks)
	f.draw(c)
	return nil
}

// Quantiles are the five numbers that a box plot shows.
type Quantiles struct {
	Label                  string
	P5, P25, P50, P75, P95 float64
}

// Boxes is a list of box plots: quartiles and median, with whiskers from the 5th to the 95th percentile. The first is
// at the top.
type Boxes struct {
	Dim
	X    Axis
	Rows []Quantiles
}

// Size implements Chart.
func (b *Boxes) Size() (w, h float64) { return b.or(Half, rowsHeight(len(b.Rows))) }

// Draw implements Chart.
func (b *Boxes) Draw(c draw.Canvas) error {
	xs := newSpread()
	rows := make([]Row, len(b.Rows))
	for i, q := range b.Rows {
		xs.add(q.P5, q.P25, q.P50, q.P75, q.P95)
		rows[i] = Row{Label: q.Label, Value: q.P50, Note: auto(q.P50, b.X.Unit)}
	}
	if xs.empty() {
		return noData("quantiles")
	}
	f := &Forest{Dim: b.Dim, X: b.X, Rows: rows}
	frame, at := f.frame(xs)
	frame.Add(paint(func(c draw.Canvas, p *plot.Plot, x, y func(float64) vg.Length) {
		for i, q := range b.Rows {
			h := y(at(i))
			rowNote(c, h, rows[i])
			if !finite(q.P5, q.P25, q.P50, q.P75, q.P95) {
				continue
			}
			k := A
			in := func(v float64) vg.Length { return clamp(x(v), c.Min.X, c.Max.X) }
			c.StrokeLine2(lineStyle(k, 1.5), in(q.P5), h, in(q.P25), h)
			c.StrokeLine2(lineStyle(k, 1.5), in(q.P75), h, in(q.P95), h)
			box := []vg.Point{
				{X: in(q.P25), Y: h - 7},
				{X: in(q.P75), Y: h - 7},
				{X: in(q.P75), Y: h + 7},
				{X: in(q.P25), Y: h + 7},
				{X: in(q.P25), Y: h - 7},
			}
			c.FillPolygon(k.Fade(0.2), box[:4])
			c.StrokeLines(lineStyle(k, 1.5), box)
			c.StrokeLine2(lineStyle(k, 3), in(q.P50), h-7, in(q.P50), h+7)
		}
	}))
	frame.draw(c)
	return nil
}
