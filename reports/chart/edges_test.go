package chart

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// Numbers at the limits between their forms.
func TestNumbersAtLimits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		v    float64
		u    Unit
		d    int
		want string
	}{
		{1e9, Number, 0, "1e+09"},
		{999999999, Number, 0, "999 999 999"},
		{123456, Integer, 0, "123 456"},
		{12345, Integer, 0, "12 345"},
		{0, Log2, 0, "1"},
		{-1, Log2, 0, "1/2"},
		{13, Log2, 0, "8192"},
		{14, Log2, 0, "16k"},
		{19, Log2, 0, "512k"},
		{29, Log2, 0, "512M"},
		{30, Log2, 0, "1G"},
	} {
		if got := Text(c.v, c.u, c.d); got != c.want {
			t.Errorf("%g with %d digits: %q, want %q", c.v, c.d, got, c.want)
		}
	}
	for _, c := range []struct {
		v    float64
		u    Unit
		want string
	}{
		{99.95, Number, "100"},
		{99.9, Number, "99.9"},
		{9.995, Number, "10.0"},
		{9.99, Number, "9.99"},
		{0, Number, "0"},
		{0.5, Percent, "50.0 %"},
		{7, Integer, "7"},
		{9.95, Signed, "+10"},
		{9.9, Signed, "+9.9"},
		{0.995, Signed, "+1.0"},
		{0.99, Signed, "+0.99"},
		{-9.95, Signed, "−10"},
	} {
		if got := auto(c.v, c.u); got != c.want {
			t.Errorf("%g: %q, want %q", c.v, got, c.want)
		}
	}
	if w, h := (Dim{}).or(5, 6); w != 5 || h != 6 {
		t.Errorf("%g by %g", w, h)
	}
	if w, h := (Dim{1, 1}).or(5, 6); w != 1 || h != 1 {
		t.Errorf("%g by %g", w, h)
	}
	if n := len((Axis{}).ticks(0, 1, 1)); n < 2 {
		t.Errorf("%d ticks where about one is wanted: an axis has two ends", n)
	}
}

