// Package sheet writes the rules of a game on one page, to print and hand over.
//
// [Of] makes a [Sheet]: the names of the sides, the start position, an example of each kind of move and of each
// way to win, and the rules in words. The examples come from games that the engine plays at random, always the
// same ones. Sheet.HTML writes it as a page made to print; [Board] makes one of a single diagram.
package sheet

import (
	"html/template"
	"io"
	"strings"

	"spar/configs/plain"
	"spar/engines"
	"spar/engines/explain"
	"spar/reports/board"
	"spar/reports/chart"
	"spar/reports/diagram"
)

// Sheet is the content of a page that explains a game.
type Sheet struct {
	Title, About string
	Sides        [2]string // names and letters of the sides, and who begins
	Examples     []Example // the start position, then the moves, then the ways to win
	Rules        []explain.Section
}

// Of plays the game to find examples, which takes up to a few seconds on large boards. The sheet lists the changed
// knobs, like "board.columns=4": those that differ from the game with the same title.
func Of(g *engines.Game, changed ...string) *Sheet {
	p := g.NewPosition()
	begins := plain.If(p.Pieces(0).Or(p.Pieces(1)).Count() == 0, "The board is empty.", "The pieces at the start.")
	start := Example{
		Title: "Start", Words: begins + " First to move: " + g.SideName(p.Side()) + ".",
		Diagram: &diagram.Diagram{Game: g, Board: string(p.Signs())},
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

// Board returns a page with one diagram as large as the paper.
func Board(d *diagram.Diagram) *Sheet {
	return &Sheet{Title: board.Title(d.Game), Examples: []Example{{Diagram: d}}}
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
.examples:not(:has(>:nth-child(2))) svg{max-height:44rem}
figure{margin:0;break-inside:avoid}figcaption{font-size:.85rem}svg{width:100%;max-height:17rem;height:auto}
.rules{columns:22rem 2;column-gap:2rem;font-size:.9rem}
@page{size:A4;margin:12mm}
@media print{body{font-size:8.5pt;margin:0;padding:0}figcaption{font-size:7.5pt}.examples{grid-template-columns:repeat(5,1fr);gap:.5rem;margin:.5rem 0}svg{max-height:8rem}
.examples:not(:has(>:nth-child(9))){grid-template-columns:repeat(4,1fr)}.examples:not(:has(>:nth-child(9))) svg{max-height:9.5rem}
.examples:not(:has(>:nth-child(5))) svg{max-height:11rem}
.examples:not(:has(>:nth-child(4))){grid-template-columns:repeat(3,1fr)}.examples:not(:has(>:nth-child(4))) svg{max-height:15rem}
.examples:not(:has(>:nth-child(2))){display:block}.examples:not(:has(>:nth-child(2))) svg{max-height:24cm}
.rules{columns:2;font-size:7.5pt}h2{font-size:8.5pt;margin:.3rem 0 0}}
`

const layout = `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{.Title}}</title><link rel="icon" href="data:,"><style>{{css}}</style></head>
<body><main><h1>{{.Title}}</h1>{{with .About}}<p>{{.}}</p>{{end}}{{if index .Sides 0}}<p>{{index .Sides 0}}. {{index .Sides 1}}.</p>{{end}}
<div class="examples">{{range .Examples}}<figure>{{svg .Diagram}}{{if .Title}}<figcaption><b>{{.Title}}.</b> {{.Words}}</figcaption>{{end}}</figure>
{{end}}</div>
<div class="rules">{{range .Rules}}<section><h2>{{.Title}}</h2>{{range .Sentences}}<p>{{.}}</p>{{end}}</section>
{{end}}</div></main></body></html>
`
