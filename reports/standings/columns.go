package standings

import (
	"fmt"
	"io"
	"math"

	"spar/ratings"
	"spar/reports/chart"
	"spar/reports/screen"
	"spar/reports/table"
)

// Standing is the row of one agent. It is a JSON object, and the columns of the tables are made from it. A new
// column needs a field here, a line in row that fills it, and a line in columns.
type Standing struct {
	Agent    string   `json:"agent" help:"name"`
	Elo      float64  `json:"elo" help:"rating"`
	SE       float64  `json:"se" help:"standard error"`
	Lo       *float64 `json:"lo" help:"lower end of the interval"` // end of the interval; null if it is open
	Hi       *float64 `json:"hi" help:"upper end"`
	Open     string   `json:"open" help:"sides without a bound: above, below, both or empty"`
	Status   string   `json:"status" help:"basis of the estimate: see rating"`
	Games    int64    `json:"games" help:"games rated"`
	Score    float64  `json:"score" help:"mean score, 0 to 1"`
	AsFirst  Count    `json:"as_first" help:"results as first player: wins, draws, losses"`
	AsSecond Count    `json:"as_second" help:"results as second player: wins, draws, losses"`
	Faults   int64    `json:"faults,omitempty" help:"games that the agent forfeited"`
	Accuracy *Share   `json:"accuracy,omitempty" help:"share of decisions that kept the exact value, in a solved game: value, lo, hi, n, unit, method"`
	Next     *Next    `json:"next,omitempty" help:"against the agent ranked below: agent, elo, lo, hi, open, and the score expected over both seats: score.value, score.lo, score.hi"`

	elo   ratings.Estimate
	rank  ratings.Rank
	place int // position in the list of all agents, from 0
}

// rows returns the agents of the pool, best first.
func (p *Pool) rows() []Standing {
	ranks := p.Ranks()
	next := p.nexts(ranks)
	out := make([]Standing, len(ranks))
	for i, r := range ranks {
		a := p.Row(r.Name)
		total := a.Total()
		out[i] = Standing{
			Agent: a.Name, Elo: known(a.Elo.Value), SE: known(a.Elo.SE), Open: a.Elo.Open(), Status: string(a.Status),
			Games: total.Games(), Score: known(Score(total)), AsFirst: Count(a.AsFirst), AsSecond: Count(a.AsSecond),
			Faults: p.Faults[a.Name], Accuracy: p.exactShare(a.Name), Next: next[i], elo: a.Elo, rank: r, place: i,
		}
		out[i].Lo, out[i].Hi = Ends(a.Elo.Interval)
	}
	return out
}

