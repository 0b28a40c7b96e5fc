package page

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"strings"

	"spar/reports/screen"
	"spar/reports/table"
)

// line returns the answer in one line, without its question.
func (a Answer) line() string {
	if a.Verdict == "" {
		return a.Text
	}
	return strings.TrimSpace(a.Verdict + ". " + a.Text)
}

// Text writes the overview for a terminal, about one screen: verdict, answers, notes and the tables of sections that
// have Screen set. If there are no answers, it also writes the leads of the sections. Width limits the tables (0 = the
// writer's width); other text has at most 100 characters a line.
func (d *Document) Text(w io.Writer, width int) error {
	room := cmp.Or(width, screen.Fit(w)) // of tables
	width = min(cmp.Or(room, screen.Width), screen.Width)
	p, err := d.prepare()
	if err != nil {
		return err
	}
	var b bytes.Buffer
	head := p.Verdict.Headline
	if p.Verdict.Status != table.Plain {
		head = strings.ToUpper(p.Verdict.Status.String()) + ": " + head
	}
	lines := []string{p.Title, head, p.Verdict.Detail, p.Subtitle}
	if head == "" {
		lines = []string{p.Title + ": " + p.Subtitle}
	}
	for _, s := range lines {
		wrap(&b, s, "", width)
	}
	if len(p.Answers) > 0 {
		fmt.Fprintln(&b)
	}
	const long = 16 // "What to change", and two spaces
	for _, a := range p.Answers {
		fmt.Fprintf(&b, "%-*s", long, a.Question)
		wrap(&b, a.line(), strings.Repeat(" ", long), width)
	}
	for _, s := range p.Parts {
		for _, t := range s.Listed {
			if s.Screen {
				if err := t.Text(&b, room); err != nil {
					return err
				}
			}
		}
		if s.Screen && len(p.Answers) == 0 {
			for _, text := range s.Paragraphs {
				wrap(&b, text, "  ", width)
			}
		}
	}
	fmt.Fprintln(&b)
	for _, s := range p.Parts {
		if s.Lead != "" && !s.Aside && !s.Screen && len(p.Answers) == 0 {
			wrap(&b, strings.TrimRight(s.Title, "?")+": "+s.Lead, "  ", width)
		}
	}
	for _, s := range p.Warnings {
		wrap(&b, "Note: "+strings.TrimSuffix(s, ".")+".", "  ", width)
	}
	if len(p.Missing) > 0 {
		var what []string
		for _, m := range p.Missing {
			what = append(what, m.What)
		}
		wrap(&b, "These games cannot measure: "+strings.Join(what, "; ")+".", "  ", width)
	}
	_, err = w.Write(b.Bytes())
	return err
}

// wrap breaks a text into lines of a width. All lines except the first have an indent.
func wrap(b *bytes.Buffer, s, indent string, width int) {
	if s != "" {
		fmt.Fprintln(b, strings.ReplaceAll(screen.Lines(s, width-len(indent)), "\n", "\n"+indent))
	}
}
