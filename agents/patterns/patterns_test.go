package patterns_test

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"spar/agents"
	"spar/agents/eval"
	"spar/agents/patterns"
	"spar/configs/fuzzlimit"
	"spar/configs/must"
	"spar/engines"
	"spar/engines/enginetest"
	"spar/engines/rules"
)

// random is a net of random numbers, with every table that the rules allow.
func random(t testing.TB, g *engines.Game, seed uint64, colour bool) *patterns.Net {
	t.Helper()
	return randomOn(t, g, seed, colour, nil)
}

// randomOn is random on a linear evaluation.
func randomOn(t testing.TB, g *engines.Game, seed uint64, colour bool, linear *eval.Params) *patterns.Net {
	t.Helper()
	a := patterns.For(g)
	a.Colour, a.Linear = colour, linear
	a.Tables = append(a.Tables, "run")
	if g.Rules().Win.Line > 1 && !g.Mechanics().Any(rules.Wraps, rules.DrawnLines) {
		a.Tables = append(a.Tables, "shape", "shape+1")
	}
	if len(g.Symmetries()) <= 8 {
		a.Tables = append(a.Tables, "walk")
		a.Walks = 3
		a.WalkLength = 3
	}
	l := must.Get(patterns.NewLayout(g, a))(t)
	return numbered(t, l, seed)
}

// numbered is a net of random numbers.
func numbered(t testing.TB, l *patterns.Layout, seed uint64) *patterns.Net {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 7))
	numbers := make([]float32, l.Params())
	for i := range numbers {
		numbers[i] = float32(rng.IntN(201)-100) / 64
	}
	n := must.Get(l.New(numbers))(t)
	return n
}

// games are rules of every kind of table: lines, gravity, ages, hands and jumps, rings, several placements a turn,
// kinds of pieces, kinds in hand.
func games() []string {
	return []string{
		"classic",
		"rolling",
		"vanishing",
		"checkerboard",
		"infiltration",
		"dobutsu",
		"ctor",
		"connect4",
		"gomoku9",
		"russian-draughts",
		"brandubh",
		"los-alamos",
	}
}

// TestCursorEqualsCounting walks through random games: what a cursor keeps along the way, and what it says of
// children before and after they are played, is what it counts from nothing.
func TestCursorEqualsCounting(t *testing.T) {
	t.Parallel()
	for _, name := range games() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := enginetest.Load(t, name)
			for i, linear := range []*eval.Params{nil, {Weights: agents.EvalFor(g).Weights, Scale: 30}} {
				n := randomOn(t, g, 1, i == 1 != (name == "connect4"), linear)
				followGames(t, g, n, n.NewCursor())
			}
		})
	}
}

// Straight lines of a 6x6 board have 3 to 6 cells, blocks 9. Each stage has numbers of its own.
func TestStraightLinesBlocksAndStages(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "reversi6")
	straight := patterns.Architecture{Tables: []string{"straight"}}
	one := must.Get(patterns.NewLayout(g, straight))(t)
	// Under the symmetries there are 3 lines of 6 cells along the edges and 1 diagonal each of 3 to 6 cells. Contents
	// that a symmetry of the line itself exchanges share a number, the empty line has none, the side to move has one.
	want := 1
	for cells, lines := range map[int]int{3: 1, 4: 1, 5: 1, 6: 4} {
		all, palindromes := 1, 1
		for i := range cells {
			all *= 3
			if i%2 == 0 {
				palindromes *= 3
			}
		}
		want += lines * ((all+palindromes)/2 - 1)
	}
	if one.Params() != want {
		t.Errorf("%d numbers, want %d", one.Params(), want)
	}
	straight.Stages = 3
	if three, err := patterns.NewLayout(g, straight); err != nil || three.Params() != 3*want {
		t.Errorf("three stages have %v numbers, want %d (%v)", three.Params(), 3*want, err)
	}
	l := must.Get(patterns.NewLayout(g, patterns.Architecture{Tables: []string{"straight", "block"}, Stages: 3}))(t)
	n := numbered(t, l, 5)
	followGames(t, g, n, n.NewCursor())
}

