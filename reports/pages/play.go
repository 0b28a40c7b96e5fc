package pages

import (
	"fmt"
	"math"

	"spar/reports/balance"
	"spar/reports/chart"
	"spar/reports/page"
	"spar/reports/table"
)

// play is the section on the course of play: choice, board use, captures and ages, repetition, material.
func (b *builder) play() page.Section {
	s := page.Section{ID: "play", Title: "On the board"}
	if b.main == nil {
		s.Lead = "No games to measure."
		return s
	}
	if c := b.main.Choice; c != nil {
		s.Lead = sentence(told("A player chooses among", c.Mean, " moves on average;"),
			told("", c.Forced, " of the plies are forced."))
		b.choice(&s, c)
	}
	b.board(&s)
	t := table.Table{ID: "permanence", Caption: "What lasts", Columns: []table.Column{
		{Name: "games of", Text: true},
		{Name: "repetition", Help: "share of positions that occurred before in the same game"},
		{Name: "share of moves undone within two plies"},
		{Name: "permanence", Help: "share of a gain that remains after the reply"},
		{Name: "pieces that leave per ply"},
		{Name: "cells used"},
		{Name: "legal moves"},
		{Name: "forced"},
	}}
	for i := range b.r.Groups {
		g := &b.r.Groups[i]
		cells := make([]table.Cell, 8)
		for j := range cells {
			cells[j] = table.None("not measured")
		}
		cells[0] = table.Words(g.Name)
		if p := g.Permanence; p != nil {
			cells[1], cells[2], cells[3], cells[4] = cell(p.Repetition, ""), cell(p.Undone, ""),
				cell(p.Browne, "no position values"), cell(p.Removed, "")
		}
		if u := g.Board; u != nil {
			cells[5] = cell(u.Coverage, "")
		}
		if c := g.Choice; c != nil {
			cells[6], cells[7] = cell(c.Mean, ""), cell(c.Forced, "")
		}
		t.Rows = append(t.Rows, cells)
	}
	s.Tables = append(s.Tables, t)
	if p := b.main.PieceCounts; p != nil {
		lines := &chart.Lines{
			X: chart.Axis{Label: "share of the game played", Unit: chart.Percent, Min: 0, Max: 1},
			Y: chart.Axis{Label: "pieces on the board"},
		}
		for _, side := range []struct {
			name   string
			colour chart.Colour
			points []balance.Point
		}{{"first", chart.First, p.First}, {"second", chart.Second, p.Second}} {
			l := chart.Line{Name: side.name, Colour: side.colour, Style: chart.Band}
			for _, x := range side.points {
				l.Points = append(l.Points, chart.PointOf(x.X, x.Y))
			}
			lines.Lines = append(lines.Lines, l)
		}
		s.Figures = append(s.Figures, page.Figure{
			ID: "pieces", Title: "Pieces on the board",
			Caption: "Mean number of pieces of each side by time.", Chart: lines,
		})
	}
	return s
}

func (b *builder) choice(s *page.Section, c *balance.Choice) {
	moves := chart.Line{Style: chart.Band, Colour: chart.A}
	games := chart.Line{Style: chart.Plain, Colour: chart.Muted}
	for _, p := range c.ByPly {
		if p.Games > 0 {
			moves.Points = append(moves.Points, chart.Point{X: float64(p.Ply), Y: p.Median.Value, Lo: p.P10, Hi: p.P90})
			games.Points = append(games.Points, chart.Point{X: float64(p.Ply), Y: float64(p.Games)})
		}
	}
	ply := chart.Axis{Label: "ply", Unit: chart.Integer}
	s.Figures = append(s.Figures, page.Figure{
		ID: "choice", Title: "How much choice there is", Caption: "Legal moves by ply: the median, and the range of the " +
			"middle 80 % of the games. The lower panel shows how many games are still in progress; if they are few, the upper " +
			"panel is uncertain.",
		Chart: &chart.Panels{Columns: 1, Titles: []string{"legal moves", "games still in progress"}, Charts: []chart.Chart{
			&chart.Lines{X: ply, Y: chart.Axis{Unit: chart.Integer}, Lines: []chart.Line{moves}, Dim: chart.Dim{Height: 200}},
			&chart.Lines{X: ply, Y: chart.Axis{Unit: chart.Integer}, Lines: []chart.Line{games}, Dim: chart.Dim{Height: 120}},
		}},
	})
}

// board returns the figure of the board's use: three maps.
func (b *builder) board(s *page.Section) {
	u := b.main.Board
	if u == nil || u.Columns*u.Rows != len(u.Cells) {
		return
	}
	n := len(u.Cells)
	placed, captured, phi := make([]chart.Cell, n), make([]chart.Cell, n), make([]chart.Cell, n)
	some := false
	for i, c := range u.Cells {
		placed[i] = chart.Cell{Value: c.Placed}
		captured[i] = chart.Cell{Value: c.Captured}
		some = some || c.Captured > 0
		phi[i] = chart.Cell{Value: math.NaN()}
		if c.Phi.Known() {
			phi[i] = chart.Cell{Value: c.Phi.Value, Text: chart.Text(c.Phi.Value, chart.Signed, 2)}
			if !c.Marked {
				phi[i].Mark = chart.Hatched
			}
		}
	}
	if !some {
		captured = nil // a game without captures has no map of them
	}
	panels := &chart.Panels{
		Titles: []string{"arrivals of pieces per game"},
		Charts: []chart.Chart{chart.Board(u.Columns, placed, chart.Scale{})},
	}
	if captured != nil {
		panels.Titles = append(panels.Titles, "pieces captured, per game")
		panels.Charts = append(panels.Charts, chart.Board(u.Columns, captured, chart.Scale{}))
	}
	panels.Titles = append(panels.Titles, "correlation with winning")
	panels.Charts = append(panels.Charts, chart.Board(u.Columns, phi, chart.Scale{Diverging: true, Unit: chart.Signed}))
	if u.Columns > 6 {
		panels.Columns = 2
	}
	s.Figures = append(s.Figures, page.Figure{
		ID: "board", Title: "Maps of the board",
		Caption: fmt.Sprintf("Cells of the board, row 1 at the top, over %s. The last map is the correlation of ever "+
			"owning a cell with the first player's score; hatched: not significant.", b.main.Name), Chart: panels,
	})
	if u.Unused > 0 {
		s.Paragraphs = append(s.Paragraphs, fmt.Sprintf("%d of %d cells were never occupied.", u.Unused, n))
	}
	t := table.Table{ID: "cells", Caption: "Use of the cells", Columns: []table.Column{
		{Name: "cell", Text: true},
		{Name: "arrivals a game", Title: "arrivals per game"},
		{Name: "by the first player"},
		{Name: "captured a game", Title: "captured per game"},
		{Name: "ever occupied"},
		{Name: "correlation with winning"},
		{Name: "p", Help: "Holm over all cells"},
	}, Fold: true}
	for _, c := range u.Cells {
		t.Rows = append(t.Rows, []table.Cell{
			table.Words(c.Cell), table.Num(c.Placed, chart.Number, 2),
			table.Num(c.First, chart.Number, 2), table.Num(c.Captured, chart.Number, 2), cell(c.Occupied, ""), cell(c.Phi, ""),
			table.Num(c.P, chart.Number, 3),
		})
	}
	s.Tables = append(s.Tables, t)
}
