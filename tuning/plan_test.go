package tuning

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"spar/agents"
	"spar/agents/eval"
	"spar/arena/store"
	"spar/arena/study"
	"spar/configs/strict"
	"spar/engines/enginetest"
	"spar/tuning/optimise"
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
	x, err := Load("inside.yaml", []byte(inside), append([]string{"database=" + filepath.Join(t.TempDir(), "study.db")}, set...)...)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// A comparison of two candidates costs as many games as it has; against another agent twice as many. With r rivals and, or not,
// themselves in turn, of 300 games (self + r)/(self + 2r) are those that spsa counts, in whole pairs; every candidate of cma plays
// all opponents.
func TestAffordable(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		self, rivals, games, spsa, cma int
	}{{1, 0, 300, 300, 300}, {0, 1, 300, 150, 300}, {1, 1, 300, 200, 150}, {1, 2, 300, 180, 100}, {0, 3, 300, 150, 100}, {1, 1, 100, 66, 50}} {
		x := &Tuning{self: c.self, Rivals: make([]agents.Spec, c.rivals)}
		x.Method = methodSPSA
		if got := x.affordable(c.games); got != c.spsa {
			t.Errorf("spsa, self %d and %d rivals: %d of %d games, want %d", c.self, c.rivals, got, c.games, c.spsa)
		}
		x.Method = methodCMA
		if got := x.affordable(c.games); got != c.cma {
			t.Errorf("cma, self %d and %d rivals: %d of %d games, want %d", c.self, c.rivals, got, c.games, c.cma)
		}
	}
}

// Only the direction of the weights matters to an agent that takes the best of its values, if all weights with an effect are
// tuned without bounds. Weighted choices, bounds on either side, weights left out, knobs among them and searches with other uses
// of the value depend on the length.
func TestOnlyDirection(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		set  []string
		want bool
	}{
		"all weights, greedy":      {nil, true},
		"all weights, minimax":     {[]string{"agent={agent: minimax-2, set: {budget.depth: 1}}"}, true},
		"all weights, mcts":        {[]string{"agent={agent: mcts-100, set: {budget.iterations: 5}}"}, false},
		"moves drawn by weight":    {[]string{"agent={agent: handmade, set: {mixture.softmax: 0.5}}"}, false},
		"one weight":               {[]string{"parameters=[weights.own_centre]"}, false},
		"two of the weights":       {[]string{"parameters=[weights.own_need_1, weights.own_need_2]"}, false},
		"a lower bound":            {[]string{"parameters=[{path: weights.own_centre, min: -5}, {path: weights.*}]"}, false},
		"an upper bound":           {[]string{"parameters=[{path: weights.own_centre, max: 5}, {path: weights.*}]"}, false},
		"a knob among the weights": {[]string{"agent={agent: minimax-2, set: {budget.depth: 1}}", "parameters=[weights.*, {path: minimax.candidates, min: 0, max: 9}]"}, false},
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

// A pair of features under the wrong kind of name is explained, a name of neither kind is unknown.
func TestNamesOfPairs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ set, want []string }{
		{[]string{"mirror=true", "parameters=[weights.own_centre]"}, []string{"with mirror the pairs are named without own_ and enemy_", "centre"}},
		{[]string{"mirror=false", "parameters=[weights.centre]"}, []string{"without mirror with it"}},
		{[]string{"mirror=true", "parameters=[weights.centr]"}, []string{`unknown feature "centr"`, "did you mean centre"}},
	} {
		_, err := Load("inside.yaml", []byte(inside), c.set...)
		for _, w := range c.want {
			if err == nil || !strings.Contains(err.Error(), w) {
				t.Errorf("%v: %v, want %q", c.set, err, w)
			}
		}
	}
}

