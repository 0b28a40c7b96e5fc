package page

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"math"
	"regexp"
	"strings"

	"spar/configs/plain"
	"spar/engines"
	"spar/reports/board"
	"spar/reports/chart"
	"spar/reports/table"
)

var (
	//go:embed page.html.tmpl
	layout string
	//go:embed page.css
	styles string
	//go:embed page.js
	program string
)

// Styles returns the style sheet of a page, without the rules for its charts.
func Styles() string { return styles }

// Program returns the script of a page. It switches themes and steps through games.
func Program() string { return program }

// Layouts adds the templates of a page to other templates. Its template "scrolled" shows a table.Table, so that tables
// look the same on all pages.
func Layouts(to *template.Template) (*template.Template, error) {
	t, err := to.New("page").Funcs(template.FuncMap{
		"svg":      svgOf,
		"slim":     func(f drawn) (template.HTML, error) { f.Chart = f.Slim; return svgOf(f) },
		"csv":      func(t table.Table) (template.URL, error) { return dataURL("text/csv", t.CSV) },
		"json":     func(t table.Table) (template.URL, error) { return dataURL("application/json", t.JSON) },
		"frames":   framesOf,
		"squares":  func(r *replay) [][]board.Square { return r.Frames[r.Shown()].Squares(r.Game) },
		"arc":      newCurve,
		"moves":    movesOf,
		"coloured": board.Coloured,
		"hues":     hues,
		"percent":  percent,
		"letters":  func(n int) []string { return strings.Split("abcdefghijklmnopqrstuvwxyz"[:n], "") },
		"class":    func(r *replay) string { return board.Class(r.Game, r.Columns) },
		"inc":      func(i int) int { return i + 1 },
	}).Parse(layout)
	if err != nil {
		return nil, fmt.Errorf("page layout: %w", err)
	}
	return t, nil
}

// Fragment returns the document for a page that has Styles and Program.
func (d *Document) Fragment() (template.HTML, error) {
	p, err := d.prepare()
	if err != nil {
		return "", err
	}
	return fragment("document", p)
}

// Fragment returns only the game, for a page that has Styles and Program.
func (v *GameView) Fragment() (template.HTML, error) {
	r, err := newReplay(v)
	if err != nil {
		return "", err
	}
	return fragment("game", r)
}

func fragment(name string, data any) (template.HTML, error) {
	t, err := Layouts(template.New(""))
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	err = t.ExecuteTemplate(&b, name, data)
	return template.HTML(b.String()), err
}

// HTML writes the document as one self-contained page. It works as a local file, without a network, without its
// script (which steps through games and changes the theme), in print, on a phone, by keyboard and with a screen
// reader. Its security policy allows exactly its own style sheet and script, by their hashes.
func (d *Document) HTML(w io.Writer) error {
	p, err := d.prepare()
	if err != nil {
		return err
	}
	css := chart.CSS() + styles
	t, err := Layouts(template.New(""))
	if err != nil {
		return err
	}
	var b bytes.Buffer
	err = t.Execute(&b, map[string]any{
		"Doc": p, "CSS": template.CSS(css), "JS": template.JS(program),
		"Policy": fmt.Sprintf(
			"default-src 'none'; script-src '%s'; style-src '%s'; img-src data:; base-uri 'none'; form-action 'none'",
			PolicyHash(program), PolicyHash(css)),
	})
	if err != nil {
		return fmt.Errorf("page %q: %w", d.Title, err)
	}
	_, err = w.Write(plain.Page(b.Bytes()))
	return err
}

// PolicyHash returns the source expression of a content security policy that allows exactly the given text.
func PolicyHash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

func svgOf(f drawn) (template.HTML, error) {
	b, err := chart.SVG(f.Chart, f.Alt)
	return template.HTML(b), err
}

func dataURL(kind string, write func(io.Writer) error) (template.URL, error) {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return "", err
	}
	return template.URL("data:" + kind + ";charset=utf-8;base64," + base64.StdEncoding.EncodeToString(b.Bytes())), nil
}

// hues returns the attribute with the colours of the sides for the charts of a page. It is empty unless both have
// enough contrast with the background of a light and of a dark page.
func hues(g *engines.Game) template.HTMLAttr {
	if g == nil {
		return ""
	}
	var out []string
	for side := range 2 {
		c, err := chart.ParseColour(g.Side(side).Hex())
		if err != nil || min(chart.Contrast(c, chart.Paper.Light()), chart.Contrast(c, chart.Paper.Dark())) < 3 {
			return ""
		}
		out = append(out, g.Side(side).Hex())
	}
	return template.HTMLAttr(fmt.Sprintf(` data-hues="%s"`, strings.Join(out, " ")))
}

