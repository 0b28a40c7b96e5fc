// Package playing draws a game for the person who plays it: the board with its buttons, the facts of the position,
// and hints. Package serve and the pages written by "spar export page" both use it.
//
// A [Drawing] holds a position and the cells to mark. Its [Grid] has one cell for each button, and Grid.HTML
// writes them. [Facts], [Legend] and [Hint] give the text next to the board.
package playing

import (
	"fmt"
	"html"
	"html/template"
	"strings"
)

// HTML returns the board as a table. Every cell is a button of the form that contains it.
func (g Grid) HTML() template.HTML {
	var b strings.Builder
	corner := ""
	if g.Ghosts {
		corner = `<td class="ghost"></td>`
	}
	fmt.Fprintf(&b, `<table class="%s play" role="grid" aria-label="Board">
<thead><tr role="row">%s<td></td>`, g.Class, corner)
	for _, c := range g.Columns {
		fmt.Fprintf(&b, `<th scope="col" role="columnheader">%s</th>`, c)
	}
	b.WriteString(corner + "</tr></thead>\n<tbody>")
	for _, r := range g.Rows {
		head := fmt.Sprintf(`<th scope="row" role="rowheader">%d</th>`, r.Number)
		if r.Ghost {
			b.WriteString("\n" + `<tr role="row" class="ghost" aria-hidden="true">`)
			head = "<td></td>"
		} else {
			b.WriteString("\n" + `<tr role="row">`)
		}
		for i := range r.Cells {
			if !g.Ghosts && i == 0 {
				b.WriteString(head)
			}
			r.Cells[i].write(&b)
			if g.Ghosts && i == 0 {
				b.WriteString(head)
			}
		}
		b.WriteString("</tr>")
	}
	b.WriteString("\n</tbody></table>")
	return template.HTML(b.String())
}

// Buttons writes the buttons for moves without a cell, and for pieces to drop.
func (g Grid) Buttons() template.HTML {
	var b strings.Builder
	for _, w := range g.Words {
		field := `name="move"`
		if w.Chooses {
			field = `name="from" formmethod="get" formaction="?"`
		}
		fmt.Fprintf(&b, `<button %s value="%s">%s</button>`, field, html.EscapeString(w.Move), html.EscapeString(w.Label))
	}
	if b.Len() == 0 {
		return ""
	}
	return template.HTML(`<p class="controls">` + b.String() + "</p>")
}

// write writes a cell with its button.
func (c *Cell) write(b *strings.Builder) {
	class := c.Class
	role := `role="gridcell"`
	id := fmt.Sprintf(` id="c%d"`, c.Index)
	label := fmt.Sprintf(` aria-label="%s"`, html.EscapeString(c.Label))
	stop, more := "-1", ""
	if c.First {
		stop = "0"
	}
	if c.Ghost {
		class += " ghost"
		role = `aria-hidden="true"`
		id = ""
		label = ""
	}
	if c.Field == "from" {
		more = ` formmethod="get" formaction="?"`
	}
	if !c.Act {
		more += ` aria-disabled="true"`
	}
	fmt.Fprintf(
		b,
		`<td %s class="%s"><button type="submit" name="%s" value="%s" tabindex="%s"%s `+
			`data-cell="%d" data-removes="%s"%s%s></button>`,
		role,
		class,
		c.Field,
		html.EscapeString(c.Send),
		stop,
		id,
		c.Index,
		c.Removes,
		more,
		label,
	)
	for _, part := range []struct{ tag, text string }{{"b", c.Piece}, {"small", c.Age}, {"em", c.Value}} {
		if part.text != "" {
			fmt.Fprintf(b, `<%[1]s aria-hidden="true">%[2]s</%[1]s>`, part.tag, html.EscapeString(part.text))
		}
	}
	b.WriteString(string(c.Lines) + "</td>")
}
