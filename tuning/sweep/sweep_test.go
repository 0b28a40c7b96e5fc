package sweep

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"spar/arena"
	"spar/arena/store"
	"spar/arena/study"
	"spar/configs"
	"spar/engines"
	"spar/engines/enginetest"

	"spar/ratings"
	"spar/reports/balance"
	"spar/tuning/target"
)

func mustLoad(t *testing.T, text string, overrides ...string) *Sweep {
	t.Helper()
	s, err := Load("test.yaml", []byte(text), overrides...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func labels(s *Sweep) []string {
	var out []string
	for _, v := range s.Variants {
		out = append(out, v.Label)
	}
	return out
}

const small = `
name: small
rules: classic
knobs:
  - {knob: win.line, values: [3, 4]}
  - {knob: board.columns, from: 3, to: 5}
tiers: [5, 10]
games: 12
ladder: 4
fresh: 20
targets: ["draws<=90%"]
`

var update = flag.Bool("update", false, "write the golden files")

// What is wrong with a file is said before the first game, with its place; what is wrong in its form is not found wrong
// in its meaning as well.
func TestMistakesInAFile(t *testing.T) {
	t.Parallel()
	enginetest.Mistakes(t, "testdata/mistakes.txt", *update, func(changes ...string) error {
		_, err := Load("sweep.yaml", []byte("name: x\nrules: vanishing\nknobs: [{knob: pieces.cap, from: 3, to: 5}]\n"),
			changes...)
		return err
	})
}

// A grid has every combination. The one that is the rules as they are is the base, and a line of 4 does not fit on 3x3:
// of the 2 x 3 combinations 5 are left.
func TestGrid(t *testing.T) {
	t.Parallel()
	s := mustLoad(t, small)
	want := []string{
		"classic", "classic[board.columns=4,win.line=3]", "classic[board.columns=5,win.line=3]",
		"classic[board.columns=4,win.line=4]", "classic[board.columns=5,win.line=4]",
	}
	if got := labels(s); !slices.Equal(got, want) {
		t.Errorf("variants %v, want %v", got, want)
	}
	if len(s.Skipped) != 1 || !strings.Contains(s.Skipped[0].Reason, "does not fit") {
		t.Errorf("skipped %v, want the line of 4 on 3x3", s.Skipped)
	}
	if !s.Variants[0].Base || !slices.Equal(s.Variants[0].Values, []string{"3", "3"}) {
		t.Errorf("the base is %+v", s.Variants[0])
	}
	// 5 variants, 3 tiers of 12 games against themselves, 2 neighbours of 4 games; then 2 variants, 2 tiers, 20 games.
	if first, fresh := s.Planned(); first != 5*(3*12+2*4) || fresh != 2*2*20 {
		t.Errorf("%d and %d games planned, want 220 and 80", first, fresh)
	}
}

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
	a, b := mustLoad(t, text+"halton", "points=9"), mustLoad(t, text+"halton", "points=9")
	if !slices.Equal(labels(a), labels(b)) {
		t.Errorf("the same seed gives %v and %v", labels(a), labels(b))
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

// Fairness and depth of four variants: b is fairer and deeper than c; a is the fairest, d the deepest; e has no depth.
func TestPareto(t *testing.T) {
	t.Parallel()
	var cells []Cell
	for _, p := range []struct{ fpa, depth float64 }{{0.01, 2}, {0.05, 6}, {0.08, 5}, {0.2, 9}} {
		cells = append(cells, Cell{Numbers: Numbers{"fpa": number(p.fpa, 0, 1, 9), "depth": number(p.depth, 0, 10, 9)}})
	}
	cells = append(cells, Cell{Numbers: Numbers{"fpa": number(0, 0, 1, 9)}})
	markPareto(cells)
	var got []bool
	for _, c := range cells {
		got = append(got, c.Pareto)
	}
	if !slices.Equal(got, []bool{true, true, false, true, false}) {
		t.Errorf("Pareto %v, want a, b and d", got)
	}
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

// Variants are ordered by their distance from the targets at the worse of the tiers, then by whether games end, then by
// evenness.
func TestNearest(t *testing.T) {
	t.Parallel()
	goal, err := target.Parse("fpa<=0.05")
	if err != nil {
		t.Fatal(err)
	}
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

func play(t *testing.T, s *Sweep, path string, workers int) *Result {
	t.Helper()
	return playWith(t, s, path, Options{Measure: balance.OfVariant, Workers: workers})
}

// inPassing are the conditions where exact values are not what is tested.
func inPassing(workers int) Options {
	return Options{Measure: balance.OfVariant, Workers: workers, Exact: 100_000}
}

func playWith(t *testing.T, s *Sweep, path string, o Options) *Result {
	t.Helper()
	db, err := store.Open(t.Context(), path, store.Create)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	r, err := s.Run(t.Context(), t.Context(), db, o)
	if err != nil {
		t.Fatal(err)
	}
	r.DB = ""
	return r
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The result does not depend on the number of workers, nor on interruptions: a run whose context has ended stores
// nothing it has not finished, and the next goes on.
func TestSweepIsRepeatable(t *testing.T) {
	t.Parallel()
	for _, design := range []string{"grid", "halving"} {
		// Boards of 2 to 4 columns: the finalists are solved each time. A line of 4 does not fit on the first two.
		s := mustLoad(t, strings.Replace(small, "from: 3, to: 5", "from: 2, to: 4", 1), "design="+design, "ladder=0",
			"games=6", "fresh=10")
		whole := play(t, s, filepath.Join(t.TempDir(), "whole.db"), 3)
		path := filepath.Join(t.TempDir(), "parts.db")
		db, err := store.Open(t.Context(), path, store.Create)
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			ctx, stop := context.WithCancel(t.Context())
			n := 0
			_, err := s.Run(ctx, t.Context(), db, Options{
				Measure: balance.OfVariant, Workers: 1,
				Stage: func(string) { n++; stop() },
			})
			stop()
			told := (*arena.StoppedError)(nil)
			if err != nil && !errors.As(err, &told) {
				t.Fatal(err)
			}
			if first, fresh := s.Planned(); told != nil && (told.Total != first+fresh || told.Before+told.Played > told.Total) {
				t.Errorf("%s: stopped with %d and %d games of %d, want %d", design, told.Before, told.Played, told.Total,
					first+fresh)
			}
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		parts := play(t, s, path, 1)
		if a, b := asJSON(t, whole), asJSON(t, parts); a != b {
			t.Errorf("%s: in one go\n%s\nin pieces\n%s", design, a, b)
		}
		if whole.Tried != 4 || len(whole.Variants) != 4 || len(whole.Again) != 2 {
			t.Errorf("%s: %d tried, %d variants, %d measured again; want 4, 4, 2", design, whole.Tried, len(whole.Variants),
				len(whole.Again))
		}
		for _, a := range whole.Again {
			if a.Exact == "" {
				t.Errorf("%s: %s is not solved", design, a.Rules)
			}
		}
		recalls(t, path, asJSON(t, whole))
	}
}

// recalls holds that the study alone tells what came of its sweep, as long as all games are there.
func recalls(t *testing.T, path, want string) {
	t.Helper()
	db, err := store.Open(t.Context(), path, store.Create)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	events, err := db.Events(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(events, func(e study.Event) bool { return e.Purpose == PurposePlan })
	if at < 0 {
		t.Fatal("the study does not hold the plan")
	}
	r, err := Recall(t.Context(), db, events[at], balance.OfVariant)
	if err != nil {
		t.Fatal(err)
	}
	if r.DB = ""; asJSON(t, r) != want {
		t.Errorf("recalled\n%s\nwant\n%s", asJSON(t, r), want)
	}
	more := events[at]
	more.Plan = strings.Replace(more.Plan, `"fresh":`, `"fresh":9`, 1)
	if _, err := Recall(t.Context(), db, more, balance.OfVariant); !errors.Is(err, ErrMissing) {
		t.Errorf("a plan with more games: %v", err)
	}
	more.Plan = strings.Replace(events[at].Plan, `"ladder":0`, `"ladder":2`, 1)
	if _, err := Recall(t.Context(), db, more, balance.OfVariant); more.Plan == events[at].Plan || err == nil ||
		strings.Contains(more.Plan, `"grid"`) && !errors.Is(err, ErrMissing) {
		t.Errorf("a plan with a ladder: %v", err)
	}
	more.Plan = strings.Replace(events[at].Plan, `"rules":"`, `"rules":"/etc/`, 1)
	if _, err := Recall(t.Context(), db, more, balance.OfVariant); !errors.Is(err, ErrMissing) {
		t.Errorf("a plan that names a file: %v", err)
	}
	// Its rules may be those of a file that is named, wherever that lies now.
	_, text, err := configs.Read(configs.Games, r.Rules)
	if err != nil {
		t.Fatal(err)
	}
	own := filepath.Join(t.TempDir(), "own.yaml")
	if err := os.WriteFile(own, text, 0o600); err != nil {
		t.Fatal(err)
	}
	more.Plan = strings.Replace(events[at].Plan, `"rules":"`+r.Rules, `"rules":"elsewhere/own.yaml`, 1)
	r, err = Recall(t.Context(), db, more, balance.OfVariant, "/etc/other.yaml", own)
	if err != nil {
		t.Fatal(err)
	}
	if r.DB = ""; asJSON(t, r) != want {
		t.Errorf("by a file\n%s\nwant\n%s", asJSON(t, r), want)
	}
	if _, err := Recall(t.Context(), db, more, balance.OfVariant, "/etc/other.yaml"); !errors.Is(err, ErrMissing) ||
		!strings.Contains(err.Error(), "--rules elsewhere/own.yaml") {
		t.Errorf("by another file: %v", err)
	}
}

// Classic with a line of 2 is won by the first player at once, with a line of 3 it is drawn or won: a search for long
// games finds 3, and writes rules that load.
func TestHalvingFindsTheTarget(t *testing.T) {
	t.Parallel()
	s := mustLoad(t, `
name: find
rules: classic
knobs: [{knob: win.line, values: [2, 3]}, {knob: board.columns, values: [2, 3]}]
design: halving
tiers: [20]
games: 10
best: 1
fresh: 40
targets: ["length>=5"]
`)
	r := play(t, s, filepath.Join(t.TempDir(), "find.db"), 2)
	if len(r.Again) != 1 || r.Again[0].Verdict != target.Met || !slices.Contains(r.Again[0].Values, "3") {
		t.Errorf("found %s", asJSON(t, r.Again))
	}
	if len(r.Rounds) != 2 || r.Rounds[0].Candidates != len(s.Variants) || r.Rounds[1].Games != 2*r.Rounds[0].Games {
		t.Errorf("rounds %+v", r.Rounds)
	}
	rules, comments, ok := s.Winner(r, "winner")
	if !ok {
		t.Fatal("no winner")
	}
	var b bytes.Buffer
	if err := WriteRules(&b, rules, comments...); err != nil {
		t.Fatal(err)
	}
	g, err := engines.Load("winner.yaml", b.Bytes())
	if err != nil {
		t.Fatalf("%v\n%s", err, b.String())
	}
	if want := s.Variants[0].Game.RulesHash(); g.RulesHash() != want && r.Again[0].Rules == s.Variants[0].Label {
		t.Errorf("the file has the hash %s, the variant %s", g.RulesHash(), want)
	}
}

// Every shipped sweep loads, and runs when it is made tiny.
func TestShippedSweeps(t *testing.T) {
	t.Parallel()
	for _, name := range configs.Names(configs.Sweeps) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file, data, err := configs.Read(configs.Sweeps, name)
			if err != nil {
				t.Fatal(err)
			}
			s, err := Load(file, data, "tiers=[1]", "games=2", "fresh=2", "best=1")
			if err != nil {
				t.Fatal(err)
			}
			s.Ladder = min(s.Ladder, 2)
			r := playWith(t, s, filepath.Join(t.TempDir(), "tiny.db"), inPassing(0))
			if len(r.Again) != 1 || r.Tried != len(s.Variants) || s.Name != name {
				t.Errorf("%s: tried %d, again %d", s.Name, r.Tried, len(r.Again))
			}
		})
	}
}

// A study that holds a sweep of that name with another seed is refused, and says why.
func TestAnotherSweepIsRefused(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "s.db")
	set := []string{
		"ladder=0", "tiers=[1]", "games=2", "fresh=2", "best=1",
		"knobs=[{knob: board.columns, values: [3, 4]}]",
	}
	playWith(t, mustLoad(t, small, set...), path, inPassing(1))
	db, err := store.Open(t.Context(), path, store.Create)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var plan *store.PlanError
	if r, err := mustLoad(t, small, append(set, "seed=2")...).Run(t.Context(), t.Context(), db,
		inPassing(1)); !errors.As(err, &plan) {
		t.Errorf("%+v, %v", r, err)
	}
}

// A study is locked once for all rounds and for what is measured again; who finds it locked leaves no plan in it.
func TestOneLockOfASweep(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "s.db")
	s := mustLoad(t, small, "design=halving", "ladder=0", "tiers=[1]", "games=2", "fresh=2", "best=1",
		"knobs=[{knob: board.columns, values: [3, 4]}]")
	db, err := store.Open(t.Context(), path, store.Create)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	other, err := store.Open(t.Context(), path, store.Create)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	unlock, err := other.Lock()
	if err != nil {
		t.Fatal(err)
	}
	o, stages := inPassing(1), 0
	_, err = s.Run(t.Context(), t.Context(), db, o)
	unlock()
	if events, failed := db.Events(t.Context()); !errors.Is(err, store.ErrBusy) || len(events) != 0 || failed != nil {
		t.Errorf("%v; wrote %+v, %v", err, events, failed)
	}
	o.Stage = func(text string) {
		stages++
		if _, err := other.Lock(); !errors.Is(err, store.ErrBusy) {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, err := s.Run(t.Context(), t.Context(), db, o); err != nil || stages < 2 {
		t.Errorf("%d stages, %v", stages, err)
	}
}

// unreliable is a pool in which another machine turns the results of the first games round, and is found out then.
type unreliable struct {
	arena.Pool
	games int
}

func (p *unreliable) Play(ctx context.Context, tasks <-chan []arena.Task, results chan<- []arena.Result) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	lies, ended := make(chan []arena.Result), make(chan error, 1)
	go func() {
		ended <- p.Pool.Play(ctx, tasks, lies)
		close(lies)
	}()
	var found error
	for rs := range lies {
		for i := range rs {
			if p.games--; p.games < 0 {
				continue
			}
			switch rs[i].Worker = "cheat"; rs[i].Outcome {
			case engines.FirstWins:
				rs[i].Outcome = engines.SecondWins
			case engines.SecondWins:
				rs[i].Outcome = engines.FirstWins
			}
			if p.games == 0 {
				found = &arena.Distrust{Worker: "cheat", Why: "it lies", Tested: func(arena.Slot) bool { return false }}
				stop()
			}
		}
		results <- rs
	}
	return cmp.Or(found, <-ended)
}

// What a machine has played that turns out to be unreliable is played again, and what was decided by it is decided
// anew: the result is that of honest machines.
func TestUnreliableMachineDecidesNothing(t *testing.T) {
	t.Parallel()
	s := mustLoad(t, small, "design=halving", "ladder=0", "tiers=[5]", "games=4", "fresh=4", "best=1",
		"knobs=[{knob: board.columns, values: [3, 4]}]")
	want := playWith(t, s, filepath.Join(t.TempDir(), "honest.db"), inPassing(1))
	for _, games := range []int{1, 11} { // of 2 variants with 4 games each, and the best with 4 more
		assets := arena.NewAssets()
		defer assets.Close()
		local := arena.NewLocal(assets, 1)
		defer local.Close()
		o := inPassing(1)
		o.Assets, o.Pool = assets, &unreliable{Pool: local, games: games}
		got := playWith(t, s, filepath.Join(t.TempDir(), "cheated.db"), o)
		if got.Games = want.Games; asJSON(t, got) != asJSON(t, want) {
			t.Errorf("after %d games:\n%s\nby honest machines\n%s", games, asJSON(t, got), asJSON(t, want))
		}
	}
}
