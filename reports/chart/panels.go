package chart

import (
	"math"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Titled returns a chart with a title above it.
func Titled(title string, c Chart) *Panels {
	return &Panels{Titles: []string{title}, Charts: []Chart{c}}
}

// Panels are several charts, each with a title above it, arranged in rows.
type Panels struct {
	Titles  []string
	Charts  []Chart
	Columns int // charts in each row; 0 = all in one row
}

func (p *Panels) columns() int {
	if p.Columns > 0 {
		return p.Columns
	}
	return max(1, len(p.Charts))
}

// titleLine is the height of a line of a title.
const titleLine = 16

// title returns the lines of a panel's title.
func (p *Panels) title(i int) []string {
	if i >= len(p.Titles) || p.Titles[i] == "" {
		return nil
	}
	width, _ := p.Charts[i].Size()
	return wrap(bold(textStyle(labelSize, Ink)), p.Titles[i], vg.Length(width-8))
}

// titleRoom is the height above each panel for its title.
func (p *Panels) titleRoom() float64 {
	most := 0
	for i := range p.Charts {
		most = max(most, len(p.title(i)))
	}
	if most == 0 {
		return 0
	}
	return 6 + titleLine*float64(most)
}

// Resize implements Sized: all panels get the same size.
func (p *Panels) Resize(width, height float64) {
	across := p.columns()
	down := (len(p.Charts) + across - 1) / across
	for _, title := range []float64{0, 1} { // the room of titles depends on the width
		for _, c := range p.Charts {
			if c, ok := c.(Sized); ok {
				c.Resize(width/float64(across), height/float64(down)-title*p.titleRoom())
			}
		}
	}
}

// Least implements Sized.
func (p *Panels) Least() (w, h float64) {
	for _, c := range p.Charts {
		if c, ok := c.(Sized); ok {
			x, y := c.Least()
			w, h = math.Max(w, x), math.Max(h, y+p.titleRoom())
		}
	}
	across := p.columns()
	return w * float64(across), h * float64((len(p.Charts)+across-1)/across)
}

// Size implements Chart.
func (p *Panels) Size() (w, h float64) {
	widths, heights := p.tracks()
	for _, v := range widths {
		w += v
	}
	for _, v := range heights {
		h += v
	}
	return math.Max(w, 1), math.Max(h, 1)
}

// tracks returns the widths of columns and heights of rows.
func (p *Panels) tracks() (widths, heights []float64) {
	n := p.columns()
	widths, heights = make([]float64, n), make([]float64, (len(p.Charts)+n-1)/n)
	for i, c := range p.Charts {
		w, h := c.Size()
		widths[i%n] = math.Max(widths[i%n], w)
		heights[i/n] = math.Max(heights[i/n], h+p.titleRoom())
	}
	return widths, heights
}

// Draw implements Chart. A panel without data shows a text that says so. If all are empty, Draw returns ErrNoData.
func (p *Panels) Draw(c draw.Canvas) error {
	widths, heights := p.tracks()
	n, some := p.columns(), false
	y := c.Max.Y
	for i := range heights {
		x := c.Min.X
		for j := 0; j < n && i*n+j < len(p.Charts); j++ {
			k := i*n + j
			w, h := p.Charts[k].Size()
			for l, line := range p.title(k) {
				s := bold(textStyle(labelSize, Ink))
				s.YAlign = text.YTop
				c.FillText(s, vg.Point{X: x + 4, Y: y - 3 - titleLine*vg.Length(l)}, line)
			}
			top := y - vg.Length(p.titleRoom())
			part := draw.Canvas{Canvas: c.Canvas, Rectangle: rect(x, top-vg.Length(h), x+vg.Length(w), top)}
			if err := p.Charts[k].Draw(part); err != nil {
				c.FillText(textStyle(tickSize, Muted), vg.Point{X: x + 4, Y: y - 40}, err.Error())
			} else {
				some = true
			}
			x += vg.Length(widths[j])
		}
		y -= vg.Length(heights[i])
	}
	if !some {
		return noData("panels")
	}
	return nil
}
