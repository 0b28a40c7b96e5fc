package variants_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"spar/arena"
	"spar/arena/store"
	"spar/arena/store/storetest"
	"spar/configs"
	"spar/configs/must"
	"spar/engines"
	"spar/engines/enginetest"
	"spar/reports/balance"
	"spar/tuning/learn"
	"spar/tuning/target"
	"spar/tuning/variants"
)

func mustLoad(t *testing.T, text string, overrides ...string) *variants.Sweep {
	t.Helper()
	s := must.Get(variants.Load("test.yaml", []byte(text), overrides...))(t)
	return s
}

func labels(s *variants.Sweep) []string {
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
		_, err := variants.Load("sweep.yaml", []byte("name: x\nrules: vanishing\nknobs: [{knob: pieces.cap, from: 3, to: 5}]\n"),
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
	if !s.Variants[0].Base || s.Variants[0].Changes[1].Text() != "3" {
		t.Errorf("the base is %+v", s.Variants[0])
	}
	// 5 variants, 3 tiers and one that errs, 12 games each, 2 neighbours of 4 games; then 2 variants, 3 agents, 20 games.
	if first, fresh := s.Planned(); first != 5*(4*12+2*4) || fresh != 2*3*20 {
		t.Errorf("%d and %d games planned, want 280 and 120", first, fresh)
	}
}

func play(t *testing.T, s *variants.Sweep, path string, workers int) *variants.Result {
	t.Helper()
	return playWith(t, s, path, variants.Options{Measure: balance.OfVariant, Workers: workers})
}

// inPassing are the conditions where exact values are not what is tested.
func inPassing(workers int) variants.Options {
	return variants.Options{Measure: balance.OfVariant, Workers: workers, Exact: 100_000}
}

func playWith(t *testing.T, s *variants.Sweep, path string, o variants.Options) *variants.Result {
	t.Helper()
	db := storetest.Open(t, path)
	r := must.Get(s.Run(t.Context(), t.Context(), db, o))(t)
	r.DB = ""
	return r
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	text := must.Get(json.Marshal(v))(t)
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
		db := must.Get(store.Open(t.Context(), path, store.Create))(t)
		for range 3 {
			ctx, stop := context.WithCancel(t.Context())
			n := 0
			_, err := s.Run(ctx, t.Context(), db, variants.Options{
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
		must.Do(t, db.Close())
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
	must.Do(t, variants.WriteRules(&b, rules, comments...))
	g, err := engines.Load("winner.yaml", b.Bytes())
	if err != nil {
		t.Fatalf("%v\n%s", err, b.String())
	}
	const errs = "length and mechanics are of games of minimax-200 with one random move in ten."
	if !strings.Contains(b.String(), errs) || len(r.Notes) == 0 || !strings.HasSuffix(r.Notes[0], errs) {
		t.Errorf("%q\n%s", r.Notes, &b)
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
			s := must.Get(variants.Load(file, data, "tiers=[1]", "games=2", "fresh=2", "best=1"))(t)
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
	db := storetest.Open(t, path)
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
	db := storetest.Open(t, path)
	other := storetest.Open(t, path)
	unlock := must.Get(other.Lock())(t)
	o, stages := inPassing(1), 0
	_, err := s.Run(t.Context(), t.Context(), db, o)
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

// With three pieces vanishing tic-tac-toe is won by force, with five it is a draw. The draw is measured again, whatever
// the games of the agents say; the forced win is out where nothing or fairness is wanted, and plays no game of a
// search. Targets that allow a forced win, or that are about other things, leave it in. Rows say what is exact.
func TestVariantsAreSolvedFirst(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		plan string
		win  bool // the forced win may be measured again
	}{
		"no targets":      {"", false},
		"fairness":        {`targets: ["fpa<=0.45"]`, false},
		"a win is wanted": {`targets: ["score>=0.6"]`, true},
		"something else":  {`targets: ["completion>=0.5"]`, true},
		"search":          {"targets: [\"score<=0.9\"]\ndesign: halving", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := mustLoad(t, "name: few\nrules: vanishing\nknobs: [{knob: pieces.cap, values: [3, 5]}]\ntiers: [1]\ngames: "+
				"4\nladder: 0\nbest: 2\nfresh: 4\n"+c.plan)
			db := storetest.New(t)
			r := must.Get(s.Run(t.Context(), t.Context(), db, variants.Options{Measure: balance.OfVariant, Workers: 1}))(t)
			again := map[string]string{}
			for _, a := range r.Again {
				again[a.Values[0]] = a.Brief()
			}
			if _, ok := again["3"]; ok != c.win || again["5"] != "draw" {
				t.Errorf("measured again: %v", again)
			}
			for _, v := range r.Variants {
				if (v.Values[0] == "3") != strings.HasPrefix(v.Brief(), "the first player wins in ") {
					t.Errorf("%s: %s", v.Rules, v.Brief())
				}
			}
			if played := r.Variants[0].Numbers["score"].Known(); played == (name == "search") ||
				(r.Excluded == 1) != (name == "search") {
				t.Errorf("the forced win played: %t, excluded %d", played, r.Excluded)
			}
		})
	}
}

const learning = "name: l\nrules: vanishing\nset: {draw.max_plies: 60}\nknobs:\n  - {knob: pieces.cap, values: [3, " +
	"4]}\ntiers: [5, 10]\ngames: 4\nladder: 0\nbest: 1\nfresh: 4\nlearn: 256\n"

// Boards with as many cells are not the same: their numbers mean other cells.
func TestOnlyOneBoardIsLearned(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic", "board.columns=4")
	for set, want := range map[string]bool{"board.columns=4": true, "win.misere=true": false, "board.rows=4": false} {
		if got := learn.SameTables(g, enginetest.Load(t, "classic", set), learn.Options{Games: 128}); got != want {
			t.Errorf("%s: %t", set, got)
		}
	}
	if !learn.SameTables(g, enginetest.Load(t, "classic", "board.columns=4", "win.misere=true"),
		learn.Options{Games: 128}) {
		t.Error("another end of the game on the same board")
	}
}
