package variants

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"spar/configs/must"
	"spar/engines/enginetest"
	"spar/ratings"
	"spar/tuning/target"
)

// A Latin hypercube of 4 points over two knobs of 4 values takes each value of each knob once. A Halton sample takes no
// combination twice, and the same seed gives the same sample.
func TestSamples(t *testing.T) {
	t.Parallel()
	text := `
name: sample
rules: gomoku9
knobs:
  - {knob: board.columns, from: 6, to: 9}
  - {knob: board.rows, from: 6, to: 9}
points: 4
design: `
	latin := mustLoad(t, text+"latin-hypercube").points()
	if len(latin) != 4 {
		t.Fatalf("points %v, want 4", latin)
	}
	for knob := range 2 {
		var seen []int
		for _, p := range latin {
			seen = append(seen, p[knob])
		}
		slices.Sort(seen)
		if !slices.Equal(seen, []int{0, 1, 2, 3}) {
			t.Errorf("knob %d takes the values %v, want each once", knob, seen)
		}
	}
	a := mustLoad(t, text+"halton", "points=9")
	b := mustLoad(t, text+"halton", "points=9")
	if !reflect.DeepEqual(a.points(), b.points()) {
		t.Errorf("the same seed gives %v and %v", a.points(), b.points())
	}
	if n := len(a.Variants); n < 6 || n > 10 {
		t.Errorf("%d variants of 9 points and the base", n)
	}
	if all := mustLoad(t, text+"halton", "points=16").points(); len(all) != 16 {
		t.Errorf("%d points, want all 16 combinations", len(all))
	}
}

func TestParseKnob(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"pieces.cap=4..7":         {"4", "5", "6", "7"},
		"pieces.cap=4..12..4":     {"4", "8", "12"},
		"pieces.cap=4..6..1":      {"4", "5", "6"},
		"pieces.cap=4..4":         {"4"},
		"board.wrap=none,torus":   {"none", "torus"},
		"board.wrap=[none,torus]": {"none", "torus"}, "pieces.cap=[4, 5]": {"4", "5"}, "second.supply=[4]": {"4"},
		"win.reach=[a1, a2]": {"[a1 a2]"}, "second.win.reach=[a1],[a2]": {"[a1]", "[a2]"},
		"turn.pie=true":    {"true"},
		"pieces.cap=-1..1": {"-1", "0", "1"},
	} {
		k, err := ParseKnob(text)
		if err == nil {
			err = k.expand()
		}
		var got []string
		for _, v := range k.Values {
			got = append(got, fmt.Sprint(v))
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v, %v; want %v", text, got, err, want)
		}
	}
	for _, text := range []string{
		"", "pieces.cap", "pieces.cap=", "=4", "pieces.cap=4..x", "pieces.cap=1..2..0",
		"pieces.cap=1..2..3..4", "a=1,,2", "pieces.cap=04..7", "pieces.cap=4..+7", "pieces.cap=4..7x", "pieces.cap=..7",
		"pieces.cap=4..99999999999999999999",
	} {
		if k, err := ParseKnob(text); err == nil {
			t.Errorf("%q is read as %+v", text, k)
		}
	}
}

func number(v, lo, hi float64, n int64) ratings.Estimate {
	return ratings.Estimate{Value: v, Interval: ratings.Interval{Lo: lo, Hi: hi}, N: n}
}

// Two knobs of two values, draws 0.1 and 0.3 with cap 3, 0.5 and 0.7 with cap 4: the effect of cap 4 is 0.6 - 0.2 =
// 0.4, each mean with half the width of a single interval times sqrt(2)/2: 0.1/sqrt(2) = 0.070711, so the difference
// has hypot = 0.1.
func TestEffects(t *testing.T) {
	t.Parallel()
	knobs := []KnobInfo{{Path: "pieces.cap", Values: []string{"3", "4"}}, {Path: "win.line", Values: []string{"3", "4"}}}
	var cells []Cell
	for i, v := range []float64{0.1, 0.3, 0.5, 0.7} {
		cells = append(cells, Cell{
			Values:  []string{[]string{"3", "4"}[i/2], []string{"3", "4"}[i%2]},
			Numbers: Numbers{"draws": number(v, v-0.1, v+0.1, 10)},
		})
	}
	es := effects(knobs, cells)
	if len(es) != 4 {
		t.Fatalf("%d effects, want 4", len(es))
	}
	e := es[1].Numbers["draws"]
	if es[1].Value != "4" || math.Abs(e.Value-0.4) > 1e-9 || math.Abs(e.Lo-0.3) > 1e-9 || math.Abs(e.Hi-0.5) > 1e-9 {
		t.Errorf("effect of cap 4: %+v, want 0.4 [0.3, 0.5]", e)
	}
	if e := es[3].Numbers["draws"]; math.Abs(e.Value-0.2) > 1e-9 {
		t.Errorf("effect of line 4: %+v, want 0.2", e)
	}
}

