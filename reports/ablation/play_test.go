package ablation

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"spar/arena"
	"spar/arena/live"
	"spar/arena/store"
)

// twoRules is 8 games under vanishing and 8 under rolling; under classic, between them, no value has an effect.
func twoRules(t *testing.T) *Plan {
	t.Helper()
	p, err := NewPlan(Ask{
		Agent: "random", Rules: []string{"vanishing", "classic", "rolling"}, Pairs: 4, Seed: 1,
		Knobs: []Knob{{"mixture.epsilon", []string{"0.5"}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	p.Parts[1].Tournament = nil
	return p
}

func study(t *testing.T) *store.DB {
	t.Helper()
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "study.db"), store.Create)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// A limit counts over all rules, and the same call goes on: everything is there when the last game under the last of
// them is.
func TestPlayInPieces(t *testing.T) {
	t.Parallel()
	db := study(t)
	for i, want := range []bool{false, false, true, true} {
		watched := 0
		sum, err := twoRules(t).Play(t.Context(), t.Context(), db,
			Options{Workers: 1, Limit: 6, Watch: func(*arena.Tournament) (*live.Feed, error) {
				watched++
				return nil, nil
			}})
		before := min(16, 6*int64(i))
		if sum.Wall = 0; err != nil || watched != min(2, i+1) ||
			!cmp.Equal(sum, arena.Summary{Total: 16, Before: before, Played: min(6, 16-before), Finished: want}) {
			t.Errorf("call %d: %+v, %d rules, %v", i, sum, watched, err)
		}
	}
	unwatched := errors.New("nobody can listen")
	if _, err := twoRules(t).Play(t.Context(), t.Context(), db,
		Options{Watch: func(*arena.Tournament) (*live.Feed, error) { return nil, unwatched }}); !errors.Is(err, unwatched) {
		t.Errorf("%v", err)
	}
}

// The study is locked once for all rules: no other process comes between those under one and those under the next.
func TestOneLockOfAllRules(t *testing.T) {
	t.Parallel()
	db := study(t)
	_, err := twoRules(t).Play(t.Context(), t.Context(), db, Options{Watch: func(m *arena.Tournament) (*live.Feed, error) {
		if _, err := os.Stat(db.Path() + ".lock"); err != nil {
			t.Errorf("%s: %v", m.Name, err)
		}
		return live.NewFeed(time.Now), nil
	}})
	if err != nil {
		t.Error(err)
	}
}
