package chart

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Scale maps values to the steps of a colour scale.
type Scale struct {
	Lo, Hi float64 // ends of the scale; both 0 = from the data
	// Mid is the value without colour on a diverging scale. Values above it are blue, like the first player,
	// values below it orange.
	Mid       float64
	Diverging bool
	Unit      Unit
	Label     string // title next to the colour bar
}

// Mark is a bit set of extra signs on a cell of a grid.
type Mark int

// The signs on cells.
const (
	Hatched  Mark = 1 << iota // the interval includes the target
	Framed                    // a frame that highlights the cell
	Crossed                   // a cell that does not exist
	Cornered                  // a filled corner, for the cell that the others are compared with
	OfFirst                   // an outline in the first player's colour
	OfSecond                  // the same for the second player
)

// Cell is a cell of a grid. A value that is not finite has no colour, and without a text no outline.
type Cell struct {
	Value float64
	Text  string // text of the cell; empty = write the value
	Sub   string // smaller lines below, separated by line ends; the last ones are omitted where there is no room
	Mark  Mark
}

// Grid is a heat map with numbers in the cells and a colour bar. It is also used as a cross table of agents, with
// wins, draws and losses in Sub. The first row is at the top.
type Grid struct {
	Dim
	Columns, Rows  []string
	XLabel, YLabel string
	Cells          [][]Cell // cells by row, then column
	Scale          Scale
	NoBar          bool
	Numbered       bool // the columns are the rows, and have their numbers where there is no room for names
	Hex            bool // the cells are hexagons; each row is half a cell further right
	square         bool
}

// Size implements Chart.
func (g *Grid) Size() (w, h float64) {
	cell := 36.0
	if g.square {
		wide, high := float64(len(g.Columns)), float64(len(g.Rows))
		if g.Hex {
			wide, high = wide+high/2, high*0.866+0.6
		}
		cell = max(26, min(52, 290/max(wide, high, 1)))
		return g.or(cell*wide+28+g.barRoom(), cell*high+30+g.head())
	}
	width := Half
	if len(g.Columns) > 6 {
		width = Full
	}
	return g.or(float64(width), cell*float64(len(g.Rows))+60+g.head())
}

// head returns the height above the cells for the title of the left axis or of the colour bar.
func (g *Grid) head() float64 {
	if g.Hex || g.YLabel != "" || !g.NoBar && g.Scale.Label != "" {
		return 22
	}
	return 4
}

func (g *Grid) barRoom() float64 {
	if g.NoBar {
		return 8
	}
	return 78
}

// scaled returns the scale with its ends, and whether there is any value.
func (g *Grid) scaled() (Scale, bool) {
	s := newSpread()
	for _, r := range g.Cells {
		for _, c := range r {
			s.add(c.Value)
		}
	}
	k := g.Scale
	if k.Lo == 0 && k.Hi == 0 && !s.empty() {
		k.Lo, k.Hi = s.lo, s.hi
		if k.Diverging {
			d := max(math.Abs(s.lo-k.Mid), math.Abs(s.hi-k.Mid))
			k.Lo, k.Hi = k.Mid-d, k.Mid+d
		} else if k.Lo > 0 && k.Lo < k.Hi/2 {
			k.Lo = 0
		}
	}
	if k.Hi <= k.Lo {
		k.Lo, k.Hi = k.Lo-0.5, k.Lo+0.5
	}
	return k, !s.empty()
}

// step returns the colour step of a value, 0 to Steps-1.
func (k Scale) step(v float64) int {
	t := (v - k.Lo) / (k.Hi - k.Lo)
	if k.Diverging {
		d := max(k.Hi-k.Mid, k.Mid-k.Lo)
		t = (v-k.Mid)/(2*d) + 0.5
	}
	return int(max(0, min(Steps-1, math.Round(t*(Steps-1)))))
}

// colours returns the colour of a step and that of text on it.
func (k Scale) colours(step int) (Colour, Colour) {
	letter, p := "q", sequential[step]
	if k.Diverging {
		letter, p = "v", diverging[step]
	}
	role := fmt.Sprintf("%s%d", letter, step)
	return Colour{role, p.light, p.dark}, Colour{"t" + role, readable(p.light), readable(p.dark)}
}

// widest returns the width of the longest name.
func widest(style text.Style, names []string) (w vg.Length) {
	for _, name := range names {
		w = max(w, style.Width(name))
	}
	return w
}

