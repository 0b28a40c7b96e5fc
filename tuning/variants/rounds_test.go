package variants_test

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"spar/arena/store/storetest"
	"spar/configs/must"
	"spar/engines/enginetest"
	"spar/reports/balance"
	"spar/tuning/variants"
)

// With a line of 2 no game is drawn: three intervals of 95 % confidence together rule out 60 % draws at the least
// number of games, a quarter of the round. Such candidates leave after the first round, and the rounds end with one
// candidate left. The number of workers and a plan without early stops do not change who is left; the study tells it.
func TestRoundsStopEarly(t *testing.T) {
	t.Parallel()
	const text = "name: early\nrules: classic\nknobs: [{knob: win.line, values: [2, 3]}, {knob: board.rows, values: [3, 4]}]" +
		"\ndesign: halving\ntiers: [5]\ngames: 200\nbest: 1\nfresh: 10\ntargets: [\"draws>=0.6\"]\n"
	var results [3]*variants.Result
	path := filepath.Join(t.TempDir(), "early.db")
	for i, early := range []bool{true, true, false} {
		s := mustLoad(t, text, fmt.Sprint("early=", early))
		results[i] = playWith(t, s, path+fmt.Sprint(i), inPassing(1+2*i))
	}
	one, all := results[0], results[2]
	if a, b := asJSON(t, one), asJSON(t, results[1]); a != b {
		t.Errorf("one worker:\n%s\nthree:\n%s", a, b)
	}
	if missed := one.Rounds[0].Missed; len(missed) < 2 || len(all.Rounds[0].Missed) != 0 ||
		slices.ContainsFunc(one.Rounds[0].Kept, func(v string) bool { return strings.Contains(v, "win.line=2") }) {
		t.Errorf("missed %v, kept %v; without early stops %+v", missed, one.Rounds[0].Kept, all.Rounds)
	}
	for _, v := range one.Variants {
		if n := v.Numbers["draws"].N; v.Values[0] == "2" && n != 50 {
			t.Errorf("%s: %d games, want 50", v.Rules, n)
		}
	}
	if one.Games >= all.Games-200 || one.Again[0].Rules != all.Again[0].Rules {
		t.Errorf("%d games of %d; the best is %s, and %s of all games", one.Games, all.Games, one.Again[0].Rules,
			all.Again[0].Rules)
	}
}

// The agents of all variants have one evaluation that was learned under the rules as they are; it is the same on any
// number of workers, and is taken from where it lies.
func TestAgentsLearn(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	run := func(name, plan string, workers int) *variants.Result {
		t.Helper()
		s := must.Get(variants.Load("l.yaml", []byte(plan)))(t)
		db := storetest.Open(t, filepath.Join(dir, name, "l.db"))
		r, err := s.Run(t.Context(), t.Context(), db, variants.Options{
			Measure: balance.OfVariant, Workers: workers,
			Nets: filepath.Join(dir, name),
		})
		if err != nil {
			t.Fatal(err)
		}
		r.DB = ""
		return r
	}
	one := run("one", learning, 1)
	if two := run("two", learning, 2); !reflect.DeepEqual(one, two) {
		t.Errorf("on two workers: %+v, want %+v", two, one)
	}
	if weights := run("weights", strings.Replace(learning, "learn: 256", "learn: 0", 1),
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
	before := must.Get(os.Stat(nets[0]))(t)
	again := run("one", learning, 2)
	if after, err := os.Stat(nets[0]); err != nil || !after.ModTime().Equal(before.ModTime()) ||
		!reflect.DeepEqual(again.Variants, one.Variants) {
		t.Errorf("it is learned again (%v)", err)
	}
}
