package balance

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"spar/agents"
	"spar/arena/store"
	"spar/configs/plain"
	"spar/engines"
	"spar/engines/rules"
	"spar/ratings"
	"spar/reports/chart"
	"spar/reports/page"
	"spar/reports/screen"
	"spar/reports/table"
	"spar/tuning/target"
	"spar/tuning/variants"
)

// Comparison compares two studies, one before and one after a change of rules. It has every number of both, and
// the difference with its interval. Its JSON form is public.
type Comparison struct {
	Before   Side         `json:"before"`
	After    Side         `json:"after"`
	Knobs    []KnobChange `json:"knobs"` // the changed knobs; empty if the rules are the same
	Rows     []Row        `json:"rows" help:"changes, significant ones first: that of the score, then the largest"`
	Warnings []string     `json:"warnings,omitempty" help:"warnings about the comparison"`
	// targets, judged by the second study
	Judged []target.Judged `json:"judged,omitempty" help:"targets, see report: targets"`
	Level  float64         `json:"level" help:"level of the intervals"`
	top    string          // the last group of agents against themselves from the start position that both have
	errs   string          // that of agents that err, if it shows how games go
	after  *Report
}

// Side is one of the two studies of a Comparison.
type Side struct {
	DB    string `json:"db" help:"file of the study"`
	Rules string `json:"rules" help:"name of the rules"`
	Hash  string `json:"hash" help:"hash of the rules"`
	Games int64  `json:"games" help:"games"`
	Exact string `json:"exact,omitempty" help:"exact value of the rules in words, if it is known"`
}

// KnobChange is a knob that differs between the two studies.
type KnobChange struct {
	Path   string `json:"path" help:"knob that differs"`
	Before string `json:"before" help:"value of the knob before"`
	After  string `json:"after" help:"value of the knob after"`
}

// size is how large a significant change is, relative to the whole scale of a share, or to the larger value; 0 if it is
// not significant. A change of the score is larger than any other: it matters most to a designer.
func (r Row) size() float64 {
	switch {
	case r.Verdict == Undecided:
		return 0
	case r.Measure == "score":
		return 10 + math.Abs(r.Change.Value)
	case r.Before.Scale == ratings.ScaleShare:
		return math.Abs(r.Change.Value)
	}
	return math.Abs(r.Change.Value) / max(math.Abs(r.Before.Value), math.Abs(r.After.Value))
}

// Row compares one number between both studies.
type Row struct {
	// group of games, like mirror/mcts-100v, or ladder
	Group   string           `json:"group" help:"games compared, like mirror/mcts-100v or ladder"`
	Measure string           `json:"measure" help:"score, fpa, draws, completion, mean_length, depth, elo_per_doubling"`
	Before  ratings.Estimate `json:"before" help:"number before: value, lo, hi, open, n, unit, method, anytime, note; level as in method.level"`
	After   ratings.Estimate `json:"after" help:"number after"`
	Change  ratings.Estimate `json:"change" help:"after minus before"`
	// Verdict is "more" or "less" if the interval of the change excludes 0, otherwise "undecided".
	Verdict string `json:"verdict" help:"more, less or undecided"`
}

const level = 0.95

// Compare measures two studies, each under the rules with the given name, and compares them. It also returns the
// report of the second.
func Compare(ctx context.Context, before, after *store.DB, rulesBefore, rulesAfter string, o StudyOptions) (*Comparison,
	*Report, error,
) {
	dbs := [2]*store.DB{before, after}
	names := [2]string{rulesBefore, rulesAfter}
	var reports [2]*Report
	var sides [2]Side
	for i, db := range dbs {
		r, err := Study(ctx, db, names[i], o)
		if err != nil {
			return nil, nil, fmt.Errorf("%s of %s: %w", names[i], db.Path(), err)
		}
		reports[i], sides[i] = r, Side{
			DB:    db.Path(),
			Rules: r.Rules.Name,
			Hash:  r.Rules.Hash,
			Games: r.Games(),
		}
		if r.Exact != nil {
			sides[i].Exact = r.named(r.Exact.Brief())
		}
	}
	c := &Comparison{Level: level, Rows: []Row{}, Before: sides[0], After: sides[1], after: reports[1]}
	var err error
	if c.Knobs, err = knobChanges(reports[0].Rules.Canonical, reports[1].Rules.Canonical); err != nil {
		return nil, nil, err
	}
	c.rows(reports[0], reports[1])
	slices.SortStableFunc(c.Rows, func(a, b Row) int { return cmp.Compare(b.size(), a.size()) })
	return c, reports[1], nil
}