func followGames(t *testing.T, g *engines.Game, n *patterns.Net, k *patterns.Cursor) {
	t.Helper()
	rng := rand.New(rand.NewPCG(3, 4))
	counting := n.NewCursor()
	value := func(s *engines.State, side int) float64 {
		counting.Follow(s)
		return counting.Value(s, side)
	}
	for range 2 {
		line := []engines.State{g.NewState()}
		k.Follow(&line[0])
		for {
			s := &line[len(line)-1]
			if s.Over() || len(line) > 60 {
				break
			}
			if got, want := k.Value(s, 0), value(s, 0); got != want {
				t.Fatalf("%s: %v along the way, %v from nothing", s.Text(), got, want)
			}
			moves := s.AppendMoves(nil)
			if _, win := k.ValueOrWin(s); (win == engines.NoCell) != s.WinningPlacements().Empty() {
				t.Fatalf("%s: wins at once at %v", s.Text(), win)
			}
			children := k.Children(s, moves, s.Side(), nil)
			leaves := k.Leaves(s, len(moves))
			for i, m := range moves {
				next := *s
				next.Play(m)
				if children[i].Result != next.Result() {
					t.Fatalf("%s %s: result %v, want %v", s.Text(), g.MoveText(m), children[i].Result, next.Result())
				}
				if next.Over() {
					continue
				}
				want := value(&next, s.Side())
				if leaves {
					if leaf, ok := k.Leaf(m); ok && leaf.Wins == engines.NoCell &&
						leaf.Value != value(&next, leaf.Next) {
						t.Fatalf("%s %s: %v as a leaf, want %v", s.Text(), g.MoveText(m), leaf.Value,
							value(&next, leaf.Next))
					}
				}
				if children[i].Value != want {
					t.Fatalf("%s %s: %v as a child, want %v", s.Text(), g.MoveText(m), children[i].Value, want)
				}
				if k.After(&next, s.Side()) != want {
					t.Fatalf("%s %s: %v after it, want %v", s.Text(), g.MoveText(m), k.After(&next, s.Side()), want)
				}
				if i%3 == 0 { // there and back, one ply or two
					k.Push(s, &next)
					if got := k.Value(&next, s.Side()); got != want {
						t.Fatalf("%s %s: %v there, want %v", s.Text(), g.MoveText(m), got, want)
					}
					if replies := next.AppendMoves(nil); i%2 == 0 {
						reply := next
						if reply.Play(replies[i%len(replies)]); !reply.Over() {
							k.Push(&next, &reply)
							if got, want := k.Value(&reply, 0), value(&reply, 0); got != want {
								t.Fatalf("%s: %v two plies on, want %v", reply.Text(), got, want)
							}
							k.Pop()
						}
					}
					k.Pop()
				}
			}
			if len(line) > 3 && rng.IntN(4) == 0 { // back a little
				for range 2 {
					k.Pop()
					line = line[:len(line)-1]
				}
				continue
			}
			next := *s
			next.Play(moves[rng.IntN(len(moves))])
			k.Push(s, &next)
			line = append(line, next)
		}
	}
}

// TestValuesKeepSymmetry: images of a position under the symmetries of the rules have its value; without numbers of
// their own for each colour, so has the position with the sides exchanged.
func TestValuesKeepSymmetry(t *testing.T) {
	t.Parallel()
	for _, name := range games() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := enginetest.Load(t, name)
			n := random(t, g, 2, false)
			rapid.Check(t, func(t *rapid.T) {
				s := g.NewState()
				for range rapid.IntRange(0, 30).Draw(t, "plies") {
					moves := s.AppendMoves(nil)
					next := s
					next.Play(rapid.SampledFrom(moves).Draw(t, "move"))
					if next.Over() {
						break
					}
					s = next
				}
				image := s.Transform(rapid.SampledFrom(g.Symmetries()).Draw(t, "image"))
				if a, b := n.Value(&s, 0), n.Value(&image, 0); a != b {
					t.Fatalf("%s is worth %v, its image %s %v", s.Text(), a, image.Text(), b)
				}
				if a, b := n.Value(&s, 0), n.Value(&s, 1); a != -b {
					t.Fatalf("%s is worth %v to one side and %v to the other", s.Text(), a, b)
				}
			})
		})
	}
}

