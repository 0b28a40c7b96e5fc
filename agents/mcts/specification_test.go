package mcts

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"spar/agents/connection"
	"spar/agents/eval"
	"spar/agents/pace"
	"spar/configs/must"
	"spar/engines"
	"spar/engines/enginetest"
	"spar/engines/rules"
	"spar/engines/solve"
)

// variants are options that take each of the ways a search has.
func variants() map[string]Options {
	out := map[string]Options{}
	add := func(name string, change func(*Options)) {
		o := DefaultOptions()
		change(&o)
		out[name] = o
	}
	add("default", func(*Options) {})
	add("forced", func(o *Options) { o.Forced = "on" })
	add("uct", func(o *Options) { o.Selection, o.Rollout, o.Exploration = "uct", "random", 1 })
	add("rave", func(o *Options) { o.Selection, o.Rollout, o.RAVE = "uct", "tactical", 300 })
	add("bias", func(o *Options) { o.Selection, o.Rollout, o.Bias = "uct", "greedy", 1 })
	add("both", func(o *Options) { o.Perspective = "both" })
	add("implicit", func(o *Options) { o.Implicit, o.Rollout, o.Plies = 0.3, "random", 4 })
	return out
}

func searcher(g *engines.Game, o Options) *Searcher { return New(g, eval.New(g, eval.Params{}), o) }

func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 9)) }

// What a search proves is so: on small random rules, with a ply cap and without repetition, every proved move and
// every exact score agrees with the solver, whatever the options; also in a tree kept from the move before.
func TestProofsAgreeWithTheSolver(t *testing.T) {
	t.Parallel()
	proved := 0
	rapid.Check(t, func(rt *rapid.T) {
		r := enginetest.RandomRules().Draw(rt, "rules")
		r.Board.Columns, r.Board.Rows = rapid.IntRange(2, 3).Draw(rt, "narrow"), rapid.IntRange(2, 4).Draw(rt, "low")
		r.Draw.Repetition, r.Draw.MaxPlies = 0, rapid.IntRange(6, 40).Draw(rt, "most plies")
		names := []string{"default", "forced", "uct", "rave", "bias", "implicit"}
		if rapid.Bool().Draw(rt, "only lines") { // the rules under which tactical rollouts drop moves
			onlyLines := rules.MechanicsOf(rules.Wraps, rules.LongTurns, rules.FirstTurns, rules.Lines,
				rules.LineDirections, rules.FullBoards, rules.Misere, rules.Unequal, rules.SecondTurns)
			board := r.Board
			r = enginetest.RandomRulesWithin(onlyLines).Draw(rt, "rules of lines")
			r.Board.Columns = board.Columns
			r.Board.Rows = board.Rows
			r.Draw.FullBoard = true
			r.Win.Line, r.Win.Misere = max(2, r.Win.Line), rapid.Bool().Draw(rt, "misere")
			names = []string{"rave", "forced"}
		}
		if len(engines.Validate(&r)) > 0 {
			return
		}
		g, err := engines.Compile(r)
		if err != nil {
			return
		}
		table, err := solve.Solve(context.Background(), g, solve.Options{Memory: 1 << 20, Workers: 1})
		if err != nil {
			return // too large, or of a kind that cannot be solved
		}
		value := func(s *engines.State) (engines.Result, bool) {
			if s.Over() {
				return s.Result(), true
			}
			v, ok := table.Lookup(s)
			switch v = v.Under(r.Draw.MaxPlies, s.Ply()); {
			case !ok:
				return engines.Ongoing, false
			case v.Outcome == solve.Win:
				return engines.Winner(s.Side()), true
			case v.Outcome == solve.Loss:
				return engines.Winner(1 - s.Side()), true
			}
			return engines.Drawn, true
		}
		rng := random(rapid.Uint64().Draw(rt, "seed"))
		name := rapid.SampledFrom(names).Draw(rt, "options")
		s := searcher(g, variants()[name])
		p := g.NewPosition()
		for range rapid.IntRange(0, 4).Draw(rt, "plies") {
			if legal := p.AppendMoves(nil); !p.Over() {
				p.Play(legal[rng.IntN(len(legal))])
			}
		}
		for range 3 { // searches of one game, with the tree kept
			if p.Over() {
				return
			}
			found := s.Search(context.Background(), p, Limits{Iterations: 300}, rng)
			for _, m := range found.Moves {
				if m.Proof == engines.Ongoing {
					continue
				}
				next := p.Clone()
				next.Play(m.Move)
				if want, ok := value(&next.State); ok && m.Proof != want {
					rt.Fatalf("%s, %s in %s: proved %v, it is %v", name, g.MoveText(m.Move), p.Text(), m.Proof, want)
				}
				proved++
			}
			if want, ok := value(&p.State); ok && found.Exact && found.Score != want.Score(p.Side()) {
				rt.Fatalf("%s: exact score %g in %s, it is %g", name, found.Score, p.Text(), want.Score(p.Side()))
			}
			p.Play(found.Move)
			if legal := p.AppendMoves(nil); !p.Over() {
				p.Play(legal[rng.IntN(len(legal))])
			}
		}
	})
	if proved < 5 && !testing.Short() { // how many there are is chance
		t.Errorf("only %d moves were proved: the test says little", proved)
	}
}