// knobChanges lists the knobs in which two rules differ. The rules are given as canonical texts.
func knobChanges(before, after string) ([]KnobChange, error) {
	var both [2]engines.Rules
	for i, text := range []string{before, after} {
		if err := json.Unmarshal([]byte(text), &both[i]); err != nil {
			return nil, fmt.Errorf("stored rules: %w", err)
		}
	}
	out := []KnobChange{}
	for _, path := range rules.KnobPaths() {
		x, had := rules.KnobAt(both[0], path)
		y, has := rules.KnobAt(both[1], path)
		if had && has && x != y { // a part of what differs is named instead of the whole
			out = append(slices.DeleteFunc(out, func(k KnobChange) bool { return strings.HasPrefix(path, k.Path+".") }),
				KnobChange{path, x, y})
		}
	}
	return out, nil
}

// rows makes the table: rows for the groups that both studies have, and for the ladder.
func (c *Comparison) rows(a, b *Report) {
	for i := range a.Groups {
		at := slices.IndexFunc(b.Groups, func(g Group) bool { return g.Key == a.Groups[i].Key })
		if at < 0 {
			continue
		}
		key := a.Groups[i].Key
		if played := b.played(); played.Key == key && played.Tier < 0 {
			c.errs = key
		} else if c.top == "" || strings.HasPrefix(key, "mirror/") {
			c.top = key
		}
		before, after := a.Groups[i].Numbers(), b.Groups[at].Numbers()
		before["mean_length"], after["mean_length"] = a.Groups[i].Length.All.Mean, b.Groups[at].Length.All.Mean
		for _, m := range strings.Fields("score fpa draws completion mean_length") {
			c.add(key, m, before[m], after[m])
		}
	}
	switch x, y := a.main(), b.main(); {
	case c.top == "":
		c.Warnings = append(c.Warnings,
			"the studies have no match-up in common: make both with the same spar balance options")
	case x != nil && y != nil && (x.Key != c.top || y.Key != c.top):
		c.Warnings = append(c.Warnings, fmt.Sprintf("the strongest agents differ: before, %s; after, %s; only games "+
			"of %s can be compared: make both with the same --effort and --tiers", agentsOf(x.Key), agentsOf(y.Key), agentsOf(c.top)))
	case a.Ladder != nil && b.Ladder != nil:
		c.add("ladder", "depth", a.Ladder.Depth, b.Ladder.Depth)
		c.add("ladder", "elo_per_doubling", a.Ladder.Slope, b.Ladder.Slope)
	}
	if a.Rules.Hash == b.Rules.Hash {
		c.Warnings = append(c.Warnings,
			"both studies play the same rules: with the same seed and version of Spar, shared agents play identical games")
	}
}

func (c *Comparison) add(group, measure string, before, after ratings.Estimate) {
	if !before.Known() || !after.Known() {
		return
	}
	change := ratings.Change(before, after)
	r := Row{
		Group:   group,
		Measure: measure,
		Before:  before,
		After:   after,
		Change:  change,
		Verdict: Undecided,
	}
	switch {
	case !change.Known() || change.LoOpen || change.HiOpen:
	case change.Lo > 0:
		r.Verdict = "more"
	case change.Hi < 0:
		r.Verdict = "less"
	}
	c.Rows = append(c.Rows, r)
}

