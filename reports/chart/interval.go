package chart

import (
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// hasInterval reports whether there is an interval to draw. An infinite end is open. There is no interval if an
// end is NaN, or if both ends are 0 and the value is not: callers without an interval leave the ends at 0.
func hasInterval(value, lo, hi float64) bool {
	return lo <= hi && (lo != 0 || hi != 0 || value == 0)
}

func open(lo, hi float64) bool { return math.IsInf(lo, -1) || math.IsInf(hi, 1) }

// across is the axis along which an interval is drawn.
type across bool

const (
	level   across = false
	upright across = true
)

// draw draws the interval from lo to hi at a position of the other axis. An arrow shows that an end is open or beyond
// the axis.
func (a across) draw(c draw.Canvas, style draw.LineStyle, at, lo, hi vg.Length) {
	point := func(along, aside vg.Length) vg.Point {
		if a == upright {
			return vg.Point{X: at + aside, Y: along}
		}
		return vg.Point{X: along, Y: at + aside}
	}
	least, most, outside := c.Min.X, c.Max.X, !c.ContainsY(at)
	if a == upright {
		least, most, outside = c.Min.Y, c.Max.Y, !c.ContainsX(at)
	}
	if outside {
		return
	}
	size := 2 + style.Width
	from, to := clamp(lo, least, most), clamp(hi, least, most)
	c.StrokeLines(style, []vg.Point{point(from, 0), point(to, 0)})
	for _, e := range []struct{ at, end, inwards vg.Length }{{from, lo, 1}, {to, hi, -1}} {
		if e.at == e.end {
			c.StrokeLines(style, []vg.Point{point(e.at, -size), point(e.at, size)})
			continue
		}
		side := e.at + (size+1)*e.inwards
		c.StrokeLines(style, []vg.Point{point(side, size), point(e.at, 0), point(side, -size)})
	}
}
