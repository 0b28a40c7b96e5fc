package chart

import (
	"cmp"
	"fmt"
	"math"
	"slices"
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
	Colour   Colour // of the dot and its intervals; the zero value is A
}

// Scatter shows many things as points, by two numbers of each.
type Scatter struct {
	Dim
	X, Y  Axis
	Dots  []Dot
	Refs  []Ref // horizontal reference lines
	Marks []Ref // vertical reference lines
	// every dot has a name: where there is no room for it, all have numbers, and the names are in a list at the right
	All bool
}

// Size implements Chart.
func (s *Scatter) Size() (w, h float64) { return s.or(Half, 300) }

// Least implements Sized.
func (s *Scatter) Least() (w, h float64) {
	widest := vg.Length(0)
	for _, d := range s.Dots {
		widest = max(widest, textStyle(tickSize, Ink).Width(d.Label))
	}
	return 250 + float64(widest), 100 + keyLine*float64(len(s.Dots))
}

// Draw implements Chart.
func (s *Scatter) Draw(c draw.Canvas) error {
	if s.All {
		size := c.Size()
		omitted, err := s.draw(draw.NewCanvas(newSVG(size.X.Points(), size.Y.Points()), size.X, size.Y), nil)
		if err == nil && omitted > 0 {
			numbered, key := *s, []string{}
			numbered.Dots = slices.Clone(s.Dots)
			slices.SortStableFunc(numbered.Dots, func(a, b Dot) int { return cmp.Compare(b.Y, a.Y) })
			for i := range numbered.Dots {
				d := &numbered.Dots[i]
				key = append(key, fmt.Sprintf("%d  %s", i+1, d.Label))
				d.Label = fmt.Sprint(i + 1)
			}
			_, err = numbered.draw(c, key)
			return err
		}
	}
	_, err := s.draw(c, nil)
	return err
}

// keyLine is the height of a line of the list of names.
const keyLine = 15

// draw draws the chart and returns the number of omitted names. The key is a list of names at the right.
func (s *Scatter) draw(c draw.Canvas, key []string) (omitted int, err error) {
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
		return 0, noData("points")
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
	list := textStyle(tickSize, Ink)
	for _, name := range key {
		f.right = max(f.right, list.Width(name)+20)
	}
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
			k := d.Colour.or(A)
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
		omitted = s.labels(c, dots, front, x, y)
		for i, name := range key {
			c.FillText(list, vg.Point{X: c.Max.X + 12, Y: c.Max.Y - 6 - keyLine*vg.Length(i)}, name)
		}
	}))
	f.draw(c)
	return omitted, nil
}

func (d Dot) hasX() bool { return hasInterval(d.X, d.XLo, d.XHi) && d.XLo < d.XHi }
func (d Dot) hasY() bool { return hasInterval(d.Y, d.YLo, d.YHi) && d.YLo < d.YHi }

