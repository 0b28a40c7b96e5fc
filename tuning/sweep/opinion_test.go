package sweep_test

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"spar/arena/store"
	"spar/engines/enginetest"
	"spar/reports/balance"
	"spar/tuning/learn"
	"spar/tuning/sweep"
)

const learning = "name: l\nrules: vanishing\nset: {draw.max_plies: 60}\nknobs:\n  - {knob: pieces.cap, values: [3, " +
	"4]}\ntiers: [5, 10]\ngames: 4\nladder: 0\nbest: 1\nfresh: 4\nlearn: 256\n"

// The agents of all variants have one evaluation that was learned under the rules as they are; it is the same on any
// number of workers, and is taken from where it lies. What is stored is shown without it.
func TestAgentsLearn(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	run := func(name, plan string, workers int) (*sweep.Result, *store.DB) {
		t.Helper()
		s, err := sweep.Load("l.yaml", []byte(plan))
		if err != nil {
			t.Fatal(err)
		}
		db, err := store.Open(t.Context(), filepath.Join(dir, name, "l.db"), store.Create)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		r, err := s.Run(t.Context(), t.Context(), db, sweep.Options{
			Measure: balance.OfVariant, Workers: workers,
			Nets: filepath.Join(dir, name),
		})
		if err != nil {
			t.Fatal(err)
		}
		r.DB = ""
		return r, db
	}
	one, db := run("one", learning, 1)
	if two, _ := run("two", learning, 2); !reflect.DeepEqual(one, two) {
		t.Errorf("on two workers: %+v, want %+v", two, one)
	}
	if weights, _ := run("weights", strings.Replace(learning, "learn: 256", "learn: 0", 1),
		2); slices.ContainsFunc(weights.Notes, func(n string) bool { return strings.Contains(n, "learned") }) ||
		reflect.DeepEqual(one.Variants, weights.Variants) {
		t.Error("the agents play as by the hand-made evaluation")
	}
	if len(one.Notes) == 0 || !strings.Contains(one.Notes[0], "learned from 256 games of self-play under "+
		"vanishing[draw.max_plies=60]") {
		t.Errorf("%q", one.Notes)
	}
	nets, err := filepath.Glob(filepath.Join(dir, "one", "l-*-256-1.net"))
	if err != nil || len(nets) != 1 {
		t.Fatalf("%v, %v", nets, err)
	}
	if base := enginetest.Load(t, "vanishing", "draw.max_plies=60"); filepath.Base(nets[0]) != "l-"+base.RulesHash()[:8]+
		"-256-1.net" {
		t.Errorf("%s was not learned under the rules as they are", nets[0])
	}
	before, err := os.Stat(nets[0])
	if err != nil {
		t.Fatal(err)
	}
	again, _ := run("one", learning, 2)
	if after, err := os.Stat(nets[0]); err != nil || !after.ModTime().Equal(before.ModTime()) ||
		!reflect.DeepEqual(again.Variants, one.Variants) {
		t.Errorf("it is learned again (%v)", err)
	}
	if err := os.Remove(nets[0]); err != nil {
		t.Fatal(err)
	}
	events, err := db.Events(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		if e.Purpose == sweep.PurposePlan {
			if r, err := sweep.Recall(t.Context(), db, e, balance.OfVariant); err != nil ||
				!reflect.DeepEqual(r.Variants, one.Variants) {
				t.Errorf("recalled: %v", err)
			}
		}
	}
}

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
