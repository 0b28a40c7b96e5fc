package standings

import (
	"io"
	"math"
	"strconv"

	"spar/configs/plain"
)

// WriteCSV writes one line an agent and pool. Open bounds are empty.
func WriteCSV(out io.Writer, pools []*Pool) error {
	w := plain.NewCSV(out)
	_ = w.Write([]string{
		"rules", "group", "rank", "rank_lo", "rank_hi", "agent", "elo", "se", "lo", "hi", "open", "status", "games", "score",
		"first_wins", "first_draws", "first_losses", "second_wins", "second_draws", "second_losses", "faults", "errors", "units", "level",
	})
	num := func(x float64) string { return strconv.FormatFloat(math.Round(x*1e4)/1e4+0, 'f', 4, 64) }
	whole := func(n int64) string { return strconv.FormatInt(n, 10) }
	open := func(x *float64) string {
		if x == nil {
			return ""
		}
		return num(*x)
	}
	for _, p := range pools {
		rules := p.Rules
		if rules == "" {
			rules = "all"
		}
		for _, r := range p.Ranks() {
			a := p.Row(r.Name)
			lo, hi := Ends(a.Elo.Interval)
			_ = w.Write([]string{
				rules, strconv.Itoa(r.Group + 1), strconv.Itoa(r.Place), strconv.Itoa(r.Lo), strconv.Itoa(r.Hi), a.Name, num(a.Elo.Value), num(a.Elo.SE),
				open(lo), open(hi), a.Elo.Interval.Open(), string(a.Status), whole(a.Total().Games()), num(Score(a.Total())),
				whole(a.AsFirst.Wins), whole(a.AsFirst.Draws), whole(a.AsFirst.Losses), whole(a.AsSecond.Wins), whole(a.AsSecond.Draws), whole(a.AsSecond.Losses),
				whole(p.Faults[a.Name]), p.Fit.Errors.String(), whole(p.Units()), num(p.Fit.Level),
			})
		}
	}
	w.Flush()
	return w.Error()
}
