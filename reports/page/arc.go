package page

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Size of the drawing of an arc, in its own units.
const (
	arcWidth  = 600.0
	arcHeight = 100.0
)

// newCurve draws the values of a game; nil if they are unknown. It does not use package chart, because the page's script moves a cursor in
// this SVG.
func newCurve(r *replay) *curve {
	c := &curve{Step: arcWidth / float64(max(len(r.Frames)-1, 1)), Words: "Expected score of the first player by ply"}
	n := func(v float64) string { return strconv.FormatFloat(math.Round(v*10)/10, 'f', -1, 64) }
	x := func(ply int) string { return n(float64(ply) * c.Step) }
	var line, above, below []string
	last, lastY := -1, 0.0
	edge := func(list *[]string, x string, y float64) { *list = append(*list, x+","+n(y)) }
	for i, v := range r.Values {
		if i >= len(r.Frames) || math.IsNaN(v) {
			continue
		}
		y := arcHeight * (1 - math.Max(0, math.Min(1, v)))
		if last >= 0 && (y-50)*(lastY-50) < 0 {
			t := (50 - lastY) / (y - lastY)
			at := n((float64(last) + t*float64(i-last)) * c.Step)
			edge(&above, at, 50)
			edge(&below, at, 50)
		}
		if last < 0 {
			edge(&above, x(i), 50)
			edge(&below, x(i), 50)
		}
		edge(&line, x(i), y)
		edge(&above, x(i), math.Min(y, 50))
		edge(&below, x(i), math.Max(y, 50))
		last, lastY = i, y
		if class := r.class(i); class == "mistake" || class == "inaccuracy" {
			c.Dots = append(c.Dots, curveDot{x(i), n(y), class, i})
		}
	}
	if last < 0 || len(r.Values) < 2 {
		return nil
	}
	edge(&above, x(last), 50)
	edge(&below, x(last), 50)
	c.Line, c.Above, c.Below = strings.Join(line, " "), strings.Join(above, " "), strings.Join(below, " ")
	c.Middle, c.Now = n(arcHeight/2), x(r.Shown())
	if r.Game != nil {
		c.Words = r.Game.NameSides(c.Words)
	}
	if r.Source != "" {
		c.Words += fmt.Sprintf(" (%s)", r.Source)
	}
	return c
}