// A share of deeper comparisons is spread evenly: of n, the whole part of n times the share, never two more in a stretch than in
// another.
func TestDeeperComparisonsAreSpread(t *testing.T) {
	t.Parallel()
	for share, want := range map[float64]string{0: "..........", 0.5: ".x.x.x.x.x", 0.2: "....x....x", 1: "xxxxxxxxxx", 0.3: "...x..x..x"} {
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

// What a search cannot do with its games it says before the first of them: five steps of a hundred pairs are more than 200 games.
func TestTooManyPairsForTheGames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		set  []string
		want string
	}{{[]string{"method=spsa", "games=200", "spsa.pairs=100"}, "games"}, {[]string{"method=spsa", "games=200", "spsa.pairs=1"}, ""}, {[]string{"method=td", "games=200"}, ""}} {
		_, err := Load("inside.yaml", []byte(inside), c.set...)
		if (err != nil) != (c.want != "") || err != nil && (!strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "bad tuning problem")) {
			t.Errorf("%v: %v", c.set, err)
		}
	}
}

// Weights of 0 have no direction to search in, which is said before the first game; what learns from the course of games may begin with them. A mistake that is
// found before is the only one that is told.
func TestStartWithoutADirection(t *testing.T) {
	t.Parallel()
	var zeros []string
	for _, q := range loadInside(t).Params {
		zeros = append(zeros, q.Path+": 0")
	}
	agent := "agent={agent: handmade, set: {" + strings.Join(zeros, ", ") + "}}"
	const mistake = "all weights start at 0, which is no direction"
	for method, refused := range map[string]bool{"spsa": true, "cma": true, "pipeline": true, "td": false, "regression": false} {
		_, err := Load("inside.yaml", []byte(inside), "games=600", "method="+method, agent)
		if (err != nil) != refused || refused && !strings.Contains(err.Error(), mistake) {
			t.Errorf("%s: %v, want to be refused: %t", method, err, refused)
		}
	}
	if _, err := Load("inside.yaml", []byte(inside), "games=20", agent); err == nil || !strings.Contains(err.Error(), "too few for method spsa") || strings.Contains(err.Error(), mistake) {
		t.Errorf("too few games: %v", err)
	}
}

// A number by its logarithm needs a fraction and a range above 0.
func TestLogarithms(t *testing.T) {
	t.Parallel()
	agent := "agent={agent: mcts-100, set: {mcts.exploration: 0.5}}"
	x := loadInside(t, agent, "parameters=[{path: mcts.exploration, min: 0.1, max: 2, log: true}]")
	if len(x.Params) != 1 || !x.Params[0].Log || x.Params[0].Start != 0.5 {
		t.Errorf("%+v", x.Params)
	}
	for parameter, want := range map[string]string{
		"{path: mcts.exploration, min: 0, max: 2, log: true}":        "log is for numbers with a fraction that are above 0",
		"{path: budget.iterations, min: 10, max: 1000, log: true}":   "log is for numbers with a fraction that are above 0",
		"{path: mcts.exploration, min: 0.6, max: 2, log: true}":      "the bounds 0.6 to 2 exclude the start, 0.5",
		"{path: mcts.exploration, min: 0.0001, max: 0.4, log: true}": "exclude the start",
	} {
		if _, err := Load("inside.yaml", []byte(inside), agent, "parameters=["+parameter+"]"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", parameter, err, want)
		}
	}
}

// What is measured in no position is 0, and that in some is a number: without later weights their set is empty.
func TestProbeOfNoPositions(t *testing.T) {
	t.Parallel()
	empty := 0
	for i, s := range loadInside(t).probe(5).Sets {
		for k := range s.Spread {
			if s.Positions == 0 && (s.Spread[k] != 0 || s.RMS[k] != 0) || math.IsNaN(s.Spread[k]) || math.IsNaN(s.RMS[k]) {
				t.Errorf("set %d with %d positions: spread %g, mean square %g", i, s.Positions, s.Spread[k], s.RMS[k])
			}
		}
		if s.Positions == 0 {
			empty++
		}
	}
	if empty == 0 {
		t.Error("no set is empty")
	}
}