// TestSidesShareNumbers: a position and the same with the sides exchanged, the board turned over where the sides have
// homes, is worth the same to who moves; with numbers for each colour it is not.
func TestSidesShareNumbers(t *testing.T) {
	t.Parallel()
	for name, moves := range map[string]string{"gomoku9": "a1 b1 c1 i9 d4", "infiltration": "a8 b1 c8 d2 b7", "draughts": "a6-b5 b3-c4 c6-d5"} {
		g := enginetest.Load(t, name)
		one := *play(t, g, moves)
		p := g.Exchange()
		swapped := one.Transform(p)
		text := strings.NewReplacer("X", "O", "O", "X", "hand=7,8", "hand=8,7", "M", "m", "m", "M").Replace(swapped.Text())
		other, err := g.ParseState(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		n := random(t, g, 5, false)
		if a, b := n.Value(&one, one.Side()), n.Value(&other, other.Side()); a != b || a == 0 {
			t.Errorf("%s is worth %v to who moves, %s %v", one.Text(), a, other.Text(), b)
		}
		n = random(t, g, 5, true)
		if a, b := n.Value(&one, one.Side()), n.Value(&other, other.Side()); a == b {
			t.Errorf("%s: a net with numbers for each colour takes both colours for the same", name)
		}
	}
}

func play(t *testing.T, g *engines.Game, moves string) *engines.State {
	t.Helper()
	p := g.NewPosition()
	for _, text := range strings.Fields(moves) {
		m := must.Get(p.ParseMove(text))(t)
		p.Play(m)
	}
	return &p.State
}

// TestLearnsTheOutcome: after many lessons that say the same, a net expects what they said.
func TestLearnsTheOutcome(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	l := must.Get(patterns.NewLayout(g, patterns.For(g)))(t)
	lesson := patterns.Lesson{Result: 1, Random: make([]bool, 5)}
	p := g.NewPosition()
	for _, text := range []string{"b2", "a1", "c1", "a3", "a2"} {
		m := must.Get(p.ParseMove(text))(t)
		p.Play(m)
		lesson.Moves = append(lesson.Moves, m)
	}
	tr := l.NewTrainer()
	before, _ := tr.Learn(lesson, 0.7, 0.05)
	if math.Abs(before/5-math.Ln2) > 0.02 {
		t.Errorf("a net that knows nothing loses %.3f a position, want about ln 2", before/5)
	}
	for range 2000 {
		tr.Learn(lesson, 0.7, 0.05)
	}
	n := must.Get(l.New(tr.Numbers))(t)
	s := play(t, g, "b2 a1 c1")
	if score := n.Score(n.Value(s, engines.First)); score < 0.9 {
		t.Errorf("after 2,000 games won from here the first player expects %.2f", score)
	}
	// Before a random move nothing is learned.
	lesson.Random = []bool{true, true, true, true, true}
	was := append([]float32(nil), tr.Numbers...)
	if _, n := tr.Learn(lesson, 0.7, 0.05); n != 0 {
		t.Errorf("learned from %d positions before random moves", n)
	}
	for i := range was {
		if was[i] != tr.Numbers[i] {
			t.Fatal("numbers changed by positions before random moves")
		}
	}
}

// TestExplainAddsUp: what the patterns say adds up to the value, to whichever side.
func TestExplainAddsUp(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"vanishing", "ctor", "infiltration"} {
		g := enginetest.Load(t, name)
		linear := agents.EvalFor(g)
		linear.Scale = 40
		n := randomOn(t, g, 9, false, &linear)
		s := g.NewState()
		for range 5 {
			s.Play(s.AppendMoves(nil)[3])
		}
		for side := range 2 {
			terms, value := n.Explain(&s, side)
			sum := 0.0
			for _, term := range terms {
				sum += term.Worth
			}
			if math.Abs(sum-value) > 1e-6 || value != n.Value(&s, side) {
				t.Errorf("%s: the patterns add up to %v, the value is %v", name, sum, value)
			}
		}
	}
}

