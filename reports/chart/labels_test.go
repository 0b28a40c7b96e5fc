package chart

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A name stands at the first place around its dot, from the right on, that is on the canvas, here 200 by 100, and free of dots, which are 8
// wide, of intervals, which are 2, and of names, which are 12 high. Names of the front are dark and choose first.
func TestPlacesOfNames(t *testing.T) {
	t.Parallel()
	const name = "name"
	wide := strings.Repeat("wide ", 6)
	w, ww := textStyle(tickSize, Ink).Width(name).Points(), textStyle(tickSize, Ink).Width(wide).Points()
	if ww < 110 || ww > 180 {
		t.Fatalf("%g wide", ww)
	}
	at := func(x, y float64) Dot { return Dot{X: x, Y: y} }
	dot := func(x, y float64) Dot { return Dot{X: x, Y: y, Label: name} }
	across, level, up := dot(100, 50), dot(100, 50), at(110, 90)
	across.XLo, across.XHi, level.XLo, level.XHi, up.YLo, up.YHi = 90, 130, 100, 100, 40, 95
	broad := func(x float64) Dot { return Dot{X: x, Y: 50, Label: wide} }
	front := dot(100, 50)
	front.Front = true
	many := func(n int, first Dot) []Dot {
		for out := []Dot{first}; ; out = append(out, at(0, 0)) {
			if len(out) == n {
				return out
			}
		}
	}
	right := [2]float64{7, 0}
	written := func(c *svgCanvas) [][]string {
		return regexp.MustCompile(`class="f-(\w+)" x="([-0-9.]+)" y="([-0-9.]+)"[^>]*>(name|wide)`).FindAllStringSubmatch(c.body.String(), -1)
	}
	plain := newSVG(200, 100)
	(&draw.Canvas{Canvas: plain}).FillText(textStyle(tickSize, Ink), vg.Point{}, name)
	base, _ := strconv.ParseFloat(written(plain)[0][3], 64) // of a line whose middle is at 0; the file's y axis points down from 100
	for what, c := range map[string]struct {
		dots  []Dot
		from  [2]float64 // the name's left end in the middle of its height, from the first dot; NaN where it is not written
		class string
	}{
		"alone":                          {[]Dot{dot(100, 50)}, right, "muted"},
		"of the front":                   {[]Dot{front}, right, "ink"},
		"a dot at the right":             {[]Dot{dot(100, 50), at(112, 50)}, [2]float64{-5 - w, 9}, "muted"},
		"a dot at the right, and left":   {[]Dot{dot(100, 50), at(112, 50), at(88, 50)}, [2]float64{-w / 2, 11}, "muted"},
		"a dot that touches from below":  {[]Dot{dot(100, 50), at(115, 40)}, right, "muted"},
		"a dot that touches from above":  {[]Dot{dot(100, 50), at(115, 60)}, right, "muted"},
		"a dot a little lower than that": {[]Dot{dot(100, 50), at(115, 59)}, [2]float64{5, -9}, "muted"},
		"its interval":                   {[]Dot{across}, [2]float64{5, 9}, "muted"},
		"an interval without a length":   {[]Dot{level}, right, "muted"},
		"an interval of another":         {[]Dot{dot(100, 50), up}, [2]float64{-5 - w, 9}, "muted"},
		"at the upper edge":              {[]Dot{dot(100, 97)}, [2]float64{5, -9}, "muted"},
		"touching the upper edge":        {[]Dot{dot(100, 94)}, right, "muted"},
		"at the lower edge":              {[]Dot{dot(100, 3)}, [2]float64{5, 9}, "muted"},
		"touching the lower edge":        {[]Dot{dot(100, 6)}, right, "muted"},
		"wide, in the middle":            {[]Dot{broad(100)}, [2]float64{-ww / 2, 11}, "muted"},
		"wide, at the left":              {[]Dot{broad(20)}, right, "muted"},
		"wide, at the right":             {[]Dot{broad(190)}, [2]float64{-5 - ww, 9}, "muted"},
		"a little over the right edge":   {[]Dot{broad(203 - ww - 0.1)}, right, "muted"},
		"more than a little":             {[]Dot{broad(203 - ww + 0.1)}, [2]float64{5, 9}, "muted"},
		"of thirty":                      {many(30, dot(100, 50)), right, "muted"},
		"of thirty-one":                  {many(31, dot(100, 50)), [2]float64{math.NaN()}, ""},
		"of thirty-one, of the front":    {many(31, front), right, "ink"},
		"after one of the front":         {[]Dot{dot(100, 50), {X: 100, Y: 58, Label: "other", Front: true}}, [2]float64{5, -9}, "muted"},
	} {
		canvas := newSVG(200, 100)
		same := func(v float64) vg.Length { return vg.Length(v) }
		(&Scatter{}).labels(draw.Canvas{Canvas: canvas, Rectangle: vg.Rectangle{Max: vg.Point{X: 200, Y: 100}}}, c.dots, same, same)
		names := written(canvas)
		if none := math.IsNaN(c.from[0]); len(names) != 1 || none {
			if !none || len(names) != 0 {
				t.Errorf("%s: %q", what, names)
			}
			continue
		}
		x, _ := strconv.ParseFloat(names[0][2], 64)
		y, _ := strconv.ParseFloat(names[0][3], 64)
		dx, dy := x-c.dots[0].X, base-y-c.dots[0].Y
		if names[0][1] != c.class || math.Abs(dx-c.from[0]) > 0.02 || math.Abs(dy-c.from[1]) > 0.02 {
			t.Errorf("%s: %s at %.2f, %.2f, want %s at %.2f", what, names[0][1], dx, dy, c.class, c.from)
		}
	}
	one := vg.Rectangle{Min: vg.Point{X: 10, Y: 10}, Max: vg.Point{X: 20, Y: 20}}
	for _, c := range []struct {
		x, y vg.Length // of the lower left corner of another as large
		want bool
	}{{15, 15, true}, {5, 5, true}, {10, 10, true}, {20, 10, false}, {0, 10, false}, {10, 20, false}, {10, 0, false}, {19, 1, true}, {15, 30, false}, {30, 15, false}} {
		other := vg.Rectangle{Min: vg.Point{X: c.x, Y: c.y}, Max: vg.Point{X: c.x + 10, Y: c.y + 10}}
		if overlaps(other, []vg.Rectangle{{}, one}) != c.want || overlaps(other, nil) {
			t.Errorf("one at %g, %g: overlaps is not %t", c.x, c.y, c.want)
		}
	}
}