// A search runs exactly the simulations it was given, and each goes through one move of the root. However
// many threads there are, it is so many in all.
func TestBudgetIsExact(t *testing.T) {
	t.Parallel()
	for name, o := range variants() {
		o.Solver = false
		for _, game := range []string{"connect4", "vanishing", "infiltration-6x6"} {
			g := enginetest.Load(t, game)
			for _, n := range []int64{1, 2, 17, 65, 150} {
				for threads := range 3 {
					o.Threads = threads
					p := g.NewPosition()
					r := searcher(g, o).Search(context.Background(), p, Limits{Iterations: n}, random(3))
					visits := int64(0)
					for _, m := range r.Moves {
						visits += m.Visits
						if (m.Visits == 0) != math.IsNaN(m.Score) || m.Score < 0 || m.Score > 1 {
							t.Errorf("%s, %s: %d visits and the score %g", game, name, m.Visits, m.Score)
						}
					}
					if r.Iterations != n || visits != n || len(r.Moves) != len(p.AppendMoves(nil)) {
						t.Errorf("%s, %s, %d threads: %d simulations, %d visits of %d moves; want %d", game, name,
							threads, r.Iterations, visits, len(r.Moves), n)
					}
				}
			}
		}
	}
	// Without any limit there are a thousand.
	g := enginetest.Load(t, "connect4")
	if r := searcher(g, DefaultOptions()).Search(context.Background(), g.NewPosition(), Limits{},
		random(1)); r.Iterations != 1000 {
		t.Errorf("%d simulations without a limit, want 1000", r.Iterations)
	}
	// A context that has ended stops it within 64.
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if r := searcher(g, DefaultOptions()).Search(ctx, g.NewPosition(), Limits{Iterations: 100_000},
		random(1)); r.Iterations > 64 ||
		r.Iterations == 0 {
		t.Errorf("%d simulations after the end", r.Iterations)
	}
}

// The same seed gives the same search after Reset; only the moves that are allowed are looked at; the variation is
// legal.
func TestSearchIsRepeatable(t *testing.T) {
	t.Parallel()
	for name, o := range variants() {
		g := enginetest.Load(t, "checkerboard")
		s := searcher(g, o)
		p := g.NewPosition()
		var first Result
		for i := range 3 {
			s.Reset()
			r := s.Search(context.Background(), p, Limits{Iterations: 200}, random(5))
			if i == 0 {
				first = r
			}
			if fmt.Sprint(r) != fmt.Sprint(first) {
				t.Errorf("%s: search %d differs:\n%+v\n%+v", name, i, r, first)
			}
		}
		if first.PV[0] != first.Move || !slices.Contains(first.Best, first.Move) {
			t.Errorf("%s: the variation %v does not begin with %v, or that is none of %v", name, first.PV, first.Move,
				first.Best)
		}
		q := g.NewPosition()
		for _, m := range first.PV {
			if !slices.Contains(q.AppendMoves(nil), m) {
				t.Errorf("%s: the variation has an illegal move", name)
			}
			q.Play(m)
		}
		legal := p.AppendMoves(nil)
		allowed := []engines.Move{legal[7], legal[2]}
		s.Reset()
		r := s.Search(context.Background(), p, Limits{Iterations: 100, Root: allowed}, random(5))
		if len(r.Moves) != 2 || r.Moves[0].Move != legal[2] || r.Moves[1].Move != legal[7] ||
			r.Moves[0].Visits+r.Moves[1].Visits != 100 {
			t.Errorf("%s: of two moves allowed: %+v", name, r.Moves)
		}
		// What was left out is there again afterwards.
		if r := s.Search(context.Background(), p, Limits{Iterations: 100}, random(5)); len(r.Moves) != len(legal) {
			t.Errorf("%s: %d of %d moves after a search of two", name, len(r.Moves), len(legal))
		}
	}
}

