// Package sheet writes the rules of a game on one page, to print and hand over.
//
// [Of] makes a [Sheet]: the names of the sides, the start position, an example of each kind of move and of each
// way to win, and the rules in words. The examples come from games that the engine plays at random, always the
// same ones. A Sheet is a chart of one A4 page, so that package chart writes it as pdf; Sheet.HTML writes it as a
// page.
package sheet

import (
	"fmt"
	"html/template"
	"image/color"
	"io"
	"math"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"spar/engines"
	"spar/engines/explain"
	"spar/reports/board"
	"spar/reports/chart"
	"spar/reports/diagram"
)

// Sheet is the content of the page.
type Sheet struct {
	Title, About string
	Sides        [2]string // names and letters of the sides, and who begins
	Examples     []Example // the start position, then the moves, then the ways to win
	Rules        []explain.Section
}

// Of plays the game to find examples, which takes up to a few seconds on large boards. The sheet names the knobs that
// are changed against the game with the same title, like "board.columns=4".
func Of(g *engines.Game, changed ...string) *Sheet {
	p := g.NewPosition()
	begins := map[bool]string{true: "The board is empty.", false: "The pieces of the start."}[p.Pieces(0).Or(p.Pieces(1)).Count() == 0]
	start := Example{
		Title: "Start", Words: begins + " First to move: " + g.SideName(p.Side()) + ".",
		Diagram: &diagram.Diagram{Game: g, Board: board.Of(&p.State).Board},
	}
	moves, goals := find(g)
	s := &Sheet{Title: board.Title(g), About: g.Rules().About, Rules: explain.Game(g).Sections}
	if len(changed) > 0 {
		s.About = strings.TrimSpace(s.About + " Changed here: " + strings.Join(changed, ", ") + ".")
	}
	s.Examples = append(append([]Example{start}, moves...), goals...)
	for side, order := range []string{"first player", "second player"} {
		s.Sides[side] = g.SideLabel(side) + ": " + order
	}
	return s
}

// HTML writes the sheet as a page that needs no other file.
func (s *Sheet) HTML(w io.Writer) error {
	t, err := template.New("sheet").Funcs(template.FuncMap{
		"css": func() template.CSS { return template.CSS(chart.CSS() + styles) },
		"svg": func(d *diagram.Diagram) (template.HTML, error) {
			picture, err := chart.SVG(d, d.Alt())
			return template.HTML(picture), err
		},
	}).Parse(layout)
	if err != nil {
		return err
	}
	return t.Execute(w, s)
}

const styles = `body{font:16px/1.45 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:68rem;margin:1.5rem auto;padding:0 1rem}
h1{margin:0}h2{font-size:1rem;margin:.8rem 0 .1rem}p{margin:.2rem 0}section{break-inside:avoid}
.examples{display:grid;grid-template-columns:repeat(auto-fit,minmax(11rem,1fr));gap:1rem;margin:1rem 0}
figure{margin:0;break-inside:avoid}figcaption{font-size:.85rem}svg{width:100%;max-height:17rem;height:auto}
.rules{columns:22rem 2;column-gap:2rem;font-size:.9rem}
@page{size:A4;margin:12mm}
@media print{body{font-size:8.5pt;margin:0;padding:0}.examples{grid-template-columns:repeat(5,1fr);gap:.5rem;margin:.5rem 0}svg{max-height:8rem}
.examples:not(:has(:nth-child(5))){grid-template-columns:repeat(4,1fr)}.examples:not(:has(:nth-child(5))) svg{max-height:11rem}
.rules{columns:2;font-size:7.5pt}h2{font-size:8.5pt;margin:.3rem 0 0}}
`

const layout = `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{.Title}}</title><link rel="icon" href="data:,"><style>{{css}}</style></head>
<body><main><h1>{{.Title}}</h1>{{with .About}}<p>{{.}}</p>{{end}}<p>{{index .Sides 0}}. {{index .Sides 1}}.</p>
<div class="examples">{{range .Examples}}<figure>{{svg .Diagram}}<figcaption><b>{{.Title}}.</b> {{.Words}}</figcaption></figure>
{{end}}</div>
<div class="rules">{{range .Rules}}<section><h2>{{.Title}}</h2>{{range .Sentences}}<p>{{.}}</p>{{end}}</section>
{{end}}</div></main></body></html>
`

// Size of the paper, and the margin that printers cannot print on, in points.
const (
	paperWidth, paperHeight = 595.3, 841.9
	edge                    = 34.0
)

