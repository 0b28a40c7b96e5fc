package learn

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"spar/agents/bench"
	"spar/arena/live"
	"spar/arena/store"
	"spar/engines/enginetest"
)

// The curve compares a net with its past at 1/16, 1/8, 1/4 and 1/2 of its training; 128 games of vanishing are surely
// weaker than 2,048.
func TestCurve(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "vanishing")
	dir := t.TempDir()
	ticks := 0.0
	clock := func() float64 { ticks += 0.01; return ticks }
	var last Report
	matches, feed := 0, live.NewFeed(time.Now)
	feed.Attach(func(e live.Event) {
		if e.Kind != live.Begin {
			return
		}
		matches++
		other, err := store.Open(t.Context(), filepath.Join(dir, "gate.db"), store.Writing)
		if err == nil {
			_, err = other.Lock()
			other.Close()
		}
		if !errors.Is(err, store.ErrBusy) {
			t.Errorf("%s is not under a lock: %v", e.Run, err)
		}
	})
	s := Session{
		Game: g, Options: Options{Games: 2048, Seed: 1}, Files: FilesOf(filepath.Join(dir, "v.net")),
		Tell: func(r Report) { last = r }, Feed: feed,
		Exam: Examination{Pairs: 1, CurvePairs: 20, Nodes: 40, Seed: 3, Clock: bench.Clock{CPU: clock, Wall: clock}},
		DB:   func() (*store.DB, error) { return store.Open(t.Context(), filepath.Join(dir, "gate.db"), store.Create) },
	}
	out, err := s.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	db, err := s.DB()
	if err != nil {
		t.Fatal(err)
	}
	if path, err := NetOf(t.Context(), db); err != nil || path != out.Files[0] {
		t.Errorf("the net of the study: %q, %v; written was %v", path, err, out.Files)
	}
	if err := errors.Join(os.Remove(out.Files[0]), os.WriteFile(filepath.Join(dir, "other.net"), []byte("no net"),
		0o600)); err != nil {
		t.Fatal(err)
	}
	if path, err := NetOf(t.Context(), db); err == nil {
		t.Errorf("without its file: %q, %v", path, err)
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*.part")); err != nil || len(left) != 0 || last.Games != 2048 ||
		last.Total != 2048 {
		t.Errorf("left behind: %v, %v; told at last: %+v", left, err, last)
	}
	if about := out.Net.About(); about.Gate == nil || about.Gate.Pairs != 1 || len(out.Matchups) != gateMatchups {
		t.Errorf("the gate: %+v, %+v", about.Gate, out.Matchups)
	}
	if matches != gateMatchups+4 {
		t.Errorf("%d matches of the gate and the curve", matches)
	}
	curve := out.Net.About().Curve
	if len(curve) != 4 || curve[0].Games != 128 || curve[1].Games != 256 || curve[2].Games != 512 ||
		curve[3].Games != 1024 {
		t.Fatalf("the curve is %+v", curve)
	}
	for _, r := range curve {
		if r.Pairs != 20 || r.Lo > r.Score || r.Score > r.Hi {
			t.Errorf("%+v", r)
		}
	}
	if curve[0].Lo <= 0.5 {
		t.Errorf("2,048 games against 128: %+v", curve[0])
	}
}

// Nothing is learned from games that are cut off before their end, and the training says that they give no signal.
func TestCutGamesTeachNothing(t *testing.T) {
	t.Parallel()
	tr, err := New(t.Context(), enginetest.Load(t, "classic"), Options{Games: 256, Longest: 3, Seed: 2})
	if err != nil {
		t.Fatal(err)
	}
	tell := func(r Report) {
		if r.Loss != 0 || r.Draws != 1 || r.First != 0.5 || r.Plies != 3 {
			t.Errorf("%+v", r)
		}
	}
	if err := tr.Run(t.Context(), tell, nil); err != nil {
		t.Fatal(err)
	}
	for i, x := range tr.trainer.Numbers {
		if x != 0 {
			t.Fatalf("number %d became %v", i, x)
		}
	}
	if tr.decided != 0 || tr.course.Stages[0].Draws != 1 {
		t.Errorf("%d games with a winner, %v draws", tr.decided, tr.course.Stages[0].Draws)
	}
}
