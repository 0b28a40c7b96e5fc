package sweep

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"spar/arena/store"
	"spar/arena/study"
	"spar/reports/balance"
)

// A guard stands back where its measure has a target.
func TestGuarded(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ targets, want []string }{
		{[]string{"fpa<=0.05"}, []string{"fpa<=0.05", "completion>=90%", "draws<=90%", "alive>=10%", "depth>=1"}},
		{[]string{"draws>=95%", "alive>=0"}, []string{"draws>=95%", "alive>=0", "completion>=90%", "depth>=1"}},
	} {
		if got := Guarded(c.targets); !slices.Equal(got, c.want) {
			t.Errorf("%v guarded: %v, want %v", c.targets, got, c.want)
		}
	}
}

// Depth can be searched for: every candidate climbs the ladder, and so do the finalists again, on games of their own.
func TestSearchForDepth(t *testing.T) {
	t.Parallel()
	s := mustLoad(t, "name: deep\nrules: classic\ndesign: halving\nknobs: [{knob: win.line, values: [2, 3]}]\ntiers: "+
		"[5, 10]\ngames: 4\nladder: 4\nbest: 1\nfresh: 4\ntargets: [\"depth>=-50\"]\n")
	first, fresh := s.Planned()
	ladder := int64(2 * 4) // two steps, from random play over 5 to 10 simulations
	if want := 2 * (2*4 + ladder); first != want {
		t.Errorf("%d games planned, want %d", first, want)
	}
	if want := 2*4 + ladder; fresh != want {
		t.Errorf("%d games to measure again, want %d", fresh, want)
	}
	path := filepath.Join(t.TempDir(), "deep.db")
	r := play(t, s, path, 1)
	if r.Games != first+fresh || !r.Variants[0].Numbers["depth"].Known() || len(r.Again) != 1 ||
		!r.Again[0].Numbers["depth"].Known() {
		t.Errorf("%d games; %+v; again %+v", r.Games, r.Variants[0].Numbers["depth"], r.Again)
	}
	db, err := store.Open(t.Context(), path, store.Create)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	seeds := map[int64]string{} // those of one purpose are the same for all rules, and no other purpose has them
	for row, err := range db.Games(t.Context(), store.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		part := row.EventName[strings.LastIndexByte(row.EventName, '/')+1:]
		if old, ok := seeds[row.Seed]; ok && old != part {
			t.Errorf("%s and %s share a seed", old, part)
		}
		seeds[row.Seed] = part
	}
	if len(seeds) != 4 {
		t.Errorf("seeds of %v, want those of a round, its ladder, and of both again", seeds)
	}
}

// The rules of a study that are of a file are those of the file of that name, the first of them too; without it the
// study cannot be shown.
func TestRulesOfAStoredSweep(t *testing.T) {
	t.Parallel()
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "s.db"), store.Create)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	dir := t.TempDir()
	own, other := filepath.Join(dir, "own.yaml"), filepath.Join(dir, "other.yaml")
	for _, path := range []string{own, other} {
		if err := os.WriteFile(path, []byte("name: own\nboard: {columns: 3, rows: 3}\nwin: {line: 3}\ndraw: "+
			"{max_plies: 40}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, err := Load(filepath.Join(dir, "s.yaml"), []byte("name: s\nrules: own.yaml\nknobs: [{knob: pieces.cap, "+
		"values: [3, 4]}]\n"))
	if err != nil {
		t.Fatal(err)
	}
	plan := s.Plan
	plan.Rules, plan.Targets = "/elsewhere/own.yaml", []string{} // as it is stored
	text, err := json.Marshal(plan)
	if err != nil {
		t.Fatal(err)
	}
	e := study.Event{Name: "s", Plan: string(text)}
	for _, c := range []struct {
		files []string
		want  string
	}{
		{nil, "its rules are in the file /elsewhere/own.yaml"},
		{[]string{other}, "its rules are in the file /elsewhere/own.yaml"},
		{[]string{own, other}, "no games of own"},
		{[]string{other, own}, "no games of own"},
	} {
		if _, err := Recall(t.Context(), db, e, balance.OfVariant, c.files...); !errors.Is(err, ErrMissing) ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %s", c.files, err, c.want)
		}
	}
	if _, err := db.RulesID(t.Context(), "own", "another hash", "{}"); err != nil {
		t.Fatal(err)
	}
	if _, err := Recall(t.Context(), db, e, balance.OfVariant, own); !errors.Is(err, ErrMissing) ||
		!strings.Contains(err.Error(), "the rules own have changed since") {
		t.Errorf("changed rules: %v", err)
	}
}
