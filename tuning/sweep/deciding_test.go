package sweep

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"spar/arena/balance"
	"spar/arena/campaign"
	"spar/arena/store"
	"spar/arena/study"
	"spar/configs/strict"
)

func goals(t *testing.T, texts ...string) []balance.Target {
	t.Helper()
	var out []balance.Target
	for _, text := range texts {
		goal, err := balance.ParseTarget(text)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, goal)
	}
	return out
}

// The distance from targets, by hand: 0.05 of a share, 35 of 700 Elo, 10 of 100 plies and 1 of 20 rungs count 0.05 each; of two
// tiers the worse counts; depth belongs to the ladder alone; what was not measured is 1 away; targets add up.
func TestDistanceFromTargets(t *testing.T) {
	t.Parallel()
	one := func(measure string, values ...float64) []Numbers {
		var out []Numbers
		for _, v := range values {
			out = append(out, Numbers{measure: number(v, v-1, v+1, 5)})
		}
		return out
	}
	none := []Numbers{{"draws": number(0.25, 0, 1, 5)}, {"draws": balance.Number{}}}
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
		if got := far(goals(t, c.targets...), c.tiers, c.last, nil); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v of %v is %g away, want %g", c.targets, c.tiers, got, c.want)
		}
	}
}

// A target is judged by each tier, named where there are several; depth once.
func TestJudgedByEachTier(t *testing.T) {
	t.Parallel()
	low, high := Numbers{"draws": number(0.1, 0.05, 0.15, 50)}, Numbers{"draws": number(0.5, 0.45, 0.55, 50), "depth": number(4, 3, 4.5, 9)}
	for _, c := range []struct {
		tiers []Numbers
		want  string
	}{
		{[]Numbers{low, high}, "game, a draws met; game, b draws missed; game depth missed"},
		{[]Numbers{low}, "game draws met; game depth missed"},
	} {
		var got []string
		for _, j := range judge("game", goals(t, "draws<=0.2", "depth>=5"), c.tiers, []string{"a", "b"}, high) {
			got = append(got, j.Rules+" "+j.Measure+" "+string(j.Verdict))
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// The error behind an interval of 95 % is its half over 1.96; an end that is open leaves none.
func TestErrorBehindAnInterval(t *testing.T) {
	t.Parallel()
	if got := standardError(number(0.5, 0.5-1.96, 0.5+1.96, 9)); math.Abs(got-1) > 1e-4 {
		t.Errorf("%g, want 1", got)
	}
	for _, n := range []balance.Number{{Lo: 0, Hi: 1, LoOpen: true}, {Lo: 0, Hi: 1, HiOpen: true}, {LoOpen: true, HiOpen: true}} {
		if got := standardError(n); !math.IsInf(got, 1) {
			t.Errorf("%+v has the error %g", n, got)
		}
	}
}

// Two equal variants beat each other in nothing; one that is as deep and more even beats, and one that is as even and deeper; of
// two that lack a number neither counts.
func TestParetoOfEquals(t *testing.T) {
	t.Parallel()
	at := func(fpa, depth float64) Cell {
		return Cell{Numbers: Numbers{"fpa": number(fpa, 0, 1, 9), "depth": number(depth, 0, 9, 9)}}
	}
	lacks := func(measure string) Cell {
		c := at(0, 100)
		delete(c.Numbers, measure)
		return c
	}
	for _, c := range []struct {
		cells []Cell
		want  []bool
	}{
		{[]Cell{at(0.1, 2), at(0.1, 2)}, []bool{true, true}},
		{[]Cell{at(0.1, 2), at(0.2, 2)}, []bool{true, false}},
		{[]Cell{at(0.1, 2), at(0.1, 3)}, []bool{false, true}},
		{[]Cell{at(0.1, 2), lacks("fpa"), lacks("depth")}, []bool{true, false, false}},
		{[]Cell{at(0.1, 2)}, []bool{true}},
	} {
		markPareto(c.cells)
		var got []bool
		for _, x := range c.cells {
			got = append(got, x.Pareto)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v, want %v", got, c.want)
		}
	}
}

// A base off the grid has no part in an effect, nor has a value that every variant has; a measure that one variant lacks, or whose
// interval is open, has none. The mean of 0.2 and 0.4, each ± 0.1, is 0.3 ± 0.1/sqrt(2), and rests on the games of both.
func TestEffectsOfWhatIsComplete(t *testing.T) {
	t.Parallel()
	knobs := []KnobInfo{{Path: "cap", Values: []string{"3", "4"}}, {Path: "line", Values: []string{"3"}}}
	cell := func(capacity, line string, n Numbers) Cell {
		return Cell{Values: []string{capacity, line}, Numbers: n}
	}
	full := func(draws float64) Numbers {
		return Numbers{"draws": number(draws, draws-0.1, draws+0.1, 10), "fpa": number(0.1, 0, 0.2, 10), "elo": number(10, 0, 20, 10)}
	}
	lacks, open := full(0.6), full(0.7)
	delete(lacks, "fpa")
	at := open["elo"]
	at.HiOpen = true
	open["elo"] = at
	got := effects(knobs, []Cell{cell("9", "3", full(0.9)), cell("3", "9", full(0.9)), cell("3", "3", full(0.1)), cell("4", "3", lacks), cell("4", "3", open)})
	if len(got) != 2 {
		t.Fatalf("%d effects, want those of the two caps: %+v", len(got), got)
	}
	for i, want := range []float64{-0.55, 0.55} {
		e := got[i]
		// Errors 0.1 and 0.1/sqrt(2), together sqrt(0.015).
		d := e.Numbers["draws"]
		if e.Path != "cap" || math.Abs(d.Value-want) > 1e-9 || math.Abs(d.Hi-d.Value-math.Sqrt(0.015)) > 1e-9 || math.Abs(d.Value-d.Lo-math.Sqrt(0.015)) > 1e-9 {
			t.Errorf("%+v, want %g", e, want)
		}
		if len(e.Numbers) != 1 {
			t.Errorf("effects on %v, want draws alone", e.Numbers)
		}
	}
	m := meanOf([]Cell{cell("3", "3", Numbers{"draws": number(0.2, 0.1, 0.3, 10)}), cell("4", "3", Numbers{"draws": number(0.4, 0.3, 0.5, 20)})})["draws"]
	if math.Abs(m.Value-0.3) > 1e-12 || math.Abs(m.Hi-0.3-0.1/math.Sqrt2) > 1e-9 || m.N != 30 {
		t.Errorf("%+v", m)
	}
	if len(meanOf(nil)) != 0 {
		t.Error("nothing has a mean")
	}
}

// Variants in the order of choice: by distance first, then by the share over 5 % that does not end, then by the worse tier; what
// was not measured comes last.
func TestOrderOfVariants(t *testing.T) {
	t.Parallel()
	cell := func(far, completion, low, high float64) *Cell {
		c := &Cell{Far: far, Numbers: Numbers{}}
		if completion >= 0 {
			c.Numbers["completion"] = number(completion, 0, 1, 9)
		}
		for _, v := range []float64{low, high} {
			n := Numbers{}
			if v >= 0 {
				n["fpa"] = number(v, 0, 1, 9)
			}
			c.ByTier = append(c.ByTier, n)
		}
		return c
	}
	for _, c := range []struct {
		a, b *Cell
		want int
	}{
		{cell(0, 0.5, 0.4, 0.4), cell(0.1, 1, 0, 0), -1},
		{cell(0, 0.94, 0, 0), cell(0, 0.95, 0.4, 0.4), 1},
		{cell(0, 0.95, 0, 0.2), cell(0, 1, 0.1, 0), 1},
		{cell(0, 0.97, 0.1, 0), cell(0, 1, 0, 0.1), 0},
		{cell(0, -1, 0, 0), cell(0, 0.1, 0.4, 0.4), 1},
		{cell(0, 1, -1, 0), cell(0, 1, 0.5, 0.5), 1},
		{cell(0, 1, 0, -1), cell(0, 1, 0.5, 0.5), 1},
	} {
		if got := compareCells(c.a, c.b); got != c.want {
			t.Errorf("%+v and %+v: %d, want %d", c.a, c.b, got, c.want)
		}
		if got := compareCells(c.b, c.a); got != -c.want {
			t.Errorf("%+v and %+v the other way: %d, want %d", c.a, c.b, got, -c.want)
		}
	}
}

// What was measured again is ordered by its verdict, then by its distance, then by its evenness.
func TestOrderOfTheMeasuredAgain(t *testing.T) {
	t.Parallel()
	a := func(rules string, v balance.Verdict, far, fpa float64) Again {
		return Again{Rules: rules, Verdict: v, Far: far, Numbers: Numbers{"fpa": number(fpa, 0, 1, 9)}}
	}
	all := []Again{
		a("missed", balance.Missed, 0, 0), a("open far", balance.Undecided, 0.2, 0), a("open", balance.Undecided, 0.1, 0.3), a("none", "", 0.15, 0),
		a("met", balance.Met, 0, 0.2), a("met even", balance.Met, 0, 0.1), a("met far", balance.Met, 0.5, 0),
	}
	slices.SortStableFunc(all, compareAgain)
	var got []string
	for _, x := range all {
		got = append(got, x.Rules)
	}
	if want := "met even, met, met far, open, none, open far, missed"; strings.Join(got, ", ") != want {
		t.Errorf("%s, want %s", strings.Join(got, ", "), want)
	}
}

// Ranges have both ends and every step; the most values are one less than too many.
func TestRanges(t *testing.T) {
	t.Parallel()
	whole := func(v int) *int { return &v }
	for _, c := range []struct {
		k     Knob
		n     int
		last  any
		wrong string
	}{
		{Knob{From: whole(3), To: whole(3)}, 1, 3, ""},
		{Knob{From: whole(-1), To: whole(1)}, 3, 1, ""},
		{Knob{From: whole(1), To: whole(6), Step: 2}, 3, 5, ""},
		{Knob{From: whole(1), To: whole(7), Step: 2}, 4, 7, ""},
		{Knob{From: whole(1), To: whole(mostVariants)}, mostVariants, mostVariants, ""},
		{Knob{From: whole(0), To: whole(mostVariants)}, 0, nil, "more than 10000 values"},
		{Knob{From: whole(math.MinInt), To: whole(math.MaxInt)}, 0, nil, "more than 10000 values"},
		{Knob{From: whole(4), To: whole(3)}, 0, nil, "from 4 is more than to 3"},
		{Knob{From: whole(4)}, 0, nil, "both from and to"},
		{Knob{To: whole(4)}, 0, nil, "both from and to"},
		{Knob{Step: 1}, 0, nil, "step belongs to a range"},
		{Knob{Step: 1, Values: []any{1}}, 0, nil, "step belongs to a range"},
		{Knob{}, 0, nil, "state values"},
		{Knob{Values: []any{8, 9}}, 2, 9, ""},
		{Knob{From: whole(1), To: whole(2), Values: []any{8}}, 0, nil, "not both"},
	} {
		err := c.k.expand()
		if c.wrong != "" {
			if err == nil || !strings.Contains(err.Error(), c.wrong) {
				t.Errorf("%+v: %v, want %q", c.k, err, c.wrong)
			}
			continue
		}
		if err != nil || len(c.k.Values) != c.n || c.k.Values[c.n-1] != c.last {
			t.Errorf("%v, %v; want %d values to %v", c.k.Values, err, c.n, c.last)
		}
	}
}

// How many combinations are sampled and played: all where as many points are asked for, in the order of the grid; a search by
// halving samples where it is told to; equal rules are played once.
func TestHowManyVariants(t *testing.T) {
	t.Parallel()
	const text = "name: n\nrules: gomoku9\nset: {win.line: 3}\nknobs: [{knob: board.columns, from: 3, to: 6}, {knob: board.rows, from: 3, to: 6}]\ntargets: [\"length>=5\"]\n"
	for _, c := range []struct {
		set  []string
		want []int // least and most variants, the base counted
	}{
		{nil, []int{17, 17}},
		{[]string{"design=halton", "points=15"}, []int{9, 16}},
		{[]string{"design=halton", "points=16"}, []int{17, 17}},
		{[]string{"design=latin-hypercube", "points=17"}, []int{17, 17}},
		{[]string{"design=latin-hypercube", "points=4"}, []int{5, 5}},
		{[]string{"design=halving"}, []int{17, 17}},
		{[]string{"design=halving", "points=16"}, []int{17, 17}},
		{[]string{"design=halving", "points=4"}, []int{2, 5}},
		{[]string{"knobs=[{knob: board.columns, values: [3, 4, 3]}]"}, []int{3, 3}},
		{[]string{"knobs=[{knob: board.columns, values: [9, 4]}]"}, []int{2, 2}}, // 9 are what the rules have
	} {
		s := mustLoad(t, text, c.set...)
		if n := len(s.Variants); n < c.want[0] || n > c.want[1] {
			t.Errorf("%v: %d variants, want %v", c.set, n, c.want)
		}
		if !s.Variants[0].Base || s.Variants[1].Base {
			t.Errorf("%v: the base is not the first alone", c.set)
		}
		if s.Design != Halving && s.Points == 0 && len(s.Knobs) == 2 && !slices.Equal(s.Variants[2].Values, []string{"3", "4"}) {
			t.Errorf("%v: the last knob is not the fastest: %v", c.set, s.Variants[2].Values)
		}
	}
	// The most combinations are allowed, one more is not; a sample of more is.
	for _, c := range []struct {
		last, set string
		wrong     bool
	}{
		{"5000", "design=grid", false},
		{"5001", "design=grid", true},
		{"5001", "design=halving", true},
		{"5001", "design=halton", false},
		{"5001", "design=latin-hypercube", false},
		{"5001", "design=halving", false},
	} {
		s := &Sweep{Plan: mustLoad(t, text, "design=halton", "points=3").Plan}
		s.Design, s.Points = strings.TrimPrefix(c.set, "design="), 0
		if s.Design != Grid && !c.wrong {
			s.Points = 3
		}
		last, err := strconv.Atoi(c.last)
		if err != nil {
			t.Fatal(err)
		}
		s.Knobs = []Knob{{Knob: "draw.max_plies", Values: make([]any, last)}, {Knob: "win.line", Values: []any{3, 4}}}
		if got := s.tooMany(); got != c.wrong {
			t.Errorf("%s combinations twice, %s, %d points: too many %t", c.last, c.set, s.Points, got)
		}
	}
}

// The parts of a variant have seeds of their own, the same for every variant; a sweep without ladder games has no ladder.
func TestPartsOfAVariant(t *testing.T) {
	t.Parallel()
	s := mustLoad(t, small, "seed=9", "games=11")
	for _, v := range s.Variants {
		parts := s.parts(v)
		if len(parts) != 2 || parts[0].Pairs != 6 || parts[1].Pairs != 2 || parts[0].Seed != campaign.PartSeed(9, 0) || parts[1].Seed != campaign.PartSeed(9, 1) {
			t.Errorf("%s: %d parts", v.Label, len(parts))
		}
		if parts[0].Openings.Plies != 0 || parts[1].Openings.Plies != campaign.OpeningPlies {
			t.Errorf("%s: openings of %d and %d plies", v.Label, parts[0].Openings.Plies, parts[1].Openings.Plies)
		}
	}
	if n := len(mustLoad(t, small, "ladder=0").parts(s.Variants[0])); n != 1 {
		t.Errorf("%d parts without a ladder", n)
	}
	for games, want := range map[int]int{0: 1, 1: 1, 2: 1, 3: 2, 4: 2} {
		if got := pairs(games); got != want {
			t.Errorf("%d games are %d pairs, want %d", games, got, want)
		}
	}
}

// Which events a variant is measured by, and which group of a report is that of a tier.
func TestWhatIsMeasured(t *testing.T) {
	t.Parallel()
	for purpose, want := range map[string]bool{purposeMirror: true, purposeLadder: true, purposeFresh: false, purposeRound: false, "": false} {
		if got := isBalance(study.Event{Purpose: purpose}); got != want {
			t.Errorf("%q: %t", purpose, got)
		}
	}
	r := &balance.Report{Tiers: []balance.Tier{{Name: "a"}, {Name: "b"}}}
	for tier, want := range map[int]bool{-1: false, 0: false, 1: true, 2: false} {
		if got := isTier(r, balance.Group{Tier: tier}, "b"); got != want {
			t.Errorf("tier %d is b: %t", tier, got)
		}
	}
}

// The winner is named after its knobs and said to be the best of so many; without one measured again there is none, nor for rules
// that are no variant.
func TestWinner(t *testing.T) {
	t.Parallel()
	s := mustLoad(t, small)
	r := &Result{Tried: 5, Rules: "classic", Tiers: []string{"a"}, Knobs: []KnobInfo{{Path: "win.line"}, {Path: "board.columns"}}}
	if _, _, ok := s.Winner(r, "x"); ok {
		t.Error("a winner of nothing")
	}
	r.Again = []Again{{Rules: "elsewhere"}}
	if _, _, ok := s.Winner(r, "x"); ok {
		t.Error("a winner from elsewhere")
	}
	r.Again = []Again{{Rules: s.Variants[0].Label, Values: s.Variants[0].Values}}
	if rules, _, ok := s.Winner(r, "x"); !ok || rules.Board.Columns != s.Variants[0].Game.Columns() {
		t.Errorf("the rules as they are, if they are best: %t, %+v", ok, rules)
	}
	best := s.Variants[1]
	r.Again = []Again{{Rules: best.Label, Values: best.Values, ByTier: []Numbers{{"score": number(0.5, 0.4, 0.6, 20), "completion": number(1, 0.9, 1, 20)}}, Judged: []balance.Judged{{Target: "draws<=90%", Verdict: balance.Met}}}, {Rules: "classic"}}
	rules, comments, ok := s.Winner(r, "x")
	if !ok || rules.Name != "x" || rules.Board.Columns != 4 || !strings.HasSuffix(rules.Title, " (win.line 3, board.columns 4)") {
		t.Errorf("%+v", rules)
	}
	if text := strings.Join(comments, "\n"); len(comments) != 3 || !strings.HasPrefix(text, "win.line 3, board.columns 4, the best of 5 variants of classic;") || !strings.Contains(text, "a against itself: first player's score 50.0 %") || !strings.HasSuffix(text, "  draws<=90%: met") {
		t.Errorf("%s", text)
	}
}

// A grid's variants differ from the base by the difference of their numbers; the base has no change. What is measured again
// remembers by what it was chosen, is played with its own seed, and the games of both are counted.
func TestChangesAndSecondMeasurement(t *testing.T) {
	t.Parallel()
	s := mustLoad(t, small, "tiers=[1, 2]", "games=6", "fresh=8", "ladder=2", "seed=3")
	r := play(t, s, t.TempDir()+"/s.db", 2)
	for i, v := range r.Variants {
		if (v.Change == nil) != (i == 0) || v.Base != (i == 0) || v.Numbers["length"].N != 6 || len(v.ByTier) != 2 || v.Hash != s.Variants[i].Game.RulesHash() {
			t.Errorf("%s: %+v", v.Rules, v)
		}
		for name, d := range v.Change {
			if want := v.Numbers[name].Value - r.Variants[0].Numbers[name].Value; math.Abs(d.Value-want) > 1e-9 {
				t.Errorf("%s: %s changes by %g, want %g", v.Rules, name, d.Value, want)
			}
		}
		if i > 0 && !v.Change["length"].OK() {
			t.Errorf("%s: no change of the length", v.Rules)
		}
	}
	for _, a := range r.Again {
		i := slices.IndexFunc(r.Variants, func(c Cell) bool { return c.Rules == a.Rules })
		if a.Before["length"] != r.Variants[i].Numbers["length"] || a.Numbers["length"].N != 8 || a.Verdict != together(a.Judged) || len(a.Judged) != 2 {
			t.Errorf("%+v", a)
		}
	}
	if first, fresh := s.Planned(); r.Games != first+fresh || r.Seed != 3 || !slices.Equal(r.Tiers, []string{"mcts-1v", "mcts-2v"}) || r.Knobs[0].Base != "3" {
		t.Errorf("%d games of %d and %d, tiers %v", r.Games, first, fresh, r.Tiers)
	}
	if o := s.Outlook(); o.Games != 5*(3*6+2*2) || o.Fresh != 2*2*8 || len(o.Variants) != 5 || len(o.Skipped) != 1 {
		t.Errorf("%+v", o)
	}
}

// A search says which of how many candidates of which round it measures, and then what it measures again.
func TestStagesOfASearch(t *testing.T) {
	t.Parallel()
	s := mustLoad(t, small, "design=halving", "ladder=0", "tiers=[1]", "games=2", "fresh=2", "best=2")
	db, err := store.Open(t.Context(), t.TempDir()+"/s.db")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var told []string
	r, err := s.Run(t.Context(), t.Context(), db, Options{Workers: 1, Stage: func(text string) { told = append(told, text) }})
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for round, n := range []int{5, 3} {
		for i := range n {
			want = append(want, fmt.Sprintf("round %d: measuring candidate %d of %d", round+1, i+1, n))
		}
	}
	for _, label := range r.Rounds[1].Kept {
		want = append(want, "measuring "+label+" again")
	}
	told = slices.DeleteFunc(told, func(s string) bool { return strings.HasPrefix(s, "solving") })
	if !slices.Equal(told, want) {
		t.Errorf("%q, want %q", told, want)
	}
}

// A combination is skipped for its first mistake, without the place in a file that nobody wrote; another error gives its first line.
func TestShortReason(t *testing.T) {
	t.Parallel()
	_, err := campaign.LoadRules("classic", map[string]any{"win.line": 7, "board.columns": 2})
	if got := shortReason(err); !strings.HasPrefix(got, "win.line: ") || strings.Contains(got, "--set") || strings.Contains(got, "\n") {
		t.Errorf("%q of %v", got, err)
	}
	if got := shortReason(strict.Errors{}); got != "" {
		t.Errorf("%q of no mistake", got)
	}
	for _, err := range []error{errors.New("one\ntwo"), errors.New("one")} {
		if got := shortReason(err); got != "one" {
			t.Errorf("%q of %q", got, err)
		}
	}
}

// The combinations of values are counted as far as there may be variants; a knob without values leaves none.
func TestCombinations(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		values []int // of each knob
		want   int
	}{{nil, 1}, {[]int{3}, 3}, {[]int{3, 4, 5}, 60}, {[]int{3, 0}, 0}, {[]int{100, 100}, 10_000}, {[]int{73, 137}, math.MaxInt}, {[]int{10_001, 0}, math.MaxInt}} {
		s := &Sweep{}
		for _, n := range c.values {
			s.Knobs = append(s.Knobs, Knob{Values: make([]any, n)})
		}
		if got := s.combinations(); got != c.want {
			t.Errorf("%v: %d, want %d", c.values, got, c.want)
		}
	}
}
