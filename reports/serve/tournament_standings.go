package serve

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"strings"

	"spar/arena/evidence"
	"spar/arena/store"
	"spar/ratings"
	"spar/reports/chart"
	"spar/reports/playing"
	"spar/reports/standings"
	"spar/reports/table"
)

// poolView has the standings of a pool for a page.
type poolView struct {
	Title    string
	Agents   table.Table
	Cross    *table.Table // nil if it is too large
	Warnings []string
	Note     string
	All      *standings.Standings
	ranks    []ratings.Rank
}

// mostCrossed is the largest number of agents with a cross table: a larger one is unreadable.
const mostCrossed = 40

// viewOf converts standings for the page. The names of agents link to their games in the study with that key.
func viewOf(p *standings.Pool, key string) poolView {
	v := poolView{Title: p.Title, All: p.JSON(standings.Extras{Crosstable: true}), Agents: p.Agents(), ranks: p.Ranks()}
	if len(p.Rules) == 0 {
		v.Title = sentenceCase(v.Title)
	}
	for _, w := range p.Warnings() {
		v.Warnings = append(v.Warnings, sentenceCase(strings.TrimSuffix(w, ".")))
	}
	v.Agents = v.Agents.Linked("agent", func(name string) string { return gamesOf(key, "agent", name) })
	v.Agents.Caption = "Standings, " + v.Title
	v.Note = fmt.Sprintf("%d rated games; intervals by %s.", v.All.Games, errorsBy(v.All.Errors))
	var first []string
	for _, a := range v.All.Advantages {
		if a.Score.Known() {
			first = append(first, a.Score.Words()+" in "+a.Rules)
		}
	}
	if len(first) > 0 {
		v.Note += " The first player scores " + strings.Join(first, ", ") + "."
	}
	if len(v.ranks) <= mostCrossed {
		v.Cross = v.cross()
	}
	return v
}

// cross makes the table of the score of each agent against each other one.
func (v *poolView) cross() *table.Table {
	t := &table.Table{
		Caption: "Cross table, " + v.Title + ": score of the row against the column",
		Columns: []table.Column{{Name: "agent", Text: true}},
	}
	cells := map[[2]string]table.Cell{}
	for _, m := range v.All.Crosstable {
		lo, hi := m.Score.Lo, m.Score.Hi
		of := func(value, lo, hi float64) table.Cell {
			return table.Estimate(ratings.WithInterval(value, lo, hi, m.Games), chart.Percent, 0).
				Shade(fmt.Sprintf("d%d", playing.Shade(value)))
		}
		cells[[2]string{m.Agent, m.Opponent}] = of(m.Score.Value, lo, hi)
		cells[[2]string{m.Opponent, m.Agent}] = of(1-m.Score.Value, 1-hi, 1-lo)
	}
	for _, a := range v.ranks {
		t.Columns = append(t.Columns, table.Column{Name: "against " + a.Name, Title: a.Name})
		row := []table.Cell{table.Words(a.Name)}
		for _, b := range v.ranks {
			cell, ok := cells[[2]string{a.Name, b.Name}]
			switch {
			case a.Name == b.Name:
				cell = table.None("itself")
			case !ok:
				cell = table.None("no games")
			}
			row = append(row, cell)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// gamesOf returns the address of the games of a study for which a filter has a value.
func gamesOf(key, filter, value string) string {
	return "/games/" + key + "?" + url.Values{filter: {value}}.Encode()
}

// errorsBy describes how the standard errors of standings were estimated.
func errorsBy(kind string) string {
	words := map[string]string{
		"opening": "openings", "pair": "pairs of games", "game": "single games", "draw-aware": "single games and their draws",
		"naive": "single games as if none were drawn", "posterior": "the prior, because the games contain too little " +
			"information",
	}
	return cmp.Or(words[kind], kind)
}

// verdict names the agent that leads, and says whether its lead is significant.
func verdict(pools []poolView, runs int) string {
	if len(pools) == 0 || len(pools[0].ranks) == 0 {
		return "No rated games yet."
	}
	ranks := pools[0].ranks
	tied := 0
	for _, r := range ranks {
		if r.Lo == 1 {
			tied++
		}
	}
	text := ranks[0].Name + " leads"
	switch {
	case len(ranks) == 1:
		text = ranks[0].Name + " is the only agent with rated games"
	case tied > 1:
		text = fmt.Sprintf("The first %d are not separated at 95 %%", tied)
	}
	if runs > 1 {
		text += fmt.Sprintf(" (over all %d runs of this study)", runs)
	}
	return text + "."
}

// rated returns the number of runs in a study whose games are used for its standings.
func rated(ctx context.Context, db *store.DB) (int, error) {
	events, err := db.Events(ctx)
	n := 0
	for _, e := range events {
		if e.Purpose != evidence.PurposeHuman && !evidence.IsTraining(e.Purpose) {
			n++
		}
	}
	return n, err
}
