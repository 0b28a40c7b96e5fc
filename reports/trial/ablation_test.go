package trial

import (
	"encoding/json"
	"errors"
	"math"
	"regexp"
	"strings"
	"testing"

	"spar/arena"
	"spar/arena/store"
	"spar/arena/store/storetest"
	"spar/configs/must"
	"spar/ratings"
)

// A plan has every value by itself and every two values of different knobs, under each of the rules where they have an
// effect; the rest is named with its reason.
func TestPlanOfAnAblation(t *testing.T) {
	t.Parallel()
	a := Ablation{Agent: "minimax-2", Rules: []string{"vanishing", "classic"}, Pairs: 3, Knobs: []Knob{
		{"budget.depth", []string{"1", "3"}}, {"mixture.epsilon", []string{"0.5"}}, {"budget.iterations", []string{"5"}},
	}}
	must.Do(t, a.Plan())
	for _, part := range a.Parts {
		var got []string
		for _, v := range part.Variants {
			got = append(got, v.String())
		}
		if want := "budget.depth=1; budget.depth=3; mixture.epsilon=0.5; budget.depth=1 mixture.epsilon=0.5; budget.depth=3 " +
			"mixture.epsilon=0.5"; strings.Join(got, "; ") != want {
			t.Errorf("%s\nwant %s", strings.Join(got, "; "), want)
		}
		if games, _ := arena.NewSchedule(part.Tournament).Total(); games != 5*3*2 {
			t.Errorf("%d games, want 30", games)
		}
	}
	if len(a.Idle) != 2*4 || !strings.Contains(a.Idle[0].Why, "alpha-beta has no simulations") {
		t.Errorf("idle: %+v", a.Idle)
	}
}

func TestMistakesInAnAblation(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"budget.depth": "expected PATH=VALUE,VALUE", "=1": "expected PATH", "a=1,,2": "expected PATH",
	} {
		if _, err := ParseKnob(text); !errors.Is(err, ErrKnob) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	for want, knobs := range map[string][]Knob{
		"minimax-2 already has this value": {{"budget.depth", []string{"2"}}},
		"is a duplicate":                   {{"budget.depth", []string{"1"}}, {"budget.depth", []string{"3"}}},
		"did you mean":                     {{"budget.dept", []string{"1"}}},
	} {
		a := Ablation{Agent: "minimax-2", Rules: []string{"classic"}, Pairs: 1, Knobs: knobs}
		must.Fail(t, a.Plan(), want)
	}
}

// Two knobs measured on real games: an agent of random moves is weaker than alpha-beta, by the score of its games; the
// interval of each of two comparisons has the level 97.5 %, so that both hold with 95 %.
func TestMeasureAnAblation(t *testing.T) {
	t.Parallel()
	a := Ablation{
		Agent: "minimax-2", Rules: []string{"vanishing"}, Pairs: 40, Plies: 3, Seed: 1, Single: true,
		Knobs: []Knob{{"mixture.epsilon", []string{"1"}}, {"budget.depth", []string{"3"}}},
	}
	must.Do(t, a.Plan())
	db := storetest.New(t)
	if r, err := a.Measure(t.Context(), db); err != nil || len(r.Effects) != 0 {
		t.Fatalf("before a game: %+v, %v", r, err)
	}
	must.Get(arena.Run(t.Context(), t.Context(), a.Parts[0].Tournament, db, arena.Options{}))(t)
	r, err := a.Measure(t.Context(), db)
	if err != nil || r.Tests != 2 || len(r.Effects) != 2 {
		t.Fatalf("%+v, %v", r, err)
	}
	points, games := 0.0, 0
	for _, row := range storetest.Games(t, db, store.Filter{Agent: a.Parts[0].Tournament.Players[1].Name}) {
		games++
		switch winner := map[string]string{"first": row.FirstName, "second": row.SecondName}[row.Result]; {
		case winner == "":
			points += 0.5
		case strings.Contains(winner, "epsilon"):
			points++
		}
	}
	e := r.Effects[0]
	if e.Settings.String() != "mixture.epsilon=1" || e.Verdict != "weaker" || games != 80 || e.Pairs != 40 ||
		math.Abs(e.Score-points/float64(games)) > 1e-9 {
		t.Errorf("%g of %d games: %+v", points, games, e)
	}
	for _, e := range r.Effects {
		if math.Abs(e.Elo.Level-0.975) > 1e-12 {
			t.Errorf("%s: an interval of level %v", e.Settings, e.Elo.Level)
		}
	}
}

// Two knobs together are compared with the sum of each alone: 60 - 10 + 35; the squares of the sides of their intervals
// add up: those of 11 degrees of freedom, 2.2010 standard errors. If one of the three is not known, or one side won every
// game, nothing is said; the value is then a bound, in text and JSON.
func TestInteraction(t *testing.T) {
	t.Parallel()
	x, y := Setting{"x", "1"}, Setting{"y", "2"}
	effect := func(elo, se float64, s ...Setting) *Effect {
		e := ratings.Normal(elo, se*4*400/math.Ln10, 12, "pairs", ratings.ScaleElo)
		e.Lo, e.Hi = elo-2.2010*e.SE, elo+2.2010*e.SE
		return &Effect{Rules: "a", Settings: s, Elo: e}
	}
	made := func() *AblationResult {
		return &AblationResult{Tests: 3, Effects: []*Effect{effect(10, 0.03, x), effect(-35, 0.04, y), effect(60, 0.12, x, y)}}
	}
	r := made()
	r.interact()
	want := 2.2010 * 0.13 * 4 * 400 / math.Ln10 // 0.03, 0.04 and 0.12 make 0.13
	if m := r.Effects[2].More; m == nil || m.Elo.Value != 85 || math.Abs(m.Elo.Hi-85-want) > 0.01 || math.Abs(85-m.Elo.Lo-want) > 0.01 {
		t.Errorf("%+v, want 85 with %v", m, want)
	}
	for name, spoil := range map[string]func(*AblationResult){
		"the first unknown":    func(r *AblationResult) { r.Effects = r.Effects[1:] },
		"the second unknown":   func(r *AblationResult) { r.Effects[1].Rules = "c" },
		"one side wins always": func(r *AblationResult) { _ = r.Effects[0].measure(&Pairs{Pentanomial: []float64{4: 20}}, 0.95) },
	} {
		r := made()
		spoil(r)
		r.interact()
		if more := r.Effects[len(r.Effects)-1].More; more != nil {
			t.Errorf("%s: %+v", name, more)
		}
	}
	var won Effect
	err := won.measure(&Pairs{Pentanomial: []float64{4: 20}}, 0.95)
	if text, _ := json.Marshal(&won); err != nil || won.Verdict != "stronger" || !strings.HasPrefix(won.Elo.String(), "> +") ||
		!regexp.MustCompile(`"elo":null,"se":0,"lo":[0-9.]+,"hi":null,"open":"above"`).Match(text) {
		t.Errorf("20 pairs won: %s, %s, %v", text, won.Elo, err)
	}
}
