package page

import (
	"errors"
	"fmt"
	"strings"

	"spar/reports/chart"
)

// prepared is a document that has been checked: every part has its ID, figures without data have become missing things, games
// have been replayed. All forms of output start from it.
type prepared struct {
	*Document
	Parts []part
}

type part struct {
	Section
	Drawn   []drawn
	Listed  []Table
	Replays []*replay
}

type drawn struct {
	Figure
	Wide bool
}

// slug makes an ID of words: lower-case letters, digits and hyphens.
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

// ids hands out IDs, each once.
type ids map[string]bool

func (taken ids) id(wish string) string {
	id := wish
	for n := 2; taken[id]; n++ {
		id = fmt.Sprintf("%s-%d", wish, n)
	}
	taken[id] = true
	return id
}

func first(a, b string) string {
	if a != "" {
		return slug(a)
	}
	return slug(b)
}

// prepare checks a document and gives every part its ID. Sections come first, so that chips find the IDs they name.
func (d *Document) prepare() (*prepared, error) {
	out := &prepared{Document: d}
	taken := ids{"top": true, "verdict": true, "missing": true, "commands": true, "facts": true}
	for _, s := range d.Sections {
		s.ID = taken.id(first(s.ID, s.Title))
		out.Parts = append(out.Parts, part{Section: s})
	}
	// Figures and tables have names of their own, because they are files of their own; the page puts a word before them.
	figures, tables := ids{}, ids{}
	for i := range out.Parts {
		if err := out.Parts[i].prepare(taken, figures, tables); err != nil {
			return nil, fmt.Errorf("section %q: %w", out.Parts[i].Title, err)
		}
	}
	return out, nil
}

func (p *part) prepare(taken, figures, tables ids) error {
	p.Missing = append([]Missing(nil), p.Missing...)
	for _, f := range p.Figures {
		if f.Chart == nil {
			continue
		}
		if f.Alt == "" {
			f.Alt = strings.TrimSpace(strings.TrimRight(f.Title, ".?!") + ". " + f.Caption)
		}
		// Drawing is the only way to learn whether there is anything to draw.
		if _, err := chart.SVG(f.Chart, f.Alt); errors.Is(err, chart.ErrNoData) {
			p.Missing = append(p.Missing, Missing{What: f.Title, Why: "the games give no values to draw"})
			continue
		} else if err != nil {
			return fmt.Errorf("figure %q: %w", f.Title, err)
		}
		f.ID = figures.id(first(f.ID, p.ID+" "+f.Title))
		w, _ := f.Chart.Size()
		p.Drawn = append(p.Drawn, drawn{f, w > chart.Half+60})
	}
	for _, t := range p.Tables {
		if err := t.check(); err != nil {
			return err
		}
		if len(t.Rows) == 0 {
			continue
		}
		t.ID = tables.id(first(t.ID, p.ID+" "+t.Caption))
		p.Listed = append(p.Listed, t.footnotes())
	}
	for i := range p.Games {
		r, err := newReplay(&p.Games[i])
		if err != nil {
			return err
		}
		view := *r.GameView
		view.ID = taken.id(first(view.ID, "game "+view.Title))
		r.GameView = &view
		p.Replays = append(p.Replays, r)
	}
	return nil
}