// Size implements chart.Chart: an A4 page.
func (s *Sheet) Size() (width, height float64) { return paperWidth, paperHeight }

// Draw implements chart.Chart. It uses the largest letters with which everything fits on the page.
func (s *Sheet) Draw(c draw.Canvas) error {
	scale := 1.4
	for scale > .4 && (&pen{c: c, scale: scale, dry: true}).sheet(s) > paperHeight-edge {
		scale *= .97
	}
	p := &pen{c: c, scale: scale}
	p.sheet(s)
	return p.err
}

// pen draws a sheet. In a dry run it only measures.
type pen struct {
	c     draw.Canvas
	scale float64
	dry   bool
	err   error
}

// sheet draws a sheet and returns the lowest position that it used, in points from the top.
func (p *pen) sheet(s *Sheet) float64 {
	room := paperWidth - 2*edge
	y := p.paragraph(edge, edge, room, 20, chart.Ink, s.Title) + 2
	for _, line := range []string{s.About, s.Sides[0] + ". " + s.Sides[1] + "."} {
		y = p.paragraph(edge, y, room, 9.5, chart.Ink, line)
	}
	y += 8 * p.scale
	columns := max(3, int(math.Round(4/p.scale)))
	gap := 10.0
	width := (room - gap*float64(columns-1)) / float64(columns)
	for i := 0; i < len(s.Examples); i += columns {
		low := y
		for k, e := range s.Examples[i:min(i+columns, len(s.Examples))] {
			low = max(low, p.example(edge+float64(k)*(width+gap), y, width, e))
		}
		y = low + 7*p.scale
	}
	return p.rules(s.Rules, y, room)
}

// rules writes the sections in two columns of about the same height.
func (p *pen) rules(sections []explain.Section, top, room float64) float64 {
	gap := 16.0
	width := (room - gap) / 2
	var heights []float64
	whole := 0.0
	measure := *p
	measure.dry = true
	for _, s := range sections {
		heights = append(heights, measure.section(0, 0, width, s))
		whole += heights[len(heights)-1]
	}
	x, y, low, used := edge, top, top, 0.0
	for i, s := range sections {
		if x == edge && used+heights[i]/2 > whole/2 {
			x, y = edge+width+gap, top
		}
		y = p.section(x, y, width, s)
		used += heights[i]
		low = max(low, y)
	}
	return low
}

func (p *pen) section(x, y, width float64, s explain.Section) float64 {
	y = p.paragraph(x, y, width, 9.5, chart.Second, s.Title)
	for _, sentence := range s.Sentences {
		y = p.paragraph(x, y, width, 8, chart.Ink, sentence)
	}
	return y + 4*p.scale
}

// example draws a diagram with its title and words below.
func (p *pen) example(x, y, width float64, e Example) float64 {
	d := *e.Diagram
	d.Unit = 1
	w, h := d.Size()
	d.Unit = min(width/w, 118*p.scale/h)
	if !p.dry {
		left, top := vg.Length(x), vg.Length(paperHeight-y)
		p.err = d.Draw(draw.Canvas{Canvas: p.c.Canvas, Rectangle: vg.Rectangle{
			Min: vg.Point{X: left, Y: top - vg.Length(h*d.Unit)}, Max: vg.Point{X: left + vg.Length(w*d.Unit), Y: top},
		}})
	}
	y = p.paragraph(x, y+h*d.Unit+2, width, 8.5, chart.Second, e.Title)
	return p.paragraph(x, y, width, 7.5, chart.Ink, e.Words)
}

// paragraph draws a text in lines of at most the given width. It returns the position for the next text.
func (p *pen) paragraph(x, y, width, size float64, k color.Color, words string) float64 {
	size *= p.scale
	style := text.Style{
		Color: k, Font: font.Font{Typeface: "Liberation", Variant: "Sans", Size: vg.Length(size)},
		YAlign: text.YTop, Handler: text.Plain{Fonts: font.DefaultCache},
	}
	line := ""
	flush := func() {
		if !p.dry {
			p.c.FillText(style, vg.Point{X: vg.Length(x), Y: vg.Length(paperHeight - y)}, line)
		}
		y += size * 1.22
	}
	for _, word := range strings.Fields(words) {
		longer := strings.TrimPrefix(fmt.Sprintf("%s %s", line, word), " ")
		if line != "" && style.Width(longer).Points() > width {
			flush()
			longer = word
		}
		line = longer
	}
	if line != "" {
		flush()
	}
	return y + size*.15
}