// A change that makes the strongest agents' games more even is no remedy if those of weaker agents, or of agents that err,
// get surely less even: here 41 to 78 %, as weaker agents once played conveyor with a longer first turn. An exact
// draw is fair even if the strongest agents only reach it by repetition.
func TestWorseAtAnotherStrength(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		weak, weakNow, slips, slipsNow int64
		draws                          int64 // of an exact draw, by repetition
		want                           string
	}{
		{41, 78, 73, 52, 0, "worse"},
		{41, 52, 73, 52, 0, "nearer"},
		{41, 59, 73, 60, 0, "nearer"},
		{85, 60, 73, 52, 0, "nearer"},
		{90, 75, 73, 52, 0, "worse"},
		{41, 52, 53, 66, 0, "worse"},
		{100, 80, 73, 52, 40, "fair"},
		{100, 10, 73, 52, 40, "worse"}, // the other side wins now
		{100, 80, 73, 52, 60, "fair"},
	} {
		x := &Remedy{Score: share(60, 100), Weak: share(c.weakNow, 100), Slips: share(c.slipsNow, 100)}
		if c.draws > 0 {
			x.Winner, x.Score = "draw", share(50, 100)
			x.strong = counted{points: [3]int64{50, 100, 50}, endless: 2 * c.draws}
		}
		judged(t, c, Remedy{Score: share(89, 100), Weak: share(c.weak, 100), Slips: share(c.slips, 100)}, x, c.want)
	}
}

// A change is fair only if its whole intervals are within the bands and no player can force a win. Games that are too few
// decide nothing, and what is surely uneven is refused.
func TestVerdicts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rules                    string
		base, score, n, slips, m int64 // percent and pairs of games, at full strength and with 10 % random moves
		winner, want             string
	}{
		{"classic", 89, 50, 2000, 50, 2000, "", "fair"},
		{"classic", 89, 50, 20, 50, 2000, "", "nearer"},    // an interval beyond the band
		{"classic", 89, 50, 2000, 50, 20, "", "nearer"},    // the other one
		{"classic", 89, 50, 2000, 60, 2000, "", "worse"},   // those that err are surely off
		{"hexapawn", 89, 50, 2000, 50, 2000, "", "unfair"}, // O forces a win
		{"classic", 89, 50, 2000, 50, 2000, "first", "nearer"},
		{"classic", 50, 50, 20, 50, 20, "", "undecided"},
		{"classic", 50, 50, 20, 50, 20, "second", "unfair"},
		{"classic", 50, 89, 200, 50, 20, "", "unfair"},
		{"classic", 89, 95, 200, 50, 20, "", "unfair"},
		{"classic", 89, 60, 200, 80, 5, "", "nearer"},
		{"classic", 89, 60, 200, 80, 200, "", "worse"},
	} {
		x := &Remedy{Score: share(c.score, c.n), Slips: share(c.slips, c.m), Weak: share(50, 100)}
		x.Winner = c.winner
		x.variant.Game = enginetest.Load(t, c.rules)
		judged(t, c, Remedy{Score: share(c.base, 100), Weak: share(50, 100), Slips: share(50, 100)}, x, c.want)
	}
}

// share is a number of pairs of games of which the first player scores so many percent.
func share(percent, pairs int64) ratings.Estimate {
	return ratings.Wilson(percent*pairs/50, 2*pairs, 0.95)
}

// judged compares the verdict on a change, whose games all end, in a case of a test.
func judged(t *testing.T, c any, base Remedy, x *Remedy, want string) {
	t.Helper()
	s := &search{Remedies: Remedies{Problem: Unfair}, band: fairBand, runner: &runner{ctx: t.Context()}}
	s.out = &RemedyResult{Base: base}
	x.Completion, x.People, x.Kept = share(100, 100), 0.5, 1
	if err := s.judge(x); err != nil || x.Verdict != want {
		t.Errorf("%+v: %s, %s, %v", c, x.Verdict, x.Why, err)
	}
}

