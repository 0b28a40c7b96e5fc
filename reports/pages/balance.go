// Package pages decides what each page says. It turns a balance report, a sweep, a comparison of two studies, a
// tuning or a learned net into a document of package page. Where a reader would look for a number that the games
// could not give, the page says so.
package pages

import (
	"fmt"
	"slices"
	"strings"

	"spar/arena/campaign"
	"spar/engines"
	"spar/engines/explain"
	"spar/reports/balance"
	"spar/reports/page"
	"spar/reports/screen"
	"spar/reports/table"
)

// Options are facts for a page that its report does not contain.
type Options struct {
	// Commands make the report again; the main one is first, like "spar balance vanishing --effort quick --seed
	// 1".
	Commands []page.Command
	// Study is the path of the study, for commands; empty = the report's path.
	Study string
	// Facts are added to the footer, for example the version of the program.
	Facts []page.Fact
}

// builder holds the data that all sections of a page need.
type builder struct {
	r     *balance.Report
	study string
	game  *engines.Game
	told  *explain.Rules
	main  *balance.Group // the group that the verdict uses; nil if there are no games
}

// Balance converts a report: answers, then verdict, chips, ten sections with figures, tables and replayable games,
// and the method. It returns an error only if the report's rules or moves cannot be read.
func Balance(r *balance.Report, o Options) (*page.Document, error) {
	b := &builder{r: r, study: o.Study}
	if b.study == "" {
		b.study = r.Study.DB
	}
	g, err := engines.Load(r.Rules.Name, []byte(r.Rules.Canonical))
	if err != nil {
		return nil, fmt.Errorf("the report's rules: %w", err)
	}
	b.game, b.told = g, explain.Game(g)
	if r.Headline >= 0 && r.Headline < len(r.Groups) {
		b.main = &r.Groups[r.Headline]
	}
	title := r.Rules.Title
	if title == "" {
		title = r.Rules.Name
	}
	d := &page.Document{
		Title:    title,
		Subtitle: b.subtitle(),
		Verdict:  b.verdict(),
		Warnings: r.Warnings,
		Commands: o.Commands,
	}
	for _, l := range r.Lights {
		d.Chips = append(d.Chips, b.chip(l))
	}
	for _, s := range []page.Section{
		b.outcome(), b.length(), b.depth(), b.drama(), b.knobs(), b.openings(), b.play(),
		b.games(), b.rules(), b.method(),
	} {
		if s.Title != "" {
			d.Sections = append(d.Sections, s)
		}
	}
	d.Answers, d.Glance, d.Finals = b.answers(words(title)), b.glance(), b.finals()
	d.Picture = b.picture()
	d.Missing = missing(r.Missing)
	d.Facts = append([]page.Fact{
		{Name: "rules", Value: r.Rules.Name + ", hash " + r.Rules.Hash},
		{Name: "intervals", Value: fmt.Sprintf("%.0f %%, over games, or over pairs if both games of a pair "+
			"share an opening", 100*r.Method.Level)},
		{Name: "bootstrap", Value: fmt.Sprintf("%d resamples, seed %d", r.Method.Resamples, r.Method.Seed)},
		{Name: "seeds", Value: fmt.Sprintf("%d to %d", r.Study.FirstSeed, r.Study.LastSeed)},
	}, o.Facts...)
	return d, nil
}

// missing lists the unavailable measures, each once for all groups of games that lack it.
func missing(all []balance.Missing) []page.Missing {
	var out []page.Missing
	seen := map[[2]string]bool{}
	for _, m := range all {
		key := [2]string{m.Measure, m.Reason}
		if seen[key] {
			continue
		}
		seen[key] = true
		var groups []string
		for _, other := range all {
			if other.Measure == m.Measure && other.Reason == m.Reason && other.Group != "" {
				groups = append(groups, other.Group)
			}
		}
		what := m.Measure
		switch len(groups) {
		case 0:
		case 1:
			what += ", " + groups[0]
		default:
			what += fmt.Sprintf(" of %d groups of games", len(groups))
		}
		out = append(out, page.Missing{What: what, Why: m.Reason})
	}
	return out
}

