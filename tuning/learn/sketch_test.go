package learn

import (
	"math/rand/v2"
	"slices"
	"testing"

	"spar/agents/eval"
	"spar/agents/patterns"
	"spar/engines"
	"spar/engines/enginetest"
)

// trained is a training of classic tic-tac-toe that has learned from some games.
func trained(t *testing.T, games int64) (*engines.Game, *Training, *patterns.Net) {
	t.Helper()
	g := enginetest.Load(t, "classic")
	tr, err := New(t.Context(), g, Options{Games: games, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := tr.Run(t.Context(), func(Report) {}, nil); err != nil {
		t.Fatal(err)
	}
	n, err := tr.Net()
	if err != nil {
		t.Fatal(err)
	}
	return g, tr, n
}

// A course has a stage for each twentieth of the training, with the means over the games since the one before.
func TestCourse(t *testing.T) {
	t.Parallel()
	var c course
	for i, g := range []struct {
		plies, positions int
		result, loss     float64
	}{{5, 4, 1, 2}, {7, 4, 0.5, 4}, {9, 0, 0.5, 0}, {3, 0, 0, 0}, {1, 1, 0, 0.5}} {
		c.add(&patterns.Lesson{Moves: make([]engines.Move, g.plies), Result: g.result}, g.loss, g.positions, 40)
		if want := (i + 1) / 2; len(c.Stages) != want {
			t.Errorf("%d stages after %d games of 40, want %d", len(c.Stages), i+1, want)
		}
	}
	want := []patterns.Stage{{Games: 2, Loss: 0.75, Draws: 0.5, Plies: 6}, {Games: 4, Loss: 0, Draws: 0.5, Plies: 6}}
	if !slices.Equal(c.Stages, want) || c.Games != 1 || c.Plies != 1 || c.Loss != 0.5 || c.Positions != 1 || c.Draws != 0 {
		t.Errorf("%+v, want the stages %+v and a game more", c, want)
	}
}

// What a piece of the first player is worth on a cell is what the net says of that cell with that piece, in the mean over the
// positions in which it stands there; cells without one, and those of the second player, say nothing.
func TestWorthOfCells(t *testing.T) {
	t.Parallel()
	g, _, net := trained(t, 400)
	k := &sketch{net: net, linear: eval.New(g, eval.Params{}), bins: make([]CalibrationBin, calibrationBins), heavy: map[string]*Heavy{}, seen: map[string]bool{}, worth: make([]float64, g.Cells()), times: make([]float64, g.Cells())}
	p := g.NewPosition()
	worth, n := 0.0, 0.0
	for _, move := range []string{"b2", "a1"} {
		if err := p.PlayText([]string{move}); err != nil {
			t.Fatal(err)
		}
		k.add(&p.State, 1)
		terms, _ := net.Explain(&p.State, engines.First)
		for _, x := range terms {
			if x.Table == "psq" && x.Cells == "b2" {
				worth, n = worth+x.Worth, n+1
			}
		}
	}
	out, err := k.portrait(t.Context())
	if err != nil || n != 2 {
		t.Fatalf("%g terms, %v", n, err)
	}
	for c, got := range out.Worth {
		switch {
		case g.CellName(engines.Cell(c)) != "b2" && got != nil:
			t.Errorf("%s is worth %g", g.CellName(engines.Cell(c)), *got)
		case g.CellName(engines.Cell(c)) == "b2" && (got == nil || *got != 100*(net.Score(worth/2)-0.5)):
			t.Errorf("b2 is worth %v, want %g", got, 100*(net.Score(worth/2)-0.5))
		}
	}
}

// A training that starts from another net has its numbers, and says where they are from.
func TestStartFrom(t *testing.T) {
	t.Parallel()
	g, tr, net := trained(t, 300)
	_, file, err := net.With(tr.Provenance())
	if err != nil {
		t.Fatal(err)
	}
	next, err := New(t.Context(), g, Options{Games: 300, Seed: 2})
	if err != nil {
		t.Fatal(err)
	}
	if err := next.StartFrom(file); err != nil {
		t.Fatal(err)
	}
	begun, err := next.Net()
	if err != nil {
		t.Fatal(err)
	}
	s := g.NewState()
	_, want := net.Explain(&s, engines.First)
	if _, got := begun.Explain(&s, engines.First); got != want || got == 0 || next.Provenance().From == "" {
		t.Errorf("the start is worth %g from %q, want %g", got, next.Provenance().From, want)
	}
	if err := next.StartFrom(file[:len(file)/2]); err == nil {
		t.Error("half a file serves as a beginning")
	}
}

// Of moves that a net sees alike each may be chosen, however far it looks ahead.
func TestEqualMovesAreAllChosen(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	empty, err := New(t.Context(), g, Options{Games: 1})
	if err != nil {
		t.Fatal(err)
	}
	blank, err := empty.Net()
	if err != nil {
		t.Fatal(err)
	}
	for _, depth := range []int{1, 2, 3} {
		p := newPlayer(blank, Options{Depth: depth, Seed: 1}.Fill(g))
		p.rng = rand.New(rand.NewPCG(1, 1))
		s := g.NewState()
		k := blank.NewCursor()
		k.Follow(&s)
		seen := map[engines.Move]bool{}
		for range 150 {
			p.moves = s.AppendMoves(p.moves[:0])
			seen[p.best(k, &s)] = true
		}
		if len(seen) != 9 {
			t.Errorf("%d plies ahead: %d of 9 equal moves are chosen", depth, len(seen))
		}
	}
}