// Page makes the page that compares two studies: significant changes first, that of the score before others.
func (c *Comparison) Page() *page.Document {
	again := "spar report --compare " + page.ShellWord(c.Before.DB) + " " + page.ShellWord(c.After.DB) + " --rules " +
		page.ShellWord(c.Before.Rules)
	if c.After.Rules != c.Before.Rules {
		again += " --rules-after " + page.ShellWord(c.After.Rules)
	}
	title := c.Before.Rules + " against " + c.After.Rules
	if c.Before.Rules == c.After.Rules {
		title = c.Before.Rules + " before and after"
	}
	d := &page.Document{
		// on a phone a line of the title ends between words
		Title: strings.NewReplacer("[", " with ", ",", ", ", "]", "").Replace(title),
		Subtitle: fmt.Sprintf("Before: %s in %s. After: %s in %s.", screen.Plural(c.Before.Games, "game"), c.Before.DB,
			screen.Plural(c.After.Games, "game"), c.After.DB),
		Warnings: c.Warnings, Commands: []page.Command{{
			Text: again + " --out comparison.html",
			Note: "This command recreates this page:",
		}},
		Facts:   []page.Fact{{Name: "hash before", Value: c.Before.Hash}, {Name: "hash after", Value: c.After.Hash}},
		Verdict: page.Verdict{Headline: "No significant change."},
	}
	exact := ""
	if c.Before.Exact != "" || c.After.Exact != "" {
		exact = fmt.Sprintf("With best play: before, %s; after, %s. ", cmp.Or(c.Before.Exact, "unknown"),
			cmp.Or(c.After.Exact, "unknown"))
	}
	var changed []string
	for _, k := range c.Knobs {
		words := variants.Change{Path: k.Path, Value: k.After}.Words(rules.Rules{})
		if words == k.Path+"="+k.After {
			words = strings.NewReplacer(`""`, "unset", `"`, "", "[]", "unset", "null", "unset").Replace(k.Path + " from " + k.Before + " to " + k.After)
		}
		changed = append(changed, words)
	}
	if d.Verdict.Detail = "Changed: " + strings.Join(changed, ", ") + "."; len(changed) == 0 {
		d.Verdict.Detail = "The rules are the same."
	}
	var shown []Row // about the strongest agents: one screen
	others := 0
	for _, r := range c.Rows {
		byScore := r.Measure == "score" || r.Measure == "fpa"
		if r.Group == c.top && (byScore || c.errs == "" || r.size() > 0) || r.Group == c.errs && r.Measure != "fpa" || r.Group == "ladder" {
			shown = append(shown, r)
		} else if r.size() > 0 {
			others++
		}
	}
	switch {
	case len(c.Rows) == 0:
		d.Verdict.Headline = "The studies have no match-up in common, so there is nothing to compare."
	case shown[0].size() > 0:
		r := shown[0]
		d.Verdict.Headline = sentences(fmt.Sprintf("games of %s: %s %s before, %s after, a change of %s", agentsOf(c.top),
			c.measure(r), r.Before.Point(), r.After.Point(), r.change()))
	}
	if exact != "" && c.Before.Exact != c.After.Exact { // exact comes first
		exact, d.Verdict.Headline = d.Verdict.Headline+" ", strings.TrimSpace(exact)
	}
	d.Verdict.Detail = exact + d.Verdict.Detail
	shares := &chart.Forest{
		X:      chart.Axis{Label: c.after.named("first player's score"), Unit: chart.Percent},
		Before: "before",
		After:  "after",
		Dim:    chart.Dim{Width: chart.Full - 200},
		Refs:   []chart.Ref{{Value: 0.5, Label: "even"}},
	}
	for _, r := range c.Rows {
		if r.Measure == "score" {
			shares.Rows = append(shares.Rows, chart.Change(agentsOf(r.Group), r.Before, r.After))
		}
	}
	d.Pictures = []page.Figure{{
		ID: "scores", Title: c.after.named("First player's score"), Chart: shares, Caption: "Ring: before. Dot: after.",
	}}
	brief := table.Rows(shown, func(r Row) []any {
		return []any{
			"measure", c.measure(r), "before", said(r.Before), "after", said(r.After),
			"change", strings.TrimSuffix(r.change(), " points") + plain.If(r.size() > 0, " *", ""),
		}
	})
	brief.ID, brief.Caption = "changes", "Games of "+agentsOf(c.top)+", significant changes first"
	brief.Note = "*: significant. Changes of shares are in percentage points."
	if others > 0 {
		brief.Note += fmt.Sprintf(" All differences (--out PAGE.html) have %d more.", others)
	}
	all := table.Rows(c.Rows, func(r Row) []any {
		return []any{
			"agents", agentsOf(r.Group), "measure", c.measure(r), "before", r.Before, "after", r.After, "change", r.change(),
			"verdict", r.Verdict,
		}
	})
	all.ID, all.Caption, all.Fold = "differences", "Every measure of all agents", true
	all.Note = "About one in twenty intervals excludes 0 by chance alone."
	d.Sections = []page.Section{
		{ID: "changed", Title: "What changed", Screen: true, Aside: true, Tables: []table.Table{brief}},
		{ID: "all", Title: "All differences", Aside: true, Tables: []table.Table{all}},
	}
	return d
}

