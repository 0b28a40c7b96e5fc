package pages

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"spar/reports/balance"
	"spar/reports/page"
	"spar/tuning/sweep"
)

func measured(v float64) balance.Number {
	return balance.Number{Value: v, Lo: v - 0.04, Hi: v + 0.04, N: 200, Of: "games"}
}

// result is a made-up sweep over as many knobs as are named, each with the values 1 and 2; without depth when that is wanted.
func result(depth bool, knobs ...string) *sweep.Result {
	r := &sweep.Result{
		Name: "made-up", Rules: "classic", Design: "grid", DB: "out/x.db", Seed: 1, Tiers: []string{"mcts-5v", "mcts-10v"}, Level: 0.95,
		Targets: []string{"fpa<=0.05"}, Games: 4000, Skipped: []sweep.Skipped{{Rules: "win.line=9", Reason: "does not fit"}},
	}
	combinations := [][]string{nil}
	for _, k := range knobs {
		r.Knobs = append(r.Knobs, sweep.KnobInfo{Path: k, Values: []string{"1", "2"}, Base: "1"})
		var next [][]string
		for _, c := range combinations {
			next = append(next, append(append([]string{}, c...), "1"), append(append([]string{}, c...), "2"))
		}
		combinations = next
	}
	for i, values := range combinations {
		n := sweep.Numbers{"score": measured(0.5 + 0.1*float64(i)), "fpa": measured(0.1 * float64(i)), "draws": measured(0.2), "completion": measured(0.95), "length": measured(12)}
		tiers := []sweep.Numbers{n, n}
		if depth {
			n = sweep.Numbers{"depth": measured(3 + float64(i)), "score": n["score"], "fpa": n["fpa"], "draws": n["draws"], "completion": n["completion"], "length": n["length"]}
		}
		r.Variants = append(r.Variants, sweep.Cell{Rules: fmt.Sprintf("classic[%d]", i), Values: values, Base: i == 0, Numbers: n, ByTier: tiers, Verdict: balance.Undecided, Pareto: i == 0})
	}
	r.Tried = len(r.Variants)
	best := r.Variants[0]
	r.Again = []sweep.Again{{Rules: best.Rules, Values: best.Values, Before: best.Numbers, Numbers: best.Numbers, ByTier: best.ByTier, Verdict: balance.Met}}
	return r
}

// whole writes a document in every form, and checks that nothing in it is not a number.
func whole(t *testing.T, d *page.Document) (html, markdown string) {
	t.Helper()
	var h, m, text bytes.Buffer
	for name, err := range map[string]error{"HTML": d.HTML(&h), "Markdown": d.Markdown(&m, nil), "text": d.Text(&text, 0)} {
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	for _, s := range []string{h.String(), m.String(), text.String()} {
		for _, bad := range []string{"NaN", "%!", "+Inf"} {
			if strings.Contains(s, bad) {
				t.Errorf("%s in %s", bad, d.Title)
			}
		}
	}
	if _, err := d.Tables(t.TempDir()); err != nil {
		t.Error(err)
	}
	if _, err := d.Figures(t.TempDir(), "svg"); err != nil {
		t.Error(err)
	}
	return h.String(), m.String()
}

// One knob is a line, two a heat map, three a list; what was not played is named, and the number of variants is said.
func TestSweepPage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		depth bool
		knobs []string
		want  []string
	}{
		{true, []string{"win.line"}, []string{"best of 2 variants", "It meets the targets", "Fairness against depth", "does not fit"}},
		{true, []string{"win.line", "pieces.cap"}, []string{"best of 4 variants", "pieces.cap 1", "Fairness against depth"}},
		{false, []string{"win.line", "pieces.cap", "board.rows"}, []string{"best of 8 variants", "this sweep did not play the games for it"}},
	} {
		_, text := whole(t, Sweep(result(c.depth, c.knobs...), []page.Command{{Text: "spar sweep x.yaml"}}))
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%v: no %q in\n%s", c.knobs, want, text)
			}
		}
		if c.depth == strings.Contains(text, "this sweep did not play") {
			t.Errorf("%v: what is missing is wrong", c.knobs)
		}
	}
	r := result(true, "win.line")
	r.Again = nil
	if _, text := whole(t, Sweep(r, nil)); !strings.Contains(text, "candidate, not for a result") {
		t.Error("a best that was not measured again is called a result")
	}
}

func TestComparison(t *testing.T) {
	t.Parallel()
	c := &balance.Comparison{
		Level: 0.95, Before: balance.Side{DB: "a.db", Rules: "classic", Games: 100}, After: balance.Side{DB: "b.db", Rules: "classic[win.line=2]", Games: 100},
		Knobs: []balance.KnobChange{{Path: "win.line", Before: "3", After: "2"}},
		Rows: []balance.Row{
			{Group: "mirror/mcts-10v", Measure: "score", Before: measured(0.5), After: measured(0.7), Change: measured(0.2), Paired: true, Verdict: "more"},
			{Group: "mirror/mcts-10v", Measure: "fpa", Before: measured(0.2), After: measured(0.1), Change: measured(-0.1), Verdict: "less"},
			{Group: "mirror/mcts-10v", Measure: "completion", Before: measured(0.99), After: measured(0.88), Change: measured(-0.11), Verdict: "less"},
			{Group: "ladder", Measure: "elo_per_doubling", Before: measured(5), After: measured(4), Change: measured(-1), Verdict: "undecided"},
		},
	}
	_, text := whole(t, Comparison(c))
	for _, want := range []string{"**Verdict.** Fairer, but the share of games that end falls by 11.0 percentage points", "Changed: win.line from 3 to 2.", "The first player's score goes from 50.0 % to 70.0 %", "the change favours the first player", "Certain in these games: first player's score higher,", "elo per doubling"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}
