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

// sum returns the number of values; 0 for a bar that cannot be drawn.
func (b Bin) sum() (n float64) {
	for _, v := range b.Counts {
		if finite(v, b.Lo, b.Hi) && b.Lo < b.Hi {
			n += max(v, 0)
		}
	}
	return n
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
	xs, most := newSpread(), 0.0
	for _, b := range h.Bins {
		if n := b.sum(); n > 0 {
			xs.add(b.Lo, b.Hi)
			most = max(most, n)
		}
	}
	if most == 0 {
		return noData("histogram")
	}
	x := h.X
	if x.Min == 0 && x.Max == 0 {
		x.Min, x.Max = xs.lo, xs.hi
	}
	w, height := h.Size()
	f := newFrame(x, Axis{Label: h.Y, Unit: Integer, Max: most * 1.08}, xs, newSpread(), w, height, false, true)
	parts := h.Parts
	if len(parts) > 1 {
		f.top += 18
	} else {
		parts = nil
	}
	f.Add(paint(func(c draw.Canvas, p *plot.Plot, x, y transform) {
		for _, b := range h.Bins {
			if b.sum() == 0 {
				continue
			}
			x0 := clamp(x(b.Lo), c.Min.X, c.Max.X)
			x1 := clamp(x(b.Hi), c.Min.X, c.Max.X)
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
					k = h.Parts[j].colour(j)
				}
				fill(c, k, rect(x0, y(from), x1, y(from+v)))
				from += v
			}
		}
		legend(c, markHeight*vg.Length(min(len(h.Marks), 2)), partsKey(parts))
	}), marks(h.Marks))
	f.headroom(h.Marks)
	f.draw(c)
	return nil
}
