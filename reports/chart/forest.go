package chart

import (
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Row is an estimate with a name.
type Row struct {
	Label  string
	Value  float64
	Lo, Hi float64 // infinite if the interval is open; NaN if there is none
	Note   string  // written at the right; empty writes the value
	Hollow bool    // draw a ring instead of a dot, for values that are not significant
	Colour Colour  // of the dot and the interval; the zero value is A
}

// Forest is a list of estimates, each drawn as a dot on its interval, with reference lines. The first row is at
// the top.
type Forest struct {
	Dim
	X    Axis
	Rows []Row
	Refs []Ref      // vertical reference lines
	Zone [2]float64 // range to shade, such as the values that count as fair; both 0 = none
	Bars bool       // draw bars from zero instead of dots, for amounts
}

// Size implements Chart.
func (f *Forest) Size() (w, h float64) {
	return f.or(Half, rowsHeight(len(f.Rows))+markHeight*float64(min(len(f.Refs), 2)))
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
	f = &Forest{f.Dim, f.X, slices.Clone(f.Rows), f.Refs, f.Zone, f.Bars}
	xs := newSpread()
	for _, r := range f.Rows {
		xs.add(r.Value)
		if hasInterval(r.Value, r.Lo, r.Hi) {
			xs.add(r.Lo, r.Hi)
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
	frame, at := f.frame(xs)
	frame.Add(zone(f.Zone, true), marks(f.Refs), paint(func(c draw.Canvas, p *plot.Plot, x, y func(float64) vg.Length) {
		for i, r := range f.Rows {
			h := y(at(i))
			k := r.Colour.or(A)
			rowNote(c, h, r)
			if !finite(r.Value) {
				continue
			}
			if f.Bars {
				zero := clamp(x(0), c.Min.X, c.Max.X)
				end := clamp(x(r.Value), c.Min.X, c.Max.X)
				c.FillPolygon(k.Fade(0.35), []vg.Point{
					{X: zero, Y: h - 7},
					{X: end, Y: h - 7},
					{X: end, Y: h + 7},
					{X: zero, Y: h + 7},
				})
			}
			r.interval(c, k, x, h)
			pt := vg.Point{X: clamp(x(r.Value), c.Min.X, c.Max.X), Y: h}
			if r.Hollow {
				ring(c, k, pt, 4)
			} else {
				dot(c, k, pt, 4)
			}
		}
	}))
	frame.headroom(f.Refs)
	frame.draw(c)
	return nil
}

// frame returns the frame for a list of rows, and the height of each row.
func (f *Forest) frame(xs spread) (*frame, func(int) float64) {
	n := len(f.Rows)
	names := make([]string, n)
	room := vg.Length(0)
	for i, r := range f.Rows {
		names[n-1-i] = r.Label
		room = max(room, textStyle(tickSize, Ink).Width(f.note(r)))
	}
	w, h := f.Size()
	frame := newFrame(f.X, Axis{Names: names}, xs, newSpread(), w-120, h, true, false)
	rowLabels(frame)
	if room > 0 {
		frame.right = room + 14
	}
	for i := range f.Rows {
		f.Rows[i].Note = f.note(f.Rows[i])
	}
	return frame, func(i int) float64 { return float64(n - 1 - i) }
}

func (f *Forest) note(r Row) string {
	switch {
	case r.Note != "":
		return r.Note
	case !finite(r.Value):
		return "no data"
	}
	return auto(r.Value, f.X.Unit)
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
func rowNote(c draw.Canvas, h vg.Length, r Row) {
	c.FillText(textStyle(tickSize, Ink), vg.Point{X: c.Max.X + 8, Y: h + lift}, r.Note)
}

// interval draws the interval of a row, if it has one.
func (r Row) interval(c draw.Canvas, k Colour, x func(float64) vg.Length, h vg.Length) {
	if hasInterval(r.Value, r.Lo, r.Hi) {
		level.draw(c, lineStyle(k, 2), h, x(r.Lo), x(r.Hi))
	}
}

// Move is a pair of estimates of one quantity, before and after a change.
type Move struct {
	Label    string
	From, To Row
}

// Dumbbell is a list of changes: a ring for the value before, a dot for the value after.
type Dumbbell struct {
	Dim
	X        Axis
	From, To string // names of the value before and the value after, written above the first row
	Rows     []Move
	Refs     []Ref
}

// Size implements Chart.
func (d *Dumbbell) Size() (w, h float64) { return d.or(Half, rowsHeight(len(d.Rows))+16) }

// Draw implements Chart.
func (d *Dumbbell) Draw(c draw.Canvas) error {
	xs := newSpread()
	rows := make([]Row, len(d.Rows))
	for i, m := range d.Rows {
		for _, r := range []Row{m.From, m.To} {
			xs.add(r.Value)
			if hasInterval(r.Value, r.Lo, r.Hi) {
				xs.add(r.Lo, r.Hi)
			}
		}
		rows[i] = Row{Label: m.Label, Value: m.To.Value, Note: m.To.Note}
		if m.To.Note == "" && finite(m.From.Value, m.To.Value) {
			rows[i].Note = auto(m.From.Value, d.X.Unit) + " to " + auto(m.To.Value, d.X.Unit)
		}
	}
	if xs.empty() {
		return noData("changes")
	}
	for _, r := range d.Refs {
		xs.add(r.Value)
	}
	f := &Forest{Dim: Dim{Width: d.Width}, X: d.X, Rows: rows}
	frame, at := f.frame(xs)
	frame.top = 26
	frame.headroom(d.Refs)
	frame.Add(marks(d.Refs), paint(func(c draw.Canvas, p *plot.Plot, x, y func(float64) vg.Length) {
		for i, m := range d.Rows {
			h := y(at(i))
			from, to := B, A
			rowNote(c, h, f.Rows[i])
			ends := []vg.Point{}
			for _, r := range []Row{m.From, m.To} {
				if finite(r.Value) {
					ends = append(ends, vg.Point{X: clamp(x(r.Value), c.Min.X, c.Max.X), Y: h})
				}
			}
			m.From.interval(c, from, x, h+3)
			m.To.interval(c, to, x, h-3)
			if len(ends) == 2 {
				c.StrokeLines(lineStyle(Muted, 1), ends)
			}
			if finite(m.From.Value) {
				ring(c, from, ends[0], 4.5)
			}
			if finite(m.To.Value) {
				dot(c, to, ends[len(ends)-1], 4.5)
			}
		}
		key(c, markHeight*vg.Length(min(len(d.Refs), 2)), []keyEntry{{d.From, B, true}, {d.To, A, false}})
	}))
	frame.draw(c)
	return nil
}

type keyEntry struct {
	name   string
	colour Colour
	hollow bool
}

// key draws a legend in a line of the given height above the chart.
func key(c draw.Canvas, above vg.Length, entries []keyEntry) {
	at := vg.Point{X: c.Min.X, Y: c.Max.Y + 14 + above}
	wide := draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
		Min: c.Min,
		Max: vg.Point{X: c.Max.X + 500, Y: c.Max.Y + 60},
	}}
	for _, e := range entries {
		if e.name == "" {
			continue
		}
		mark := vg.Point{X: at.X + 5, Y: at.Y}
		if e.hollow {
			ring(wide, e.colour, mark, 4.5)
		} else {
			dot(wide, e.colour, mark, 4.5)
		}
		s := textStyle(tickSize, Ink)
		c.FillText(s, vg.Point{X: at.X + 14, Y: at.Y}, e.name)
		at.X += 14 + s.Width(e.name) + 16
	}
}
