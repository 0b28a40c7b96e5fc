package chart

import (
	"math"
	"sort"

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
	var names []label
	for _, s := range l.Lines {
		names = append(names, label{text: s.Name})
	}
	for _, r := range l.Refs {
		names = append(names, label{text: r.Label})
	}
	return 220 + float64(endRoom(names)), 90 + 14*float64(len(names))
}

// clean returns the series without points that cannot be drawn, in order of X.
func (l *Lines) clean() []Line {
	var out []Line
	for i, s := range l.Lines {
		t := s
		t.Points = nil
		for _, p := range s.Points {
			if finite(p.X, p.Y) {
				t.Points = append(t.Points, p)
			}
		}
		sort.SliceStable(t.Points, func(a, b int) bool { return t.Points[a].X < t.Points[b].X })
		t.Colour = s.Colour.or(Series()[i%len(Series())])
		if len(t.Points) > 0 {
			out = append(out, t)
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
			ys.add(p.Y)
			if s.Style == Plain || s.Style == Stairs {
				continue
			}
			if hasInterval(p.Y, p.Lo, p.Hi) {
				ys.add(p.Lo, p.Hi)
			}
		}
		if s.Name != "" {
			names = append(names, label{s.Name, s.Points[len(s.Points)-1].Y, s.Colour})
		}
	}
	for _, r := range l.Refs {
		ys.add(r.Value)
	}
	w, h := l.Size()
	for _, r := range l.Refs {
		if r.Label != "" && finite(r.Value) {
			names = append(names, label{r.Label, r.Value, Muted})
		}
	}
	f := newFrame(l.X, l.Y, xs, ys, w, h, false, true)
	f.Add(zone(l.Zone, false), levels(l.Refs))
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
	return paint(func(c draw.Canvas, p *plot.Plot, x, y func(float64) vg.Length) {
		at := func(q Point) vg.Point { return vg.Point{X: x(q.X), Y: y(q.Y)} }
		if s.Style == Band {
			var up, down []vg.Point
			for _, q := range s.Points {
				if !hasInterval(q.Y, q.Lo, q.Hi) {
					continue
				}
				lo, hi := y(q.Lo), y(q.Hi)
				if open(q.Lo, q.Hi) {
					upright.draw(c, lineStyle(s.Colour, 1), x(q.X), lo, hi)
					lo, hi = clamp(lo, c.Min.Y, c.Max.Y), clamp(hi, c.Min.Y, c.Max.Y)
				}
				up = append(up, vg.Point{X: x(q.X), Y: hi})
				down = append(down, vg.Point{X: x(q.X), Y: lo})
			}
			for i := len(down) - 1; i >= 0; i-- {
				up = append(up, down[i])
			}
			if len(up) > 2 {
				c.FillPolygon(s.Colour.Fade(0.18), c.ClipPolygonXY(up))
			}
		}
		var path []vg.Point
		for i, q := range s.Points {
			if s.Style == Stairs && i > 0 {
				path = append(path, vg.Point{X: x(q.X), Y: path[len(path)-1].Y})
			}
			path = append(path, at(q))
		}
		width := 2.0
		if s.Style == Whiskers {
			width = 1
		}
		if s.Style != Dots {
			c.StrokeLines(lineStyle(s.Colour, width), c.ClipLinesXY(path)...)
		}
		if s.Style == Whiskers || s.Style == Dots {
			for _, q := range s.Points {
				if hasInterval(q.Y, q.Lo, q.Hi) {
					upright.draw(c, lineStyle(s.Colour, 1.5), x(q.X), y(q.Lo), y(q.Hi))
				}
			}
		}
		if (s.Style == Whiskers || s.Style == Dots || s.Style == Band) && len(s.Points) <= 20 {
			for _, q := range s.Points {
				dot(c, s.Colour, at(q), 3)
			}
		}
	})
}

// dot draws a filled circle if it is inside the canvas.
func dot(c draw.Canvas, k Colour, at vg.Point, radius float64) {
	if !c.Contains(at) {
		return
	}
	c.SetColor(k)
	c.Fill(circle(at, radius))
}

// ring draws an empty circle.
func ring(c draw.Canvas, k Colour, at vg.Point, radius float64) {
	if !c.Contains(at) {
		return
	}
	c.SetColor(Paper)
	c.Fill(circle(at, radius))
	c.SetLineStyle(lineStyle(k, 1.8))
	c.Stroke(circle(at, radius))
}

func circle(at vg.Point, radius float64) vg.Path {
	var p vg.Path
	p.Move(vg.Point{X: at.X + vg.Length(radius), Y: at.Y})
	p.Arc(at, vg.Length(radius), 0, 2*math.Pi)
	p.Close()
	return p
}
