package standings

import (
	"cmp"
	"fmt"
	"io"
	"math"

	"spar/reports/chart"
	"spar/reports/table"
)

// Agents returns the table of agents. The order of columns differs between text and data output.
func (p *Pool) Agents() table.Table {
	rows := p.Standings()
	number := func(x float64, open bool) table.As {
		if open {
			return table.Data(table.None("no bound"))
		}
		return table.Data(table.Num(math.Round(x*1e4)/1e4+0, chart.Number, 4))
	}
	return table.Rows(rows, func(s Standing) []any {
		score := table.Num(s.Score, chart.Percent, 1)
		accuracy := table.Estimate(s.Accuracy, chart.Percent, 1)
		faults := table.Count(int(s.Faults))
		if s.Games == 0 {
			score = table.None("no games")
		}
		decisions := table.Seen("decisions", table.Count(int(s.Accuracy.N)))
		if !s.Accuracy.Known() {
			decisions.Cell = table.None("no decisions")
			accuracy = table.None("game not solved, or no decisions")
		}
		if s.Faults == 0 {
			faults = table.None("none")
		}
		next, group := s.Next.Expected(), ""
		if len(rows) == 2 {
			next = "" // said below the table
		}
		if len(p.Fit.Groups) > 1 {
			group = fmt.Sprint(s.rank.Group + 1)
		}
		elo := table.Seen("Elo", table.Of(s.Elo))
		elo.Axis = &table.Axis{Unit: chart.Signed}
		remark := table.Seen("status", statusWords(s.Status))
		return []any{
			"rules", table.Data(cmp.Or(p.Rules, "all")), "group", table.Data(s.rank.Group + 1), "rank", table.Data(s.rank.Place),
			"rank_lo", table.Data(s.rank.Lo), "rank_hi", table.Data(s.rank.Hi),
			"ranks", table.Seen("rank", table.Words(span(s.rank.Lo, s.rank.Hi))), "agent", s.Agent, "rating", elo,
			"elo", number(s.Elo.Value, false), "se", number(s.Elo.SE, false), "lo", number(s.Elo.Lo, s.Elo.LoOpen),
			"hi", number(s.Elo.Hi, s.Elo.HiOpen), "open", table.Data(s.Elo.Open()), "status", table.Data(s.Status),
			"points", table.Seen("score", score), "games", s.Games, "score", number(s.Score, false),
			"first_wins", table.Data(s.AsFirst.Wins), "first_draws", table.Data(s.AsFirst.Draws), "first_losses",
			table.Data(s.AsFirst.Losses),
			"second_wins", table.Data(s.AsSecond.Wins), "second_draws", table.Data(s.AsSecond.Draws),
			"second_losses", table.Data(s.AsSecond.Losses), "first", table.Seen("first +/=/-", table.Words(s.AsFirst.String())),
			"second", table.Seen("second +/=/-", table.Words(s.AsSecond.String())), "next",
			table.Seen("expected against next", table.Words(next)),
			"accuracy", table.Seen("kept the value", accuracy), "decisions", decisions, "faults", table.Data(s.Faults),
			"forfeits", table.Seen("faults", faults),
			"in_group", table.Seen("group", table.Words(group)), "remark", remark, "errors", table.Data(p.Fit.Errors),
			"units", table.Data(p.Units()), "level", number(p.Fit.Level, false),
		}
	}).Noted(p.key())
}

// WriteCSV writes one line for each agent and pool. Open ends of intervals are empty.
func WriteCSV(out io.Writer, pools []*Pool) error {
	var all table.Table
	for _, p := range pools {
		t := p.Agents()
		all.Columns = t.Columns
		all.Rows = append(all.Rows, t.Rows...)
	}
	return all.CSV(out)
}
