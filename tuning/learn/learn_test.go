package learn_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"spar/agents"
	"spar/agents/bench"
	"spar/agents/patterns"
	"spar/arena/store/storetest"
	"spar/configs/must"
	"spar/engines"
	"spar/engines/enginetest"
	"spar/engines/solve"
	"spar/ratings"
	"spar/tuning/learn"
)

func silent(learn.Report) {}

// train returns a net learned from so many games of the rules.
func train(t *testing.T, g *engines.Game, o learn.Options) *patterns.Net {
	t.Helper()
	tr := must.Get(learn.New(t.Context(), g, o))(t)
	must.Do(t, tr.Run(t.Context(), silent, nil))
	n := must.Get(tr.Net())(t)
	return n
}

// TestSameNetOnAnyWorkers: one worker, three, or an interrupted training that goes on elsewhere give the same numbers,
// with an older net among the players, too.
func TestSameNetOnAnyWorkers(t *testing.T) {
	t.Parallel()
	for _, o := range []learn.Options{
		{Games: 1000, Seed: 5},
		{Games: 1000, Seed: 5, Depth: 2},
		{Games: 1000, Seed: 5, Base: learn.LinearBase},
	} {
		sameOnAnyWorkers(t, o)
	}
}

func sameOnAnyWorkers(t *testing.T, o learn.Options) {
	t.Helper()
	g := enginetest.Load(t, "vanishing")
	o.Workers = 1
	want := train(t, g, o).Numbers()
	o.Workers = 3
	if got := train(t, g, o).Numbers(); !slices.Equal(got, want) {
		t.Error("three workers learn another net than one")
	}
	file := filepath.Join(t.TempDir(), "x.part")
	first := must.Get(learn.New(t.Context(), g, o))(t)
	ctx, cancel := context.WithCancel(t.Context())
	batches := 0
	err := first.Run(ctx, silent, func() error {
		if batches++; batches == 2 {
			cancel()
		}
		return first.Save(file)
	})
	if !errors.Is(err, context.Canceled) && err != nil {
		t.Fatal(err)
	}
	must.Do(t, first.Save(file))
	second := must.Get(learn.New(t.Context(), g, o))(t)
	if ok, err := second.Resume(file); !ok || err != nil || second.Done() != first.Done() {
		t.Fatalf("resumed %v at %d, %v; saved at %d", ok, second.Done(), err, first.Done())
	}
	must.Do(t, second.Run(t.Context(), silent, nil))
	n, _ := second.Net()
	if !slices.Equal(n.Numbers(), want) {
		t.Error("an interrupted training learns another net")
	}
	straight, err := learn.New(t.Context(), g, o)
	if err == nil {
		err = straight.Run(t.Context(), silent, nil)
	}
	if course := learn.Provenance(second).Course; err != nil || len(course) != 20 || course[19].Games != 1000 ||
		!slices.Equal(course, learn.Provenance(straight).Course) {
		t.Errorf("an interrupted training tells another course: %v, %v", course, err)
	}
	o.Seed = 6
	other, _ := learn.New(t.Context(), g, o)
	if _, err := other.Resume(file); !errors.Is(err, learn.ErrOtherTraining) {
		t.Errorf("another seed goes on with the training: %v", err)
	}
}

// TestLearnsExactValues: in vanishing, a forced win that the solver knows, a net of a second tells won positions of
// random games from lost ones, which its own games hardly visit, surely better than chance (four standard errors are 10
// points). The values are the solver's.
func TestLearnsExactValues(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "vanishing")
	n := train(t, g, learn.Options{Games: 4000, Seed: 1})
	table := must.Get(solve.Solve(t.Context(), g, solve.Options{Memory: 64_000_000}))(t)
	right, all := 0, 0
	walk(g, 400, func(s *engines.State) {
		v, ok := table.Lookup(s)
		if !ok || v.Outcome == 0 {
			return
		}
		all++
		if (n.Value(s, s.Side()) > 0) == (v.Outcome > 0) {
			right++
		}
	})
	if all < 300 || float64(right) < 0.6*float64(all) {
		t.Errorf("%d of %d decided positions are valued on the right side of even; 60 %% expected", right, all)
	}
}

