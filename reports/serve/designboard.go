package serve

import (
	"net/url"
	"slices"
	"strings"

	"spar/engines"
	"spar/engines/rules"
	"spar/reports/board"
	"spar/reports/playing"
)

// brush is what a click on a cell of the design page's board places there.
type brush struct {
	Value, Label string
	On           bool
}

// brushes lists the brushes. Brushes for goals of the second player are included if that player has separate
// goals.
func brushes(g *engines.Game, on string) []brush {
	out := []brush{
		{Value: "X", Label: "piece " + g.PieceName(engines.First)},
		{Value: "O", Label: "piece " + g.PieceName(engines.Second)},
		{Value: ".", Label: "empty cell"},
		{Value: "#", Label: "no cell"},
		{Value: "win.reach", Label: "goal cell"},
	}
	if g.Kinds() > 0 {
		var pieces []brush
		r := g.Rules()
		for side := range 2 {
			for i := range r.Kinds {
				pieces = append(pieces, brush{Value: string(r.Kinds[i].Sign(side)), Label: g.KindName(side, i)})
			}
		}
		out = append(pieces, out[2:]...)
	}
	if second := g.Rules().Second; second != nil && second.Win != nil {
		out[len(out)-1].Label = g.NameSides("goal of the first player")
		out = append(out, brush{Value: "second.win.reach", Label: g.NameSides("goal of the second player")})
	}
	at := max(0, slices.IndexFunc(out, func(b brush) bool { return b.Value == on }))
	out[at].On = true
	return out
}

// paint applies a brush to a cell of the start position by changing the fields of setup, board.missing or the goals in
// the form. Painting a cell again changes nothing.
func paint(g *engines.Game, q url.Values) {
	cell, err := g.ParseCell(q.Get("cell"))
	if err != nil {
		return
	}
	r := g.Rules()
	name := g.CellName(cell)
	what := q.Get("brush")
	without := func(cells []string) []string {
		return slices.DeleteFunc(slices.Clone(cells), func(c string) bool { return c == name })
	}
	goals := map[string][]string{"win.reach": r.Win.Reach}
	if r.Second != nil && r.Second.Win != nil {
		goals["second.win.reach"] = r.Second.Win.Reach
	}
	if goal, ok := goals[what]; ok {
		q.Set("k."+what, rules.KnobText(append(without(goal), name)))
		return
	}
	_, _, piece := r.KindAt((what + "?")[0])
	if len(what) != 1 || !piece && !strings.Contains(".#", what) {
		return
	}
	start := g.NewPosition()
	cells := start.Signs()
	cells[cell] = what[0]
	var rows, missing []string
	for c := range cells {
		if cells[c] == '#' {
			missing = append(missing, g.CellName(engines.Cell(c)))
		}
		if c%g.Columns() == 0 {
			rows = append(rows, strings.ReplaceAll(string(cells[c:c+g.Columns()]), "#", "."))
		}
	}
	if strings.Trim(strings.Join(rows, ""), ".") == "" {
		rows = nil
	}
	q.Set("k.setup", rules.KnobText(rows))
	q.Set("k.board.missing", rules.KnobText(missing))
	for path, goal := range goals {
		if what == "." || what == "#" {
			q.Set("k."+path, rules.KnobText(without(goal)))
		}
	}
}

// setUp returns the start position with a button on every cell.
func setUp(g *engines.Game) playing.Grid {
	p := g.NewPosition()
	f := board.Of(&p.State)
	r := g.Rules()
	grid := (&playing.Drawing{Pos: p, Frame: &f}).Grid()
	for _, row := range grid.Rows {
		for i := range row.Cells {
			c := &row.Cells[i]
			c.Act = true
			c.Field = "cell"
			c.Send = c.Name
			if slices.Contains(r.Of(engines.First).Win.Reach, c.Name) || slices.Contains(r.Of(engines.Second).Win.Reach,
				c.Name) {
				c.Class += " win"
				c.Label += ", goal"
				c.Value = "goal"
			}
		}
	}
	return grid
}