// labels writes names next to their dots where they overlap no dot, interval, line or other name; farther away with a
// line to the dot. It omits names for which there is no such place, and returns their number.
func (s *Scatter) labels(c draw.Canvas, dots []Dot, front []vg.Point, x, y func(float64) vg.Length) (omitted int) {
	at := func(d Dot) vg.Point { return vg.Point{X: x(d.X), Y: y(d.Y)} }
	var taken []vg.Rectangle
	var lines [][2]vg.Point
	for i := range max(0, len(front)-1) {
		lines = append(lines, [2]vg.Point{front[i], front[i+1]})
	}
	for _, d := range dots {
		at := at(d)
		taken = append(taken, around(at, at, 5))
		if d.hasX() {
			taken = append(taken, around(vg.Point{X: x(d.XLo), Y: at.Y}, vg.Point{X: x(d.XHi), Y: at.Y}, 1))
		}
		if d.hasY() {
			taken = append(taken, around(vg.Point{X: at.X, Y: y(d.YLo)}, vg.Point{X: at.X, Y: y(d.YHi)}, 1))
		}
	}
	free := func(r vg.Rectangle, from, to vg.Point, far bool) bool {
		for _, o := range taken {
			if r.Min.X < o.Max.X && o.Min.X < r.Max.X && r.Min.Y < o.Max.Y && o.Min.Y < r.Max.Y ||
				far && !crosses(from, from, o) && crosses(from, to, o) {
				return false
			}
		}
		return !slices.ContainsFunc(lines, func(l [2]vg.Point) bool {
			return crosses(l[0], l[1], r) || far && l[0] != from && l[1] != from && crosses(l[0], l[1], around(from, to, 0))
		})
	}
	for _, first := range []bool{true, false} {
		for _, d := range dots {
			if d.Front != first || d.Label == "" || !first && len(dots) > 30 && !s.All {
				continue
			}
			omitted++
			k := Muted
			if first {
				k = Ink
			}
			t := textStyle(tickSize, k)
			t.YAlign = text.YCenter
			const h = vg.Length(12)
			w, from := t.Width(d.Label), at(d)
			for place := range places {
				r, to := beside(from, w, h, place)
				far := place >= near
				if r.Min.X < c.Min.X || r.Max.X > c.Max.X+10 || r.Min.Y < c.Min.Y || r.Max.Y > c.Max.Y || !free(r, from, to, far) {
					continue
				}
				taken = append(taken, r)
				if far {
					lines = append(lines, [2]vg.Point{from, to})
					c.StrokeLine2(lineStyle(Axes, 0.7), from.X, from.Y, to.X, to.Y)
				}
				c.FillText(t, vg.Point{X: r.Min.X, Y: (r.Min.Y + r.Max.Y) / 2}, d.Label)
				omitted--
				break
			}
		}
	}
	return omitted
}

// places is the number of places that a name may have around its dot: rings of near places, each farther away.
const (
	near   = 8
	places = 5 * near
)

// beside returns the place of a name of width w and height h, and the point of it that is next to the dot.
func beside(dot vg.Point, w, h vg.Length, place int) (r vg.Rectangle, to vg.Point) {
	// The right first, then the left, then above and below.
	turn := [near]float64{0, 45, -45, 180, 135, -135, 90, -90}[place%near] * math.Pi / 180
	away := vg.Length(8 + 14*(place/near))
	to = vg.Point{X: dot.X + away*vg.Length(math.Cos(turn)), Y: dot.Y + away*vg.Length(math.Sin(turn))}
	left := to.X - w/2 + w/2*vg.Length(math.Round(math.Cos(turn)))
	r = vg.Rectangle{Min: vg.Point{X: left, Y: to.Y - h/2}, Max: vg.Point{X: left + w, Y: to.Y + h/2}}
	if math.Abs(math.Cos(turn)) < 0.1 {
		shift := h / 2 * vg.Length(math.Sin(turn))
		r.Min.Y, r.Max.Y = r.Min.Y+shift, r.Max.Y+shift
	}
	return r, to
}

// around returns the rectangle around a line, with a margin.
func around(a, b vg.Point, margin vg.Length) vg.Rectangle {
	return vg.Rectangle{
		Min: vg.Point{X: min(a.X, b.X) - margin, Y: min(a.Y, b.Y) - margin},
		Max: vg.Point{X: max(a.X, b.X) + margin, Y: max(a.Y, b.Y) + margin},
	}
}

// crosses reports whether a line meets a rectangle (Liang and Barsky 1984).
func crosses(a, b vg.Point, r vg.Rectangle) bool {
	from, to := vg.Length(0), vg.Length(1)
	for _, side := range [][2]vg.Length{
		{a.X - b.X, a.X - r.Min.X}, {b.X - a.X, r.Max.X - a.X}, {a.Y - b.Y, a.Y - r.Min.Y}, {b.Y - a.Y, r.Max.Y - a.Y},
	} {
		switch step, room := side[0], side[1]; {
		case step == 0 && room < 0:
			return false
		case step < 0:
			from = max(from, room/step)
		case step > 0:
			to = min(to, room/step)
		}
	}
	return from <= to
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
