package chart

import (
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Named is a chart with a title above it.
type Named struct {
	Title string
	Chart Chart
}

// titleLine is the height of a line of a title.
const titleLine = 16

// lines returns the lines of the title.
func (n *Named) lines() []string {
	if n.Title == "" {
		return nil
	}
	width, _ := n.Chart.Size()
	return wrap(bold(textStyle(labelSize, Ink)), n.Title, vg.Length(width-8))
}

// room returns the height above the chart for its title.
func (n *Named) room() float64 {
	if lines := len(n.lines()); lines > 0 {
		return 6 + titleLine*float64(lines)
	}
	return 0
}

// Resize implements Sized.
func (n *Named) Resize(width, height float64) {
	if c, ok := n.Chart.(Sized); ok {
		c.Resize(width, height)
		c.Resize(width, height-n.room()) // which depends on the width
	}
}

// Least implements Sized.
func (n *Named) Least() (w, h float64) {
	if c, ok := n.Chart.(Sized); ok {
		w, h = c.Least()
	}
	return w, h + n.room()
}

// Size implements Chart.
func (n *Named) Size() (w, h float64) {
	w, h = n.Chart.Size()
	return w, h + n.room()
}

// Draw implements Chart.
func (n *Named) Draw(c draw.Canvas) error {
	for i, line := range n.lines() {
		s := bold(textStyle(labelSize, Ink))
		s.YAlign = text.YTop
		c.FillText(s, point(c.Min.X+4, c.Max.Y-3-titleLine*vg.Length(i)), line)
	}
	w, h := n.Chart.Size()
	top := c.Max.Y - vg.Length(n.room())
	return n.Chart.Draw(draw.Canvas{Canvas: c.Canvas, Rectangle: rect(c.Min.X, top-vg.Length(h), c.Min.X+vg.Length(w), top)})
}
