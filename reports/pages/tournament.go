package pages

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"spar/arena/evidence"
	"spar/arena/store"
	"spar/reports/chart"
	plots "spar/reports/figures"
	"spar/reports/page"
	"spar/reports/screen"
	"spar/reports/standings"
	"spar/reports/table"
)

// mostCrossed is the largest number of agents with a cross table: a larger one is unreadable.
const mostCrossed = 16

// Tournament makes the first page of a tournament: the standings, the agents' scores against each other, and the first
// player's score in each game. The name of a game links to the address that link returns for its rules. Pools are those
// that standings.Study returns for both scopes. Name is the tournament's name, study its file, and kinds its games.
func Tournament(name, study string, pools []*standings.Pool,
	kinds []store.Kind, link func(rules string) string,
) (*page.Document, error) {
	all, games := standings.Split(pools)
	if all == nil || len(games) == 0 {
		return nil, errors.New("a tournament's page needs overall ratings and those of each game")
	}
	d := &page.Document{
		Title: name, Verdict: page.Verdict{
			Headline: standings.Headline(all, games),
		},
		Warnings: all.Busy,
	}
	if n, unit := all.Fit.Units(); n > 0 {
		d.Verdict.Detail = fmt.Sprintf("%s. These are %.0f %% intervals, from %d %s. Do not use them to decide when to stop.",
			screen.Plural(all.Played, "game"), 100*all.Fit.Level, n, unit)
	}
	agents := page.Section{
		Title:  "Agents",
		Lead:   all.Scope(len(games)),
		Tables: []table.Table{all.Agents().Titled("Standings")},
		Commands: []page.Command{{
			Text: "spar standings " + page.ShellWord(study) + " --details", Note: "The ratings and tests of each game:",
		}},
	}
	var met []page.Section
	cross, err := plots.Cross(all)
	switch {
	case len(all.Ranks()) > mostCrossed || errors.Is(err, plots.ErrNone):
	case err != nil:
		return nil, err
	default:
		met = append(met, page.Section{Title: "Against each other", Figures: []page.Figure{{
			Title: "Scores", Alt: cross.Alt, Chart: cross.Chart,
			Caption: "Counted from the games of these two agents; what the ratings predict may differ. Blue: the row's agent won " +
				"more. Orange: the column's agent won more.",
		}}})
	}

	ends := endings(kinds)
	each := page.Section{Title: "Games", Lead: "Click the name of a game to open its page."}
	each.Tables = []table.Table{table.Rows(games, func(p *standings.Pool) []any {
		shade := p.FirstMove()
		if shade != "helps" && shade != "hurts" {
			shade = "even"
		}
		return []any{
			"game", table.Link(p.Title, link(p.Rules)), "strongest", p.Leaders(),
			"first player scores",
			table.As{Column: table.Column{
				Axis: &table.Axis{Max: 1, Ref: 0.5, Zone: [2]float64{0.45, 0.55}, Unit: chart.Percent},
			}, Cell: table.Of(p.First[p.Rules]).Shade(shade)},
			"moving first", p.MovingFirst(), "plies", table.Help("mean length of a game", ends[p.Rules].length()),
			"ends by", ends[p.Rules].String(),
		}
	}).Titled("First player's score").Noted("Shaded: 45 to 55 %. Blue: moving first helps; orange: it hurts.")}

	if len(all.Ranks()) > 0 { // otherwise agents played only themselves
		d.Sections = append(append(d.Sections, agents), met...)
	}
	d.Sections = append(d.Sections, each)
	if open := standings.Undecided(games); len(open) > 0 {
		d.Sections = append(d.Sections, page.Section{Title: "Undecided", Paragraphs: open})
	}
	return d, nil
}

// ended is how the games under some rules ended: their number and plies, and the number by reason.
type ended struct {
	games, plies int64
	reasons      map[string]int64
}

// endings counts the games that count for balance, by rules.
func endings(kinds []store.Kind) map[string]*ended {
	out := map[string]*ended{}
	for _, k := range kinds {
		if !k.Game.Marks.Counts(evidence.Balance) {
			continue
		}
		e := out[k.RulesName]
		if e == nil {
			e = &ended{reasons: map[string]int64{}}
			out[k.RulesName] = e
		}
		e.games += k.Games
		e.plies += k.Plies
		e.reasons[k.Game.Reason] += k.Games
	}
	return out
}

// length returns the mean number of plies.
func (e *ended) length() table.Cell {
	if e == nil {
		return table.None("no games")
	}
	return table.Num(float64(e.plies)/float64(e.games), chart.Number, 0)
}

// String names the reasons of at least 1 % of the games, the most frequent first.
func (e *ended) String() string {
	if e == nil {
		return ""
	}
	names := slices.SortedFunc(maps.Keys(e.reasons), func(a, b string) int {
		return cmp.Or(cmp.Compare(e.reasons[b], e.reasons[a]), cmp.Compare(a, b))
	})
	var out []string
	for _, n := range names {
		if share := 100 * float64(e.reasons[n]) / float64(e.games); share >= 1 {
			out = append(out, fmt.Sprintf("%s %.0f %%", strings.NewReplacer("ply_cap", "ply limit", "_", " ").Replace(n), share))
		}
	}
	return strings.Join(out, ", ")
}
