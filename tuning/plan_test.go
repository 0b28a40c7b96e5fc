package tuning

import (
	"math"
	"path/filepath"
	"testing"

	"spar/configs/must"
	"spar/configs/strict"
)

// inside is a small tuning for tests of the package itself.
const inside = `
name: inside
rules: vanishing
agent: handmade
parameters: ["weights.*"]
method: spsa
games: 240
openings: {plies: 3}
checks: {points: 0, pairs: 10}
validation: {pairs: 30, max_pairs: 40, pool: [random]}
seed: 5
`

func loadInside(t *testing.T, set ...string) *Tuning {
	t.Helper()
	x, err := Load("inside.yaml", []byte(inside), append([]string{"database=" + filepath.Join(t.TempDir(), "study.db")},
		set...)...)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// Only the direction of the weights matters to an agent that takes the best of its values, if all weights with an
// effect are tuned without bounds. Weighted choices, bounds on either side, weights left out, knobs among them and
// searches with other uses of the value depend on the length.
func TestOnlyDirection(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		set  []string
		want bool
	}{
		"all weights, greedy":   {nil, true},
		"all weights, minimax":  {[]string{"agent={agent: minimax-2, set: {budget.depth: 1}}"}, true},
		"all weights, mcts":     {[]string{"agent={agent: mcts-100, set: {budget.iterations: 5}}"}, false},
		"moves drawn by weight": {[]string{"agent={agent: handmade, set: {mixture.softmax: 0.5}}"}, false},
		"one weight":            {[]string{"parameters=[weights.own_centre]"}, false},
		"two of the weights":    {[]string{"parameters=[weights.own_need_1, weights.own_need_2]"}, false},
		"a lower bound":         {[]string{"parameters=[{path: weights.own_centre, min: -5}, {path: weights.*}]"}, false},
		"an upper bound":        {[]string{"parameters=[{path: weights.own_centre, max: 5}, {path: weights.*}]"}, false},
		"a knob among the weights": {[]string{"agent={agent: minimax-2, set: " +
			"{budget.depth: 1}}", "parameters=[weights.*, {path: minimax.candidates, min: 0, max: 9}]"}, false},
	} {
		x, err := Load("inside.yaml", []byte(inside), c.set...)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := x.onlyDirection(); got != c.want || x.Direction != c.want {
			t.Errorf("%s: only the direction matters: %t, want %t", name, got, c.want)
		}
	}
}

// A share of deeper comparisons is spread evenly: of n, the whole part of n times the share, never two more in a
// stretch than in another.
func TestDeeperComparisonsAreSpread(t *testing.T) {
	t.Parallel()
	for share, want := range map[float64]string{
		0: "..........", 0.5: ".x.x.x.x.x", 0.2: "....x....x", 1: "xxxxxxxxxx",
		0.3: "...x..x..x",
	} {
		x := &Tuning{}
		x.Deeper = share
		got := ""
		for id := range 10 {
			got += map[bool]string{true: "x", false: "."}[x.deep(id)]
		}
		if got != want {
			t.Errorf("a share of %g: %s, want %s", share, got, want)
		}
	}
}

// Four digits of a number, whatever its size; what is no number is 0.
func TestRounded(t *testing.T) {
	t.Parallel()
	for x, want := range map[float64]float64{
		0: 0, 1.23456: 1.235, -1.23456: -1.235, 123456: 123500,
		0.000123456: 0.0001235, 9.9996: 10, 0.1: 0.1, math.Inf(1): 0, math.Inf(-1): 0,
	} {
		if got := rounded(x); !(math.Abs(got-want) <= 1e-12*math.Abs(want)) {
			t.Errorf("%g is rounded to %g, want %g", x, got, want)
		}
	}
	if got := rounded(math.NaN()); got != 0 {
		t.Errorf("NaN is rounded to %g", got)
	}
}

// The worst pairing is the opponent of the least score, the first of equals; a loss is told where it is beyond 1.96 of
// its standard errors: 0.1 of 0.05 (the errors 0.03 and 0.04 together) is 2 of them.
func TestPairingsOfThePool(t *testing.T) {
	t.Parallel()
	at := func(score, se float64) Match {
		var m Match
		m.Score.Value, m.Score.SE = score, se
		return m
	}
	for _, c := range []struct {
		pool            []PoolRow
		worst, worstWas string
		warned          int
	}{
		{nil, "", "", 0},
		{[]PoolRow{{"a", at(0.7, 0.03), at(0.8, 0.04)}}, "a", "a", 1},
		{[]PoolRow{{"a", at(0.705, 0.03), at(0.8, 0.04)}}, "a", "a", 0},
		{[]PoolRow{
			{"a", at(0.8, 0.03), at(0.7, 0.04)},
			{"b", at(0.9, 0.03), at(0.6, 0.04)},
			{"c", at(0.8, 0.03), at(0.6, 0.04)},
		}, "a", "b", 0},
		{[]PoolRow{{"a", at(1, 0), at(1, 0)}, {"b", at(0.5, 0.3), at(0.2, 0.1)}}, "b", "b", 0},
	} {
		out := Examination{Pool: c.pool}
		if out.comparePool(); out.Worst != c.worst || out.WorstWas != c.worstWas || len(out.Warnings) != c.warned {
			t.Errorf("%+v: worst %q, the start's %q, %q", c.pool, out.Worst, out.WorstWas, out.Warnings)
		}
	}
}

// The tuned agent is written beside the agent's own file, whatever that ends with, and that of a shipped one beside the
// study.
func TestPlaceOfTheTunedAgent(t *testing.T) {
	t.Parallel()
	for agent, want := range map[string]string{
		"mine.yaml": "mine-tuned.yaml", "mine.yml": "mine-tuned.yaml",
		"greedy": "out/inside-tuned.yaml",
	} {
		doc := must.Get(strict.Parse("inside.yaml", []byte(inside)))(t)
		x := &Tuning{Plan: Plan{Name: "inside"}}
		if x.place(doc, agent); x.Output != want || x.Database != "out/inside.db" {
			t.Errorf("of %s: %s and %s", agent, x.Output, x.Database)
		}
	}
}
