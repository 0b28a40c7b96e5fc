package learn

import (
	"encoding/gob"
	"errors"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"spar/agents/eval"
	"spar/agents/patterns"
	"spar/arena/store"
	"spar/engines"
	"spar/engines/enginetest"
)

// What is left out is filled in by the board: a sixth of its cells in random plies, 2 to 20, and games of up to 6 plies a cell and 40
// more, which count as drawn then. As many work as there are processors for.
func TestDefaultsOfATraining(t *testing.T) { // not parallel: it sets GOMAXPROCS
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	for name, want := range map[string]struct{ opening, longest int }{"classic": {2, 94}, "connect4": {7, 292}, "gomoku11": {20, 766}} {
		g := enginetest.Load(t, name)
		o := Options{}.Fill(g)
		if o.Opening != want.opening || o.Longest != want.longest || !o.Drawn || o.Depth != 1 || o.Workers != 3 || runtime.GOMAXPROCS(0) != 3 || o.CPU() != 0 {
			t.Errorf("%s: %+v, want %+v", name, o, want)
		}
	}
	if o := (Options{Longest: 1, Workers: 2}).Fill(enginetest.Load(t, "classic")); o.Longest != 1 || o.Drawn || o.Workers != 2 {
		t.Errorf("%+v", o)
	}
}

// The rate falls evenly to a tenth: in the second of two batches it is 1 - 0.9/2 of the first. Games that are cut off teach nothing and say
// nothing of the loss, which is the mean over the positions of the games since the report before. Here the clock of the processor is
// asked after each batch, and 200 ms pass meanwhile, so that each is reported.
func TestTwoBatchesByHand(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	synctest.Test(t, func(t *testing.T) {
		cpu := 100.0
		o := Options{Games: 16, Batch: 8, Rate: 0.5, Longest: 6, Seed: 3, CPU: func() float64 {
			time.Sleep(200 * time.Millisecond)
			cpu++
			return cpu
		}}
		tr, err := New(t.Context(), g, o)
		if err != nil {
			t.Fatal(err)
		}
		hand, err := New(t.Context(), g, o)
		if err != nil {
			t.Fatal(err)
		}
		var want []Report
		cut, learned := 0, 0
		for _, rate := range []float64{0.5, 0.275} {
			net, err := hand.Net()
			if err != nil {
				t.Fatal(err)
			}
			lessons, err := hand.play(t.Context(), net, 8)
			if err != nil {
				t.Fatal(err)
			}
			loss, positions := 0.0, 0
			for _, l := range lessons {
				if l.Cut {
					cut++
					continue
				}
				x, k := hand.trainer.Learn(l, 0.7, rate)
				loss, positions, learned = loss+x, positions+k, learned+1
			}
			hand.done += 8
			want = append(want, Report{Games: hand.done, Loss: loss / float64(positions), CPU: float64(len(want) + 1)})
		}
		var told []Report
		saved := 0
		if err := tr.Run(t.Context(), func(r Report) { told = append(told, r) }, func() error { saved++; return nil }); err != nil {
			t.Fatal(err)
		}
		if len(told) != 2 || saved != 2 || cut == 0 || learned == 0 || !slices.Equal(tr.trainer.Numbers, hand.trainer.Numbers) {
			t.Fatalf("%+v, %d times saved, %d games of %d cut off", told, saved, cut, cut+learned)
		}
		for i, r := range told {
			if r.Games != want[i].Games || r.CPU != want[i].CPU || math.Abs(r.Loss-want[i].Loss) > 1e-12 {
				t.Errorf("%+v, want %+v", r, want[i])
			}
		}
		// What was used before is counted on, and of several trainings together.
		tr.done = 8
		if err := tr.Run(t.Context(), func(Report) {}, nil); err != nil || tr.cpu != 3 {
			t.Errorf("%g s in three batches, %v", tr.cpu, err)
		}
		if p := Provenance(tr, hand, tr); p.CPUSecond != 6 || p.Games != 48 {
			t.Errorf("%+v", p)
		}
	})
}

// A session of two seeds tells the games and the processor time of both.
func TestReportOfSeveralSeeds(t *testing.T) {
	t.Parallel()
	cpu := 0.0
	var last Report
	s := &Session{
		Game: enginetest.Load(t, "classic"), Options: Options{Games: 8, Batch: 8, Seeds: 2, CPU: func() float64 { cpu += 2; return cpu }},
		Files: FilesOf(filepath.Join(t.TempDir(), "x.net")), Tell: func(r Report) { last = r },
	}
	if _, err := s.train(t.Context(), &Outcome{}); err != nil || last.Games != 16 || last.Total != 16 || last.CPU != 4 {
		t.Errorf("%+v, %v", last, err)
	}
}

