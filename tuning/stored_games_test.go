package tuning

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"spar/agents"
	"spar/arena/evidence"
	"spar/arena/study"
	"spar/ratings"
)

// hallOf is a hall whose games are all stored, so that nothing is played: pair after pair, each by what its first agent scores in both
// games: w won, d drawn, l lost, in capital letters where the game repeats another. Openings are counted from one on.
func hallOf(t *Tuning, from int64, results string) *hall {
	h := &hall{t: t, purpose: "validation", rules: 1, seed: 7, stored: map[int64]study.Game{}, games: func(int64) {}}
	for n, c := range strings.ReplaceAll(results, " ", "") {
		won := map[rune]string{'w': "first", 'd': "draw", 'l': "second"}
		if n%2 == 1 { // it moves second
			won['w'], won['l'] = "second", "first"
		}
		g := study.Game{Opening: from + int64(n/2), Seed: 7, Result: won[c|0x20], First: int64(1 + n%2), Second: int64(2 - n%2), Hash: int64(100 + n)}
		if c < 'a' {
			g.Marks, g.Hash = evidence.Repeated, int64(100+n%2) // as the first ones
		}
		h.stored[int64(n)] = g
	}
	return h
}

// certain is an agent that leaves nothing to chance: its equal games are one.
func certain(t *testing.T, name string) agents.Spec {
	t.Helper()
	s, err := agents.LoadSpec("greedy", "ties=first")
	if err != nil || !s.Deterministic() {
		t.Fatal("the agent leaves something to chance", err)
	}
	s.Name = name
	return s
}

// The sequential test ends as soon as it can tell, and no game after that is one of it; pairs of which a game repeats an earlier one say
// nothing. It is recorded after every eight pairs that have brought something.
func TestSequentialTest(t *testing.T) {
	t.Parallel()
	many := func(pair string, n int) string { return strings.Repeat(pair, n) }
	for _, c := range []struct {
		name    string
		most    int
		results string
		games   int64
		state   ratings.State
		path    []float64
	}{
		{"undecided", 12, many("wl", 12), 24, ratings.StateContinue, []float64{8, 12}},
		{"a single pair", 1, "wd", 2, ratings.StateContinue, []float64{1}},
		{"repetitions", 8, "wl wD wl Wl wl wl wl wl", 16, ratings.StateContinue, []float64{6}},
		{"nothing new after a batch", 12, many("wl", 8) + many("WL", 4), 24, ratings.StateContinue, []float64{8}},
	} {
		x := &examiner{t: &Tuning{Plan: Plan{Validation: Validation{Most: c.most, Elo1: 20}}}, out: &Examination{}}
		x.tuned, x.start = certain(t, "a"), certain(t, "b")
		x.h = hallOf(&Tuning{}, 0, c.results)
		if err := x.sequential(t.Context()); err != nil {
			t.Fatal(err)
		}
		var path []float64
		for _, p := range x.out.Path {
			path = append(path, p.Pairs)
		}
		if x.out.Games != c.games || x.out.SPRT.State != c.state || !slices.Equal(path, c.path) {
			t.Errorf("%s: %d games, %s after %v; want %d, %s after %v", c.name, x.out.Games, x.out.SPRT.State, path, c.games, c.state, c.path)
		}
	}
	for results, want := range map[string]ratings.State{"wwwwwwwdwwwwwlww": ratings.StateAcceptH1, "lllllldlllllwlll": ratings.StateAcceptH0} {
		x := &examiner{t: &Tuning{Plan: Plan{Validation: Validation{Most: 400, Elo1: 20}}}, out: &Examination{}}
		x.tuned, x.start = certain(t, "a"), certain(t, "b")
		x.h = hallOf(&Tuning{}, 0, many(results, 50))
		if err := x.sequential(t.Context()); err != nil {
			t.Fatal(err)
		}
		n := float64(x.out.SPRT.Elo.N)
		if x.out.SPRT.State != want || n >= 400 || x.out.Games != int64(2*n) || x.out.Path[len(x.out.Path)-1].Pairs != n {
			t.Errorf("%s after %g pairs, %d games, want %s", x.out.SPRT.State, n, x.out.Games, want)
		}
	}
}

// The checks of a training are spread evenly over its games: of four in 100 games one is due after every 25, however large the steps are,
// and at the end the last.
func TestWhenChecksAreDue(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		points int
		steps  []int
		want   []int // games of the training before each check
	}{
		{4, []int{10, 20, 24, 25, 40, 50, 74, 76, 99, 100}, []int{25, 50, 76, 100}},
		{4, []int{60, 61, 98}, []int{60, 98}}, // the run ends with 98 games
		{1, []int{50, 99}, []int{99}},
		{0, []int{50, 100}, nil},
		{2, []int{50, 50, 51, 100}, []int{50, 100}},
	} {
		x := loadInside(t, "checks={points: 4, pairs: 2}", "games=200")
		x.Games, x.Checks.Points = 100, &c.points
		var results []string
		for range 4 {
			results = append(results, "wlww")
		}
		r := &runner{t: x, check: hallOf(x, 0, strings.Join(results, "")), progress: nobody{}, result: &Result{}}
		for n, g := range r.check.stored { // each check plays the same openings
			g.Opening = n / 2 % 2
			r.check.stored[n] = g
		}
		var at []float64
		for _, p := range x.Params {
			at = append(at, p.Start)
		}
		for i, games := range c.steps {
			if err := r.checks(t.Context(), games, at, i == len(c.steps)-1); err != nil {
				t.Fatal(err)
			}
		}
		var got []int
		for _, k := range r.result.Checks {
			if got = append(got, k.Games); k.Match.Score.N != 2 || k.Match.Score.Value != 0.75 || k.Pairs != [5]float64{2: 1, 4: 1} {
				t.Errorf("%+v", k)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%d checks over steps %v: after %v games, want %v", c.points, c.steps, got, c.want)
		}
	}
}

