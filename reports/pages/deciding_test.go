package pages

import (
	"math"
	"slices"
	"strings"
	"testing"

	"spar/arena/campaign"
	"spar/reports/balance"

	"spar/ratings"
)

// What a change of the rules certainly costs: the limit of an interval decides for shares, half of what there was for
// mechanics, a quarter for the length, a twentieth for the score.
func TestCosts(t *testing.T) {
	t.Parallel()
	use := func(mechanic string, value, lo, hi float64) balance.Use {
		return balance.Use{Mechanic: mechanic, PerGame: number100(value, lo, hi, "times a game")}
	}
	base := balance.KnobResponse{
		Score: number100(0.6, 0.57, 0.63, "score"), Completion: number100(0.9, 0.88, 0.92, "share"),
		Draws:  number100(0.1, 0.08, 0.12, "share"),
		Length: number100(20, 19, 21, "plies"), Alive: []balance.Use{use("jumps", 10, 9, 11), use("steps", 0.4, 0.3, 0.5)},
	}
	change := func(completion, draws, length [3]float64) balance.KnobResponse {
		n := func(x [3]float64) ratings.Estimate { return number100(x[0], x[1], x[2], "share") }
		return balance.KnobResponse{Completion: n(completion), Draws: n(draws), Length: n(length)}
	}
	still := [3]float64{0, -0.1, 0.1}
	for _, c := range []struct {
		name    string
		change  balance.KnobResponse
		open    bool // the upper limit of the completion and the lower one of the length
		alive   []balance.Use
		score   float64
		certain bool
		want    string
	}{
		{"nothing", change(still, still, still), false, base.Alive, 0.6, true, ""},
		{
			"fewer end", change([3]float64{-0.2, -0.3, -0.1}, still, still), false, base.Alive, 0.6, true,
			"games that end 90 → 70 %",
		},
		{"perhaps fewer end", change([3]float64{-0.2, -0.3, 0}, still, still), false, base.Alive, 0.6, true, ""},
		{"fewer end, open", change([3]float64{-0.2, -0.3, -0.1}, still, still), true, base.Alive, 0.6, true, ""},
		{"jumps by half", change(still, still, still), false, []balance.Use{use("jumps", 5, 4, 6)}, 0.6, true, ""},
		{
			"jumps by more", change(still, still, still), false,
			[]balance.Use{use("jumps", 4.9, 4, 6)},
			0.6, true,
			"jumps 10.0 → 4.9",
		},
		{"jumps by more, perhaps", change(still, still, still), false, []balance.Use{use("jumps", 4.9, 1, 9)}, 0.6, true, ""},
		{"no jumps", change(still, still, still), false, nil, 0.6, true, "jumps 10.0 → 0.0"},
		{"more draws", change(still, [3]float64{0.06, 0.01, 0.1}, still), false, base.Alive, 0.6, true, "draws 10 → 16 %"},
		{"a few more draws", change(still, [3]float64{0.05, 0.01, 0.1}, still), false, base.Alive, 0.6, true, ""},
		{"perhaps more draws", change(still, [3]float64{0.06, 0, 0.1}, still), false, base.Alive, 0.6, true, ""},
		{"longer", change(still, still, [3]float64{5.1, 4, 6}), false, base.Alive, 0.6, true, "moves 20 → 25.1"},
		{"longer by a quarter", change(still, still, [3]float64{5, 4, 6}), false, base.Alive, 0.6, true, ""},
		{"perhaps longer", change(still, still, [3]float64{5.1, 0, 9}), false, base.Alive, 0.6, true, ""},
		{"longer, open", change(still, still, [3]float64{5.1, 4, 6}), true, base.Alive, 0.6, true, ""},
		{"shorter", change(still, still, [3]float64{-6, -7, -5}), false, base.Alive, 0.6, true, "moves 20 → 14"},
		{"perhaps shorter", change(still, still, [3]float64{-6, -9, 0}), false, base.Alive, 0.6, true, ""},
		{"less fair", change(still, still, still), false, base.Alive, 0.66, true, "first player 60 → 66 %"},
		{"less fair to the other side", change(still, still, still), false, base.Alive, 0.34, true, "first player 60 → 34 %"},
		{"a little less fair", change(still, still, still), false, base.Alive, 0.64, true, ""},
		{"perhaps less fair", change(still, still, still), false, base.Alive, 0.66, false, ""},
	} {
		v := &balance.KnobVariant{Change: c.change, Certain: c.certain, Response: balance.KnobResponse{
			Score: number100(c.score, 0, 1, "score"), Alive: c.alive,
			Completion: number100(0.9+c.change.Completion.Value, 0, 1, "share"), Draws: number100(0.1+c.change.Draws.Value, 0, 1,
				"share"), Length: number100(20+c.change.Length.Value, 0, 1, "plies"),
		}}
		v.Change.Completion.HiOpen, v.Change.Length.LoOpen = c.open, c.open
		if got := strings.Join(costs(base, v), "; "); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	if got := costs(balance.KnobResponse{}, &balance.KnobVariant{Change: change(still, still,
		[3]float64{6, 5, 7})}); got != nil {
		t.Errorf("against no length: %q", got)
	}
}

// What asks for a change, and what surely mends it: fewer draws are a gain, and unfairness counts from 55 % on however
// it is lit.
func TestGoals(t *testing.T) {
	t.Parallel()
	on := func(measure string, n ratings.Estimate, c balance.Colour) *balance.Report {
		return &balance.Report{Headline: -1, Lights: []balance.Light{
			{Measure: "other", Colour: balance.Poor},
			{Measure: measure, Number: n, Colour: c},
		}}
	}
	gs := goals()
	for _, c := range []struct {
		goal    int
		measure string
		n       ratings.Estimate
		colour  balance.Colour
		want    bool
	}{
		{0, "completion", ratings.Estimate{}, balance.Poor, true},
		{0, "completion", ratings.Estimate{}, balance.Middling, true},
		{0, "completion", ratings.Estimate{}, balance.Good, false},
		{0, "completion", ratings.Estimate{}, balance.Undecided, false},
		{1, "first_score", number100(0.6, 0.56, 0.64, "score"), balance.Good, true},
		{1, "first_score", number100(0.6, 0.55, 0.64, "score"), balance.Good, false},
		{1, "first_score", number100(0.4, 0.36, 0.44, "score"), balance.Good, true},
		{1, "first_score", number100(0.4, 0.36, 0.45, "score"), balance.Good, false},
		{1, "first_score", number100(0.53, 0.51, 0.55, "score"), balance.Good, false},
		{1, "first_score", number100(0.53, 0.51, 0.55, "score"), balance.Middling, true},
		{1, "first_score", number100(0.53, 0.5, 0.56, "score"), balance.Middling, false},
		{1, "first_score", number100(0.47, 0.45, 0.49, "score"), balance.Middling, true},
		{1, "first_score", number100(0.47, 0.44, 0.499, "score"), balance.Poor, true},
		{1, "first_score", number100(0.48, 0.46, 0.5, "score"), balance.Poor, false},
		{1, "first_score", ratings.Estimate{Interval: ratings.Interval{Lo: 0.6, Hi: 0.7}}, balance.Poor, false},
		{2, "draws", ratings.Estimate{}, balance.Poor, true},
	} {
		if got := slices.Contains(on(c.measure, c.n, c.colour).Problems(), gs[c.goal].problem); got != c.want {
			t.Errorf("goal %d, %+v %s: %t", c.goal, c.n, c.colour, got)
		}
	}
	// a proof says more than these games
	for claim, want := range map[campaign.Claim]bool{
		campaign.First: true, campaign.Second: true, campaign.Even: false,
		campaign.Unknown: false,
	} {
		r := on("first_score", number100(0.47, 0.4, 0.54, "score"), balance.Undecided)
		r.Verdict = balance.Conclusion{Claim: claim, Scope: balance.AboutRules}
		if got := slices.Contains(r.Problems(), campaign.Unfair); got != want {
			t.Errorf("%s by the rules: %t", claim, got)
		}
	}
	response := func(score float64) balance.KnobResponse {
		return balance.KnobResponse{Score: number100(score, score, score, "score")}
	}
	for _, c := range []struct {
		name string
		goal int
		v    balance.KnobVariant
		want float64
	}{
		{
			"more end", 0,
			balance.KnobVariant{Change: balance.KnobResponse{Completion: number100(0.2, 0.1, 0.3, "share")}},
			0.2,
		},
		{"perhaps more end", 0, balance.KnobVariant{Change: balance.KnobResponse{Completion: number100(0.2, 0, 0.3,
			"share")}}, 0},
		{
			"fewer draws", 2,
			balance.KnobVariant{Change: balance.KnobResponse{Draws: number100(-0.2, -0.3, -0.1, "share")}},
			0.2,
		},
		{"perhaps fewer draws", 2, balance.KnobVariant{Change: balance.KnobResponse{Draws: number100(-0.2, -0.3, 0.1,
			"share")}}, 0},
		{"more draws", 2, balance.KnobVariant{Change: balance.KnobResponse{Draws: number100(0.2, 0.1, 0.3, "share")}}, 0},
		{"fairer", 1, balance.KnobVariant{Certain: true, Response: response(0.45)}, 0.05},
		{"perhaps fairer", 1, balance.KnobVariant{Response: response(0.45)}, 0},
		{"less fair", 1, balance.KnobVariant{Certain: true, Response: response(0.3)}, -0.1},
	} {
		if got := gs[c.goal].gain(&balance.KnobVariant{Response: response(0.6)}, &c.v); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: %g, want %g", c.name, got, c.want)
		}
	}
}

// Intervals that touch decide nothing about a pie rule.
func TestPieSays(t *testing.T) {
	t.Parallel()
	without := number100(0.2, 0.15, 0.25, "share")
	for _, c := range []struct {
		lo, hi float64
		want   string
	}{
		{0.05, 0.14, "makes the game more even"},
		{0.05, 0.15, "too few games to say whether a pie rule helps"},
		{0.26, 0.3, "does not make the game more even"},
		{0.25, 0.3, "too few games to say whether a pie rule helps"},
	} {
		if got := pieSays(&balance.Pie{
			Residual: number100(0.1, c.lo, c.hi, "share"),
			Without:  without,
		}); !strings.HasSuffix(got, c.want) {
			t.Errorf("%g to %g: %q, want %q", c.lo, c.hi, got, c.want)
		}
	}
	if got := pieSays(&balance.Pie{Residual: number100(0.1, 0.05, 0.1, "share")}); got != "" {
		t.Errorf("compared with nothing: %q", got)
	}
}