// A thousandth of the games, rounded down, must have had a winner: 2 of 2,560 will do, 1 will not.
func TestSignalAtItsLimit(t *testing.T) {
	t.Parallel()
	for decided, ends := range map[int64]bool{1: true, 2: false} {
		tr, err := New(t.Context(), enginetest.Load(t, "classic", "draw.max_plies=3"), Options{Games: signalAfter, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		tr.done, tr.decided = signalAfter-batch, decided
		if err := tr.Run(t.Context(), func(Report) {}, nil); errors.Is(err, ErrNoSignal) != ends || !ends && err != nil {
			t.Errorf("%d decided: %v", decided, err)
		}
	}
}

// Somebody has to play.
func TestOneWorkerAtLeast(t *testing.T) {
	t.Parallel()
	tr, err := New(t.Context(), enginetest.Load(t, "classic"), Options{Games: 3, Workers: -1})
	if err != nil {
		t.Fatal(err)
	}
	net, err := tr.Net()
	if err != nil {
		t.Fatal(err)
	}
	lessons, err := tr.play(t.Context(), net, 3)
	if err != nil || len(lessons) != 3 || len(lessons[2].Moves) < 5 {
		t.Errorf("%v, %v", lessons, err)
	}
}

// A training that had the help of other machines goes on with what it was before, older nets among that. What does not fit the tables is
// refused: numbers of another net, or sums of another, as those of older nets.
func TestResumeOfWhatWasAlone(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	fresh := func() *Training {
		tr, err := New(t.Context(), g, Options{Games: 128, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		return tr
	}
	tr := fresh()
	n := tr.layout.Params()
	plan, err := tr.plan()
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		change func(c *checkpoint)
		want   string
	}{
		"whole":                {func(*checkpoint) {}, ""},
		"fewer numbers":        {func(c *checkpoint) { c.State.Numbers = c.State.Numbers[1:] }, "another training has begun there"},
		"fewer sums":           {func(c *checkpoint) { c.State.Squares = c.State.Squares[1:] }, "another training has begun there"},
		"another plan":         {func(c *checkpoint) { c.Plan += " " }, "another training has begun there"},
		"an older net":         {func(c *checkpoint) { c.State.Older[0].Numbers = nil }, "the net of 16 games"},
		"one of what was past": {func(c *checkpoint) { c.Alone.Older[0].Numbers = nil }, "the net of 8 games"},
	} {
		past := func(games int64) state {
			return state{Done: games, Numbers: make([]float32, n), Squares: make([]float32, n), Older: []older{{Games: games, Numbers: make([]float32, n)}}}
		}
		alone := past(8)
		kept := checkpoint{Plan: plan, Total: 128, State: past(16), Alone: &alone}
		c.change(&kept)
		path := filepath.Join(t.TempDir(), "x.part")
		f, err := os.Create(path)
		if err == nil {
			err = errors.Join(gob.NewEncoder(f).Encode(kept), f.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
		next := fresh()
		ok, err := next.Resume(path)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
		if whole := c.want == ""; whole && (!ok || next.done != 16 || next.older[0].net == nil || next.alone == nil || next.alone.Done != 8 || next.alone.Older[0].net == nil) {
			t.Errorf("%s: %t, %+v", name, ok, next.alone)
		}
	}
}

// A training that no other machine had a part in is not learned again.
func TestAloneIsNotLearnedAgain(t *testing.T) {
	t.Parallel()
	first, last := &Training{done: 7}, &Training{back: true}
	if err := (&Session{}).again(t.Context(), []*Training{first, last}); err != nil || first.done != 7 || last.back {
		t.Errorf("%v, %d games, %t", err, first.done, last.back)
	}
}

// What cannot be written or removed is told; that there is nothing to remove is no mistake.
func TestFilesOfASessionInTheWay(t *testing.T) {
	t.Parallel()
	g, tr, net := trained(t, 1)
	for _, inTheWay := range []bool{false, true} {
		dir := t.TempDir()
		s := &Session{Game: g, Files: FilesOf(filepath.Join(dir, "x.net")), Tell: func(Report) {}}
		if inTheWay {
			if err := os.MkdirAll(filepath.Join(s.Files.Part, "a folder"), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.write(net, patterns.Provenance{}, &Outcome{}); (err != nil) != inTheWay {
			t.Errorf("a folder in the way %t: %v", inTheWay, err)
		}
		if _, err := os.Stat(s.Files.Refused); err != nil {
			t.Error(err)
		}
		if err := s.toEnd(t.Context(), tr, 0, Provenance()); (err != nil) != inTheWay {
			t.Errorf("a folder in the way of a training %t: %v", inTheWay, err)
		}
	}
}

// The net of a study is the newest of those beside it that are for its rules, wherever it stands among them.
func TestNetOfAStudy(t *testing.T) {
	t.Parallel()
	g, other := enginetest.Load(t, "classic"), enginetest.Load(t, "vanishing")
	dir := t.TempDir()
	db, err := store.Open(t.Context(), filepath.Join(dir, "s.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.RulesID(t.Context(), g.Name(), g.RulesHash(), g.Rules().Canonical()); err != nil {
		t.Fatal(err)
	}
	day := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	put := func(name string, days int, data []byte) {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.WriteFile(path, data, 0o644), os.Chtimes(path, day, day.AddDate(0, 0, days))); err != nil {
			t.Fatal(err)
		}
	}
	data := func(g *engines.Game) []byte {
		tr, err := New(t.Context(), g, Options{Games: 1})
		if err != nil {
			t.Fatal(err)
		}
		net, err := tr.Net()
		if err != nil {
			t.Fatal(err)
		}
		_, data, err := net.With(Provenance(tr))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	mine := data(g)
	put("a.net", 1, mine)
	put("b.net", 3, mine)
	put("c.net", 2, mine)
	put("d.net", 4, data(other))
	put("e.net", 5, []byte("no net"))
	put("f.net", 6, mine)
	large := filepath.Join(dir, "f.net")
	if err := errors.Join(os.Truncate(large, patterns.FileLimit+1), os.Chtimes(large, day, day.AddDate(0, 0, 6)), os.Symlink("nowhere", filepath.Join(dir, "g.net"))); err != nil {
		t.Fatal(err)
	}
	if path, err := NetOf(t.Context(), db); err != nil || filepath.Base(path) != "b.net" {
		t.Errorf("%q, %v", path, err)
	}
}

// The scale of a linear base is that at which its games are foretold best, but for a little ridge, by the positions before moves that were
// not drawn at random, in games that were not cut off. Here it is looked for by halving where the loss falls and rises.
func TestScaleOfABase(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "vanishing")
	o := Options{Games: 1, Seed: 4, Longest: 8}.Fill(g)
	got, err := calibrated(t.Context(), g, o.architecture(g), o)
	if err != nil {
		t.Fatal(err)
	}
	p := linearOf(g)
	p.Scale = 100
	a := o.architecture(g)
	a.Linear = &p
	l, err := patterns.NewLayout(g, a)
	if err != nil {
		t.Fatal(err)
	}
	o.Seed ^= 0xba5e
	tr := &Training{o: o, game: g, layout: l, trainer: l.NewTrainer()}
	net, err := tr.Net()
	if err != nil {
		t.Fatal(err)
	}
	lessons, err := tr.playHere(t.Context(), net, calibrationGames)
	if err != nil {
		t.Fatal(err)
	}
	e := eval.New(g, p)
	var xs, ys []float64
	squares, cut := 0.0, 0
	for _, lesson := range lessons {
		if lesson.Cut {
			cut++
			continue
		}
		s := g.NewState()
		for i, m := range lesson.Moves {
			if !lesson.Random[i] {
				x := e.Value(&s, engines.First)
				xs, ys, squares = append(xs, x), append(ys, lesson.Result), squares+x*x
			}
			s.Play(m)
		}
	}
	slope := func(k float64) float64 { // of the loss, by the factor k, with that of the ridge, which is half of the square of k in units of x
		sum := k * squares / float64(len(xs))
		for i, x := range xs {
			sum += (1/(1+math.Exp(-k*x)) - ys[i]) * x
		}
		return sum
	}
	lo, hi := 0.0, 1.0
	for range 40 {
		if k := (lo + hi) / 2; slope(k) < 0 {
			lo = k
		} else {
			hi = k
		}
	}
	if k := (lo + hi) / 2; math.Abs(got.Scale*k-1) > 1e-6 || cut == 0 {
		t.Errorf("%g, want %g; %d games were cut off", got.Scale, 1/k, cut)
	}
}
