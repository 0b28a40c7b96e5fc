package chart

import (
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Bin is one bar of a histogram: how many values lie from Lo up to but not including Hi, by part.
type Bin struct {
	Lo, Hi float64
	Counts []float64
}

// Histogram shows how values are spread. With several parts the bars are stacked.
type Histogram struct {
	Dim
	X     Axis
	Y     string // label, like "games"
	Parts []Part // empty is one part without a name
	Bins  []Bin
	Marks []Ref // vertical lines, like the median
}

// Bins sorts values into bins of one width at round limits, at most about n of them; with whole true the bins hold whole
// numbers and their bars stand over them. Values that are not finite are left out.
func Bins(values []float64, n int, whole bool) []Bin {
	s := newSpread()
	s.add(values...)
	if s.empty() || n < 1 {
		return nil
	}
	width := (s.hi - s.lo) / float64(n)
	if width > 0 {
		mag := math.Pow(10, math.Floor(math.Log10(width)))
		for _, f := range []float64{1, 2, 5, 10} {
			if f*mag >= width*0.999 {
				width = f * mag
				break
			}
		}
	}
	shift := 0.0
	if whole {
		width, shift = math.Max(1, math.Ceil(width)), 0.5
	} else if width == 0 {
		width = math.Max(math.Abs(s.lo)*0.1, 0.1)
	}
	first := math.Floor((s.lo + shift) / width)
	bins := make([]Bin, int(math.Floor((s.hi+shift)/width)-first)+1)
	for i := range bins {
		lo := (first + float64(i)) * width
		bins[i] = Bin{lo - shift, lo + width - shift, []float64{0}}
	}
	for _, v := range values {
		if finite(v) {
			i := int(math.Floor((v+shift)/width) - first)
			bins[min(i, len(bins)-1)].Counts[0]++
		}
	}
	return bins
}

// Size implements Chart.
func (h *Histogram) Size() (w, height float64) { return h.or(Half, 230) }

// Draw implements Chart.
func (h *Histogram) Draw(c draw.Canvas) error {
	xs, ys := newSpread(), newSpread()
	ys.add(0)
	total := 0.0
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
		total += sum
		ys.add(sum)
		xs.add(b.Lo, b.Hi)
	}
	if total == 0 {
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

// Sample is a set of values.
type Sample struct {
	Name   string
	Values []float64
	Colour Colour
}

// ECDF shows the share of values up to each X, one staircase a sample.
type ECDF struct {
	Dim
	X       Axis
	Y       string // label, like "share of games"
	Samples []Sample
	Marks   []Ref
}

// Size implements Chart.
func (e *ECDF) Size() (w, h float64) { return e.or(Half, 230) }

// Draw implements Chart.
func (e *ECDF) Draw(c draw.Canvas) error {
	l := &Lines{Dim: e.Dim, X: e.X, Y: Axis{Label: e.Y, Unit: Percent, Min: 0, Max: 1}, Marks: e.Marks}
	for _, s := range e.Samples {
		l.Lines = append(l.Lines, Line{Name: s.Name, Colour: s.Colour, Style: Stairs, Points: Cumulative(s.Values)})
	}
	return l.Draw(c)
}

// Cumulative returns the corners of the empirical distribution of values, at most about 400 of them.
func Cumulative(values []float64) []Point {
	var vs []float64
	for _, v := range values {
		if finite(v) {
			vs = append(vs, v)
		}
	}
	if len(vs) == 0 {
		return nil
	}
	slices.Sort(vs)
	out := []Point{{X: vs[0]}}
	step := max(1, len(vs)/400)
	for i := range vs {
		last := i+1 == len(vs)
		if !last && (vs[i+1] == vs[i] || i%step != 0 && len(vs) > 400) {
			continue
		}
		out = append(out, Point{X: vs[i], Y: float64(i+1) / float64(len(vs)), N: len(vs)})
	}
	return out
}

// Quantiles are the five numbers of a box.
type Quantiles struct {
	Label                  string
	P5, P25, P50, P75, P95 float64
	N                      int
	Colour                 Colour
}

// Boxes is a list of boxes from the lower to the upper quartile with the median in them, and whiskers from the 5th to the
// 95th percentile. The first stands at the top.
type Boxes struct {
	Dim
	X    Axis
	Rows []Quantiles
	Refs []Ref
	Zone [2]float64
}

// Size implements Chart.
func (b *Boxes) Size() (w, h float64) { return b.or(Half, rowsHeight(len(b.Rows))) }

// Draw implements Chart.
func (b *Boxes) Draw(c draw.Canvas) error {
	xs := newSpread()
	rows := make([]Row, len(b.Rows))
	for i, q := range b.Rows {
		xs.add(q.P5, q.P25, q.P50, q.P75, q.P95)
		rows[i] = Row{Label: q.Label, Value: q.P50, N: q.N, Note: auto(q.P50, b.X.Unit)}
	}
	if xs.empty() {
		return noData("quantiles")
	}
	f := &Forest{Dim: b.Dim, X: b.X, Rows: rows}
	frame, at := f.frame(xs)
	frame.Add(zone(b.Zone, true), marks(b.Refs), paint(func(c draw.Canvas, p *plot.Plot, x, y func(float64) vg.Length) {
		for i, q := range b.Rows {
			h := y(at(i))
			rowNote(c, h, rows[i])
			if !finite(q.P5, q.P25, q.P50, q.P75, q.P95) {
				continue
			}
			k := q.Colour.or(A)
			in := func(v float64) vg.Length { return clamp(x(v), c.Min.X, c.Max.X) }
			c.StrokeLine2(lineStyle(k, 1.5), in(q.P5), h, in(q.P25), h)
			c.StrokeLine2(lineStyle(k, 1.5), in(q.P75), h, in(q.P95), h)
			box := []vg.Point{{X: in(q.P25), Y: h - 7}, {X: in(q.P75), Y: h - 7}, {X: in(q.P75), Y: h + 7}, {X: in(q.P25), Y: h + 7}, {X: in(q.P25), Y: h - 7}}
			c.FillPolygon(k.Fade(0.2), box[:4])
			c.StrokeLines(lineStyle(k, 1.5), box)
			c.StrokeLine2(lineStyle(k, 3), in(q.P50), h-7, in(q.P50), h+7)
		}
	}))
	frame.headroom(b.Refs)
	frame.draw(c)
	return nil
}
