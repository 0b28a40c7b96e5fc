package standings

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"spar/configs/plain"
	"spar/ratings"
	"spar/reports/chart"
	"spar/reports/page"
	"spar/reports/screen"
	"spar/reports/table"
)

// statusWords describes what an estimate is based on, if that is unusual.
func statusWords(s ratings.Status) string {
	return map[ratings.Status]string{
		ratings.StatusOK:             "",
		ratings.StatusUnboundedAbove: "no upper bound",
		ratings.StatusUnboundedBelow: "no lower bound",
		ratings.StatusUnbounded:      "no bounds",
		ratings.StatusUnplaced:       "level unknown",
		ratings.StatusConfounded:     "confounded with the seats",
		ratings.StatusNoInformation:  "no information",
		ratings.StatusPrior:          "from the prior",
		ratings.StatusAnchor:         "anchor",
		ratings.StatusNotIdentified:  "confounded with the ratings",
		ratings.StatusFixed:          "held at 0",
	}[s]
}

// errorWords describes how the intervals were estimated.
func (p *Pool) errorWords() string {
	how := map[ratings.ErrorKind]string{
		ratings.ErrorDrawAware: ", treated as independent; errors allow for draws",
		ratings.ErrorNaive:     ", treated as independent; errors ignore draws",
		ratings.ErrorPosterior: " and a prior",
	}[p.Fit.Errors]
	return fmt.Sprintf("%.0f %% intervals, from %s%s", 100*p.Fit.Level, p.units(), how)
}

// key explains the marks of the table of agents; empty if it has none.
func (p *Pool) key() string {
	if slices.ContainsFunc(p.Fit.Players, func(r ratings.PlayerRow) bool { return r.Elo.Prior }) {
		return "The prior, not the games, determines ratings in brackets."
	}
	return ""
}

// units describes the observations on which the standard errors are based: their number and kind, and how many
// others only connect groups of agents.
func (p *Pool) units() string {
	n, unit := p.Fit.Units()
	text := "0 " + unit
	if n > 0 {
		text = ratings.Estimate{N: n, Unit: unit}.Count()
	}
	all, alone := p.Table.Clusters()
	if p.Fit.Errors == ratings.ErrorPair && all+alone > n {
		text += fmt.Sprintf("; %d more are not used: in them, one group of agents won every game against another", all+alone-n)
	}
	return text
}

// Document returns the ratings and tests of the pool, with the requested tables.
func (p *Pool) Document(o Extras) *page.Document {
	about := screen.Plural(p.Played, "game")
	if p.Distinct > 0 {
		about += fmt.Sprintf(", %d distinct", p.Distinct)
	}
	if p.Fit.Model != ratings.ModelScore {
		about += "; model: " + p.Fit.Model.String()
	}
	d := &page.Document{
		Title: screen.Cell(p.Title), Subtitle: about + "; " + p.errorWords(),
		Warnings: p.Warnings(),
	}
	add := func(s page.Section) {
		s.Screen, s.Aside = true, true
		d.Sections = append(d.Sections, s)
	}
	agents := p.Standings()
	ratings := p.Agents().Titled("Ratings")
	s := page.Section{Title: "Ratings"}
	if len(agents) > 2 && slices.ContainsFunc(agents, func(a Standing) bool { return a.rank.Lo < a.rank.Hi }) {
		s.Paragraphs = append(s.Paragraphs, "Ranks are corrected for multiple comparisons.")
		ratings.Note = strings.TrimSpace(ratings.Note + " Expected against next: not corrected, a mean over both seats, " +
			"nearer to 50 % than Elo suggests where the seat decides.")
	}
	s.Tables = []table.Table{ratings}
	if len(agents) == 2 && agents[0].Next != nil {
		n := agents[0].Next
		s.Paragraphs = append(s.Paragraphs, fmt.Sprintf("%s over %s in a fixed number of games: %s, "+
			"expected score %s over both seats",
			screen.Cell(agents[0].Agent), screen.Cell(n.Agent), n.Elo.Words(), n.Expected()))
	}
	add(s)
	add(page.Section{Title: "First player", Tables: p.firstPlayer()})
	if o.Crosstable {
		add(page.Section{Title: "Cross table", Tables: []table.Table{p.crosstable()}})
	}
	if o.LOS {
		add(page.Section{Title: "Likelihood of superiority", Tables: []table.Table{p.losTable()}})
	}
	if o.Intransitivity || p.Misfit {
		add(p.intransitivity())
	}
	return d
}

// Text writes the document of the pool for a terminal.
func (p *Pool) Text(out io.Writer, o Extras) error { return p.Document(o).Text(out, 0) }

// firstPlayer returns the first player's score under each of the rules, and the advantage of the fit.
func (p *Pool) firstPlayer() (out []table.Table) {
	rows := slices.DeleteFunc(slices.Clone(p.Fit.Advantages), func(a ratings.AdvantageRow) bool {
		return a.Games.Games() == 0
	})
	number := func(text string) table.As { return table.As{Cell: table.Words(text)} }
	remark := func(text string) table.As {
		return table.As{Column: table.Column{Bare: true, Text: true, Optional: true}, Cell: table.Words(text)}
	}
	scores := table.Rows(rows, func(a ratings.AdvantageRow) []any {
		score := p.First[a.Stratum]
		return []any{
			"rules", cmp.Or(a.Stratum, "all games"), "scores", score, "of", number(score.Count()),
			"first/draw/second", number(plain.If(score.N == a.Games.Games(), a.Games.String(), "–")),
			"remark", remark(plain.If(p.Table.Balanced(of(a.Stratum)), "", "seats not balanced")),
		}
	})
	advantages := table.Rows(rows, func(a ratings.AdvantageRow) []any {
		return []any{
			"rules", cmp.Or(a.Stratum, "all games"), "first player's Elo", a.Elo, "expected score", expected(a.Elo),
			"remark", remark(statusWords(a.Status)),
		}
	})
	title := "Between agents of equal strength"
	if p.Rules == "" && len(rows) > 1 {
		title += ", with one rating per agent over all games"
	}
	if p.Faults != nil && slices.ContainsFunc(rows, func(a ratings.AdvantageRow) bool { return a.Games.Draws > 0 }) {
		scores.Note = "Draws include games that a ply limit ended, if the rules have one."
	}
	advantages.Note = "From the ratings; the scores above also count games between unequal agents."
	return []table.Table{scores.Titled("First player"), advantages.Titled(title)}
}

