package balance

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"spar/arena/campaign"
	"spar/arena/store"
	"spar/arena/study"
	"spar/engines/rules"
	"spar/ratings"
	"spar/reports/chart"
	"spar/reports/page"
	"spar/reports/table"
)

// Knobs is the effect of changing one knob by one step on games of one tier against itself.
type Knobs struct {
	Agent string       `json:"agent"` // the tier that plays
	Base  KnobResponse `json:"base"`  // measurements under the unchanged rules
	// sorted by the change of the first player's score, the greatest decrease first
	Variants []KnobVariant `json:"variants"`
	Text     string        `json:"text"` // name of the rules in the study
}

// KnobVariant describes rules that differ in one knob. Changes are relative to the unchanged rules.
type KnobVariant struct {
	Rules    string       `json:"rules"` // path of the knob, like pieces.cap
	Path     string       `json:"path"`  // path of the knob, like pieces.cap
	Value    string       `json:"value"` // value of the knob
	Base     string       `json:"base"`
	Response KnobResponse `json:"response"`
	Change   KnobResponse `json:"change"`
	// p-value of no change of the first player's score, adjusted by Holm over the variants
	P       float64 `json:"p"`
	Certain bool    `json:"certain"` // the change of the score is significant
	Exact   string  `json:"exact,omitempty"`
}

// KnobResponse holds the measurements of a variant.
type KnobResponse struct {
	Score      ratings.Estimate `json:"score"` // score of the first player, 0 to 1
	Draws      ratings.Estimate `json:"draws"`
	Completion ratings.Estimate `json:"completion"`
	Length     ratings.Estimate `json:"length"` // median length in plies
	Alive      []Use            `json:"alive,omitempty"`
}

// Variant is a set of rules that differs in one knob, with its games.
type Variant struct {
	Path, Value, Base string // path, value and base value of the knob
	Data              Data
}

// variantsOf finds the games of a study under rules that differ in one knob.
func variantsOf(ctx context.Context, db *store.DB, d Data, events []study.Event) ([]Variant, error) {
	var out []Variant
	for _, e := range events {
		label, ok := campaign.KnobVariant(e.Name, d.Label)
		if !ok {
			continue
		}
		if _, begun, err := db.RulesNamed(ctx, label); err != nil || !begun {
			if err != nil {
				return nil, err
			}
			continue
		}
		e.Purpose = campaign.PurposeMirror
		v := Variant{}
		var err error
		if v.Data, err = fromEvents(ctx, db, label, []study.Event{e}); err != nil {
			return nil, err
		}
		changed := 0
		base := rules.KnobValues(d.Game.Rules())
		for i, k := range rules.KnobValues(v.Data.Game.Rules()) {
			if k.Text != base[i].Text {
				v.Path, v.Value, v.Base = k.Path, k.Text, base[i].Text
				changed++
			}
		}
		if changed == 1 && len(v.Data.Events) > 0 {
			out = append(out, v)
		}
	}
	return out, nil
}

// Studied removes the labels of rules that were played only to measure a knob of other rules. If no label would be
// left, it removes none.
func Studied(ctx context.Context, db *store.DB, labels []string) ([]string, error) {
	events, err := db.Events(ctx)
	if err != nil {
		return nil, err
	}
	aside := map[int64]bool{}
	for _, e := range events {
		aside[e.ID] = campaign.OfKnob(e)
	}
	var out []string
	for _, label := range labels {
		rules, _, err := db.RulesNamed(ctx, label)
		if err != nil {
			return nil, err
		}
		counts, err := db.EventCounts(ctx, rules.ID)
		if err != nil {
			return nil, err
		}
		own := len(counts) == 0
		for event := range counts {
			own = own || !aside[event]
		}
		if own {
			out = append(out, label)
		}
	}
	if len(out) == 0 {
		return labels, nil
	}
	return out, nil
}

// knobs computes the effects of knobs. The baseline is the games of the tier against itself from the
// true start.
func (a *assembly) knobs(ctx context.Context, o Options) (*Knobs, error) {
	type played struct {
		Variant
		response KnobResponse
		agent    string
		group    int // index of the group of the same agent under the unchanged rules
	}
	var all []played
	strongest := -1 // studies that were begun long ago tried steps by weaker agents
	for _, v := range a.pass.data.Variants {
		r, err := Measure(ctx, v.Data, Options{
			Level: o.Level, Workers: o.Workers, SolveMemory: -1,
		})
		if err != nil {
			return nil, fmt.Errorf("measuring %s: %w", v.Data.Label, err)
		}
		if r.Headline < 0 {
			continue
		}
		agent := r.Tiers[r.Groups[r.Headline].Tier].Name
		i := slices.IndexFunc(a.report.Groups, func(g Group) bool { return g.Key == "mirror/"+agent })
		if i < 0 || !a.report.Groups[i].Outcome.Score.Known() {
			continue
		}
		strongest = max(strongest, i)
		all = append(all, played{v, response(&r.Groups[r.Headline]), agent, i})
	}
	if strongest < 0 {
		return nil, nil
	}
	var out *Knobs
	var ps []float64
	for _, v := range all {
		if v.group != strongest {
			continue
		}
		if out == nil {
			out = &Knobs{Agent: v.agent, Base: response(&a.report.Groups[v.group])}
		}
		x := KnobVariant{Rules: v.Data.Label, Path: v.Path, Value: v.Value, Base: v.Base, Response: v.response}
		x.Change = KnobResponse{
			ratings.Change(out.Base.Score, x.Response.Score), ratings.Change(out.Base.Draws, x.Response.Draws),
			ratings.Change(out.Base.Completion, x.Response.Completion), ratings.Change(out.Base.Length, x.Response.Length), nil,
		}
		if a.table != nil {
			x.Exact = exactly(ctx, v.Data, o)
		}
		ps = append(ps, a.unchanged(x.Change.Score))
		out.Variants = append(out.Variants, x)
	}
	certain := 0
	for i, p := range ratings.Holm(ps) {
		out.Variants[i].P, out.Variants[i].Certain = p, p < 1-a.level
		if out.Variants[i].Certain {
			certain++
		}
	}
	slices.SortStableFunc(out.Variants, func(x, y KnobVariant) int {
		return cmp.Compare(x.Change.Score.Value,
			y.Change.Score.Value)
	})
	out.Text = fmt.Sprintf("Spar tried %d changes of one knob by one step with %s; ", len(out.Variants), out.Agent)
	if len(out.Variants) == 1 {
		out.Text = fmt.Sprintf("Spar tried one change of one knob by one step with %s; ", out.Agent)
	}
	switch certain {
	case 0:
		out.Text += "none changes the first player's score significantly."
	case 1:
		out.Text += "one changes the first player's score significantly."
	default:
		out.Text += fmt.Sprintf("%d change the first player's score significantly.", certain)
	}
	return out, nil
}

