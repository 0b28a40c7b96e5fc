package chart

import (
	"fmt"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Arc is the course of one game: one player's expected score after every ply, and the class of each move.
type Arc struct {
	Dim
	Values  []float64 // 0 to 1, at the start and after each ply; values that are not finite are skipped
	Player  string    // whose score it is, like "first player (X)"
	Source  string    // name of the evaluator
	Moves   []string  // texts of the plies, written below the axis if there are few
	Classes []string  // classes of the plies; a ply with an unknown or empty class has no mark
	Swap    bool      // the player is the second one, so the colours are exchanged
}

// Class is a class of moves with its mark: a shape and a colour.
type Class struct {
	Name   string
	Colour Colour
	Shape  string // circle, ring, down or cross
}

// Classes returns the classes of moves from best to worst.
func Classes() []Class {
	return []Class{
		{"best", A, "circle"},
		{"excellent", C, "circle"},
		{"good", C, "ring"},
		{"inaccuracy", Middling, "down"},
		{"mistake", Poor, "cross"},
	}
}

// mostNames is the maximum number of moves that are named below the axis; a longer game has numbers only.
const mostNames = 24

// Size implements Chart.
func (a *Arc) Size() (w, h float64) { return a.or(Full, 300) }

// Draw implements Chart.
func (a *Arc) Draw(c draw.Canvas) error {
	var at []Point
	for i, v := range a.Values {
		if finite(v) {
			at = append(at, Point{float64(i), Bare(v)})
		}
	}
	if len(at) == 0 {
		return noData("arc")
	}
	w, h := a.Size()
	label := "expected score"
	if a.Player != "" {
		label += " of the " + a.Player
	}
	if a.Source != "" {
		label += " (" + a.Source + ")"
	}
	last := max(float64(len(a.Values)-1), 1)
	f := newFrame(Axis{Label: "ply", Unit: Integer, Min: -0.3, Max: last + 0.3},
		Axis{Label: label, Unit: Percent, Min: 0, Max: 1}, newSpread(), newSpread(), w, h, false, true)
	f.Plot.Y.Min, f.Plot.Y.Max = -0.04, 1.04
	f.Plot.Y.Tick.Marker = plot.ConstantTicks(f.y.ticks(0, 1, 4))
	f.Plot.X.Tick.Marker = a.ticks(f)
	f.top += 18
	f.Add(a.area(at), levels([]Ref{{Value: 0.5}}), Line{Points: at, Style: Plain, Colour: Ink}.plotter(), paint(a.classes))
	f.draw(c)
	return nil
}

func (a *Arc) ticks(f *frame) plot.ConstantTicks {
	if len(a.Moves) > mostNames {
		return plot.ConstantTicks(f.x.ticks(0, float64(len(a.Values)-1), 14))
	}
	var ts []plot.Tick
	for i := range a.Values {
		t := plot.Tick{Value: float64(i), Label: fmt.Sprint(i)}
		if i > 0 && i <= len(a.Moves) {
			t.Label += "\n" + a.Moves[i-1]
		}
		ts = append(ts, t)
	}
	return ts
}

// area fills the area between the curve and the middle with the colour of the side that is ahead.
func (a *Arc) area(at []Point) paint {
	return func(c draw.Canvas, p *plot.Plot, x, y func(float64) vg.Length) {
		high, low := First, Second
		if a.Swap {
			high, low = low, high
		}
		for _, side := range []struct {
			colour Colour
			sign   float64
		}{{high, 1}, {low, -1}} {
			pts := []vg.Point{{X: x(at[0].X), Y: y(0.5)}}
			above := false
			for i, q := range at {
				if i > 0 && (q.Y.Value-0.5)*(at[i-1].Y.Value-0.5) < 0 {
					before := at[i-1]
					t := (0.5 - before.Y.Value) / (q.Y.Value - before.Y.Value)
					pts = append(pts, vg.Point{X: x(before.X + t*(q.X-before.X)), Y: y(0.5)})
				}
				v := q.Y.Value
				if (v-0.5)*side.sign < 0 {
					v = 0.5
				}
				above = above || v != 0.5
				pts = append(pts, vg.Point{X: x(q.X), Y: y(v)})
			}
			if above {
				c.FillPolygon(side.colour.Fade(0.22), append(pts, vg.Point{X: x(at[len(at)-1].X), Y: y(0.5)}))
			}
		}
	}
}

// classes draws the class of every move on the curve, and above it a legend with counts.
func (a *Arc) classes(c draw.Canvas, p *plot.Plot, x, y func(float64) vg.Length) {
	var key []entry
	for _, class := range Classes() {
		n := 0
		for i, name := range a.Classes {
			if name == class.Name && i+1 < len(a.Values) && finite(a.Values[i+1]) {
				n++
				class.draw(c, vg.Point{X: x(float64(i + 1)), Y: y(a.Values[i+1])})
			}
		}
		if n > 0 {
			key = append(key, entry{fmt.Sprintf("%s (%d)", class.Name, n), class.draw})
		}
	}
	legend(c, 0, key)
}

// draw draws the mark of a class at a point, which may be outside the canvas.
func (k Class) draw(c draw.Canvas, at vg.Point) {
	c = anywhere(c)
	switch k.Shape {
	case "ring":
		ring(c, k.Colour, at, 3.5)
	case "down":
		c.FillPolygon(k.Colour, []vg.Point{{X: at.X - 5, Y: at.Y + 3.5}, {X: at.X + 5, Y: at.Y + 3.5}, {X: at.X, Y: at.Y - 5}})
	case "cross":
		s := lineStyle(k.Colour, 2.5)
		c.StrokeLine2(s, at.X-4, at.Y-4, at.X+4, at.Y+4)
		c.StrokeLine2(s, at.X-4, at.Y+4, at.X+4, at.Y-4)
	default:
		dot(c, k.Colour, at, 4)
	}
}