// Least implements Sized.
func (g *Grid) Least() (w, h float64) {
	names := widest(textStyle(labelSize, Ink), g.Rows)
	return 60 + g.barRoom() + float64(names) + 24*float64(len(g.Columns)), 60 + g.head() + 18*float64(len(g.Rows))
}

// Draw implements Chart.
func (g *Grid) Draw(c draw.Canvas) error {
	scale, some := g.scaled()
	if !some || len(g.Columns) == 0 || len(g.Rows) == 0 {
		return noData("cells")
	}
	n := len(g.Rows)
	rows := slices.Clone(g.Rows)
	slices.Reverse(rows)
	w, h := g.Size()
	columns := g.Columns
	room := vg.Length(w-180) / vg.Length(len(columns))
	if g.Numbered && widest(textStyle(labelSize, Ink), columns) > room {
		columns = slices.Clone(columns)
		for i := range columns {
			columns[i] = fmt.Sprint(i + 1)
			rows[n-1-i] = columns[i] + "  " + rows[n-1-i]
		}
	}
	shift := 0.0 // of each row to the right
	if g.Hex {
		shift = 0.5
		for i := range rows {
			rows[i] = "  " // each number is next to its row
		}
	}
	f := newFrame(Axis{Label: g.XLabel, Names: columns, shift: shift * float64(n-1)},
		Axis{Label: g.YLabel, Names: rows}, newSpread(), newSpread(), w, h, false, false)
	rowLabels(f)
	f.X.Padding = vg.Length(24 * shift) // hexagons of the last row reach below it
	tick := &f.X.Tick
	f.X.LineStyle.Width, tick.LineStyle.Width, tick.Length = 0, 0, 0
	tick.Label = textStyle(labelSize, Ink)
	tick.Label.XAlign, tick.Label.YAlign = text.XCenter, text.YTop
	tick.Label.Rotation = 0
	if !g.square && widest(tick.Label, columns) > room {
		tick.Label.Rotation = math.Pi / 5
		tick.Label.XAlign = text.XRight
	}
	f.top = vg.Length(g.head())
	f.right = vg.Length(g.barRoom())
	f.Add(paint(func(c draw.Canvas, p *plot.Plot, x, y transform) {
		for i := range g.Cells {
			first := shift*float64(i) - 0.5
			if g.Hex {
				c.FillText(f.Y.Tick.Label, point(x(first)-6, y(float64(n-1-i))), g.Rows[i])
			}
			for j := range g.Cells[i] {
				left, low := float64(j)+first, float64(n-1-i)-0.5
				scale.cell(c, rect(x(left)+0.75, y(low)+0.75, x(left+1)-0.75, y(low+1)-0.75), g.Hex, g.Cells[i][j])
			}
		}
		if !g.NoBar {
			scale.bar(c)
		}
	}))
	f.draw(c)
	return nil
}

// cell draws one cell: colour, marks and number.
func (k Scale) cell(c draw.Canvas, r vg.Rectangle, hex bool, cell Cell) {
	lo, hi := r.Min, r.Max
	outline, sixth := box(r), point(0, (hi.Y-lo.Y)/6)
	mid := point((lo.X+hi.X)/2, (lo.Y+hi.Y)/2)
	if hex { // a quarter of its height is shared with the next row
		outline = []vg.Point{
			lo.Add(sixth), point(mid.X, lo.Y).Sub(sixth), outline[1].Add(sixth), hi.Sub(sixth), point(mid.X, hi.Y).Add(sixth),
			outline[3].Sub(sixth), lo.Add(sixth),
		}
	}
	on, ink := Paper, Muted
	words := cell.Text
	if finite(cell.Value) {
		on, ink = k.colours(k.step(cell.Value))
		c.FillPolygon(on, outline[1:])
		if words == "" {
			words = auto(cell.Value, k.Unit)
		}
	} else if words != "" {
		c.StrokeLines(lineStyle(Thin, 1), outline)
	}
	if cell.Mark&Hatched != 0 {
		hatch(c, outline, ink.Fade(hatching))
	}
	for i, side := range []Colour{First, Second} {
		if cell.Mark&(OfFirst<<i) != 0 {
			c.StrokeLines(lineStyle(side, 4-2*float64(i)), append(outline, outline[1]))
		}
	}
	if cell.Mark&Crossed != 0 {
		c.StrokeLine2(lineStyle(Axes, 1), lo.X, lo.Y, hi.X, hi.Y)
		c.StrokeLine2(lineStyle(Axes, 1), lo.X, hi.Y, hi.X, lo.Y)
	}
	if cell.Mark&Cornered != 0 {
		c.FillPolygon(ink, []vg.Point{{X: lo.X, Y: hi.Y}, {X: lo.X + 9, Y: hi.Y}, {X: lo.X, Y: hi.Y - 9}})
	}
	if cell.Mark&Framed != 0 {
		in := rect(lo.X+1.2, lo.Y+1.2, hi.X-1.2, hi.Y-1.2)
		c.StrokeLines(lineStyle(Ink, 2.4), append(box(in), box(in)[1]))
	}
	width := hi.X - lo.X
	style := func(line int, words string) text.Style {
		s := textStyle(tickSize, ink)
		if large := textStyle(labelSize, ink); line == 0 && large.Width(words) <= width-3 {
			s = large
		}
		s.XAlign = text.XCenter
		return s
	}
	const line = 13
	lines, widest := []string{words}, style(0, words).Width(words)
	if words == "" || widest > width-1 {
		return
	}
	for sub := range strings.SplitSeq(cell.Sub, "\n") { // what cannot be read is left to the table
		wide := style(1, sub).Width(sub)
		if sub == "" || wide > width-2 || vg.Length(line*(len(lines)+1)) > hi.Y-lo.Y {
			break
		}
		lines, widest = append(lines, sub), max(widest, wide)
	}
	half := vg.Length(line*(len(lines)-1)) / 2
	if cell.Mark&Hatched != 0 { // the numbers keep a clear ground
		fill(c, on, rect(mid.X-widest/2-2, mid.Y-half-6, mid.X+widest/2+2, mid.Y+half+6))
	}
	for i, l := range lines {
		c.FillText(style(i, l), point(mid.X, mid.Y+half-vg.Length(line*i)), l)
	}
}