// The answer is rounded to four digits, with what each number was and what the noise is. That it is no better than the start on its own
// openings is said where the last check leaves that possible.
func TestAnswerOfATuning(t *testing.T) {
	t.Parallel()
	check := func(lo float64, open bool) Check {
		var c Check
		c.Match.Elo.Interval = ratings.Interval{Lo: lo, Hi: lo + 9, LoOpen: open}
		return c
	}
	for _, c := range []struct {
		name   string
		checks []Check
		warned bool
	}{
		{"no checks", nil, false},
		{"better", []Check{check(-5, false), check(0.1, false)}, false},
		{"perhaps as good", []Check{check(5, false), check(0, false)}, true},
		{"perhaps worse", []Check{check(-3, false)}, true},
		{"won always", []Check{check(-3, true)}, false},
	} {
		x := loadInside(t)
		r := &runner{t: x, train: &hall{played: 30}, check: &hall{played: 4}, result: &Result{Checks: c.checks, Warnings: []string{}}}
		at, noise := make([]float64, len(x.Params)), make([]float64, len(x.Params))
		for i := range at {
			at[i], noise[i] = float64(i)+0.123456, float64(i)
		}
		out, err := r.finish(at, noise)
		if err != nil {
			t.Fatal(err)
		}
		if out.Played != 34 || len(out.Warnings) == 1 != c.warned || len(out.Choices) != 0 || out.Tuned.Name != "inside-tuned" {
			t.Errorf("%s: %d played, %q, %v", c.name, out.Played, out.Warnings, out.Choices)
		}
		for i, ch := range out.Changes {
			want := map[bool]string{true: "0.1235", false: fmt.Sprintf("%.3f", float64(i)+0.123)}[i == 0]
			if i > 9 {
				want = fmt.Sprintf("%.2f", float64(i)+0.12)
			}
			_, feature, _ := strings.Cut(ch.Path, ".")
			if fmt.Sprint(ch.After) != strings.TrimRight(want, "0") || ch.Before != x.Params[i].Start || ch.Noise != float64(i) || ch.Scale <= 0 || out.Tuned.Weights[feature] != ch.After {
				t.Errorf("%s: %+v, want %s", c.name, ch, want)
			}
		}
	}
}

// Openings of training and examinations are different ones, by the hash of what they lead to, come in the order of the book, and come round
// again when there are no more.
func TestOpeningsComeRound(t *testing.T) {
	t.Parallel()
	x := loadInside(t, "rules=classic", "openings={plies: 3}")
	all := map[bool]int64{}
	for _, final := range []bool{false, true} {
		o := x.openings(3, final)
		n := o.distinct(1000)
		all[final] = n
		if n < 2 || o.distinct(n-1) != n-1 || o.distinct(0) != 0 {
			t.Fatalf("%d openings, of %d indices %d", n, n-1, o.distinct(n-1))
		}
		seen := map[string]bool{}
		for i := range 2 * n {
			m := o.opening(i)
			if len(m) != 3 || isFinal(x.Game, m) != final || !reflect.DeepEqual(m, o.opening(i%n)) {
				t.Errorf("opening %d: %v", i, m)
			}
			seen[fmt.Sprint(m)] = true
		}
		asked := x.openings(3, final) // one after the other, and not as many as there are first
		for i := range n {
			if m := asked.opening(i); !reflect.DeepEqual(m, o.opening(i)) {
				t.Errorf("opening %d is %v, asked for in turn %v", i, o.opening(i), m)
			}
		}
		if last := x.openings(3, final); !reflect.DeepEqual(last.opening(n-1), o.opening(n-1)) {
			t.Error("the last opening is another when it is asked for alone")
		}
		if int64(len(seen)) != n {
			t.Errorf("%d of %d are different", len(seen), n)
		}
	}
	if all[true] >= all[false] { // one in four
		t.Errorf("%d for examinations, %d for the training", all[true], all[false])
	}
	start := loadInside(t, "openings={}")
	for _, final := range []bool{false, true} { // games that begin at the beginning
		o := start.openings(3, final)
		if m := o.opening(5); len(m) != 0 || o.distinct(9) != 1 {
			t.Errorf("%v, %d different", m, o.distinct(9))
		}
	}
}
