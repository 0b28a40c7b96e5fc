package chart

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Style is the way in which a line shows its points and intervals.
type Style int

// The styles of lines.
const (
	Band     Style = iota // a line, with the intervals as a shaded band
	Whiskers              // dots with whiskers, joined by a thin line
	Plain                 // a line without intervals
	Stairs                // a line of steps, for example for a cumulative fraction
	Dots                  // dots with whiskers, not joined
)

// Line is one series of Lines. Its name is written at its right end.
type Line struct {
	Name   string
	Points []Point // in any order
	Colour Colour  // colour of the line; the zero value means the next one of Series
	Style  Style
}

// Lines is a chart of series over a common X, each with its intervals.
type Lines struct {
	Dim
	X, Y  Axis
	Lines []Line
	Refs  []Ref      // horizontal reference lines
	Zone  [2]float64 // range of Y to shade, such as the values that count as fair; both 0 = none
}

// Size implements Chart.
func (l *Lines) Size() (w, h float64) { return l.or(Half, 250) }

// Least implements Sized.
func (l *Lines) Least() (w, h float64) {
	names := refLabels(l.Refs)
	for _, s := range l.Lines {
		names = append(names, label{text: s.Name})
	}
	return 220 + float64(endRoom(names)), 90 + 14*float64(len(names))
}

// clean returns the series without points that cannot be drawn, in order of X.
func (l *Lines) clean() (out []Line) {
	for i, s := range l.Lines {
		s.Points = slices.DeleteFunc(slices.Clone(s.Points), func(p Point) bool {
			return !finite(p.X, value(p.Y))
		})
		slices.SortStableFunc(s.Points, func(a, b Point) int { return cmp.Compare(a.X, b.X) })
		if s.Colour = s.Colour.or(series(i)); len(s.Points) > 0 {
			out = append(out, s)
		}
	}
	return out
}

// Draw implements Chart.
func (l *Lines) Draw(c draw.Canvas) error {
	lines := l.clean()
	if len(lines) == 0 {
		return noData("lines")
	}
	xs, ys := newSpread(), newSpread()
	var names []label
	for _, s := range lines {
		for _, p := range s.Points {
			xs.add(p.X)
			if s.Style == Plain || s.Style == Stairs {
				ys.add(value(p.Y))
			} else {
				ys.addTo(p.Y)
			}
		}
		if s.Name != "" {
			names = append(names, label{text: s.Name, y: value(s.Points[len(s.Points)-1].Y), colour: s.Colour})
		}
	}
	for _, r := range l.Refs {
		ys.add(r.Value)
	}
	names = append(names, refLabels(l.Refs)...)
	w, h := l.Size()
	f := newFrame(l.X, l.Y, xs, ys, w, h, false, true)
	f.Add(zone(l.Zone), levels(l.Refs))
	for _, s := range lines {
		f.Add(s.plotter())
	}
	f.Add(endLabels(names))
	f.right = endRoom(names)
	f.draw(c)
	return nil
}

// plotter draws one series, clipped to the axes.
func (s Line) plotter() plot.Plotter {
	return paint(func(c draw.Canvas, p *plot.Plot, x, y transform) {
		var path, up, down []vg.Point
		for i, q := range s.Points {
			at := point(x(q.X), y(value(q.Y)))
			if s.Style == Stairs && i > 0 {
				path = append(path, point(at.X, path[len(path)-1].Y))
			}
			path = append(path, at)
			if lo, hi := Ends(q.Y); s.Style == Band && !math.IsNaN(lo) {
				if math.IsInf(lo, -1) || math.IsInf(hi, 1) {
					upright.draw(c, lineStyle(s.Colour, 1), at.X, q.Y, y)
				}
				up = append(up, point(at.X, clamp(y(hi), c.Min.Y-1e4, c.Max.Y+1e4)))
				down = append(down, point(at.X, clamp(y(lo), c.Min.Y-1e4, c.Max.Y+1e4)))
			}
		}
		slices.Reverse(down)
		if up = append(up, down...); len(up) > 2 {
			c.FillPolygon(s.Colour.Fade(0.18), c.ClipPolygonXY(up))
		}
		switch s.Style {
		case Dots:
		case Whiskers:
			c.StrokeLines(lineStyle(s.Colour, 1), c.ClipLinesXY(path)...)
		default:
			c.StrokeLines(lineStyle(s.Colour, 2), c.ClipLinesXY(path)...)
		}
		for _, q := range s.Points {
			if s.Style == Whiskers || s.Style == Dots {
				upright.draw(c, lineStyle(s.Colour, 1.5), x(q.X), q.Y, y)
			}
		}
		for _, q := range s.Points {
			if s.Style != Plain && s.Style != Stairs && len(s.Points) <= 20 {
				dot(c, s.Colour, point(x(q.X), y(value(q.Y))), 3)
			}
		}
	})
}