// hyphened is a word that would be broken at its hyphen, such as the name of an agent, a move or a flag.
var hyphened = regexp.MustCompile(`[\w-]{0,20}-\w[\w-]{0,20}`)

// span is a range of ranks, which is not broken across lines.
var span = regexp.MustCompile(`^(\d+) to (\d+)$`)

// percent formats text whose percentages and hyphened words are not broken across lines.
func percent(s string) template.HTML {
	s = span.ReplaceAllString(strings.ReplaceAll(s, " %", "\u00a0%"), "$1\u00a0to\u00a0$2")
	s = template.HTMLEscapeString(s)
	return template.HTML(hyphened.ReplaceAllString(s, `<span class="u">$0</span>`))
}

// framesOf returns the game in the form that the page's script reads.
func framesOf(r *replay) (template.JS, error) {
	notes := make([]string, len(r.Frames))
	bad := []int{}
	for i := range r.Frames {
		class := r.class(i)
		if class == "inaccuracy" || class == "mistake" {
			bad = append(bad, i)
		}
		if class != "" {
			notes[i] = plain.Capital(class)
			if best := r.better(i); best != "" {
				notes[i] += ": " + best + " was best"
			}
			notes[i] += "."
		}
		if s := r.share(i); s != "" {
			notes[i] = strings.TrimSpace(notes[i] + r.Game.NameSides(" First player ") + s + ".")
		}
	}
	b, err := json.Marshal(struct {
		Frames []board.Frame `json:"frames"`
		Notes  []string      `json:"notes"`
		Bad    []int         `json:"bad"`
		At     int           `json:"at"`
	}{r.Frames, notes, bad, r.Shown()})
	return template.JS(b), err
}

// Move is a row in the list of moves of a game.
type Move struct {
	Ply   int
	Text  string
	Side  string // X or O
	Label string // label of the side
	Class string
	Share string
	Best  string
	Loss  string
	More  []string // further words
	Now   bool
}

// Rows returns the list of moves, for the layout "moves".
func (v *GameView) Rows() ([]Move, error) {
	r, err := newReplay(v)
	if err != nil {
		return nil, err
	}
	return movesOf(r), nil
}

func movesOf(r *replay) []Move {
	var out []Move
	shown := math.Inf(1)
	for i, text := range r.Moves {
		m := Move{
			Ply:   i + 1,
			Text:  text,
			Side:  r.Sides[i : i+1],
			Label: r.Game.SideName(strings.Index("XO", r.Sides[i:i+1])),
			Class: r.class(i + 1),
			Now:   i+1 == r.Shown(),
		}
		if s := r.share(i + 1); s != "" && (r.Best != nil || math.Abs(r.Values[i+1]-shown) >= 0.05) { // a notable change
			m.Share, shown = s, r.Values[i+1]
		}
		m.Best, m.Loss = r.better(i+1), lost(r.Values, i+1, r.Sides[i])
		if old := r.Frames[i+1].Old; len(old) > 0 {
			m.Text += " -" + board.Names(r.Game, old)
		}
		out = append(out, m)
	}
	return out
}

// curve is the arc of a game, in the units of its drawing.
type curve struct {
	Line, Area string // the area lies between the line and the middle
	Dots       []curveDot
	Now        string
	Step       float64
	Words      string
}

type curveDot struct{ X, Y, Class string }

// lost returns how much expected score a ply cost its side ('X' or 'O'), like "-12 %". It is empty below one percent,
// and if unknown. The values are the first player's, at the start and after each ply.
func lost(values []float64, ply int, side byte) string {
	if ply < 1 || ply >= len(values) {
		return ""
	}
	loss := math.RoundToEven(100*values[ply-1]) - math.RoundToEven(100*values[ply]) // as the page shows them
	if side == 'O' {
		loss = -loss
	}
	if !(loss >= 1) { // NaN is not
		return ""
	}
	return fmt.Sprintf("-%.0f %%", loss)
}

// Arc draws the first player's expected score at the start and after each ply; NaN means an unknown value. Words
// describe the drawing. The result is empty if too few values are known.
func Arc(values []float64, words string) template.HTML {
	r := &replay{GameView: &GameView{Values: values}, Frames: make([]board.Frame, len(values))}
	c := newCurve(r)
	if c == nil {
		return ""
	}
	c.Words = words
	out, err := fragment("arc", c)
	if err != nil {
		return "" // the layout is part of the program, and tests draw it
	}
	return out
}