// drawing is a chart as SVG.
func drawing(t *testing.T, c Chart) string {
	t.Helper()
	b, err := SVG(c, "")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// What lies outside the axes, has no end or is no number is not drawn, and a zone may begin at 0.
func TestWhatIsNotDrawn(t *testing.T) {
	t.Parallel()
	line := func(change func(*Lines)) string {
		l := &Lines{Y: Axis{Min: 1, Max: 2}, Lines: []Line{{Style: Plain, Points: []Point{{X: 0, Y: 1}, {X: 1, Y: 2}}}}}
		change(l)
		return drawing(t, l)
	}
	for _, c := range []struct {
		name   string
		change func(*Lines)
		text   string
		want   int
	}{
		{"a level", func(l *Lines) { l.Refs = []Ref{{Value: 1.5}} }, "stroke-dasharray", 1},
		{"levels at both ends", func(l *Lines) { l.Refs = []Ref{{Value: 1}, {Value: 2}} }, "stroke-dasharray", 2},
		{"a level below", func(l *Lines) { l.Refs = []Ref{{Value: 0.5}} }, "stroke-dasharray", 0},
		{"a level above", func(l *Lines) { l.Refs = []Ref{{Value: 2.5}} }, "stroke-dasharray", 0},
		{"a level nowhere", func(l *Lines) { l.Refs = []Ref{{Value: nan, Label: "nowhere"}} }, "nowhere", 0},
		{"a level with a name", func(l *Lines) { l.Refs = []Ref{{Value: 1.5, Label: "there"}} }, ">there<", 1},
		{"no zone", func(*Lines) {}, `class="f-good"`, 0},
		{"a zone", func(l *Lines) { l.Zone = [2]float64{1.2, 1.8} }, `class="f-good"`, 1},
		{"a zone from 0", func(l *Lines) { l.Zone = [2]float64{0, 1.5} }, `class="f-good"`, 1},
		{"a zone to 0", func(l *Lines) { l.Y.Min, l.Zone = -2, [2]float64{-1, 0} }, `class="f-good"`, 1},
		{"a zone without an end", func(l *Lines) { l.Zone = [2]float64{1.2, math.Inf(1)} }, `class="f-good"`, 0},
	} {
		if got := strings.Count(line(c.change), c.text); got != c.want {
			t.Errorf("%s: %d of %s, want %d", c.name, got, c.text, c.want)
		}
	}
	// A plain line has no intervals, and leaves no room for them.
	plain, wide := &Lines{Lines: []Line{{Style: Plain, Points: []Point{{X: 0, Y: 1}, {X: 1, Y: 2}}}}}, &Lines{Lines: []Line{{Style: Plain, Points: []Point{{X: 0, Y: 1, Lo: -90, Hi: 90}, {X: 1, Y: 2}}}}}
	if drawing(t, plain) != drawing(t, wide) {
		t.Error("an interval that is not drawn changes the axis")
	}
	// Points stand in the order of X, those at one place in that in which they came.
	l := Lines{Lines: []Line{{Points: []Point{{X: 1, Y: 5}, {X: 0, Y: 1}, {X: 1, Y: 6}, {X: 1, Y: 4}}}}}
	order := ""
	for _, p := range l.clean()[0].Points {
		order += Text(p.Y, Integer, 0)
	}
	if order != "1564" {
		t.Errorf("points in the order %s, want 1564", order)
	}
	// Half an interval is none, but one without an end has the other.
	whiskers := func(lo, hi float64) string {
		return drawing(t, &Lines{Lines: []Line{{Style: Whiskers, Points: []Point{{X: 0, Y: 1, Lo: lo, Hi: hi}, {X: 1, Y: 2}}}}})
	}
	if none := whiskers(nan, nan); whiskers(nan, 90) != none || whiskers(-90, nan) != none || whiskers(math.Inf(-1), nan) != none || whiskers(nan, math.Inf(1)) != none {
		t.Error("half an interval is drawn")
	}
	if whiskers(math.Inf(-1), 90) == whiskers(math.Inf(-1), 3) || whiskers(-90, math.Inf(1)) == whiskers(-3, math.Inf(1)) || whiskers(math.Inf(-1), 90) == whiskers(nan, nan) {
		t.Error("an end of an interval without the other changes nothing")
	}
	for n, want := range map[int]string{0: "", 1: "n = 1", 12: "n = 12"} {
		svg := drawing(t, &Stack{Parts: Outcome(), Bars: []Bar{{Label: "a", Values: []float64{1, 0, 0, 1}, N: n}}})
		if got := strings.Contains(svg, ">n = "); got != (want != "") || !strings.Contains(svg, want) {
			t.Errorf("a bar of %d games says n: %t", n, got)
		}
	}
	// Twenty points are dots, more are a line alone.
	for n, want := range map[int]bool{20: true, 21: false} {
		points := make([]Point, n)
		for i := range points {
			points[i] = Point{X: float64(i), Y: float64(i % 3), Lo: -1, Hi: 4}
		}
		if got := strings.Contains(drawing(t, &Lines{Lines: []Line{{Style: Band, Points: points}}}), "A3 3 "); got != want {
			t.Errorf("%d points are dots: %t", n, got)
		}
	}
	if got := strings.Count(drawing(t, &Calibration{Bins: []Point{{X: 0.1, Y: 0.1, Lo: 0, Hi: 0.2}}}), ">100 %<"); got != 2 {
		t.Errorf("%d axes of a calibration go up to 100 %%", got)
	}
	for name, c := range map[string]Chart{"boxes": &Boxes{}, "boxes of NaN": &Boxes{Rows: []Quantiles{{P5: nan, P25: nan, P50: nan, P75: nan, P95: nan}}}} {
		if _, err := SVG(c, ""); err == nil || !strings.Contains(err.Error(), "quantiles") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Text is written from the smallest size on, and turned only where the canvas is.
func TestTextOnTheCanvas(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		size   vg.Length
		do     func(c *svgCanvas)
		drawn  bool
		turned bool
	}{
		{0, func(*svgCanvas) {}, false, false},
		{1, func(*svgCanvas) {}, true, false},
		{12, func(c *svgCanvas) { c.Scale(0.5, 0.5) }, true, false},
		{12, func(c *svgCanvas) { c.Rotate(math.Pi / 2) }, true, true},
		{12, func(c *svgCanvas) { c.Rotate(math.Pi) }, true, true},
	} {
		canvas := newSVG(100, 100)
		c.do(canvas)
		canvas.SetColor(Ink)
		face := font.DefaultCache.Lookup(font.Font{Typeface: "Liberation", Variant: "Sans"}, c.size)
		face.Font.Size = c.size
		canvas.FillString(face, vg.Point{X: 10, Y: 10}, "x")
		if got := canvas.body.String(); strings.Contains(got, "<text") != c.drawn || strings.Contains(got, "rotate(") != c.turned {
			t.Errorf("size %g: %q", c.size, got)
		}
	}
}

// A table of colours has half of the page up to six columns, and the whole of it beyond; its head has room for what stands there.
func TestSizeOfAGrid(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]float64{1: Half, 6: Half, 7: Full} {
		g := &Grid{Columns: make([]string, n), Rows: make([]string, 2)}
		if w, h := g.Size(); w != want || h != 2*36+60+g.head() {
			t.Errorf("%d columns: %g by %g", n, w, h)
		}
		if w, h := (&Grid{Columns: make([]string, n), Dim: Dim{300, 200}}).Size(); w != 300 || h != 200 {
			t.Errorf("%g by %g, want what was asked for", w, h)
		}
	}
	for want, grids := range map[float64][]*Grid{
		22: {{YLabel: "y"}, {Scale: Scale{Label: "Elo"}}, {YLabel: "y", NoBar: true, Scale: Scale{Label: "Elo"}}},
		4:  {{}, {NoBar: true}, {NoBar: true, Scale: Scale{Label: "Elo"}}},
	} {
		for _, g := range grids {
			if got := g.head(); got != want {
				t.Errorf("%+v: a head of %g, want %g", g, got, want)
			}
		}
	}
}