// columns declares the table of agents. The order of columns differs between text and data output.
func (p *Pool) columns(rows []Standing) []table.Field[Standing] {
	type field = table.Field[Standing]
	whole := func(of func(Standing) int64) func(Standing) table.Cell {
		return func(s Standing) table.Cell { return table.Count(int(of(s))) }
	}
	number := func(of func(Standing) *float64) func(Standing) table.Cell {
		return func(s Standing) table.Cell {
			if x := of(s); x != nil {
				return table.Num(math.Round(*x*1e4)/1e4+0, chart.Number, 4)
			}
			return table.None("no bound")
		}
	}
	words := func(of func(Standing) string) func(Standing) table.Cell {
		return func(s Standing) table.Cell { return table.Words(of(s)) }
	}
	data := func(name string, of func(Standing) table.Cell) field {
		return table.Declare(table.Column{Name: name, Data: true}, of)
	}
	shown := func(name, title string, of func(Standing) table.Cell) field {
		return table.Declare(table.Column{Name: name, Title: title, People: true, Optional: true}, of)
	}
	asFirst := columnsOf(rows, func(s Standing) Count { return s.AsFirst })
	asSecond := columnsOf(rows, func(s Standing) Count { return s.AsSecond })
	rules, groups := p.Rules, len(p.Fit.Groups)
	if rules == "" {
		rules = "all"
	}
	return []field{
		data("rules", words(func(Standing) string { return rules })),
		data("group", whole(func(s Standing) int64 { return int64(s.rank.Group + 1) })),
		data("rank", whole(func(s Standing) int64 { return int64(s.rank.Place) })),
		data("rank_lo", whole(func(s Standing) int64 { return int64(s.rank.Lo) })),
		data("rank_hi", whole(func(s Standing) int64 { return int64(s.rank.Hi) })),
		shown("ranks", "rank", words(func(s Standing) string { return span(s.rank.Lo, s.rank.Hi) })),
		table.Declare(table.Column{Name: "agent", Text: true}, words(func(s Standing) string { return s.Agent })),
		shown("rating", "Elo", func(s Standing) table.Cell { return table.Of(s.elo) }),
		data("elo", number(func(s Standing) *float64 { return &s.Elo })),
		data("se", number(func(s Standing) *float64 { return &s.SE })),
		data("lo", number(func(s Standing) *float64 { return s.Lo })),
		data("hi", number(func(s Standing) *float64 { return s.Hi })),
		data("open", words(func(s Standing) string { return s.Open })),
		data("status", words(func(s Standing) string { return s.Status })),
		shown("points", "score", func(s Standing) table.Cell {
			if s.Games == 0 {
				return table.None("no games")
			}
			return table.Num(s.Score, chart.Percent, 1)
		}),
		table.Declare(table.Column{Name: "games"}, whole(func(s Standing) int64 { return s.Games })),
		data("score", number(func(s Standing) *float64 { return &s.Score })),
		data("first_wins", whole(func(s Standing) int64 { return s.AsFirst.Wins })),
		data("first_draws", whole(func(s Standing) int64 { return s.AsFirst.Draws })),
		data("first_losses", whole(func(s Standing) int64 { return s.AsFirst.Losses })),
		data("second_wins", whole(func(s Standing) int64 { return s.AsSecond.Wins })),
		data("second_draws", whole(func(s Standing) int64 { return s.AsSecond.Draws })),
		data("second_losses", whole(func(s Standing) int64 { return s.AsSecond.Losses })),
		shown("first", "first +/=/-", words(func(s Standing) string { return asFirst[s.place] })),
		shown("second", "second +/=/-", words(func(s Standing) string { return asSecond[s.place] })),
		shown("next", "against next", words(func(s Standing) string {
			if len(rows) == 2 {
				return "" // said below the table
			}
			return s.Next.Expected()
		})),
		shown("accuracy", "", func(s Standing) table.Cell {
			if s.Accuracy == nil {
				return table.None("not solved, or no decisions")
			}
			return table.Estimate(ratings.WithInterval(s.Accuracy.Value, s.Accuracy.Lo, s.Accuracy.Hi, int64(s.Accuracy.N)),
				chart.Percent, 1)
		}),
		data("faults", whole(func(s Standing) int64 { return s.Faults })),
		shown("forfeits", "faults", func(s Standing) table.Cell {
			if s.Faults == 0 {
				return table.None("none")
			}
			return table.Count(int(s.Faults))
		}),
		shown("in_group", "group", words(func(s Standing) string {
			if groups < 2 {
				return ""
			}
			return fmt.Sprint(s.rank.Group + 1)
		})),
		table.Declare(table.Column{Name: "remark", Title: "status", Text: true, People: true, Optional: true},
			words(func(s Standing) string {
				return statusWords(ratings.Status(s.Status))
			})),
		data("errors", words(func(Standing) string { return p.Fit.Errors.String() })),
		data("units", whole(func(Standing) int64 { return p.Units() })),
		data("level", number(func(Standing) *float64 { return &p.Fit.Level })),
	}
}

// Agents is the table of the pool's agents, best first.
func (p *Pool) Agents() table.Table {
	rows := p.rows()
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

// printAgents writes the table of agents. For two agents it also writes their difference.
func (p *Pool) printAgents(out io.Writer) error {
	t := p.Agents()
	if len(t.Rows) == 0 {
		return nil
	}
	if err := t.Text(out, 0); err != nil {
		return err
	}
	ranks := p.Ranks()
	if n := p.nexts(ranks)[0]; len(ranks) == 2 && n != nil {
		_, err := fmt.Fprintf(out, "%s over %s: %s Elo (%s), expected score %s over both seats\n",
			screen.Cell(ranks[0].Name), screen.Cell(n.Agent), n.estimate.Point(), n.estimate.Range(), n.Expected())
		return err
	}
	return nil
}

// columnsOf formats counts as wins/draws/losses, aligned in columns.
func columnsOf[R any](rows []R, of func(R) Count) []string {
	width := func(n func(Count) int64) int {
		most := int64(0)
		for _, r := range rows {
			most = max(most, n(of(r)))
		}
		return len(fmt.Sprint(most))
	}
	w := width(func(c Count) int64 { return c.Wins })
	d := width(func(c Count) int64 { return c.Draws })
	l := width(func(c Count) int64 { return c.Losses })
	var out []string
	for _, r := range rows {
		c := of(r)
		out = append(out, fmt.Sprintf("%*d/%*d/%*d", w, c.Wins, d, c.Draws, l, c.Losses))
	}
	return out
}

// brief selects the columns for the short form.
func (p *Pool) brief() table.Table {
	return p.Agents().Only("ranks", "agent", "rating", "points", "games", "forfeits")
}
