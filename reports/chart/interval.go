package chart

import (
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"spar/ratings"
)

// bare is the method of a number that has no interval.
const bare = "none"

// Bare returns an estimate without an interval.
func Bare(v float64) ratings.Estimate { return ratings.Estimate{Value: v, Method: bare} }

// Between returns an estimate with an interval whose ends may be infinite, which means open.
func Between(v, lo, hi float64) ratings.Estimate {
	return ratings.Estimate{Value: v, Method: "any", Interval: ratings.Interval{
		Lo: lo, Hi: hi, LoOpen: math.IsInf(lo, -1), HiOpen: math.IsInf(hi, 1),
	}}
}

// value returns where an estimate is drawn; NaN if it is unknown.
func value(e ratings.Estimate) float64 {
	if !e.Known() {
		return math.NaN()
	}
	return e.At()
}

// Ends returns the ends of an estimate's interval: infinite if open, NaN if there is no interval.
func Ends(e ratings.Estimate) (lo, hi float64) {
	if lo, hi = e.Ends(); e.Method == bare || !(lo <= hi) || e.Method == "" && lo == 0 && hi == 0 {
		return math.NaN(), math.NaN()
	}
	return lo, hi
}

// addTo extends a range by an estimate and its interval.
func (s *spread) addTo(e ratings.Estimate) {
	if v := value(e); finite(v) {
		lo, hi := Ends(e)
		s.add(v, lo, hi)
	}
}

// across is the axis along which an interval is drawn.
type across bool

const (
	level   across = false
	upright across = true
)

// draw draws an interval at a position of the other axis, if there is one. An arrow shows that an end is open or beyond
// the axis.
func (a across) draw(c draw.Canvas, style draw.LineStyle, at vg.Length, e ratings.Estimate, place transform) {
	lo, hi := Ends(e)
	least := c.Min.X
	most := c.Max.X
	inside := c.ContainsY(at)
	if a == upright {
		least, most, inside = c.Min.Y, c.Max.Y, c.ContainsX(at)
	}
	if math.IsNaN(lo) || !inside {
		return
	}
	turned := func(along, aside vg.Length) vg.Point {
		if a == upright {
			return point(at+aside, along)
		}
		return point(along, at+aside)
	}
	size := 2 + style.Width
	from, to := clamp(place(lo), least, most), clamp(place(hi), least, most)
	c.StrokeLines(style, []vg.Point{turned(from, 0), turned(to, 0)})
	for _, e := range []struct{ at, end, inwards vg.Length }{{from, place(lo), 1}, {to, place(hi), -1}} {
		if e.at == e.end {
			c.StrokeLines(style, []vg.Point{turned(e.at, -size), turned(e.at, size)})
			continue
		}
		side := e.at + (size+1)*e.inwards
		c.StrokeLines(style, []vg.Point{turned(side, size), turned(e.at, 0), turned(side, -size)})
	}
}

// PointOf returns the point of an estimate at x.
func PointOf(x float64, e ratings.Estimate) Point { return Point{x, e} }

// PointAt returns a point without an interval.
func PointAt(x, y float64) Point { return Point{x, Bare(y)} }

// RowOf returns the row of an estimate with a name.
func RowOf(label string, e ratings.Estimate) Row { return Row{Label: label, Estimate: e} }

// Change returns a row with the values before and after a change.
func Change(label string, before, after ratings.Estimate) Row {
	return Row{Label: label, Estimate: after, From: &before}
}