// The swap of turn.pie seats leaves the position and exchanges who is called first. With the views of both players a search
// finds the same as in a game without a swap, however differently the weights value own and enemy pieces; with that of
// the first player it does not.
func TestSeatsAreAlike(t *testing.T) {
	t.Parallel()
	weights := eval.Weights{
		"own_material": 9, "enemy_material": -7, "own_jumps": 2, "enemy_jumps": -6, "own_mobility": 0.3, "own_centre": 2,
		"own_loose": -3, "enemy_advanced": -5, "tempo": 8,
	}
	for name, o := range variants() {
		if o.Rollout != "none" && o.Plies == 0 { // random games are drawn by other code after a swap
			continue
		}
		for _, view := range []string{"first", "both"} {
			differs := 0
			for game, line := range map[string]string{
				"breakthrough5x6": "a5-a4", "breakthrough": "c7-c6", "connect4": "d6", "infiltration-6x6": "b6", "ctor": "c3",
				"gardner": "a4-a3", "brandubh": "d2-f2", "fox-and-hounds": "e8-d7", "draughts": "a6-b5",
			} {
				search := func(line string, set ...string) (Result, *engines.Position) {
					g := enginetest.Load(t, game, set...)
					p := g.NewPosition()
					if err := p.PlayText(strings.Fields(line)); err != nil {
						t.Fatal(game, err)
					}
					o := o
					o.Perspective = view
					return New(g, eval.New(g, eval.Params{Weights: weights}), o).Search(t.Context(), p, Limits{Iterations: 300}, random(4)), p
				}
				r, p := search(line)
				swapped, q := search(line+" swap", "turn.pie=seats")
				if p.Side() == q.Side() || len(r.Moves) != len(swapped.Moves) {
					t.Fatalf("%s: %s and %s", game, p.Text(), q.Text())
				}
				for i, m := range r.Moves {
					n := swapped.Moves[i]
					if m.Move != n.Move || m.Visits != n.Visits || math.Abs(m.Score-n.Score) > 1e-9 {
						differs++
						break
					}
				}
			}
			if view == "both" && differs > 0 || view == "first" && name == "default" && differs < 4 {
				t.Errorf("%s, view %s: %d searches differ", name, view, differs)
			}
		}
	}
}

// Once the memory has its size, simulations allocate nothing.
func TestSimulationsDoNotAllocate(t *testing.T) {
	for name, o := range variants() {
		for _, game := range []string{"connect4", "checkerboard", "infiltration-6x6"} {
			g := enginetest.Load(t, game)
			s := searcher(g, o)
			p := g.NewPosition()
			w := s.crew[0]
			again := func() {
				s.Reset()
				w.src.Seed(1, 2)
				w.playouts.Discard()
				w.watch = pace.New(context.Background(), pace.Deadline{})
				w.plant(context.Background(), p, pace.Deadline{})
				w.started = 0
				w.prepare(Limits{})
				w.search(100)
			}
			again()
			if n := testing.AllocsPerRun(3, again); n != 0 {
				t.Errorf("%s, %s: %g allocations for 100 simulations", game, name, n)
			}
		}
	}
}

