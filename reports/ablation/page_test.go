package ablation

import (
	"math"
	"strings"
	"testing"

	"spar/ratings"
	"spar/reports/chart"
	"spar/reports/table"
)

// effect is one of so many Elo with a standard error of its score, under rules a.
func effect(rules string, elo, se float64, verdict string, settings ...Setting) *Effect {
	e := &Effect{Rules: rules, Settings: settings, Elo: elo, P: 0.25, Pairs: 40, Distinct: 30, Verdict: verdict}
	e.match = ratings.Match{
		Score: ratings.Estimate{Value: 0.5, SE: se},
		Elo:   ratings.WithInterval(elo, elo-20, elo+20, 40),
	}
	return e
}

// ablated has two knobs alone and together under rules a, one of them under rules b, and what is pooled.
func ablated() *Result {
	x, y := Setting{"x", "1"}, Setting{"y", "2"}
	r := &Result{Agent: "greedy", Tests: 5, Level: familyLevel, Effects: []*Effect{
		effect("a", 10, 0.03, "undecided", x), effect("a", -35, 0.04, "weaker", y), effect("a", 60, 0.12, "stronger", x, y),
		effect("b", 5, 0.03, "undecided", x), effect(AllRules, 8, 0.03, "stronger", x),
	}, Idle: []Idle{{Rules: "b", Settings: []Setting{y}, Why: "it has no effect"}}}
	r.Effects[0].Time = &Times{3, 2, 1.5}
	r.interact()
	return r
}

// Two knobs together are compared with the sum of each alone: 60 - 10 + 35; variances add up, 400/ln 10/(1/4) Elo an
// error of 1 in the score, and the two-sided level of five comparisons is 99 % each, 2.5758 standard errors. Where one
// of the three is not known, or has no finite error, nothing is said.
func TestInteraction(t *testing.T) {
	t.Parallel()
	r := ablated()
	for i, e := range r.Effects {
		if (e.More != nil) != (i == 2) {
			t.Fatalf("%d: %+v", i, e.More)
		}
	}
	want := 2.5758 * 0.13 * 4 * 400 / math.Ln10 // 0.03, 0.04 and 0.12 make 0.13
	m := r.Effects[2].More
	if m.Elo != 85 || math.Abs(m.Hi-85-want) > 0.01 || math.Abs(85-m.Lo-want) > 0.01 {
		t.Errorf("%+v, want 85 with %v", m, want)
	}
	for name, spoil := range map[string]func(*Result){
		"the first unknown":    func(r *Result) { r.Effects = r.Effects[1:] },
		"the second unknown":   func(r *Result) { r.Effects[1].Rules = "c" },
		"an error of infinity": func(r *Result) { r.Effects[0].match.Score.Value = 1 },
		"an error of 0/0":      func(r *Result) { r.Effects[0].match.Score.Value, r.Effects[0].match.Score.SE = 1, 0 },
	} {
		r := ablated()
		for _, e := range r.Effects {
			e.More = nil
		}
		spoil(r)
		r.interact()
		for _, e := range r.Effects {
			if e.More != nil {
				t.Errorf("%s: %+v", name, e.More)
			}
		}
	}
}

// A page counts values that are stronger, pooled ones not again; each of the rules has a section with its values, rings
// for what is undecided, costs where they are known.
func TestPageOfAnAblation(t *testing.T) {
	t.Parallel()
	r := ablated()
	p := &Plan{Parts: []Part{{Rules: "a", Variants: []*Variant{{}}}, {Rules: "c", Variants: []*Variant{{}}}}}
	d := p.Page(r, "spar ablate", nil)
	if want := "1 of 5 values are stronger than the unchanged greedy"; d.Verdict.Headline != want {
		t.Errorf("%q, want %q", d.Verdict.Headline, want)
	}
	if len(d.Sections) != 3 || len(d.Missing) != 2 || d.Missing[1].What != "c" {
		t.Fatalf("%d sections, missing %+v", len(d.Sections), d.Missing)
	}
	if p.Parts = p.Parts[:1]; len(p.Page(r, "", nil).Missing) != 1 {
		t.Error("rules a have been played")
	}
	s := d.Sections[0]
	forest, cost := s.Figures[0].Chart.(*chart.Forest), s.Figures[1].Chart.(*chart.Scatter)
	if len(forest.Rows) != 3 || !forest.Rows[0].Hollow || forest.Rows[1].Hollow || forest.Refs[0].Value != 0 {
		t.Errorf("%+v", forest)
	}
	if len(cost.Dots) != 1 || cost.Dots[0].X != 1.5 || !cost.Dots[0].Hollow || cost.Refs[0].Value != 0 ||
		cost.Marks[0].Value != 1 {
		t.Errorf("%+v", cost)
	}
	rows := s.Tables[0].Rows
	if got, want := rows[0][1], table.Estimate(ratings.WithInterval(10, -10, 30, 40), chart.Signed, 0); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	more := r.Effects[2].More
	if got, want := rows[2][6], table.Estimate(ratings.WithInterval(85, more.Lo, more.Hi, 40), chart.Signed,
		0); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	for i, want := range []table.Cell{table.Num(1.5, chart.Number, 2), table.None("nothing was counted")} {
		if got := rows[i][4]; got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	if rings := "Dots are values"; !strings.Contains(s.Lead, rings) || strings.Contains(d.Sections[1].Lead, rings) {
		t.Errorf("%q, %q", s.Lead, d.Sections[1].Lead)
	}
}
