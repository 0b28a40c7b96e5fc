package page

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"spar/reports/chart"
	"spar/reports/table"
)

// prepared is a checked document: every part has its ID, figures without data are listed as missing, and games have
// been replayed. All output formats start from it.
type prepared struct {
	*Document
	Parts []part
	Front part // the figures of the document itself
}

type part struct {
	Section
	Drawn   []drawn
	Listed  []table.Table
	Replays []*replay
}

type drawn struct {
	Figure
	Wide bool
	Slim chart.Chart // a narrow version of a wide figure for phones; nil if the figure fits
}

// slim is the width of a figure on a phone, in pixels. A wider figure gets a second version.
const slim = chart.Half + 10

// draw checks a figure. It returns nil if there is no chart or no data. It also returns nil if all values are
// equal, and then adds a note instead.
func (f Figure) draw() (*drawn, string, error) {
	if f.Chart == nil {
		return nil, "", nil
	}
	if f.Alt == "" {
		f.Alt = strings.TrimSpace(strings.TrimRight(f.Title, ".?!") + ". " + f.Caption)
	}
	if value, ok := chart.Constant(f.Chart); ok {
		return nil, strings.TrimRight(f.Title, ".?!") + ": " + value + ".", nil
	}
	// Drawing is the only way to learn whether there is anything to draw.
	if _, err := chart.SVG(f.Chart, f.Alt); err != nil {
		return nil, "", fmt.Errorf("figure %q: %w", f.Title, err)
	}
	w, _ := f.Chart.Size()
	out := &drawn{Figure: f, Wide: w > chart.Half+60}
	if w > slim {
		out.Slim = chart.Slim(f.Chart)
	}
	return out, "", nil
}

// slug makes an ID from words: lower-case letters, digits and hyphens.
func slug(s string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(s) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	if out := strings.Trim(b.String(), "-"); out != "" {
		return out
	}
	return "part"
}

// ids assigns unique IDs.
type ids map[string]bool

func (taken ids) id(wish, title string) string {
	wish = slug(cmp.Or(wish, title))
	id := wish
	for n := 2; taken[id]; n++ {
		id = fmt.Sprintf("%s-%d", wish, n)
	}
	taken[id] = true
	return id
}

// prepare checks a document and gives every part its ID. Sections come first, because chips refer to their IDs.
func (d *Document) prepare() (*prepared, error) {
	copied := *d
	out := &prepared{Document: &copied}
	taken := ids{
		"top":      true,
		"verdict":  true,
		"missing":  true,
		"commands": true,
		"facts":    true,
	}
	for _, s := range d.Sections {
		s.ID = taken.id(s.ID, s.Title)
		out.Parts = append(out.Parts, part{Section: s})
	}
	// Figures and tables have names of their own, because they are files of their own; the page puts a word before them.
	figures, tables := ids{}, ids{}
	out.Front.Figures = d.Pictures
	if err := out.Front.prepare(taken, figures, tables); err != nil {
		return nil, err
	}
	out.Front.Missing = nil // the sections say what the data cannot show
	for i := range out.Parts {
		if err := out.Parts[i].prepare(taken, figures, tables); err != nil {
			return nil, fmt.Errorf("section %q: %w", out.Parts[i].Title, err)
		}
	}
	return out, nil
}

func (p *part) prepare(taken, figures, tables ids) error {
	p.Missing = slices.Clone(p.Missing)
	p.Paragraphs = slices.Clone(p.Paragraphs)
	for _, f := range p.Figures {
		d, same, err := f.draw()
		switch {
		case errors.Is(err, chart.ErrNoData):
			p.Missing = append(p.Missing, Missing{What: f.Title, Why: "no values to draw"})
			continue
		case err != nil:
			return err
		case d == nil:
			if same != "" {
				p.Paragraphs = append(p.Paragraphs, same)
			}
			continue
		}
		d.ID = figures.id(f.ID, p.ID+" "+f.Title)
		p.Drawn = append(p.Drawn, *d)
	}
	for _, t := range p.Tables {
		if err := t.Check(); err != nil {
			return err
		}
		if len(t.Rows) == 0 {
			continue
		}
		t.ID = tables.id(t.ID, p.ID+" "+t.Caption)
		p.Listed = append(p.Listed, t.Footnotes())
	}
	for i := range p.Games {
		r, err := newReplay(&p.Games[i])
		if err != nil {
			return err
		}
		view := *r.GameView
		view.ID = taken.id(view.ID, "game "+view.Title)
		r.GameView = &view
		p.Replays = append(p.Replays, r)
	}
	return nil
}