// Four digits of a number, whatever its size; what is no number is 0.
func TestRounded(t *testing.T) {
	t.Parallel()
	for x, want := range map[float64]float64{0: 0, 1.23456: 1.235, -1.23456: -1.235, 123456: 123500, 0.000123456: 0.0001235, 9.9996: 10, 0.1: 0.1, math.Inf(1): 0, math.Inf(-1): 0} {
		if got := rounded(x); !(math.Abs(got-want) <= 1e-12*math.Abs(want)) {
			t.Errorf("%g is rounded to %g, want %g", x, got, want)
		}
	}
	if got := rounded(math.NaN()); got != 0 {
		t.Errorf("NaN is rounded to %g", got)
	}
}

// The most games of an examination, by hand: 40 pairs of the test, 30 against the start, 30 by each of the two against each of the
// pool, 7 deeper, two games a pair.
func TestTotalOfAnExamination(t *testing.T) {
	t.Parallel()
	x := loadInside(t, "validation={pairs: 30, max_pairs: 40, deeper_pairs: 7, pool: [random]}")
	for pool, want := range map[int]int{0: 2 * (40 + 30 + 7), 1: 2 * (40 + 90 + 7), 2: 2 * (40 + 150 + 7)} {
		if got := (&examiner{t: x, pool: make([]agents.Spec, pool)}).total(); got != want {
			t.Errorf("%d games with a pool of %d, want %d", got, pool, want)
		}
	}
}

// With opponents in turn each comparison is of one kind: the two candidates against each other, or both, on the same openings
// and from both seats, against the one rival whose turn it is.
func TestOpponentsInTurn(t *testing.T) {
	t.Parallel()
	x := loadInside(t, "opponents=[self, random, handmade]", "games=400")
	db, err := store.Open(t.Context(), x.Database)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	r, err := x.Run(t.Context(), db, nobody{})
	if err != nil {
		t.Fatal(err)
	}
	type side struct {
		id, side, rival string
	}
	openings := map[side][]string{}
	total := 0
	for row, err := range db.Games(t.Context(), store.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		total++
		for _, names := range [][2]string{{row.FirstName, row.SecondName}, {row.SecondName, row.FirstName}} {
			id, ok := strings.CutPrefix(names[0], "inside ")
			if !ok {
				continue
			}
			sign := id[len(id)-1:]
			id = id[:len(id)-1]
			rival := names[1]
			if strings.HasPrefix(rival, "inside ") {
				rival = self
			}
			k := side{id, sign, rival}
			openings[k] = append(openings[k], strings.Join(strings.Fields(row.Moves)[:row.OpeningPlies], " "))
		}
	}
	if total > 400 || total < 300 || r.Games > 400 {
		t.Errorf("%d games stored, %d counted, of 400", total, r.Games)
	}
	want := []string{self, "random", "handmade"}
	kinds := map[string]int{}
	for k, lines := range openings {
		n := 0
		for _, c := range k.id {
			n = 10*n + int(c-'0')
		}
		if k.rival != want[n%3] {
			t.Errorf("comparison %s plays %s, want %s", k.id, k.rival, want[n%3])
		}
		kinds[k.rival]++
		other := map[string]string{"+": "-", "-": "+"}[k.side]
		if got := openings[side{k.id, other, k.rival}]; strings.Join(got, "|") != strings.Join(lines, "|") {
			t.Errorf("comparison %s with %s: openings %v and %v", k.id, k.rival, lines, got)
		}
	}
	for _, rival := range want {
		if kinds[rival] < 4 {
			t.Errorf("%d sides of comparisons with %s", kinds[rival], rival)
		}
	}
}

