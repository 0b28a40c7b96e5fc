package ablation

import (
	"errors"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"spar/arena/store"
)

// A plan has every value by itself and every two values of different knobs, under each of the rules where they have an
// effect; the rest is named with its reason.
func TestPlan(t *testing.T) {
	t.Parallel()
	p, err := NewPlan(Ask{
		Agent: "minimax-2", Rules: []string{"vanishing", "classic"}, Pairs: 3,
		Knobs: []Knob{
			{"budget.depth", []string{"1", "3"}},
			{"mixture.epsilon", []string{"0.5"}},
			{"budget.iterations", []string{"5"}},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range p.Parts {
		var got []string
		for _, v := range part.Variants {
			got = append(got, v.Words())
		}
		want := "budget.depth=1; budget.depth=3; mixture.epsilon=0.5; budget.depth=1 mixture.epsilon=0.5; budget.depth=3 " +
			"mixture.epsilon=0.5"
		if strings.Join(got, "; ") != want {
			t.Errorf("%s: %s\nwant %s", part.Rules, strings.Join(got, "; "), want)
		}
	}
	if want := int64(2 * 5 * 3 * 2); p.Games() != want {
		t.Errorf("%d games, want %d", p.Games(), want)
	}
	if len(p.Idle) != 2*4 || !strings.Contains(p.Idle[0].Why, "alpha-beta has no simulations") {
		t.Errorf("idle: %+v", p.Idle)
	}
}

func TestMistakesInAPlan(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"budget.depth": "expected PATH=VALUE,VALUE", "=1": "expected PATH",
		"a=1,,2": "expected PATH",
	} {
		if _, err := ParseKnob(text); !errors.Is(err, ErrKnob) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	ask := Ask{Agent: "minimax-2", Rules: []string{"classic"}, Pairs: 1}
	for _, c := range []struct {
		knobs []Knob
		want  string
	}{
		{[]Knob{{"budget.depth", []string{"2"}}}, "minimax-2 already has this value"},
		{[]Knob{{"budget.depth", []string{"1"}}, {"budget.depth", []string{"3"}}}, "is a duplicate"},
		{[]Knob{{"budget.dept", []string{"1"}}}, "did you mean"},
	} {
		ask.Knobs = c.knobs
		if _, err := NewPlan(ask); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %s", c.knobs, err, c.want)
		}
	}
}

// What was played is measured: an agent of random moves is weaker than alpha-beta, by the score of its games; the
// interval of each of two comparisons has the level 97.5 %, so that both hold with 95 %.
func TestMeasure(t *testing.T) {
	t.Parallel()
	p, err := NewPlan(Ask{
		Agent: "minimax-2", Rules: []string{"vanishing"}, Pairs: 40, Plies: 3, Seed: 1, Single: true,
		Knobs: []Knob{{"mixture.epsilon", []string{"1"}}, {"budget.depth", []string{"3"}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "s.db"), store.Create)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if r, err := p.Measure(t.Context(), db); err != nil || len(r.Effects) != 0 || p.unplayed(r) != "vanishing" {
		t.Fatalf("before a game: %+v, %v", r, err)
	}
	if sum, err := p.Play(t.Context(), t.Context(), db, Options{}); err != nil || !sum.Finished {
		t.Fatal(sum, err)
	}
	r, err := p.Measure(t.Context(), db)
	if err != nil || r.Tests != 2 || len(r.Effects) != 2 || p.unplayed(r) != "" {
		t.Fatalf("%+v, %v", r, err)
	}
	points, games := 0.0, 0
	for row, err := range db.Games(t.Context(), store.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(row.FirstName+row.SecondName, "epsilon") {
			continue
		}
		games++
		variantIsFirst := strings.Contains(row.FirstName, "epsilon")
		switch {
		case row.Result == "draw":
			points += 0.5
		case (row.Result == "first") == variantIsFirst:
			points++
		}
	}
	e := r.Effects[0]
	if e.Words() != "mixture.epsilon=1" || e.Verdict != "weaker" || games != 80 || e.Pairs != 40 {
		t.Errorf("%d games: %+v", games, e)
	}
	if e.Distinct == e.Pairs && math.Abs(e.Score-points/float64(games)) > 1e-9 {
		t.Errorf("score %v, the games say %v", e.Score, points/float64(games))
	}
	for _, e := range r.Effects {
		if math.Abs(e.match.Score.Level-0.975) > 1e-12 {
			t.Errorf("%s: an interval of level %v", e.Words(), e.match.Score.Level)
		}
	}
}
