package chart

import (
	"sort"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Dot is a named point of a Scatter.
type Dot struct {
	X, Y     float64
	XLo, XHi float64 // interval; infinite ends are open, and there is no interval if both ends are 0 or one is NaN
	YLo, YHi float64
	Label    string // written next to dots of the front; if there are few dots, next to all
	Front    bool   // the dot is on the Pareto front, which is drawn as a line
	Hollow   bool   // draw a ring, for a point with few games
}

// Scatter shows many things as points, by two numbers of each.
type Scatter struct {
	Dim
	X, Y  Axis
	Dots  []Dot
	Refs  []Ref // horizontal reference lines
	Marks []Ref // vertical reference lines
}

// Size implements Chart.
func (s *Scatter) Size() (w, h float64) { return s.or(Half, 300) }

// Draw implements Chart.
func (s *Scatter) Draw(c draw.Canvas) error {
	xs, ys := newSpread(), newSpread()
	var dots []Dot
	for _, d := range s.Dots {
		if finite(d.X, d.Y) {
			dots = append(dots, d)
			xs.add(d.X)
			ys.add(d.Y)
			if d.hasX() {
				xs.add(d.XLo, d.XHi)
			}
			if d.hasY() {
				ys.add(d.YLo, d.YHi)
			}
		}
	}
	if len(dots) == 0 {
		return noData("points")
	}
	for _, r := range s.Marks {
		xs.add(r.Value)
	}
	for _, r := range s.Refs {
		ys.add(r.Value)
	}
	w, h := s.Size()
	f := newFrame(s.X, s.Y, xs, ys, w, h, true, true)
	var names []label
	for _, r := range s.Refs {
		if r.Label != "" && finite(r.Value) {
			names = append(names, label{r.Label, r.Value, Muted})
		}
	}
	f.right = max(14, endRoom(names))
	f.Add(endLabels(names))
	f.headroom(s.Marks)
	f.Add(levels(s.Refs), marks(s.Marks), paint(func(c draw.Canvas, p *plot.Plot, x, y func(float64) vg.Length) {
		var front []vg.Point
		for _, d := range dots {
			if d.Front {
				front = append(front, vg.Point{X: x(d.X), Y: y(d.Y)})
			}
		}
		sort.Slice(front, func(i, j int) bool { return front[i].X < front[j].X })
		c.StrokeLines(dashed(Muted), c.ClipLinesXY(front)...)
		for _, d := range dots {
			at := vg.Point{X: x(d.X), Y: y(d.Y)}
			k := A
			thin := lineStyle(k, 1)
			if d.hasX() {
				level.draw(c, thin, at.Y, x(d.XLo), x(d.XHi))
			}
			if d.hasY() {
				upright.draw(c, thin, at.X, y(d.YLo), y(d.YHi))
			}
			if d.Hollow {
				ring(c, k, at, 4)
			} else {
				dot(c, k, at, 4)
			}
		}
		s.labels(c, dots, x, y)
	}))
	f.draw(c)
	return nil
}

func (d Dot) hasX() bool { return hasInterval(d.X, d.XLo, d.XHi) && d.XLo < d.XHi }
func (d Dot) hasY() bool { return hasInterval(d.Y, d.YLo, d.YHi) && d.YLo < d.YHi }

// labels writes names next to their dots where they overlap no dot or interval. It omits names that have no such
// place.
func (s *Scatter) labels(c draw.Canvas, dots []Dot, x, y func(float64) vg.Length) {
	var taken []vg.Rectangle
	for _, d := range dots {
		at := vg.Point{X: x(d.X), Y: y(d.Y)}
		taken = append(taken, vg.Rectangle{Min: vg.Point{X: at.X - 4, Y: at.Y - 4}, Max: vg.Point{X: at.X + 4, Y: at.Y + 4}})
		if d.hasX() { // an interval strikes through no name
			taken = append(taken, vg.Rectangle{Min: vg.Point{X: x(d.XLo), Y: at.Y - 1}, Max: vg.Point{X: x(d.XHi), Y: at.Y + 1}})
		}
		if d.hasY() {
			taken = append(taken, vg.Rectangle{Min: vg.Point{X: at.X - 1, Y: y(d.YLo)}, Max: vg.Point{X: at.X + 1, Y: y(d.YHi)}})
		}
	}
	for _, front := range []bool{true, false} {
		for _, d := range dots {
			if d.Front != front || d.Label == "" || !front && len(dots) > 30 {
				continue
			}
			k := Muted
			if front {
				k = Ink
			}
			t := textStyle(tickSize, k)
			w, h := t.Width(d.Label), vg.Length(12)
			at := vg.Point{X: x(d.X), Y: y(d.Y)}
			for _, o := range []vg.Point{
				{X: 7, Y: 0},
				{X: 5, Y: 9},
				{X: 5, Y: -9},
				{X: -5 - w, Y: 9},
				{X: -5 - w, Y: -9},
				{X: -7 - w, Y: 0},
				{X: -w / 2, Y: 11},
				{X: -w / 2, Y: -11},
			} {
				r := vg.Rectangle{
					Min: vg.Point{X: at.X + o.X, Y: at.Y + o.Y - h/2},
					Max: vg.Point{X: at.X + o.X + w, Y: at.Y + o.Y + h/2},
				}
				if r.Min.X < c.Min.X || r.Max.X > c.Max.X+10 || r.Min.Y < c.Min.Y || r.Max.Y > c.Max.Y || overlaps(r, taken) {
					continue
				}
				taken = append(taken, r)
				t.YAlign = text.YCenter
				c.FillText(t, vg.Point{X: r.Min.X, Y: at.Y + o.Y}, d.Label)
				break
			}
		}
	}
}

func overlaps(r vg.Rectangle, all []vg.Rectangle) bool {
	for _, a := range all {
		if r.Min.X < a.Max.X && a.Min.X < r.Max.X && r.Min.Y < a.Max.Y && a.Min.Y < r.Max.Y {
			return true
		}
	}
	return false
}

// Calibration compares predicted with observed fractions in bins: X is the prediction, Y the observation with its
// interval and n.
type Calibration struct {
	Dim
	X, Y string // labels of the axes
	Bins []Point
}

// Size implements Chart.
func (k *Calibration) Size() (w, h float64) { return k.or(Half, 320) }

// Draw implements Chart.
func (k *Calibration) Draw(c draw.Canvas) error {
	w, h := k.Size()
	l := &Lines{
		Dim: Dim{w, h}, X: Axis{Label: k.X, Unit: Percent, Min: 0, Max: 1},
		Y:     Axis{Label: k.Y, Unit: Percent, Min: 0, Max: 1},
		Lines: []Line{{Points: k.Bins, Style: Dots, Colour: A}},
	}
	if len(l.clean()) == 0 {
		return noData("calibration")
	}
	l.Lines = append([]Line{{Name: "", Points: []Point{{X: 0, Y: 0}, {X: 1, Y: 1}}, Style: Plain, Colour: Axes}},
		l.Lines...)
	return l.Draw(c)
}