// nobody is told of the progress and does nothing.
// Against a rival a comparison is worth one half, and half of what the one candidate scores more than the other.
func TestHalfTheDifferenceAgainstARival(t *testing.T) {
	t.Parallel()
	x := loadInside(t, "opponents=[random]")
	db, err := store.Open(t.Context(), x.Database)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	plan, err := x.Canonical()
	if err != nil {
		t.Fatal(err)
	}
	r := &runner{t: x, progress: nobody{}, result: &Result{}}
	if r.train, err = x.newHall(t.Context(), db, x.Name, purposeTraining, plan, true); err != nil {
		t.Fatal(err)
	}
	defer r.train.close()
	c := optimise.Candidate{ID: 1, Pairs: 10}
	for _, p := range x.Params { // the one plays on, the other to lose
		c.Plus, c.Minus = append(c.Plus, p.Start), append(c.Minus, -p.Start)
	}
	got, err := r.compare(t.Context(), []optimise.Candidate{c}, 0)
	if err != nil || len(got) != 1 || got[0].Games != 20 || got[0].ID != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	points := map[string]float64{}
	for row, err := range db.Games(t.Context(), store.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		won := map[string]float64{"first": 1, "draw": 0.5, "second": 0}[row.Result]
		points[row.FirstName] += won
		points[row.SecondName] += 1 - won
	}
	plus, minus := points["inside 1+"]/20, points["inside 1-"]/20
	if want := 0.5 + (plus-minus)/2; math.Abs(got[0].Score-want) > 1e-12 || minus == 0 || plus < minus+0.2 {
		t.Errorf("%g, want %g of %v", got[0].Score, want, points)
	}
}

// A stored game with a move that is none says which.
func TestStudyOfABrokenGame(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	r := studyReader{out: &StudyFit{}, every: 1}
	err := r.read(store.Row{Game: study.Game{Moves: "b2 a1 b2", Result: "first"}, RulesName: "classic", RulesJSON: g.Rules().Canonical()})
	if err == nil || !strings.HasPrefix(err.Error(), "move 3: ") {
		t.Errorf("%v, want one of move 3", err)
	}
}

type nobody struct{}

func (nobody) Begin(int)                  {}
func (nobody) Step(int, int64, []float64) {}
func (nobody) Check(Check)                {}
func (nobody) End()                       {}

// The worst pairing is the opponent of the least score, the first of equals; a loss is told where it is beyond 1.96 of its standard errors: 0.1
// of 0.05 (the errors 0.03 and 0.04 together) is 2 of them.
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
		{[]PoolRow{{"a", at(0.8, 0.03), at(0.7, 0.04)}, {"b", at(0.9, 0.03), at(0.6, 0.04)}, {"c", at(0.8, 0.03), at(0.6, 0.04)}}, "a", "b", 0},
		{[]PoolRow{{"a", at(1, 0), at(1, 0)}, {"b", at(0.5, 0.3), at(0.2, 0.1)}}, "b", "b", 0},
	} {
		out := Examination{Pool: c.pool}
		if out.comparePool(); out.Worst != c.worst || out.WorstWas != c.worstWas || len(out.Warnings) != c.warned {
			t.Errorf("%+v: worst %q, the start's %q, %q", c.pool, out.Worst, out.WorstWas, out.Warnings)
		}
	}
}

// A feature that is 0 or 1, as it is whether the enemy can complete a line at once, deviates by a half at most from one move to another, and its mean
// square is 1 at most.
func TestProbeOfAYesOrNo(t *testing.T) {
	t.Parallel()
	p := loadInside(t).probe(20)
	at := slices.Index(eval.Names(), "enemy_ready")
	s := p.Sets[0]
	if !(s.Spread[at] > 0.05 && s.Spread[at] <= 0.5) || !(s.RMS[at] > 0.1 && s.RMS[at] <= 1) || s.Positions < p.Positions || s.Positions > 9*p.Positions {
		t.Errorf("spread %g and mean square %g of %d positions after %d", s.Spread[at], s.RMS[at], s.Positions, p.Positions)
	}
}

