package figures

import (
	"context"
	"fmt"
	"math"
	"strings"

	"spar/ratings"
	"spar/reports/chart"
	"spar/reports/screen"
	"spar/reports/standings"
)

// heatmap shows the score of each agent against every other agent, over both seats.
func heatmap(_ context.Context, d *drawing) (*Figure, error) { return cross(d.pool, d.rows) }

// Cross shows the score of each agent of a pool against every other agent, in the order of their ranks.
func Cross(p *standings.Pool) (*Figure, error) {
	var rows []rating
	for _, r := range p.Ranks() {
		rows = append(rows, rating{name: r.Name})
	}
	return cross(p, rows)
}

func cross(p *standings.Pool, rows []rating) (*Figure, error) {
	if len(rows) < 2 {
		return nil, fmt.Errorf("%w: no two agents played each other", ErrNone)
	}
	longest := 0.0 // name
	for _, r := range rows {
		longest = max(longest, float64(len(r.name)))
	}
	g := &chart.Grid{
		Dim:      chart.Dim{Width: max(chart.Full, 6.5*longest+110+66*float64(len(rows))), Height: 52*float64(len(rows)) + 76},
		Numbered: true,
		YLabel: "score of the row's agent against the column's, its 95 % interval, and games between them; hatched: " +
			"fewer than " +
			fmt.Sprint(fewGames),
		Scale: chart.Scale{Hi: 1, Mid: 0.5, Diverging: true, Unit: chart.Percent},
	}
	met := map[[2]string]standings.Match{}
	for _, m := range p.Matches() {
		met[[2]string{m.Agent, m.Opponent}] = m
	}
	var alt []string
	for _, a := range rows {
		g.Rows = append(g.Rows, a.name)
		g.Columns = append(g.Columns, a.name)
		var cells []chart.Cell
		for _, b := range rows {
			cell := chart.Cell{Value: math.NaN(), Text: "–"}
			if a.name != b.name {
				score, games := scoreOf(met, a.name, b.name)
				cell = scoreCell(score, games)
				if len(g.Rows) <= len(cells) { // each two agents once
					alt = append(alt, fmt.Sprintf("%s against %s %s in %s", a.name, b.name, score, screen.Plural(games, "game")))
				}
			}
			cells = append(cells, cell)
		}
		g.Cells = append(g.Cells, cells)
	}
	if most := 30; len(alt) > most {
		alt = append(alt[:most], fmt.Sprintf("and %d more", len(alt)-most))
	}
	return &Figure{g, "Score (95 %): " + strings.Join(alt, ", ")}, nil
}

// scoreOf returns the score of a against b, with its interval, and the number of games between them.
func scoreOf(met map[[2]string]standings.Match, a, b string) (ratings.Estimate, int64) {
	m, turned := met[[2]string{a, b}], false
	if m.Games == 0 {
		m, turned = met[[2]string{b, a}], true
	}
	e := m.Score
	if e.N = 0; turned {
		e = e.Complement()
	}
	return e, m.Games
}

// scoreCell returns the cell of a score. A cross means that there is none.
func scoreCell(e ratings.Estimate, games int64) chart.Cell {
	if !e.Known() {
		return chart.Cell{Value: math.NaN(), Text: "?", Mark: chart.Crossed}
	}
	lo, hi := e.Ends()
	c := chart.Cell{Value: e.At(), Text: e.Short(), Sub: fmt.Sprintf("%.0f to %.0f\n%s", 100*max(0, lo), 100*min(1, hi),
		screen.Plural(games, "game"))}
	if games < fewGames {
		c.Mark = chart.Hatched
	}
	return c
}
