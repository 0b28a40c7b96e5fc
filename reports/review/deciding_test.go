package review

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"spar/agents"
	"spar/engines"
	"spar/engines/enginetest"
)

// byDepth is an agent that expects one score at each depth that it is asked for.
type byDepth map[int]float64

func (byDepth) NewGame(agents.Seed) {}
func (byDepth) Close() error        { return nil }

func (a byDepth) Choose(_ context.Context, _ *engines.Position, b agents.Budget, _ *rand.Rand) (agents.Decision, error) {
	score, ok := a[b.Depth]
	if !ok {
		return agents.Decision{}, errors.New("no such depth")
	}
	return agents.Decision{Score: 1 - score}, nil // of the other side, whose turn it is
}

// The mean of two depths is taken of alpha-beta from two plies on, where the search proves nothing; any other score stands alone.
func TestMeanOfTwoDepths(t *testing.T) {
	t.Parallel()
	p := enginetest.Load(t, "classic").NewPosition()
	m := p.AppendMoves(nil)[0]
	for _, c := range []struct {
		kind   string
		depth  int
		scores byDepth
		want   float64
		fails  bool
	}{
		{"minimax", 2, byDepth{2: 0.625, 1: 0.375}, 0.5, false},
		{"minimax", 3, byDepth{3: 0.75, 2: 0.25, 4: 0}, 0.5, false},
		{"minimax", 1, byDepth{1: 0.625, 0: 0.125}, 0.625, false},
		{"mcts", 2, byDepth{2: 0.625, 1: 0.375}, 0.625, false},
		{"minimax", 2, byDepth{2: 1, 1: 0.5}, 1, false},
		{"minimax", 2, byDepth{2: 0, 1: 0.5}, 0, false},
		{"minimax", 2, byDepth{1: 0.5}, 0, true},
		{"minimax", 2, byDepth{2: 0.5}, 0.25, true},
	} {
		j := &Judge{spec: agents.Spec{Type: c.kind, Budget: agents.Budget{Depth: c.depth}}}
		if got, err := j.score(t.Context(), c.scores, p, m); got != c.want || (err != nil) != c.fails {
			t.Errorf("%s-%d of %v: %g, %v; want %g", c.kind, c.depth, c.scores, got, err, c.want)
		}
	}
}

// Classic tic-tac-toe is rated as the original program did: its word for a first move that draws is good, that of exact values best.
func TestRatedAsClassic(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	j := judge(t, "random", "")
	r, err := j.Review(t.Context(), g, []string{"b2"}, engines.First)
	if err != nil || r.Plies[0].Class != Good {
		t.Errorf("%+v, %v", r, err)
	}
}

// What the best moves are worth, in words, and the best move that is named beside another.
func TestWordsOfAHint(t *testing.T) {
	t.Parallel()
	for want, h := range map[string]Hint{
		"draw, exact": {Value: "draw"}, "win in 1 ply, exact": {Value: "win", Plies: 1}, "loss in 2 plies, exact": {Value: "loss", Plies: 2}, "expected score 0.625 by x": {Score: 0.625, Source: "x", Plies: 3},
	} {
		if got := h.Worth(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for _, c := range []struct {
		best []string
		want string
	}{{nil, "a1"}, {[]string{"b2"}, "b2"}, {[]string{"b2", "a1"}, "a1"}, {[]string{"c3", "b2"}, "c3"}} {
		if got := (&Ply{Move: "a1", Best: c.best}).Named(); got != c.want {
			t.Errorf("beside a1 of %v: %s, want %s", c.best, got, c.want)
		}
	}
	for _, x := range []float64{-1e-9, math.Copysign(0, -1)} {
		if got := round(x); got != 0 || math.Signbit(got) {
			t.Errorf("%g rounds to %g", x, got)
		}
	}
}

// Scores that are none are refused with their move, and whoever rates says at which ply it failed.
func TestScoresThatAreNone(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	for _, bad := range []float64{math.NaN(), -0.01, 1.01, math.Inf(1)} {
		scores := slices.Repeat([]float64{0.5}, 9)
		scores[4] = bad
		if _, err := Moves(g.NewPosition(), nil, func(*engines.Position) ([]float64, error) { return scores, nil }); err == nil || !strings.Contains(err.Error(), "move b2 the score") {
			t.Errorf("%g: %v", bad, err)
		}
	}
	tired := errors.New("tired")
	evaluator := func(p *engines.Position) ([]float64, error) {
		if p.Ply() == 1 {
			return nil, tired
		}
		return slices.Repeat([]float64{0.5}, 9), nil
	}
	var ply engines.PlyError
	if _, err := genericScale("", nil, evaluator).review(g, []string{"a1", "b1"}, engines.First); !errors.Is(err, tired) || !errors.As(err, &ply) || ply.Ply != 2 {
		t.Errorf("%v", err)
	}
}

// Where a game is complete, what goes on after it is a line of its own; how deep a line lies is how many others it leaves.
func TestTreeOfACompleteGame(t *testing.T) {
	t.Parallel()
	l := &Tree{}
	for i, moves := range []string{"b2", "b2 a1 c3", "b2 a1 b1 b3"} {
		if err := l.Add(strings.Fields(moves)); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			l.Fix()
		}
	}
	if got := l.Main(); !slices.Equal(got, []string{"b2"}) {
		t.Errorf("the game is %v", got)
	}
	if got := l.String(); got != "b2 (+ a1 c3 (b1 b3))" {
		t.Error(got)
	}
	var got []string
	for _, line := range l.List() {
		got = append(got, strings.Join(line.Moves, " ")+" "+strconv.Itoa(line.Fork)+" "+strconv.Itoa(line.Depth))
	}
	if want := []string{"b2 0 0", "b2 a1 c3 1 1", "b2 a1 b1 b3 2 2"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	before := l.String()
	for _, none := range []Path{{Moves: []string{"c1", "a1"}, Fork: 1, Depth: 1}, {Moves: []string{"b2", "c1"}, Fork: 1, Depth: 1}, {Moves: []string{"b2", "a1"}, Fork: 1}} {
		if l.Remove(none); l.String() != before {
			t.Errorf("without %v, which is no line to remove: %s", none, l)
		}
	}
	g := enginetest.Load(t, "classic")
	for want, text := range map[string]string{"ply 3: illegal move b2": "b2 a1 b2", "line 1: ply 2: illegal move b2": "b2 a1 (b2) c3"} {
		l, err := ParseTree(text)
		if err != nil {
			t.Fatal(err)
		}
		if err := l.Check(g); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// Lines of another game are added as far as there is room for them; the error says that there is none for the rest.
func TestMergeWithoutRoom(t *testing.T) {
	t.Parallel()
	of := func(first string, n int) *Tree {
		l := &Tree{}
		if err := l.Add(append([]string{first}, slices.Repeat([]string{"x"}, n-1)...)); err != nil {
			t.Fatal(err)
		}
		return l
	}
	for n, fits := range map[int]bool{1000: true, 1001: false} {
		l := of("a", 1000)
		if err := l.Merge(of("b", n)); (err == nil) != fits || err != nil && !errors.Is(err, ErrTree) {
			t.Errorf("1000 and %d moves: %v", n, err)
		}
	}
}
