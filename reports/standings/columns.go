package standings

import (
	"cmp"
	"fmt"
	"io"
	"math"

	"spar/ratings"
	"spar/reports/chart"
	"spar/reports/table"
)

// columns declares the table of agents. The order of columns differs between text and data output.
func (p *Pool) columns(rows []Standing) []table.Field[Standing] {
	type field = table.Field[Standing]
	data := func(name string, of func(Standing) table.Cell) field {
		return table.Declare(table.Column{Name: name, Data: true}, of)
	}
	whole := func(name string, of func(Standing) int64) field {
		return data(name, func(s Standing) table.Cell { return table.Count(int(of(s))) })
	}
	number := func(name string, of func(Standing) (x float64, open bool)) field {
		return data(name, func(s Standing) table.Cell {
			x, open := of(s)
			if open {
				return table.None("no bound")
			}
			return table.Num(math.Round(x*1e4)/1e4+0, chart.Number, 4)
		})
	}
	words := func(name string, of func(Standing) string) field {
		return data(name, func(s Standing) table.Cell { return table.Words(of(s)) })
	}
	shown := func(name, title string, of func(Standing) table.Cell) field {
		return table.Declare(table.Column{Name: name, Title: title, People: true, Optional: true}, of)
	}
	said := func(name, title string, of func(Standing) string) field {
		return shown(name, title, func(s Standing) table.Cell { return table.Words(of(s)) })
	}
	asFirst := columnsOf(rows, func(s Standing) ratings.Count { return s.AsFirst })
	asSecond := columnsOf(rows, func(s Standing) ratings.Count { return s.AsSecond })
	return []field{
		words("rules", func(Standing) string { return cmp.Or(p.Rules, "all") }),
		whole("group", func(s Standing) int64 { return int64(s.rank.Group + 1) }),
		whole("rank", func(s Standing) int64 { return int64(s.rank.Place) }),
		whole("rank_lo", func(s Standing) int64 { return int64(s.rank.Lo) }),
		whole("rank_hi", func(s Standing) int64 { return int64(s.rank.Hi) }),
		said("ranks", "rank", func(s Standing) string { return span(s.rank.Lo, s.rank.Hi) }),
		table.WordField("agent", func(s Standing) string { return s.Agent }),
		table.Declare(table.Column{
			Name: "rating", Title: "Elo", People: true, Optional: true, Axis: &table.Axis{Unit: chart.Signed},
		}, func(s Standing) table.Cell { return table.Of(s.Elo) }),
		number("elo", func(s Standing) (float64, bool) { return s.Elo.Value, false }),
		number("se", func(s Standing) (float64, bool) { return s.Elo.SE, false }),
		number("lo", func(s Standing) (float64, bool) { return s.Elo.Lo, s.Elo.LoOpen }),
		number("hi", func(s Standing) (float64, bool) { return s.Elo.Hi, s.Elo.HiOpen }),
		words("open", func(s Standing) string { return s.Elo.Open() }),
		words("status", func(s Standing) string { return string(s.Status) }),
		shown("points", "score", func(s Standing) table.Cell {
			if s.Games == 0 {
				return table.None("no games")
			}
			return table.Num(s.Score, chart.Percent, 1)
		}),
		table.CountField("games", func(s Standing) int64 { return s.Games }),
		number("score", func(s Standing) (float64, bool) { return s.Score, false }),
		whole("first_wins", func(s Standing) int64 { return s.AsFirst.Wins }),
		whole("first_draws", func(s Standing) int64 { return s.AsFirst.Draws }),
		whole("first_losses", func(s Standing) int64 { return s.AsFirst.Losses }),
		whole("second_wins", func(s Standing) int64 { return s.AsSecond.Wins }),
		whole("second_draws", func(s Standing) int64 { return s.AsSecond.Draws }),
		whole("second_losses", func(s Standing) int64 { return s.AsSecond.Losses }),
		said("first", "first +/=/-", func(s Standing) string { return asFirst[s.place] }),
		said("second", "second +/=/-", func(s Standing) string { return asSecond[s.place] }),
		said("next", "against next", func(s Standing) string {
			if len(rows) == 2 {
				return "" // said below the table
			}
			return s.Next.Expected()
		}),
		shown("accuracy", "", func(s Standing) table.Cell {
			if !s.Accuracy.Known() {
				return table.None("not solved, or no decisions")
			}
			return table.Estimate(s.Accuracy, chart.Percent, 1)
		}),
		whole("faults", func(s Standing) int64 { return s.Faults }),
		shown("forfeits", "faults", func(s Standing) table.Cell {
			if s.Faults == 0 {
				return table.None("none")
			}
			return table.Count(int(s.Faults))
		}),
		said("in_group", "group", func(s Standing) string {
			if len(p.Fit.Groups) < 2 {
				return ""
			}
			return fmt.Sprint(s.rank.Group + 1)
		}),
		table.Declare(table.Column{Name: "remark", Title: "status", Text: true, People: true, Optional: true},
			func(s Standing) table.Cell { return table.Words(statusWords(s.Status)) }),
		words("errors", func(Standing) string { return p.Fit.Errors.String() }),
		whole("units", func(Standing) int64 { return p.Units() }),
		number("level", func(Standing) (float64, bool) { return p.Fit.Level, false }),
	}
}

// Agents is the table of the pool's agents, best first.
func (p *Pool) Agents() table.Table {
	rows := p.Standings()
	return table.Build(p.columns(rows), rows)
}

// WriteCSV writes one line for each agent and pool. Open ends of intervals are empty.
func WriteCSV(out io.Writer, pools []*Pool) error {
	var all table.Table
	for _, p := range pools {
		t := p.Agents()
		all.Columns, all.Rows = t.Columns, append(all.Rows, t.Rows...)
	}
	return all.CSV(out)
}

// columnsOf formats counts as wins/draws/losses, aligned in columns.
func columnsOf[R any](rows []R, of func(R) ratings.Count) (out []string) {
	var most ratings.Count
	for _, r := range rows {
		c := of(r)
		most = ratings.Count{Wins: max(most.Wins, c.Wins), Draws: max(most.Draws, c.Draws), Losses: max(most.Losses, c.Losses)}
	}
	width := func(n int64) int { return len(fmt.Sprint(n)) }
	for _, r := range rows {
		c := of(r)
		out = append(out, fmt.Sprintf("%*d/%*d/%*d", width(most.Wins), c.Wins, width(most.Draws), c.Draws, width(most.Losses),
			c.Losses))
	}
	return out
}