// Of many games so many positions are looked at as are wanted, three times as many at most; of few games all positions are.
func TestProbeLooksAtEnough(t *testing.T) {
	t.Parallel()
	x := loadInside(t)
	if p := x.probe(1000); p.Positions < probePositions || p.Positions > 3*probePositions+1 || p.Games != 1000 {
		t.Errorf("%d positions of 1000 games, want about %d", p.Positions, probePositions)
	}
	if p := x.probe(10); p.Positions < 40 || p.Positions > 200 { // games of vanishing have 4 to 20 plies after the opening
		t.Errorf("%d positions of 10 games", p.Positions)
	}
}

// An option of a program is found by its name, and no other is.
func TestOptionsOfPrograms(t *testing.T) {
	t.Parallel()
	var s agents.Spec
	s.UGI.Options = map[string]string{"style": "calm"}
	get, put, err := wordAt(&s, "ugi.options.style")
	if err != nil {
		t.Fatal(err)
	}
	if put("wild"); get() != "wild" || s.UGI.Options["style"] != "wild" {
		t.Errorf("%v", s.UGI.Options)
	}
	if _, _, err := wordAt(&s, "ugi.options.stile"); err == nil || !strings.Contains(err.Error(), `no option "stile"`) || !strings.Contains(err.Error(), "did you mean style?") {
		t.Error(err)
	}
	if _, err := loadInside(t).Together(t.Context(), nil, &Result{}, [2]string{"x", "x"}, 1, nil); err == nil || !strings.Contains(err.Error(), "x with itself") {
		t.Error(err)
	}
}

// Two numbers interact by half of what both diagonals of the square of single steps differ: (0.6 + 0.7 - 0.5 - 0.4)/2, with four errors of 0.1.
// A knob of words, or a square that is not whole, has none.
func TestInteractionByHand(t *testing.T) {
	t.Parallel()
	cell := func(score float64) *PlaneCell {
		var c PlaneCell
		c.Match.Score.Value, c.Match.Score.SE = score, 0.1
		return &c
	}
	steps := []Spot{{Step: -1}, {Step: 0}, {Step: 1}}
	words := []Spot{{Step: -1, Word: "a"}, {Step: 0, Word: "b"}, {Step: 1, Word: "c"}}
	cells := [][]*PlaneCell{{cell(0.6), cell(0.9), cell(0.5)}, {cell(0.9), nil, cell(0.9)}, {cell(0.4), cell(0.9), cell(0.7)}}
	got := (&Plane{Axes: [2][]Spot{steps, steps}, Cells: cells}).interaction()
	if got == nil || math.Abs(got.Score-0.2) > 1e-12 || math.Abs(got.Lo-(0.2-0.196)) > 1e-12 || math.Abs(got.Hi-(0.2+0.196)) > 1e-12 {
		t.Errorf("%+v", got)
	}
	for name, p := range map[string]*Plane{
		"words": {Axes: [2][]Spot{words, words}, Cells: cells}, "a word first": {Axes: [2][]Spot{words, steps}, Cells: cells}, "a word second": {Axes: [2][]Spot{steps, words}, Cells: cells},
		"no step up": {Axes: [2][]Spot{steps, steps[:2]}, Cells: cells}, "not all rows": {Axes: [2][]Spot{steps, steps}, Cells: cells[:2]},
	} {
		if got := p.interaction(); got != nil {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// The tuned agent is written beside the agent's own file, whatever that ends with, and that of a shipped one beside the study.
func TestPlaceOfTheTunedAgent(t *testing.T) {
	t.Parallel()
	for agent, want := range map[string]string{"mine.yaml": "mine-tuned.yaml", "mine.yml": "mine-tuned.yaml", "greedy": "out/inside-tuned.yaml"} {
		doc, err := strict.Parse("inside.yaml", []byte(inside))
		if err != nil {
			t.Fatal(err)
		}
		x := &Tuning{Plan: Plan{Name: "inside"}}
		if x.place(doc, agent); x.Output != want || x.Database != "out/inside.db" {
			t.Errorf("of %s: %s and %s", agent, x.Output, x.Database)
		}
	}
}
