package chart

import (
	"cmp"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"spar/ratings"
)

// Dot is a named point of a Scatter.
type Dot struct {
	X, Y   ratings.Estimate
	Label  string // written at the right of the chart, for dots of the front; if there are few dots, for all
	Front  bool   // the dot is on the Pareto front, which is drawn as a line
	Hollow bool   // draw a ring, for a point with few games
	Colour Colour // of the dot and its intervals; the zero value is A
}

// Scatter shows things such as agents or games as points. Two numbers of each thing are its coordinates.
type Scatter struct {
	Dim
	X, Y Axis
	Dots []Dot
	All  bool // every dot has its name
}

// few is the number of dots up to which all have their names.
const few = 30

// Size implements Chart.
func (s *Scatter) Size() (w, h float64) { return s.or(Half, 300) }

// Least implements Sized.
func (s *Scatter) Least() (w, h float64) {
	names := s.names()
	return 200 + float64(endRoom(names)), 100 + float64(gap)*float64(len(names))
}

// names returns the labels of the dots.
func (s *Scatter) names() []label {
	var names []label
	for _, d := range s.Dots {
		x, y := value(d.X), value(d.Y)
		if d.Label != "" && finite(x, y) && (d.Front || s.All || len(s.Dots) <= few) {
			l := label{text: d.Label, x: x, y: y, colour: Muted, dot: true}
			if d.Front {
				l.colour = Ink
			}
			names = append(names, l)
		}
	}
	return names
}

// Draw implements Chart.
func (s *Scatter) Draw(c draw.Canvas) error {
	xs, ys := newSpread(), newSpread()
	dots := slices.DeleteFunc(slices.Clone(s.Dots), func(d Dot) bool {
		return !finite(value(d.X), value(d.Y))
	})
	if len(dots) == 0 {
		return noData("points")
	}
	for _, d := range dots {
		xs.addTo(d.X)
		ys.addTo(d.Y)
	}
	w, h := s.Size()
	f := newFrame(s.X, s.Y, xs, ys, w, h, true, true)
	names := s.names()
	f.right = max(14, endRoom(names))
	f.Add(endLabels(names),
		paint(func(c draw.Canvas, p *plot.Plot, x, y transform) {
			var front []vg.Point
			for _, d := range dots {
				if d.Front {
					front = append(front, point(x(value(d.X)), y(value(d.Y))))
				}
			}
			slices.SortFunc(front, func(a, b vg.Point) int { return cmp.Compare(a.X, b.X) })
			c.StrokeLines(dashed(Muted), c.ClipLinesXY(front)...)
			for _, d := range dots {
				k, at := d.Colour.or(A), point(x(value(d.X)), y(value(d.Y)))
				level.draw(c, lineStyle(k, 1), at.Y, d.X, x)
				upright.draw(c, lineStyle(k, 1), at.X, d.Y, y)
				if d.Hollow {
					ring(c, k, at, 4)
				} else {
					dot(c, k, at, 4)
				}
			}
		}))
	f.draw(c)
	return nil
}