// TestBeginsAsLinear: a net on a linear evaluation whose tables say nothing values, foretells and plays as that
// evaluation does with its weights brought to the scale; the numbers that it learns from are that evaluation's.
func TestBeginsAsLinear(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"connect4", "infiltration", "ctor"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := enginetest.Load(t, name)
			p := agents.EvalFor(g)
			p.Scale = 50
			a := patterns.For(g)
			a.Linear = &p
			l := must.Get(patterns.NewLayout(g, a))(t)
			trainer := l.NewTrainer()
			n := must.Get(l.New(trainer.Numbers))(t)
			_, data := must.Get2(n.With(patterns.Provenance{}))(t)
			file := must.Get(patterns.NewFile(data))(t)
			doubled := agents.EvalFor(g) // weights twice as large at scale 100 are the weights at scale 50
			doubled.Scale = 100
			for _, w := range []eval.Weights{doubled.Weights, doubled.Late, doubled.Movement} {
				for feature := range w {
					w[feature] *= 2
				}
			}
			plain := eval.New(g, doubled)
			for _, search := range []agents.Spec{
				{Type: "heuristic"},
				{Type: "minimax", Budget: agents.Budget{Nodes: 200}},
				{Type: "mcts", Budget: agents.Budget{Iterations: 50}},
			} {
				ours, theirs := search, search
				ours.Evaluation = agents.EvaluationOptions{File: "./net", Hash: file.Hash(), Net: file}
				theirs.Params = doubled
				sameGame(t, g, ours, theirs)
			}
			lesson := patterns.Lesson{Result: 1}
			s := g.NewState()
			want := 0.0
			for len(lesson.Moves) < 12 {
				if v := n.Value(&s, 0); v != plain.Value(&s, 0) || n.Score(v) != plain.Score(v) {
					t.Fatalf("%s is worth %v, the evaluation says %v", s.Text(), v, plain.Value(&s, 0))
				}
				score := plain.Score(plain.Value(&s, s.Side()))
				if s.Side() == engines.Second {
					score = 1 - score
				}
				want -= math.Log(score)
				moves := s.AppendMoves(nil)
				lesson.Moves = append(lesson.Moves, moves[len(moves)/2])
				lesson.Random = append(lesson.Random, false)
				s.Play(moves[len(moves)/2])
			}
			if loss, _ := trainer.Learn(lesson, 1, 1e-9); math.Abs(loss-want) > 1e-5 {
				t.Errorf("a game that the first player won loses %v, the evaluation %v", loss, want)
			}
		})
	}
}

// sameGame fails unless two agents choose the same moves in a game.
func sameGame(t *testing.T, g *engines.Game, specs ...agents.Spec) {
	t.Helper()
	p := g.NewPosition()
	for ply := uint64(0); ply < 16 && !p.Over(); ply++ {
		var chosen []engines.Move
		for _, s := range specs {
			with := agents.DefaultSpec()
			with.Type = s.Type
			with.Budget = s.Budget
			with.Params = s.Params
			with.Evaluation = s.Evaluation
			a := must.Get(agents.New(with, g))(t)
			d := must.Get(a.Choose(t.Context(), p, with.Budget, rand.New(rand.NewPCG(5, ply))))(t)
			chosen = append(chosen, d.Move)
		}
		if chosen[0] != chosen[1] {
			t.Fatalf("%s, %s: %s with the net, %s without", p.Text(), specs[0].Type, g.MoveText(chosen[0]),
				g.MoveText(chosen[1]))
		}
		p.Play(chosen[0])
	}
}

// TestShapesLieAnywhere: a shape is worth the same wherever it lies, and read from its other end; not one that is
// another.
func TestShapesLieAnywhere(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "gomoku9")
	l := must.Get(patterns.NewLayout(g, patterns.Architecture{Tables: []string{"shape", "shape+2"}}))(t)
	// a bias; of each table half, palindromes once, less the empty one
	if want := 1 + (243+27)/2 - 1 + (2187+81)/2 - 1; l.Params() != want {
		t.Errorf("%d numbers, want %d", l.Params(), want)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	numbers := make([]float32, l.Params())
	for i := range numbers {
		numbers[i] = rng.Float32() - 0.5
	}
	n := must.Get(l.New(numbers))(t)
	const shape = "d4 d5 e5 e6" // two pairs, all of whose lines of 5 and 7 lie on the board as those of their images do
	for moves, same := range map[string]bool{
		"e4 e5 f5 f6": false, "f6 f5 e5 e4": true, shape: true,
		"d5 d4 e5 e6": false,
	} {
		if got, want := n.Value(play(t, g, moves), 0), n.Value(play(t, g, shape), 0); (math.Abs(got-want) < 1e-9) != same {
			t.Errorf("%s is worth %v, %s %v", moves, got, shape, want)
		}
	}
	must.Refuse(patterns.NewLayout(enginetest.Load(t, "torus-vanishing"), patterns.Architecture{Tables: []string{"shape"}}))(t, "shape")
}