// expected returns the expected score at a difference in Elo.
func expected(e ratings.Estimate) table.Cell {
	if e.Prior || e.LoOpen || e.HiOpen {
		return table.None("no bound")
	}
	e.Value, e.Lo, e.Hi = ratings.ExpectedScore(e.Value), ratings.ExpectedScore(e.Lo), ratings.ExpectedScore(e.Hi)
	return table.Estimate(e, chart.Percent, 0)
}

// crosstable returns the score of row against column in percent, with its interval (usually asymmetric) and the number
// of games.
func (p *Pool) crosstable() table.Table {
	cells := map[[2]string]string{}
	for _, m := range p.Matches() {
		cell := func(e ratings.Estimate) string {
			return fmt.Sprintf("%.0f (%.0f to %.0f) /%d%s", 100*e.Value, 100*e.Lo, 100*e.Hi, m.Games, plain.If(m.P != nil && *m.P < 0.05, "*", ""))
		}
		cells[[2]string{m.Agent, m.Opponent}] = cell(m.Score)
		cells[[2]string{m.Opponent, m.Agent}] = cell(m.Score.Complement())
	}
	return p.matrix(fmt.Sprintf("Score of the row's agent against the column's: %% (%.0f %% interval) / games (* = "+
		"differs significantly from the expected score, at 5 %%, Holm-adjusted)", 100*p.Fit.Level), func(a, b string) string {
		return cells[[2]string{a, b}]
	})
}

// losTable returns the likelihood that the row's agent is stronger than the column's.
func (p *Pool) losTable() table.Table {
	los := p.losOf()
	caption := fmt.Sprintf("Likelihood that the row's agent is stronger than the column's, %%, from the ratings' "+
		"covariance (n = %s)", p.units())
	return p.matrix(caption, func(a, b string) string {
		i, j := slices.Index(los.Agents, a), slices.Index(los.Agents, b)
		switch x := los.Matrix[i][j]; {
		case x == nil:
			return "not determined"
		case los.Open[i][j] == "above":
			return "> " + strings.TrimPrefix(Likelihood(*x), "> ")
		case los.Open[i][j] == "below":
			return "< " + strings.TrimPrefix(Likelihood(*x), "< ")
		default:
			return Likelihood(*x)
		}
	})
}

// Likelihood writes a likelihood in percent, never as 0 or 100 %.
func Likelihood(share float64) string {
	switch x := 100 * share; {
	case x > 99.9:
		return "> 99.9"
	case x < 0.1:
		return "< 0.1"
	default:
		return fmt.Sprintf("%.1f", x)
	}
}

// matrix returns a table of agents against agents. The columns are headed by numbers.
func (p *Pool) matrix(caption string, value func(a, b string) string) table.Table {
	i := 0
	return table.Rows(p.Ranks(), func(x ratings.Rank) []any {
		i++
		row := []any{"rank", table.As{Column: table.Column{Bare: true}, Cell: table.Count(i)}, "agent", x.Name}
		for j, y := range p.Ranks() {
			cell := table.Words(value(x.Name, y.Name))
			if i == j+1 {
				cell = table.None("itself")
			}
			row = append(row, j+1, table.As{Cell: cell})
		}
		return row
	}).Titled(caption)
}

// pValue formats a p-value. It never writes 0.
func pValue(p float64) string {
	if p < 0.0001 {
		return "p < 0.0001"
	}
	return fmt.Sprintf("p = %.4f", p)
}

// intransitivity returns the test whether one rating per agent explains the results, and the largest deviations.
func (p *Pool) intransitivity() page.Section {
	s := page.Section{Title: "One rating per agent"}
	if p.Lack.DF == 0 {
		s.Paragraphs = []string{"One rating per agent: no test is possible, because there are no more match-ups than ratings"}
		return s
	}
	caption := fmt.Sprintf("One rating per agent %s: lack-of-fit chi-square %.1f on %d df, %s (n = %s)",
		plain.If(p.Misfit, "does not explain the results", "is consistent with the results"),
		p.Lack.ChiSquare, p.Lack.DF, pValue(p.Lack.P), screen.Plural(p.Table.Games(), "game"))
	s.Tables = append(s.Tables, table.Rows(p.worst(), func(m Match) []any {
		return []any{
			"agent", m.Agent, "opponent", m.Opponent, "score", table.Estimate(m.Score, chart.Percent, 1),
			"expected", table.Num(*m.Expected/float64(m.Games), chart.Percent, 1), "games", m.Games, "z",
			table.Num(*m.Z, chart.Signed, 1),
			"adjusted p", table.Num(max(*m.P, 1e-300), chart.Number, 4),
		}
	}).Titled(caption))
	return s
}
