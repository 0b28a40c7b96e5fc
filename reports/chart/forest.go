package chart

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"spar/ratings"
)

// Row is an estimate with a name.
type Row struct {
	Label string
	ratings.Estimate
	From   *ratings.Estimate // the value before a change, drawn as a ring; nil if there is none
	Note   string            // written at the right; empty writes the value
	Hollow bool              // draw a ring instead of a dot, for values that are not significant
	Colour Colour            // of the dot and the interval; the zero value is A
}

// Forest is a list of estimates, each drawn as a dot on its interval, with reference lines. The first row is at
// the top.
type Forest struct {
	Dim
	X             Axis
	Rows          []Row
	Refs          []Ref  // vertical reference lines
	Bars          bool   // draw bars from zero below the dots, for amounts
	Before, After string // names of the rings and the dots of changes, written above the first row
}

// Size implements Chart.
func (f *Forest) Size() (w, h float64) {
	extra := 0.0
	if f.After != "" {
		extra = 16
	}
	return f.or(Half, rowsHeight(len(f.Rows))+markHeight*float64(min(len(f.Refs), 2))+extra)
}

// Least implements Sized.
func (f *Forest) Least() (w, h float64) {
	name, note := vg.Length(0), vg.Length(0)
	for _, r := range f.Rows {
		name, note = max(name, textStyle(labelSize, Ink).Width(r.Label)), max(note, textStyle(tickSize, Ink).Width(f.note(r)))
	}
	return 180 + float64(name+note), axisRoom + 8 + 16*float64(len(f.Rows)+len(f.Refs))
}

// Draw implements Chart.
func (f *Forest) Draw(c draw.Canvas) error {
	xs := newSpread()
	for _, r := range f.Rows {
		xs.addTo(r.Estimate)
		if r.From != nil {
			xs.addTo(*r.From)
		}
	}
	if xs.empty() {
		return noData("estimates")
	}
	for _, r := range f.Refs {
		xs.add(r.Value)
	}
	if f.Bars {
		xs.add(0)
	}
	frame, height := f.frame(xs)
	frame.Add(marks(f.Refs), paint(func(c draw.Canvas, p *plot.Plot, x, y transform) {
		for i, r := range f.Rows {
			h, k := y(height(i)), r.Colour.or(A)
			rowNote(c, h, f.note(r))
			at := point(clamp(x(value(r.Estimate)), c.Min.X, c.Max.X), h)
			if r.From != nil {
				before := point(clamp(x(value(*r.From)), c.Min.X, c.Max.X), h)
				level.draw(c, lineStyle(B, 2), h+3, *r.From, x)
				if finite(value(*r.From), value(r.Estimate)) {
					c.StrokeLines(lineStyle(Muted, 1), []vg.Point{before, at})
				}
				if finite(value(*r.From)) {
					ring(c, B, before, 4.5)
				}
				h -= 3
			}
			if !finite(value(r.Estimate)) {
				continue
			}
			if bar := rect(clamp(x(0), c.Min.X, c.Max.X), h-7, at.X, h+7); f.Bars && k.own() {
				block(c, k, bar)
				k = Axes // visible on it and on the page
			} else if f.Bars {
				fill(c, k.Fade(0.35), bar)
			}
			level.draw(c, lineStyle(k, 2), h, r.Estimate, x)
			if r.Hollow {
				ring(c, k, at, 4)
			} else {
				dot(c, k, at, 4)
			}
		}
		legend(c, markHeight*vg.Length(min(len(f.Refs), 2)), []entry{
			{f.Before, func(c draw.Canvas, at vg.Point) { ring(c, B, at, 4.5) }},
			{f.After, func(c draw.Canvas, at vg.Point) { dot(c, A, at, 4.5) }},
		})
	}))
	if f.After != "" {
		frame.top = 26
	}
	frame.headroom(f.Refs)
	frame.draw(c)
	return nil
}

// frame returns the frame for a list of rows, and the height of each row.
func (f *Forest) frame(xs spread) (*frame, func(int) float64) {
	n := len(f.Rows)
	names := make([]string, n)
	room, labels := vg.Length(0), vg.Length(0)
	for i, r := range f.Rows {
		names[n-1-i] = r.Label
		style := textStyle(tickSize, Ink)
		room, labels = max(room, style.Width(f.note(r))), max(labels, style.Width(r.Label))
	}
	w, h := f.Size()
	frame := newFrame(f.X, Axis{Names: names}, xs, newSpread(), w-float64(room+labels), h, true, false)
	rowLabels(frame)
	if room > 0 {
		frame.right = room + 14
	}
	return frame, func(i int) float64 { return float64(n - 1 - i) }
}

func (f *Forest) note(r Row) string {
	at := value(r.Estimate)
	switch {
	case r.Note != "":
		return r.Note
	case !finite(at):
		return "no data"
	case r.From != nil && finite(value(*r.From)):
		return auto(value(*r.From), f.X.Unit) + " → " + auto(at, f.X.Unit)
	}
	return auto(at, f.X.Unit)
}

// rowLabels writes the names of rows as plain text and removes the axis next to them.
func rowLabels(f *frame) {
	f.Y.Tick.Label = textStyle(labelSize, Ink)
	f.Y.Tick.Label.XAlign = text.XRight
	f.Y.LineStyle.Width, f.Y.Tick.LineStyle.Width, f.Y.Tick.Length = 0, 0, 0
	f.Y.Padding = 6 // no interval strikes through a name
	f.top = 14
}

// rowNote writes a row's note at its right end.
func rowNote(c draw.Canvas, h vg.Length, note string) {
	c.FillText(textStyle(tickSize, Ink), point(c.Max.X+8, h+lift), note)
}