// A tree is kept below the moves played: the next search begins with their visits, and forgets them where it may not
// reuse, where positions repeat, or after Reset.
func TestReuse(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rules string
		set   []string
		reuse bool
		reset bool
		kept  bool
	}{
		{"connect4", nil, true, false, true},
		{"connect4", nil, false, false, false},
		{"connect4", nil, true, true, false},
		{"vanishing", []string{"draw.repetition=3"}, true, false, false},
	} {
		g := enginetest.Load(t, c.rules, c.set...)
		o := DefaultOptions()
		o.Reuse, o.Solver = c.reuse, false
		s := searcher(g, o)
		p := g.NewPosition()
		r := s.Search(context.Background(), p, Limits{Iterations: 2000}, random(1))
		tr := s.tree
		child := tr.find(tr.root, r.Move)
		p.Play(r.Move)
		reply := tr.principal(child, nil)[0]
		before := int64(tr.node(tr.find(child, reply)).visits)
		p.Play(reply)
		if c.reset {
			s.Reset()
		}
		next := s.Search(context.Background(), p, Limits{Iterations: 10}, random(1))
		visits := int64(0)
		for _, m := range next.Moves {
			visits += m.Visits
		}
		want := int64(10)
		if c.kept { // the first visit of a node stops at it
			want = before - 1 + 10
		}
		if visits != want || next.Iterations != 10 {
			t.Errorf("%s, reuse %t, reset %t: %d visits of the root's moves, want %d (%d before)", c.rules, c.reuse,
				c.reset, visits, want, before)
		}
	}
}

// The move played, by the rules of the final choice. Scores and visits are made up; the side to move is the first.
func TestFinalChoice(t *testing.T) {
	t.Parallel()
	const none, won, lost, drawn = engines.Ongoing, engines.FirstWins, engines.SecondWins, engines.Drawn
	move := func(visits int64, score float64, proof engines.Result) RootMove {
		return RootMove{Visits: visits, Score: score, Proof: proof}
	}
	for _, c := range []struct {
		name  string
		moves []RootMove
		final string
		best  []int
		score float64
		exact bool
	}{
		{
			"most visits",
			[]RootMove{move(5, 0.9, none), move(9, 0.4, none), move(3, 0.1, none)},
			"robust",
			[]int{1},
			0.4,
			false,
		},
		{
			"best mean",
			[]RootMove{move(5, 0.9, none), move(9, 0.4, none), move(0, math.NaN(), none)},
			"max",
			[]int{0},
			0.9,
			false,
		},
		{"equals", []RootMove{move(9, 0.4, none), move(5, 0.9, none), move(9, 0.4, none)}, "robust", []int{0, 2}, 0.4, false},
		{"a proved win", []RootMove{move(90, 0.9, none), move(2, 1, won)}, "robust", []int{1}, 1, true},
		{"a proved win by mean", []RootMove{move(90, 1, none), move(2, 1, won)}, "max", []int{1}, 1, true},
		{
			"not a proved loss",
			[]RootMove{move(90, 0, lost), move(2, 0.1, none), move(1, 0.6, none)},
			"robust",
			[]int{1},
			0.1,
			false,
		},
		{
			"not a proved loss by mean",
			[]RootMove{move(90, 0, lost), move(0, math.NaN(), none)},
			"max",
			[]int{1},
			math.NaN(),
			false,
		},
		{"the longest loss", []RootMove{move(9, 0, lost), move(90, 0, lost), move(8, 0, lost)}, "robust", []int{1}, 0, true},
		{
			"a draw before a loss",
			[]RootMove{move(90, 0, lost), move(2, 0.5, drawn), move(1, 0.5, drawn)},
			"robust",
			[]int{1, 2},
			0.5, true,
		},
		{"a draw with others open", []RootMove{move(90, 0.5, drawn), move(2, 0.1, none)}, "robust", []int{0}, 0.5, false},
	} {
		r := Result{Moves: c.moves}
		for i := range r.Moves {
			r.Moves[i].Move = engines.Move(i)
		}
		r.choose(Options{Final: c.final}, engines.First, random(1))
		var best []int
		for _, m := range r.Best {
			best = append(best, int(m))
		}
		if !slices.Equal(best, c.best) || int(r.Move) != c.best[0] || r.Exact != c.exact ||
			r.Score != c.score && !math.IsNaN(c.score) ||
			r.Drawn {
			t.Errorf("%s: best %v, plays %d for %g, exact %t; want %v for %g, exact %t", c.name, best, r.Move, r.Score,
				r.Exact, c.best, c.score, c.exact)
		}
	}
}

