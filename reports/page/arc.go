package page

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// arcWidth is the width of the drawing of an arc, in its own units. Its height is 100.
const arcWidth = 600.0

// newCurve draws the values of a game; nil if fewer than two are known. It does not use package chart, because the page's
// script moves a cursor in this SVG.
func newCurve(r *replay) *curve {
	c := &curve{Step: arcWidth / float64(max(len(r.Frames)-1, 1)), Words: "Expected score of the first player by ply"}
	n := func(v float64) string { return strconv.FormatFloat(math.Round(v*10)/10, 'f', -1, 64) }
	x := func(ply int) string { return n(float64(ply) * c.Step) }
	var line []string
	var ends [2]string
	for i, v := range r.Values {
		if i >= len(r.Frames) || math.IsNaN(v) {
			continue
		}
		y := n(100 * (1 - max(0, min(1, v))))
		line = append(line, x(i)+","+y)
		ends[min(len(line)-1, 1)] = x(i) + ",50"
		if class := r.class(i); class == "mistake" || class == "inaccuracy" {
			c.Dots = append(c.Dots, curveDot{x(i), y, class})
		}
	}
	if len(line) < 2 {
		return nil
	}
	c.Line, c.Now = strings.Join(line, " "), x(r.Shown())
	c.Area = ends[0] + " " + c.Line + " " + ends[1]
	if r.Game != nil {
		c.Words = r.Game.NameSides(c.Words)
	}
	if r.Source != "" {
		c.Words += fmt.Sprintf(" (%s)", r.Source)
	}
	return c
}