// measure names the measure of a row for people.
func (c *Comparison) measure(r Row) string {
	if agent, errs := strings.CutSuffix(r.Group, agents.Errs); errs {
		r.Group = agent
		return c.measure(r) + " with 10 % random moves"
	}
	if name, ok := map[string]string{
		"score": "first player's score", "draws": "drawn games", "fpa": "distance from even",
		"completion":       "games that end",
		"mean_length":      "mean plies",
		"depth":            "levels of play",
		"elo_per_doubling": "Elo per doubling",
	}[r.Measure]; ok {
		return c.after.named(name)
	}
	return strings.ReplaceAll(r.Measure, "_", " ")
}

// change writes the change with its interval: shares in percentage points. It is the difference of the rounded values,
// because they stand next to it.
func (r Row) change() string {
	if !r.Change.Known() {
		return "unknown"
	}
	n := r.Change
	scale := map[ratings.Scale]float64{ratings.ScaleElo: 1, ratings.ScaleCount: 10, ratings.ScaleShare: 100}[r.Before.Scale]
	if scale > 0 {
		n.Value = (math.RoundToEven(scale*r.After.Value) - math.RoundToEven(scale*r.Before.Value)) / scale
	}
	if n.Scale == ratings.ScaleShare {
		return said(points(n)) + " points"
	}
	if n.Scale = cmp.Or(n.Scale, ratings.ScaleCount); n.Scale == ratings.ScaleElo || n.Open() != "" {
		return said(n)
	}
	return fmt.Sprintf("%+.1f (%s)", n.Value, n.Range())
}

// agentsOf names the agents of a group of games.
func agentsOf(group string) string {
	kind, agent, _ := strings.Cut(group, "/")
	switch kind {
	case "openings":
		return agent + " after random moves"
	case "all":
		return "all games"
	case "mirror":
		return agent
	}
	return "all agents"
}

// Overview compares the rules of a study in a table.
func Overview(rs []*Report) table.Table {
	return table.Rows(rs, func(r *Report) []any {
		n := r.Numbers()
		return []any{
			"rules", r.Rules.Name, "first player", n["score"], "drawn", n["draws"], "plies", n["length"],
			"in a sentence", sentences(r.Summary.Text),
		}
	})
}

// points converts a difference of fractions to percentage points.
func points(n ratings.Estimate) ratings.Estimate {
	n.Value = 100*n.Value + 0
	n.Lo = 100 * n.Lo
	n.Hi = 100 * n.Hi
	n.Scale = ratings.ScaleElo
	return n
}
