package page

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"strings"

	"spar/configs/plain"
	"spar/reports/table"
)

// Markdown writes the document as Markdown. Image returns the name of a figure's file, as Figures wrote it, from the
// figure's ID. If image is nil, Markdown skips figures. It writes games as lists of moves.
func (d *Document) Markdown(w io.Writer, image func(id string) string) error {
	p, err := d.prepare()
	if err != nil {
		return err
	}
	m := &markdown{}
	m.line("# %s", plain.Markdown(p.Title))
	verdict := plain.Markdown(p.Verdict.Headline)
	if p.Verdict.Status != table.Plain {
		verdict = "(" + p.Verdict.Status.String() + ") " + verdict
	}
	m.line("**%s**", verdict)
	m.paragraph(p.Verdict.Detail)
	m.paragraph(p.Subtitle)
	for _, a := range p.Answers {
		m.line("**%s** %s", plain.Markdown(a.Question), plain.Markdown(a.line()))
	}
	for _, warning := range p.Warnings {
		m.line("> **Note:** %s", plain.Markdown(warning))
	}
	m.figures(&p.Front, image)
	for i := range p.Parts {
		m.section(&p.Parts[i], image)
	}
	if len(p.Missing) > 0 {
		m.line("## Not measured")
		m.missing(p.Missing)
	}
	if len(p.Commands) > 0 {
		m.line("## How to reproduce this page")
		m.commands(p.Commands)
	}
	if len(p.Facts) > 0 {
		var facts []string
		for _, f := range p.Facts {
			facts = append(facts, fmt.Sprintf("%s: %s", plain.Markdown(f.Name), plain.Markdown(f.Value)))
		}
		m.line("---")
		m.line("%s", strings.Join(facts, "; ")+".")
	}
	_, err = w.Write(append(bytes.TrimRight(m.Bytes(), "\n"), '\n'))
	return err
}

type markdown struct{ bytes.Buffer }

func (m *markdown) line(format string, args ...any) { fmt.Fprintf(m, format+"\n\n", args...) }

func (m *markdown) paragraph(s string) {
	if s != "" {
		m.line("%s", plain.Markdown(s))
	}
}

func (m *markdown) section(p *part, image func(id string) string) {
	m.line("## %s", plain.Markdown(p.Title))
	m.paragraph(p.Lead)
	m.figures(p, image)
	for i := range p.Listed {
		m.line("%s", plain.Markdown(caption(p.Listed[i].Caption)))
		_ = p.Listed[i].Markdown(m) // a buffer takes everything
		m.paragraph(p.Listed[i].Note)
	}
	for _, r := range p.Replays {
		m.game(r)
	}
	if len(p.Missing) > 0 {
		m.line("Not here:")
		m.missing(p.Missing)
	}
	m.commands(p.Commands)
}

// figures writes the paragraphs of a part, and its figures as links to files.
func (m *markdown) figures(p *part, image func(id string) string) {
	for _, s := range p.Paragraphs {
		m.paragraph(s)
	}
	for _, f := range p.Drawn {
		if image == nil {
			continue
		}
		title := f.Title
		if !strings.HasSuffix(title, "?") {
			title = strings.TrimSuffix(title, ".") + "."
		}
		m.line("![%s](%s)", plain.Markdown(f.Title), image(f.ID))
		m.line("*%s* %s", plain.Markdown(title), plain.Markdown(f.Caption))
	}
}

// caption ends a caption with a colon, unless it ends with a question mark.
func caption(s string) string {
	if strings.HasSuffix(s, "?") {
		return s
	}
	return strings.TrimSuffix(s, ".") + ":"
}

// game formats a game as its moves, with marks for good and bad ones.
func (m *markdown) game(r *replay) {
	m.line("### %s", plain.Markdown(r.Title))
	m.line("X %s – O %s. %s.", plain.Markdown(cmp.Or(r.Names[0], "first player")),
		plain.Markdown(cmp.Or(r.Names[1], "second player")), plain.Markdown(r.Result))
	m.paragraph(r.Why)
	var moves []string
	for i, text := range r.Moves {
		moves = append(moves, fmt.Sprintf("%d %c %s%s", i+1, r.Sides[i], text,
			map[string]string{"inaccuracy": "?!", "mistake": "??"}[r.class(i+1)]))
	}
	m.line("%s", plain.Markdown(strings.Join(moves, ", ")))
	if r.Command != "" {
		m.code(r.Command)
	}
}

func (m *markdown) code(s string) { m.line("```sh\n%s\n```", plain.Code(s)) }

func (m *markdown) commands(cs []Command) {
	for _, c := range cs {
		m.paragraph(c.Note)
		m.code(c.Text)
	}
}

func (m *markdown) missing(ms []Missing) {
	for _, x := range ms {
		fmt.Fprintf(m, "- **%s**: %s", plain.Markdown(x.What), plain.Markdown(x.Why))
		if x.Remedy != "" {
			fmt.Fprintf(m, " `%s`", plain.Line(x.Remedy))
		}
		m.WriteString("\n")
	}
	m.WriteString("\n")
}
