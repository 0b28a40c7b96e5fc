package balance

import (
	"math"
	"slices"
	"testing"

	"spar/agents"
	"spar/arena/campaign"
	"spar/arena/store"
	"spar/arena/store/storetest"
	"spar/configs/must"
	"spar/engines/enginetest"
)

// play makes a small study of classic with some overrides.
func play(t *testing.T, set map[string]any, budgets []int64, sizes campaign.Sizes) (db *store.DB, label string,
	games int64,
) {
	t.Helper()
	rules := must.Get(campaign.LoadRules("classic", set))(t)
	c := must.Get(campaign.New(rules, campaign.Request{Effort: "quick", Seed: 3, NoInquiry: true}))(t)
	c.Record.Budgets, c.Record.Sizes = budgets, sizes
	db = storetest.New(t)
	sum := must.Get(campaign.Run(t.Context(), t.Context(), db, []*campaign.Campaign{c}, campaign.Options{}))(t)
	return db, rules.Label, sum.Games
}

// A study compared with itself has not changed; one with a line of 2 is won by the first player in his second move, in
// 3 plies.
func TestCompare(t *testing.T) {
	t.Parallel()
	budgets := []int64{5, 10}
	sizes := campaign.Sizes{Mirror: 40, Openings: 10, Ladder: 20, FirstMove: 6}
	before, name, _ := play(t, nil, budgets, sizes)
	after, changed, _ := play(t, map[string]any{"win.line": 2}, budgets, sizes)
	o := StudyOptions{Options: Options{SolveMemory: -1}}
	same, _ := must.Get2(Compare(t.Context(), before, before, name, name, o))(t)
	if len(same.Knobs) != 0 || len(same.Rows) == 0 {
		t.Errorf("against itself: knobs %v, %d rows", same.Knobs, len(same.Rows))
	}
	if title := same.Page().Title; title != "classic before and after" {
		t.Error(title)
	}
	for _, r := range same.Rows {
		if r.Change.Value != 0 || r.Verdict != "undecided" {
			t.Errorf("against itself: %+v", r)
		}
	}
	c, _ := must.Get2(Compare(t.Context(), before, after, name, changed, o))(t)
	if len(c.Knobs) != 1 || c.Knobs[0] != (KnobChange{"win.line", "3", "2"}) {
		t.Errorf("knobs %v, want win.line from 3 to 2", c.Knobs)
	}
	kaooa := func(set ...string) string { return enginetest.Load(t, "kaooa", set...).Rules().Canonical() }
	if knobs := must.Get(knobChanges(kaooa(), kaooa("second.win.captures=3")))(t); !slices.Equal(knobs, []KnobChange{
		{"second.win.captures", "4", "3"},
	}) {
		t.Errorf("of the second player: %v", knobs)
	}
	at := slices.IndexFunc(c.Rows, func(r Row) bool { return r.Group == "mirror/minimax-8000" && r.Measure == "mean_length" })
	if at < 0 || c.Rows[at].Verdict != "less" || c.Rows[at].After.Value != 3 {
		t.Errorf("length of games with a line of 2: %+v, want 3 plies and less than before", c.Rows)
	}
	if c.top != "mirror/minimax-8000" || c.errs != c.top+agents.Errs { // how games go is of agents that err
		t.Errorf("the strongest are %s, who errs is %s", c.top, c.errs)
	}
	for _, r := range c.Rows {
		if want := r.After.Value - r.Before.Value; math.Abs(r.Change.Value-want) > 1e-9 {
			t.Errorf("%s %s: change %g, want %g", r.Group, r.Measure, r.Change.Value, want)
		}
	}
}
