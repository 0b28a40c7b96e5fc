package chart

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// dot draws a filled circle if it is inside the canvas.
func dot(c draw.Canvas, k Colour, at vg.Point, radius float64) {
	if c.Contains(at) {
		c.SetColor(k)
		c.Fill(circle(at, radius))
	}
}

// ring draws an empty circle if it is inside the canvas.
func ring(c draw.Canvas, k Colour, at vg.Point, radius float64) {
	if c.Contains(at) {
		dot(c, Paper, at, radius)
		c.SetLineStyle(lineStyle(k, 1.8))
		c.Stroke(circle(at, radius))
	}
}

func circle(at vg.Point, radius float64) vg.Path {
	var p vg.Path
	p.Move(point(at.X+vg.Length(radius), at.Y))
	p.Arc(at, vg.Length(radius), 0, 2*math.Pi)
	p.Close()
	return p
}

func point(x, y vg.Length) vg.Point { return vg.Point{X: x, Y: y} }

func rect(x0, y0, x1, y1 vg.Length) vg.Rectangle {
	return vg.Rectangle{Min: point(x0, y0), Max: point(x1, y1)}
}

// box returns the corners of a rectangle, the first one also as the last.
func box(r vg.Rectangle) []vg.Point {
	return []vg.Point{r.Min, point(r.Max.X, r.Min.Y), r.Max, point(r.Min.X, r.Max.Y), r.Min}
}

// fill fills a rectangle.
func fill(c draw.Canvas, k color.Color, r vg.Rectangle) { c.FillPolygon(k, box(r)[:4]) }

// block fills a rectangle. A side's own colour can be that of the page: then it gets an outline.
func block(c draw.Canvas, k Colour, r vg.Rectangle) {
	fill(c, k, r)
	if k.own() {
		c.StrokeLines(lineStyle(Axes, 1), box(r))
	}
}

// entry is a mark with its name in a legend.
type entry struct {
	name string
	mark func(c draw.Canvas, at vg.Point)
}

// legend draws marks and names in a line at a height above the canvas. It leaves out entries without a name.
func legend(c draw.Canvas, above vg.Length, entries []entry) {
	pen := point(c.Min.X, c.Max.Y+14+above)
	c.Rectangle = rect(-1e6, -1e6, 1e6, 1e6) // without limits
	s := textStyle(tickSize, Ink)
	for _, e := range entries {
		if e.name != "" {
			e.mark(c, point(pen.X+5, pen.Y))
			c.FillText(s, point(pen.X+14, pen.Y+lift), e.name)
			pen.X += 14 + s.Width(e.name) + 14
		}
	}
}

// label is a text at the right end of a chart.
type label struct {
	text   string
	y      float64 // position in data units
	colour Colour
	// the text is the name of a dot at x, to which a line leads
	dot bool
	x   float64
}

// style returns bold for names of lines and plain for those of dots and of reference lines.
func (l label) style() text.Style {
	switch {
	case l.dot:
		return textStyle(tickSize, l.colour)
	case l.colour == Muted:
		return textStyle(labelSize, Muted)
	}
	return bold(textStyle(labelSize, l.colour))
}

// refLabels returns the labels of reference lines.
func refLabels(rs []Ref) (ls []label) {
	for _, r := range rs {
		if r.Label != "" && finite(r.Value) {
			ls = append(ls, label{text: r.Label, y: r.Value, colour: Muted})
		}
	}
	return ls
}
