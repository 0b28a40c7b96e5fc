package chart

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	xfont "golang.org/x/image/font"
)

// Text sizes in pixels.
const (
	tickSize  = 11
	labelSize = 12
)

// textStyle returns the font of all charts. Liberation Sans has the widths of Arial and Helvetica, so a page without it
// has the same layout.
func textStyle(size float64, k Colour) text.Style {
	return text.Style{
		Color:   k,
		Font:    font.Font{Typeface: "Liberation", Variant: "Sans", Size: vg.Length(size)},
		XAlign:  text.XLeft,
		YAlign:  text.YCenter,
		Handler: text.Plain{Fonts: font.DefaultCache},
	}
}

func bold(s text.Style) text.Style {
	s.Font.Weight = xfont.WeightBold
	return s
}

func lineStyle(k Colour, width float64) draw.LineStyle {
	return draw.LineStyle{Color: k, Width: vg.Length(width)}
}

// dashed returns the style of reference lines.
func dashed(k Colour) draw.LineStyle {
	s := lineStyle(k, 1)
	s.Dashes = []vg.Length{4, 3}
	return s
}

// frame is a gonum plot in Spar's style, with space around it for labels outside the axes.
type frame struct {
	*plot.Plot
	x, y  Axis
	right vg.Length // space for labels at the right
	top   vg.Length
}

// spread extends a range by values, except infinite and undefined ones.
type spread struct{ lo, hi float64 }

func newSpread() spread { return spread{math.Inf(1), math.Inf(-1)} }

func (s *spread) add(vs ...float64) {
	for _, v := range vs {
		if finite(v) {
			s.lo, s.hi = min(s.lo, v), max(s.hi, v)
		}
	}
}

func (s *spread) empty() bool { return s.lo > s.hi }

// rangeOf returns the range of an axis: the stated one, or that of the data with a margin.
func (a Axis) rangeOf(s spread) (lo, hi float64) {
	switch {
	case len(a.Names) > 0:
		return -0.5, float64(len(a.Names)) - 0.5 + a.shift
	case a.Min != 0 || a.Max != 0:
		return a.Min, a.Max
	case s.empty():
		return 0, 1
	}
	margin := 0.06 * (s.hi - s.lo)
	if margin == 0 {
		margin = max(0.05*math.Abs(s.lo), 0.02)
	}
	lo, hi = s.lo-margin, s.hi+margin
	if a.Unit == Percent {
		lo, hi = max(lo, min(0, s.lo)), min(hi, max(1, s.hi))
	}
	if s.lo >= 0 && lo < 0 {
		lo = 0
	}
	return lo, hi
}

// ticks returns at most about n ticks at round values.
func (a Axis) ticks(lo, hi float64, n int) []plot.Tick {
	if len(a.Names) > 0 {
		var ts []plot.Tick
		for i, name := range a.Names {
			ts = append(ts, plot.Tick{Value: float64(i) + a.shift, Label: name})
		}
		return ts
	}
	if !(hi > lo) || n < 1 {
		return []plot.Tick{{Value: lo, Label: auto(lo, a.Unit)}}
	}
	k := 1.0
	if a.Unit == Percent {
		k = 100
	}
	raw := (hi - lo) * k / float64(n)
	mag := math.Pow(10, math.Floor(math.Log10(raw)))
	step := 10 * mag
	for _, f := range []float64{1, 2, 2.5, 5} {
		if f*mag >= raw*0.999 {
			step = f * mag
			break
		}
	}
	if a.Unit == Integer || a.Unit == Log2 {
		step = max(1, math.Ceil(step))
	}
	decimals := 0
	for s := step; s != math.Trunc(s) && decimals < 6; decimals++ {
		s *= 10
		if math.Abs(s-math.Round(s)) < 1e-9 {
			s = math.Round(s)
		}
	}
	var ts []plot.Tick
	from := math.Ceil(lo*k/step - 1e-6)
	for i := range min(int(math.Floor(hi*k/step+1e-6)-from)+1, 100) {
		v := (from + float64(i)) * step / k
		ts = append(ts, plot.Tick{Value: v, Label: Text(v, a.Unit, decimals)})
	}
	return ts
}