func response(g *Group) KnobResponse {
	return KnobResponse{g.Outcome.Score, g.Outcome.Draw, g.Ends.Completion, g.Length.All.Median, g.Alive}
}

// unchanged returns the p-value of the hypothesis of no change, derived from the end of the interval that is
// nearer to 0.
func (m measurer) unchanged(change ratings.Estimate) float64 {
	if !change.Known() || change.Value == 0 || change.LoOpen || change.HiOpen {
		return 1
	}
	half := change.Value - change.Lo
	if change.Value < 0 {
		half = change.Hi - change.Value
	}
	if half <= 0 {
		return 1
	}
	return twoSided(change.Value / half * m.z)
}

// exactly describes the exact value of a variant, if it can be solved with the memory allowed for the study's own
// rules.
func exactly(ctx context.Context, d Data, o Options) string {
	table, err := campaign.Solve(ctx, d.Game, o.SolveMemory, o.Workers)
	if err != nil || table == nil {
		return ""
	}
	defer table.Close() //nolint:errcheck // in memory
	root := table.Stats().Root.Under(d.Game.Rules().Draw.MaxPlies, 0)
	if who := campaign.Winner(root); who != "draw" {
		return who + " wins " + root.How()
	}
	return "draw"
}

// knobs measures rules that differ in one knob. assembly.knobs computes it.
func knobs() measure { return measure{missing: knobsMissing, section: knobsSection} }

func knobsMissing(r *Report) []Missing {
	if r.Knobs != nil {
		return nil
	}
	return []Missing{{"Effects of rule changes", "", "no games under rules that differ in one knob (spar balance --effort normal plays them; " +
		"spar sweep plays more)"}}
}

// knobsSection shows the changes of the rules by one step.
func knobsSection(v *view) page.Section {
	k := v.r.Knobs
	if k == nil {
		return page.Section{}
	}
	s := page.Section{
		ID: "knobs", Title: "Changes tried", Lead: k.Text,
		Paragraphs: []string{fmt.Sprintf("%s plays itself from the start position; under the unchanged rules, the first player "+
			"scores %s. These are first results: spar sweep plays more games, and measures the best again on fresh seeds.",
			k.Agent, said(k.Base.Score))},
	}
	f := &chart.Forest{
		X:    chart.Axis{Label: "change of the first player's score, points", Unit: chart.Signed},
		Refs: []chart.Ref{{Value: 0, Label: "unchanged rules"}}, Dim: chart.Dim{Width: chart.Full - 200},
	}
	for _, x := range k.Variants {
		n := points(x.Change.Score)
		row := chart.RowOf(x.Path+" = "+x.Value, n)
		row.Note = fmt.Sprintf("%+.0f (%.0f to %.0f)", n.Value, n.Lo, n.Hi)
		f.Rows = append(f.Rows, row)
	}
	s.Figures = []page.Figure{{
		ID: "knobs", Title: "Effect of one step of a knob", Caption: "Right: it favours the first player. An interval with 0 is not " +
			"significant.", Chart: f,
	}}
	t := table.Rows(k.Variants, func(x KnobVariant) []any {
		return []any{
			"knob", x.Path + " = " + x.Value, "is", x.Base, "with best play", table.Words(x.Exact),
			"first player", table.Help("score of the first player", x.Response.Score),
			"p", table.Help("p-value of \"no change\", adjusted by Holm over the rows", table.Num(x.P, chart.Number, 3)),
			"draws", x.Response.Draws,
			"completion", table.Help("share of games that end before the ply limit", x.Response.Completion),
			"median plies", x.Response.Length,
		}
	})
	t.ID, t.Caption = "knobs", "One knob, one step"
	s.Tables = []table.Table{t}
	return s
}

// points converts a difference of fractions to percentage points.
func points(n ratings.Estimate) ratings.Estimate {
	n.Value, n.Lo, n.Hi, n.Scale = 100*n.Value+0, 100*n.Lo, 100*n.Hi, ratings.ScaleElo
	return n
}