// walk visits positions of random games.
func walk(g *engines.Game, n int, visit func(*engines.State)) {
	x := uint64(1)
	for n > 0 {
		s := g.NewState()
		for !s.Over() && n > 0 {
			moves := s.AppendMoves(nil)
			x = engines.Mix(x)
			s.Play(moves[x%uint64(len(moves))])
			if !s.Over() && s.Ply() > 3 {
				n--
				visit(&s)
			}
		}
	}
}

// TestNoSignal: where no game has a winner the training ends after 20 batches.
func TestNoSignal(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic", "draw.max_plies=3")
	tr := must.Get(learn.New(t.Context(), g, learn.Options{Games: 50_000, Seed: 1}))(t)
	if err := tr.Run(t.Context(), silent, nil); !errors.Is(err, learn.ErrNoSignal) || tr.Done() != 20*128 {
		t.Errorf("after %d games: %v", tr.Done(), err)
	}
}

// TestGate: a net learned from 600 games of vanishing beats one that knows nothing, not itself.
func TestGate(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "vanishing")
	ticks := 0.0
	x := learn.Examination{Pairs: 20, Nodes: 30, Seed: 3, Clock: bench.Clock{
		CPU:  func() float64 { ticks += 0.01; return ticks },
		Wall: func() float64 { ticks += 0.01; return ticks },
	}}
	db := storetest.New(t)
	file := func(n *patterns.Net) *patterns.File {
		_, data := must.Get2(n.With(patterns.Provenance{}))(t)
		f := must.Get(patterns.NewFile(data))(t)
		return f
	}
	empty := must.Get(learn.New(t.Context(), g, learn.Options{Games: 1}))(t)
	blank := must.Get(empty.Net())(t)
	nothing := file(blank)
	x.Rivals = []learn.Rival{{Name: "nothing", Spec: agents.Spec{Evaluation: agents.EvaluationOptions{
		File: "nothing", Hash: nothing.Hash(), Net: nothing,
	}}}}
	got := must.Get(x.Examine(t.Context(), db, file(train(t, g, learn.Options{Games: 2000, Seed: 1})), g, nil))(t)
	if c := got[0]; c.Pairs != 20 || c.Games != 40 || c.Openings == 0 || !c.Balanced || !c.Gains() || c.Score.Lo > c.Score.Value ||
		c.Score.Hi < c.Score.Value {
		t.Errorf("a net against one that knows nothing: %+v", c)
	}
	same := must.Get(x.Examine(t.Context(), db, file(blank), g, nil))(t)
	if c := same[0]; c.Gains() || c.Score.Hi < 0.5 {
		t.Errorf("a net gains against itself: %+v", c)
	}
	// the whole interval has to lie above one half
	for lo, want := range map[float64]bool{0.499: false, 0.5: false, 0.501: true} {
		if c := (learn.Matchup{Score: ratings.WithInterval(0.6, lo, 0.7, 50)}); c.Gains() != want {
			t.Errorf("an interval from %v gains: %t", lo, !want)
		}
	}
}

// A second opinion is learned once: the next time the net that stands there is taken. Its agent's file names the net
// beside it.
func TestAgentIsLearnedOnce(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	net := filepath.Join(t.TempDir(), "second.net")
	for i := range int64(2) {
		agent, err := learn.Agent(t.Context(), g, net, 0, learn.Options{Games: 256, Seed: 1 + i})
		if err != nil || agent != strings.TrimSuffix(net, ".net")+"-learned.yaml" {
			t.Fatal(agent, err)
		}
		text, err := os.ReadFile(agent)
		if err != nil || !strings.Contains(string(text), "evaluation: {file: second.net}\n") ||
			!strings.Contains(string(text), "from 256 games of self-play") {
			t.Errorf("%s, %v", text, err)
		}
		data := must.Get(os.ReadFile(net))(t)
		if once, err := os.ReadFile(net + ".once"); i > 0 && (err != nil || !bytes.Equal(once, data)) {
			t.Errorf("it was learned again: %v", err)
		}
		must.Do(t, os.WriteFile(net+".once", data, 0o600))
	}
	other := enginetest.Load(t, "vanishing") // the net is of no use there
	must.Get(learn.Agent(t.Context(), other, net, 0, learn.Options{Games: 128, Seed: 1}))(t)
	data := must.Get(os.ReadFile(net))(t)
	if _, err := patterns.Read(data, other); err != nil {
		t.Errorf("the net of another game stays: %v", err)
	}
}