// With a temperature moves are drawn with weight visits^(1/T): of 1 and 3 visits at T = 1 three quarters, at T = 1/2
// nine tenths; a proved loss never is, and a proved win is not left to chance.
func TestTemperature(t *testing.T) {
	t.Parallel()
	const draws = 4000
	for temperature, want := range map[float64]float64{1: 0.75, 0.5: 0.9} {
		rng := random(8)
		hits := 0
		for range draws {
			r := Result{
				Moves: []RootMove{
					{Move: 0, Visits: 1},
					{Move: 1, Visits: 50, Proof: engines.SecondWins},
					{Move: 2, Visits: 3},
					{Move: 3},
				},
			}
			r.choose(Options{Final: "robust", Temperature: temperature}, engines.First, rng)
			switch {
			case r.Move == 2:
				hits++
			case r.Move != 0:
				t.Fatalf("move %d was drawn", r.Move)
			}
			if !r.Drawn || len(r.Best) != 2 {
				t.Fatalf("drawn %t of %v", r.Drawn, r.Best)
			}
		}
		if share, sd := float64(hits)/draws, math.Sqrt(want*(1-want)/draws); math.Abs(share-want) > 4*sd {
			t.Errorf("temperature %g: %.3f draw the move with three visits of four, want %.3f", temperature, share,
				want)
		}
	}
	r := Result{Moves: []RootMove{{Move: 0, Visits: 90}, {Move: 1, Visits: 1, Proof: engines.FirstWins}}}
	r.choose(Options{Final: "robust", Temperature: 1}, engines.First, random(1))
	if r.Move != 1 || r.Drawn {
		t.Errorf("%+v: a proved win is played", r)
	}
	r = Result{
		Moves: []RootMove{
			{Move: 0, Visits: 3, Proof: engines.SecondWins},
			{Move: 1, Visits: 9, Proof: engines.SecondWins},
		},
	}
	r.choose(Options{Final: "robust", Temperature: 1}, engines.First, random(1))
	if r.Move != 1 || r.Drawn {
		t.Errorf("%+v: of losses the longest is played", r)
	}
}

// A win by threats is proved before the first simulation, where anything may be proved; looking at the root counts as
// one.
func TestWinsByThreats(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "gomoku9")
	state := must.Get(g.ParseState(
		"........./........./...X..O../.X..X...O/.XXO..OOO/..X.X..../..O....X./.....O.../......... X 16 last=c7",
	))(t)
	p := engines.PositionAt(state)
	for _, solver := range []bool{true, false} {
		o := DefaultOptions()
		o.Solver = solver
		r := searcher(g, o).Search(context.Background(), p, Limits{Iterations: 100}, random(1))
		if found := r.Exact && g.MoveText(r.Move) == "f5" && r.Score == 1; found != solver ||
			(r.Iterations == 1) != solver {
			t.Errorf("solver %t: %s, exact %t, score %g, %d simulations", solver, g.MoveText(r.Move), r.Exact, r.Score,
				r.Iterations)
		}
	}
}

// With a clock, leaves in Hex have the value that their parent's currents give, and are not looked at again: a search
// knows, from either seat, who wins on 5x5 (exact results: the first player wins after c3 and loses after a1).
func TestHexWithAClock(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "hex5")
	for first, wins := range map[string]bool{"c3": false, "a1": true} {
		p := g.NewPosition()
		must.Do(t, p.PlayText([]string{first}))
		for range 2 {
			l := Limits{Iterations: 400, Deadline: pace.Deadline{Time: time.Now().Add(time.Hour)}}
			looks := 0
			r := New(g, looked{connection.New(g), &looks}, DefaultOptions()).Search(t.Context(), p, l, random(1))
			if r.Score > 0.6 != wins || r.Score < 0.4 == wins {
				t.Errorf("%s: the score is %.2f, and the side to move wins: %v", p.Text(), r.Score, wins)
			}
			if looks > 1 {
				t.Errorf("%s: %d values were computed apart from their parents'", p.Text(), looks)
			}
			p.Play(r.Move)
			wins = !wins
		}
	}
}

// looked is a model of Hex that counts the values computed for a position alone.
type looked struct {
	*connection.Model
	looks *int
}

func (l looked) Cursor() eval.Cursor {
	return lookedCursor{l.Model.Cursor().(*connection.Cursor), l.looks}
}

type lookedCursor struct {
	*connection.Cursor
	looks *int
}

func (c lookedCursor) Value(s *engines.State, side int) float64 {
	*c.looks++
	return c.Cursor.Value(s, side)
}
