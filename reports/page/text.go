package page

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"spar/reports/table"
)

// Text writes the overview for a terminal: verdict, notes, chips, the lead of each section. It is about one screen at
// the given width (0 means 80).
func (d *Document) Text(w io.Writer, width int) error {
	if width <= 0 {
		width = 80
	}
	p, err := d.prepare()
	if err != nil {
		return err
	}
	var b bytes.Buffer
	fmt.Fprintln(&b, p.Title)
	wrap(&b, p.Subtitle, "", width)
	fmt.Fprintln(&b)
	for _, a := range p.Answers {
		wrap(&b, fmt.Sprintf("%-6s %s", a.Question, a.Text), "       ", width)
	}
	if len(p.Answers) > 0 {
		for _, s := range p.Glance {
			wrap(&b, s, "", width)
		}
		fmt.Fprintln(&b)
	}
	verdict := p.Verdict.Headline
	if p.Verdict.Status != table.Plain {
		verdict = strings.ToUpper(p.Verdict.Status.String()) + ": " + verdict
	}
	wrap(&b, verdict, "", width)
	wrap(&b, p.Verdict.Detail, "", width)
	for _, s := range p.Warnings {
		wrap(&b, "Note: "+s, "", width)
	}
	if len(p.Chips) > 0 {
		fmt.Fprintln(&b)
		t := chipTable(p.Chips)
		last := len(t.Columns) - 1
		for i := range t.Rows {
			t.Rows[i] = t.Rows[i][:last]
		}
		t.Columns = t.Columns[:last] // notes follow below, where they have room
		if err := t.Text(&b, width); err != nil {
			return err
		}
	}
	for _, c := range p.Chips {
		if c.Note != "" {
			wrap(&b, c.Label+": "+c.Note+".", "  ", width)
		}
	}
	var leads []string
	for _, s := range p.Parts {
		if s.Lead != "" && !s.Aside {
			leads = append(leads, strings.TrimRight(s.Title, "?")+": "+s.Lead)
		}
	}
	if len(leads) > 0 {
		fmt.Fprintln(&b)
	}
	for _, s := range leads {
		wrap(&b, s, "  ", width)
	}
	if len(p.Missing) > 0 {
		fmt.Fprintln(&b)
		var what []string
		for _, m := range p.Missing {
			what = append(what, m.What)
		}
		wrap(&b, "These games cannot measure: "+strings.Join(what, "; ")+".", "  ", width)
	}
	_, err = w.Write(b.Bytes())
	return err
}

// wrap breaks words into lines of a width. All lines except the first have an indent.
func wrap(b *bytes.Buffer, s, indent string, width int) {
	line := 0
	for _, word := range strings.Fields(s) {
		n := utf8.RuneCountInString(word)
		switch {
		case line == 0:
		case line+1+n > width:
			b.WriteString("\n" + indent)
			line = len(indent)
		default:
			b.WriteByte(' ')
			line++
		}
		b.WriteString(word)
		line += n
	}
	if line > 0 {
		b.WriteByte('\n')
	}
}