// newFrame returns a frame with ranges and ticks. Its grid lines cross the axis that has the numbers.
func newFrame(x, y Axis, xs, ys spread, w, h float64, gridX, gridY bool) *frame {
	p := plot.New()
	p.BackgroundColor = nil
	f := &frame{Plot: p, x: x, y: y}
	p.X.Min, p.X.Max = x.rangeOf(xs)
	p.Y.Min, p.Y.Max = y.rangeOf(ys)
	nx, ny := int(w/70), int(h/50)
	p.X.Tick.Marker = plot.ConstantTicks(x.ticks(p.X.Min, p.X.Max, nx))
	p.Y.Tick.Marker = plot.ConstantTicks(y.ticks(p.Y.Min, p.Y.Max, ny))
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.LineStyle = lineStyle(Axes, 1)
		a.Tick.LineStyle = lineStyle(Axes, 1)
		a.Tick.Length = 3
		a.Padding = 0
	}
	p.X.Label.Text = x.Label
	p.X.Label.TextStyle = textStyle(labelSize, Muted)
	p.X.Label.TextStyle.XAlign, p.X.Label.TextStyle.YAlign = text.XCenter, text.YBottom
	p.X.Label.Padding = 2
	label := &p.X.Tick.Label
	*label = textStyle(tickSize, Muted)
	label.XAlign, label.YAlign = text.XCenter, text.YTop
	var need vg.Length // for the names next to each other
	for _, name := range x.Names {
		need += label.Width(name) + 8
	}
	if need > vg.Length(w-150) {
		label.Rotation, label.XAlign = math.Pi/7, text.XRight
	}
	p.Y.Tick.Label = textStyle(tickSize, Muted)
	p.Y.Tick.Label.XAlign = text.XRight
	if len(y.Names) == 0 {
		// The numbers stand on the lines of the grid, which need no axis beside them.
		p.Y.LineStyle.Width, p.Y.Tick.LineStyle.Width = 0, 0
	}
	if y.Label != "" {
		f.top = 20
	} else {
		f.top = 6
	}
	f.right = 8
	p.Add(grid{gridX, gridY})
	return f
}

// draw draws the frame with the label of the Y axis horizontally above it.
func (f *frame) draw(c draw.Canvas) {
	if f.y.Label != "" {
		s := textStyle(labelSize, Muted)
		s.YAlign = text.YTop
		for i, line := range wrap(s, f.y.Label, c.Max.X-c.Min.X-4) {
			down := vg.Length(15 * i)
			c.FillText(s, point(c.Min.X+2, c.Max.Y-2-down), line)
			f.top = max(f.top, 20+down)
		}
	}
	f.Plot.Draw(draw.Crop(c, 4, -f.right, 4, -f.top))
}

// wrap divides a text into lines of at most a width; a longer word has a line of its own.
func wrap(s text.Style, words string, width vg.Length) (lines []string) {
	for word := range strings.FieldsSeq(words) {
		if n := len(lines); n > 0 && s.Width(lines[n-1]+" "+word) <= width {
			lines[n-1] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return lines
}

// grid is a plotter that draws thin lines at the ticks.
type grid struct{ x, y bool }

// Plot implements plot.Plotter.
func (g grid) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	style := lineStyle(Thin, 1)
	each := func(on bool, a *plot.Axis, draw func(at float64)) {
		for _, t := range a.Tick.Marker.Ticks(a.Min, a.Max) {
			if on && t.Value >= a.Min && t.Value <= a.Max {
				draw(t.Value)
			}
		}
	}
	each(g.x, &p.X, func(at float64) { c.StrokeLine2(style, tx(at), c.Min.Y, tx(at), c.Max.Y) })
	each(g.y, &p.Y, func(at float64) { c.StrokeLine2(style, c.Min.X, ty(at), c.Max.X, ty(at)) })
}

// transform converts a value of an axis to its place on the canvas.
type transform = func(value float64) vg.Length

// paint makes a plotter from a function.
type paint func(c draw.Canvas, p *plot.Plot, x, y transform)

// Plot implements plot.Plotter.
func (f paint) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	f(c, p, x, y)
}

// zone shades a range of values, such as the fair scores.
func zone(r [2]float64) paint {
	return func(c draw.Canvas, p *plot.Plot, x, y transform) {
		if r[0] == 0 && r[1] == 0 || !finite(r[0], r[1]) {
			return
		}
		area := c.Rectangle
		area.Min.Y, area.Max.Y = clamp(y(r[0]), c.Min.Y, c.Max.Y), clamp(y(r[1]), c.Min.Y, c.Max.Y)
		fill(c, Good.Fade(0.13), area)
	}
}