// A file is whole, of this version and for these rules, or it is refused.
func TestReadRefuses(t *testing.T) {
	t.Parallel()
	g, other := enginetest.Load(t, "classic"), enginetest.Load(t, "connect4")
	n, data := must.Get2(random(t, g, 1, true).With(patterns.Provenance{Games: 10}))(t)
	back := must.Get(patterns.Read(data, g))(t)
	s := play(t, g, "b2 a1")
	if back.Value(s, 0) != n.Value(s, 0) || back.Hash() != n.Hash() || back.About().Games != 10 {
		t.Error("a net that is written and read is another one")
	}
	damaged := slices.Clone(data)
	damaged[len(damaged)-40] ^= 1
	for name, file := range map[string][]byte{
		"another format":  []byte("weights: {}"),
		"its beginning":   data[:100],
		"cut off":         data[:len(data)-50],
		"a later version": bytes.Replace(data, []byte(`{"version":2`), []byte(`{"version":3`), 1),
		"a changed byte":  damaged,
	} {
		if _, err := patterns.Read(file, g); !errors.Is(err, patterns.ErrFile) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := patterns.Read(data, other); !errors.Is(err, patterns.ErrFile) {
		t.Errorf("other rules: %v", err)
	}
}

// A net serves rules that are kin to its own, with the same numbers for the same pieces; not those under which its
// tables are others.
func TestKin(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	kin := enginetest.Load(t, "classic", "win.misere=true")
	other := enginetest.Load(t, "classic", "board.columns=4")
	n, data, err := random(t, g, 1, true).With(patterns.Provenance{})
	if err != nil {
		t.Fatal(err)
	}
	file := must.Get(patterns.NewFile(data))(t)
	for range 2 { // kept or not
		k, err := file.ForKin(kin)
		if err != nil || k.Game() != kin || k.Value(play(t, kin, "b2 a1"), 0) != n.Value(play(t, g, "b2 a1"), 0) {
			t.Errorf("it serves its kin otherwise: %v", err)
		}
		if _, err := file.For(kin); !errors.Is(err, patterns.ErrFile) {
			t.Errorf("other rules are taken for its own: %v", err)
		}
		if own, err := file.ForKin(g); err != nil ||
			own.Value(play(t, g, "b2 a1"), 0) != n.Value(play(t, g, "b2 a1"), 0) {
			t.Errorf("it does not serve its own rules: %v", err)
		}
	}
	if _, err := file.ForKin(other); !errors.Is(err, patterns.ErrFile) ||
		!strings.Contains(err.Error(), "trained on another board (classic)") {
		t.Errorf("another board: %v", err)
	}
	if _, err := file.ForKin(enginetest.Load(t, "classic", "win.line=2")); !errors.Is(err, patterns.ErrFile) ||
		!strings.Contains(err.Error(), "weights") {
		t.Errorf("other tables: %v", err)
	}
	wide := enginetest.Load(t, "classic", "board.columns=4")
	tall := enginetest.Load(t, "classic", "board.rows=4")
	_, data = must.Get2(random(t, wide, 1, true).With(patterns.Provenance{}))(t)
	if _, err := patterns.Kin(data, tall); !errors.Is(err, patterns.ErrFile) { // as many numbers, of other cells
		t.Errorf("a board of as many cells: %v", err)
	}
}

func FuzzRead(f *testing.F) {
	g := enginetest.Load(f, "classic")
	_, data := must.Get2(random(f, g, 1, true).With(patterns.Provenance{}))(f)
	f.Add(data)
	f.Add(data[:60])
	watch := fuzzlimit.Watch(f)
	f.Fuzz(func(_ *testing.T, data []byte) {
		defer watch()()
		_, _ = patterns.Read(data, g) // whatever it holds
	})
}