// Variants are ordered by their distance from the targets at the worse of the tiers, then by whether games end, then by
// evenness.
func TestNearest(t *testing.T) {
	t.Parallel()
	goal := must.Get(target.Parse("fpa<=0.05"))(t)
	cell := func(low, high, completion float64) Cell {
		c := Cell{Numbers: Numbers{"fpa": number(high, 0, 0.5, 50), "completion": number(completion, 0, 1, 50)}}
		c.ByTier = []Numbers{{"fpa": number(low, 0, 0.5, 50)}, c.Numbers}
		c.Far = far([]target.Target{goal}, c.ByTier, c.Numbers, nil)
		return c
	}
	cells := []Cell{
		cell(0.01, 0.15, 1), cell(0.04, 0.05, 1), cell(0.05, 0.01, 1), cell(0.03, 0.01, 0.5),
		cell(0.02, 0.03, 0.96),
	}
	if math.Abs(cells[0].Far-0.1) > 1e-12 || cells[1].Far != 0 {
		t.Errorf("distances %g and %g, want 0.1 and 0", cells[0].Far, cells[1].Far)
	}
	order := []int{0, 1, 2, 3, 4}
	slices.SortStableFunc(order, func(a, b int) int { return compareCells(&cells[a], &cells[b]) })
	if !slices.Equal(order, []int{4, 1, 2, 3, 0}) {
		t.Errorf("order %v, want 4 1 2 3 0", order)
	}
}

func TestTogether(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in   []target.Verdict
		want target.Verdict
	}{
		{nil, ""},
		{[]target.Verdict{target.Met, target.Met}, target.Met},
		{[]target.Verdict{target.Met, target.Undecided, target.Met}, target.Undecided},
		{[]target.Verdict{target.Undecided, target.Missed}, target.Missed},
	} {
		var js []target.Judged
		for _, v := range c.in {
			js = append(js, target.Judged{Verdict: v})
		}
		if got := together(js); got != c.want {
			t.Errorf("%v together are %q, want %q", c.in, got, c.want)
		}
	}
}

func targets(t *testing.T, texts ...string) []target.Target {
	t.Helper()
	var out []target.Target
	for _, text := range texts {
		goal := must.Get(target.Parse(text))(t)
		out = append(out, goal)
	}
	return out
}

// The distance from targets, by hand: 0.05 of a share, 35 of 700 Elo, 10 of 100 plies and 1 of 20 rungs count 0.05
// each; of two tiers the worse counts; depth belongs to the ladder alone; what was not measured is 1 away; targets add
// up.
func TestDistanceFromTargets(t *testing.T) {
	t.Parallel()
	one := func(measure string, values ...float64) []Numbers {
		var out []Numbers
		for _, v := range values {
			out = append(out, Numbers{measure: number(v, v-1, v+1, 5)})
		}
		return out
	}
	none := []Numbers{{"draws": number(0.25, 0, 1, 5)}, {"draws": ratings.Estimate{}}}
	for _, c := range []struct {
		targets []string
		tiers   []Numbers
		last    Numbers
		want    float64
	}{
		{[]string{"draws<=0.2"}, one("draws", 0.25), nil, 0.05},
		{[]string{"draws<=0.2"}, one("draws", 0.25, 0.1), nil, 0.05},
		{[]string{"draws<=0.2"}, one("draws", 0.1, 0.25), nil, 0.05},
		{[]string{"draws<=0.2"}, one("draws", 0.2, 0.1), nil, 0},
		{[]string{"draws<=0.2"}, none, nil, 1},
		{[]string{"elo<=35"}, one("elo", 70), nil, 0.05},
		{[]string{"length>=50"}, one("length", 45), nil, 0.05},
		{[]string{"depth>=5"}, one("depth", 9, 9), Numbers{"depth": number(4, 3, 5, 5)}, 0.05},
		{[]string{"depth>=5"}, nil, Numbers{}, 1},
		{[]string{"draws<=0.2"}, nil, Numbers{"draws": number(0.25, 0, 1, 5)}, 0.05},
		{[]string{"draws<=0.2", "draws<=0.1"}, one("draws", 0.25), nil, 0.2},
		{nil, one("draws", 0.25), nil, 0},
	} {
		if got := far(targets(t, c.targets...), c.tiers, c.last, nil); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v of %v is %g away, want %g", c.targets, c.tiers, got, c.want)
		}
	}
}

func mustLoad(t *testing.T, text string, overrides ...string) *Sweep {
	t.Helper()
	s := must.Get(Load("test.yaml", []byte(text), overrides...))(t)
	return s
}