func clamp(v, lo, hi vg.Length) vg.Length { return max(lo, min(v, hi)) }

// levels draws horizontal reference lines. endLabels draws their labels together with those of the lines.
func levels(rs []Ref) paint {
	return func(c draw.Canvas, p *plot.Plot, x, y transform) {
		for _, r := range rs {
			if finite(r.Value) && r.Value >= p.Y.Min && r.Value <= p.Y.Max {
				c.StrokeLine2(dashed(Axes), c.Min.X, y(r.Value), c.Max.X, y(r.Value))
			}
		}
	}
}

// marks draws vertical reference lines. Their labels are above the data, in the space from headroom; overlapping labels
// are moved higher.
func marks(rs []Ref) paint {
	return func(c draw.Canvas, p *plot.Plot, x, y transform) {
		free := vg.Length(math.Inf(-1))
		up := vg.Length(0)
		for _, r := range rs {
			if !finite(r.Value) || r.Value < p.X.Min || r.Value > p.X.Max {
				continue
			}
			at := x(r.Value)
			c.StrokeLine2(dashed(Axes), at, c.Min.Y, at, c.Max.Y)
			s := textStyle(tickSize, Muted)
			s.XAlign, s.YAlign = text.XCenter, text.YBottom
			w := s.Width(r.Label) / 2
			middle := clamp(at, c.Min.X+w, max(c.Max.X-w, c.Min.X+w))
			if middle-w < free+4 {
				up += markHeight
			} else {
				up = 0
			}
			free = max(free, middle+w)
			c.FillText(s, point(middle, c.Max.Y+1+up), r.Label)
		}
	}
}

// markHeight is the height of a line of labels above the data.
const markHeight = 13

// headroom reserves space for the labels of marks.
func (f *frame) headroom(rs []Ref) {
	if len(rs) > 0 {
		f.top += markHeight * vg.Length(min(len(rs), 2))
	}
}

// endRoom returns the space that labels need at the right end.
func endRoom(ls []label) vg.Length {
	var w vg.Length
	for _, l := range ls {
		w = max(w, l.style().Width(l.text))
	}
	if w == 0 {
		return 8
	}
	return w + 14
}

// gap is the distance of names at the right end.
const gap = vg.Length(14)

// endLabels writes names at the right end of the chart, one below the other, with lines to the dots that they name.
func endLabels(ls []label) paint {
	return func(c draw.Canvas, p *plot.Plot, x, y transform) {
		ls := slices.Clone(ls)
		slices.SortStableFunc(ls, func(a, b label) int { return cmp.Compare(a.y, b.y) })
		gap := max(min(gap, (c.Max.Y-c.Min.Y)/vg.Length(max(len(ls), 1))), 10)
		at := make([]vg.Length, len(ls))
		for i, l := range ls {
			at[i] = clamp(y(l.y), c.Min.Y+5, c.Max.Y-5)
		}
		for range ls {
			for i := 1; i < len(at); i++ {
				if d := gap - (at[i] - at[i-1]); d > 0.01 {
					at[i-1] -= d / 2
					at[i] += d / 2
				}
			}
		}
		low, high := c.Min.Y+5, c.Max.Y-5 // none below the axis, where its numbers stand, and none above the chart
		for i := range at {
			at[i] = max(at[i], low+gap*vg.Length(i))
			if i > 0 {
				at[i] = max(at[i], at[i-1]+gap)
			}
		}
		for i := len(at) - 1; i >= 0; i-- {
			at[i] = min(at[i], high)
			high = at[i] - gap
		}
		for i, l := range ls {
			if l.dot {
				c.StrokeLine2(lineStyle(Axes, 0.5), x(l.x), y(l.y), c.Max.X+3, at[i])
			}
			c.FillText(l.style(), point(c.Max.X+6, at[i]+lift), l.text)
		}
	}
}

// lift is the vertical shift that centres text by the height of its letters instead of that of the font.
const lift = 1.5

// Sizes in pixels of a list of rows.
const (
	rowHeight = 26
	axisRoom  = 46
)

func rowsHeight(n int) float64 { return float64(n)*rowHeight + axisRoom + 8 }

// noData returns an error that says what is missing.
func noData(what string) error { return fmt.Errorf("%s: %w", what, ErrNoData) }
