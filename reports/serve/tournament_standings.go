package serve

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"spar/arena/evidence"
	"spar/arena/store"
	"spar/ratings"
	"spar/reports/playing"
	"spar/reports/screen"
	"spar/reports/standings"
)

// poolView is a table of standings for a page.
type poolView struct {
	Title    string
	Rows     []standingRow
	Names    []string
	Cross    [][]crossCell
	Warnings []string
	Games    int64
	Errors   string
	First    string
}

type standingRow struct {
	Rank, Agent, Elo, Interval, Score string
	Next                              string // expected score against the agent ranked below
	Games                             int64
	First, Second                     string
	Faults                            int64
	// lower end, middle and upper end of the interval on a common axis from 0 to 100
	Lo, Mid, Hi int
	Open        bool
}

type crossCell struct {
	Self  bool
	Score string
	WDL   string
	Class string
}

// viewOf converts standings for the page.
func viewOf(p *standings.Pool) poolView {
	all := p.JSON(standings.Extras{Crosstable: true})
	v := poolView{Title: p.Title, Games: all.Games, Errors: "intervals by " + errorsBy(all.Errors)}
	if len(p.Rules) == 0 {
		v.Title = sentenceCase(v.Title)
	}
	for _, w := range p.Warnings() {
		v.Warnings = append(v.Warnings, sentenceCase(strings.TrimSuffix(w, ".")))
	}
	ranks := map[string]standings.RankRange{}
	for _, r := range all.Ranks {
		ranks[r.Agent] = r
	}
	lo, hi := 0.0, 0.0
	for _, a := range all.Agents {
		lo, hi = min(lo, a.Elo, deref(a.Lo, a.Elo)), max(hi, a.Elo, deref(a.Hi, a.Elo))
	}
	place := func(x float64) int { return int(100 * (x - lo) / max(hi-lo, 1)) }
	wdl := func(c standings.Count) string { return fmt.Sprintf("%d–%d–%d", c.Wins, c.Draws, c.Losses) }
	for _, a := range all.Agents {
		row := standingRow{
			Agent: a.Agent, Elo: signed(a.Elo), Games: a.Games, Score: fmt.Sprintf("%.1f %%",
				100*a.Score), First: wdl(a.AsFirst), Second: wdl(a.AsSecond), Faults: a.Faults,
			Open: a.Lo == nil || a.Hi == nil, Lo: place(deref(a.Lo, lo)), Mid: place(a.Elo), Hi: place(deref(a.Hi,
				hi)), Next: a.Next.Expected(),
		}
		if row.Interval = bound(a.Lo, "no bound") + " to " + bound(a.Hi, "no bound"); a.Lo == nil && a.Hi == nil {
			row.Interval = "no bounds"
		}
		if r, ok := ranks[a.Agent]; ok {
			row.Rank = strconv.Itoa(r.Lo)
			if r.Hi != r.Lo {
				row.Rank += "–" + strconv.Itoa(r.Hi)
			}
		}
		v.Rows, v.Names = append(v.Rows, row), append(v.Names, a.Agent)
	}
	counts := map[[2]string]ratings.Count{}
	names := p.Table.Players()
	for _, x := range p.Table.Pairings() {
		a, b := names[x.First], names[x.Second]
		one, two := counts[[2]string{a, b}], counts[[2]string{b, a}]
		counts[[2]string{a, b}] = ratings.Count{
			Wins: one.Wins + x.Wins, Draws: one.Draws + x.Draws,
			Losses: one.Losses + x.Losses,
		}
		counts[[2]string{b, a}] = ratings.Count{
			Wins: two.Wins + x.Losses, Draws: two.Draws + x.Draws,
			Losses: two.Losses + x.Wins,
		}
	}
	if len(v.Names) <= 40 { // a larger matrix is unreadable
		for _, a := range v.Names {
			var line []crossCell
			for _, b := range v.Names {
				c := counts[[2]string{a, b}]
				cell := crossCell{Self: a == b}
				if n := c.Games(); n > 0 && a != b {
					score := standings.Score(c)
					cell.Score = fmt.Sprintf("%.0f %%", 100*score)
					cell.WDL = fmt.Sprintf("%d–%d–%d", c.Wins, c.Draws, c.Losses)
					cell.Class = fmt.Sprintf("d%d", playing.Shade(score))
				}
				line = append(line, cell)
			}
			v.Cross = append(v.Cross, line)
		}
	}
	for _, a := range all.Advantages {
		if a.Score != nil {
			v.First = strings.TrimLeft(v.First+fmt.Sprintf(", %.1f %% (%.1f to %.1f) in %s", 100*a.Score.Value,
				100*a.Score.Lo, 100*a.Score.Hi, a.Rules), ", ")
		}
	}
	return v
}

func deref(x *float64, or float64) float64 {
	if x == nil {
		return or
	}
	return *x
}

func bound(x *float64, open string) string {
	if x == nil {
		return open
	}
	return signed(*x)
}

func signed(x float64) string { return strings.Replace(screen.Signed(x, 0), "-", "−", 1) }

// errorsBy describes how the standard errors of standings were estimated.
func errorsBy(kind string) string {
	words := map[string]string{
		"pair": "pairs of games", "game": "single games", "draw-aware": "single games and their draws",
		"naive": "single games as if none were drawn", "posterior": "the prior, because the games contain too little " +
			"information",
	}
	return cmp.Or(words[kind], kind)
}

// verdict names the agent that leads, and says whether its lead is significant.
func verdict(pools []poolView, runs int) string {
	if len(pools) == 0 || len(pools[0].Rows) == 0 {
		return "No rated games yet."
	}
	rows := pools[0].Rows
	tied := 0
	for _, r := range rows {
		if strings.HasPrefix(r.Rank, "1–") || r.Rank == "1" {
			tied++
		}
	}
	text := rows[0].Agent + " leads"
	switch {
	case len(rows) == 1:
		text = rows[0].Agent + " is the only agent with rated games"
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