// hatching is the opacity of hatching lines, which have the colour of the text. Their contrast is at least 3:1 on
// every step of both scales and in both themes.
const hatching = 0.75

// hatch draws diagonal lines, falling to the right, inside an outline.
func hatch(c draw.Canvas, outline []vg.Point, k color.Color) {
	var at []vg.Length
	for _, p := range outline {
		at = append(at, p.X+p.Y)
	}
	for d := slices.Min(at) + 5; d < slices.Max(at); d += 6 {
		var ends []vg.Point
		for i, p := range outline[1:] {
			from := outline[i]
			if t := (d - at[i]) / (at[i+1] - at[i]); t > 0 && t <= 1 {
				ends = append(ends, from.Add(p.Sub(from).Scale(t)))
			}
		}
		c.StrokeLines(draw.LineStyle{Color: k, Width: 1}, ends)
	}
}

// bar draws the colour bar at the right of the canvas.
func (k Scale) bar(c draw.Canvas) {
	x0 := c.Max.X + 12
	height := min(c.Max.Y-c.Min.Y, 150)
	y0 := c.Max.Y - height
	if k.Label != "" {
		s := textStyle(tickSize, Muted)
		s.YAlign = text.YBottom
		c.FillText(s, point(x0-4, c.Max.Y+4), k.Label)
	}
	lo, hi := k.Lo, k.Hi
	if k.Diverging {
		d := max(k.Hi-k.Mid, k.Mid-k.Lo)
		lo, hi = k.Mid-d, k.Mid+d
	}
	for i := range Steps {
		on, _ := k.colours(i)
		a, b := y0+height*vg.Length(i)/Steps, y0+height*vg.Length(i+1)/Steps
		fill(c, on, rect(x0, a, x0+10, b))
	}
	for _, t := range []float64{0, 0.5, 1} {
		v := lo + t*(hi-lo)
		// The ends of the bar stand for the middles of the first and the last step.
		at := y0 + height*vg.Length((t*(Steps-1)+0.5)/Steps)
		words := auto(v, k.Unit)
		if k.Unit == Percent { // no part of a per cent: the ends are round
			words = Text(v, k.Unit, 0)
		}
		c.FillText(textStyle(tickSize, Muted), point(x0+14, at), words)
	}
}

// Board returns the heat map of a board: cells by row from the top left, columns named by letters, row 1 at the top.
func Board(columns int, cells []Cell, scale Scale) *Grid {
	g := &Grid{Scale: scale, square: true}
	for i := range columns {
		g.Columns = append(g.Columns, string(rune('a'+i)))
	}
	for from := 0; columns > 0 && from+columns <= len(cells); from += columns {
		g.Rows = append(g.Rows, fmt.Sprint(from/columns+1))
		g.Cells = append(g.Cells, cells[from:from+columns])
	}
	return g
}