func (b *builder) subtitle() string {
	r := b.r
	s := fmt.Sprintf("Rules %s, %d × %d, %s", r.Rules.Name, r.Rules.Columns, r.Rules.Rows, count(r.Games(), "game"))
	if n := len(r.Tiers); n > 0 {
		s += fmt.Sprintf(", agents from %s to %s", r.Tiers[0].Name, r.Tiers[n-1].Name)
	}
	return s
}

// verdict takes its status from the light on the first player's score. A game that often does not end is rated
// poor, whoever wins. If the headline is about the rules and names no winner, the light is about the agents, and
// is shown next to the sentence about them.
func (b *builder) verdict() page.Verdict {
	c := b.r.Verdict
	l := b.light("first_score")
	v := page.Verdict{Headline: c.Text, Status: table.ParseStatus(string(l.Colour))}
	if c.Scope == balance.AboutRules && c.Claim != campaign.First && c.Claim != campaign.Second {
		graded := slices.Contains([]balance.Colour{balance.Good, balance.Middling, balance.Poor, balance.NotGood}, l.Colour)
		if v.Status = table.Plain; graded && beside(l) == "" {
			grade := strings.ToUpper(string(l.Colour[:1])) + string(l.Colour[1:])
			v.Headline = strings.Replace(v.Headline, c.Agents, grade+": "+strings.Replace(c.Agents, "Among", "among", 1), 1)
		}
	}
	if i := strings.Index(v.Headline, ". "); i > 0 {
		v.Headline, v.Detail = v.Headline[:i+1], strings.TrimSpace(v.Headline[i+1:])
	}
	if slices.ContainsFunc(b.r.Lights, func(l balance.Light) bool {
		return l.Measure == "completion" &&
			l.Colour == balance.Poor
	}) {
		v.Status = table.Poor
	}
	if v.Status == table.Undecided {
		v.Status = table.Plain // the sentence may decide who is favoured where the limits do not decide how much
	}
	return v
}

// beside returns what else, besides its interval, decides the light on the first player's score; empty if nothing
// else does.
func beside(l balance.Light) string {
	_, why, _ := strings.Cut(l.Text, "; ")
	if l.Measure != "first_score" {
		return ""
	}
	return strings.TrimSuffix(why, ".")
}

func (b *builder) chip(l balance.Light) page.Chip {
	c := page.Chip{
		Label: l.Title, Value: cell(l.Number, l.Text), Status: table.ParseStatus(string(l.Colour)),
		Threshold: l.Good, Section: l.Section,
	}
	if l.Colour != balance.Good && l.Middling != "" {
		c.Threshold += ", middling: " + l.Middling
	}
	var notes []string
	if why := beside(l); why != "" {
		notes = append(notes, why)
	}
	// an argument decides it, not the interval
	if l.Measure == "completion" && b.r != nil && l.Text == b.r.Ends && l.Text != "" {
		notes = append(notes, l.Text)
	}
	if l.More > 0 {
		notes = append(notes, fmt.Sprintf("about %s would probably decide it",
			screen.Plural(int64(l.More), "more "+strings.TrimSuffix(l.MoreOf, "s"))))
	}
	if w := l.Number.Note; w != "" {
		notes = append(notes, w)
	}
	c.Note = strings.Join(notes, "; ")
	return c
}

// groups returns the groups of a kind in the order of their tiers.
func (b *builder) groups(kind string) []*balance.Group {
	var out []*balance.Group
	for i := range b.r.Groups {
		if g := &b.r.Groups[i]; g.Kind == kind {
			out = append(out, g)
		}
	}
	return out
}

// tiers returns the groups to compare on the page: mirror matches, or all groups if there are none.
func (b *builder) tiers() []*balance.Group {
	if gs := b.groups("mirror"); len(gs) > 0 {
		return gs
	}
	return b.groups("all")
}

// label returns the short name of a group, which is that of its tier.
func (b *builder) label(g *balance.Group) string {
	if g.Tier >= 0 && g.Tier < len(b.r.Tiers) {
		return b.r.Tiers[g.Tier].Name
	}
	return g.Name
}

// title returns one of two texts: the first for a study with tiers, the second for any other.
func (b *builder) title(tiers, other string) string {
	if len(b.groups("mirror")) > 0 {
		return tiers
	}
	return other
}

func count(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
