package patterns

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"spar/engines"
	"spar/engines/enginetest"
)

// someNet is a net of random numbers.
func someNet(t testing.TB, g *engines.Game, seed uint64) *Net {
	t.Helper()
	l, err := NewLayout(g, For(g))
	if err != nil {
		t.Fatal(err)
	}
	rng, numbers := rand.New(rand.NewPCG(seed, 0)), make([]float32, l.Params())
	for i := range numbers {
		numbers[i] = float32(rng.NormFloat64())
	}
	n, err := l.New(numbers)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// plainly is the value of a position for a side, by looking at every line of so many plies.
func plainly(n *Net, s engines.State, depth, side int) float64 {
	if r := s.Result(); r != engines.Ongoing {
		return map[bool]float64{true: 0, false: (r.Score(side) - 0.5) * 4 * sure}[r == engines.Drawn]
	}
	if !s.WinningPlacements().Empty() {
		return map[bool]float64{true: sure, false: -sure}[s.Side() == side]
	}
	if depth == 0 {
		return n.Value(&s, side)
	}
	best := math.NaN()
	for _, m := range s.AppendMoves(nil) {
		next := s
		next.Play(m)
		v := plainly(n, next, depth-1, side)
		if math.IsNaN(best) || (v > best) == (s.Side() == side) {
			best = v
		}
	}
	return best
}

// A player that looks some plies ahead plays a move that is best by looking at all lines, in rules whose turns alternate, in rules whose turns
// do not, and where moves in another order lead to the same position, so that what is worse may look as good.
func TestLooksAhead(t *testing.T) {
	t.Parallel()
	for _, set := range [][]string{{"vanishing"}, {"vanishing", "turn.placements=2", "board.columns=4", "board.rows=4"}, {"classic", "board.columns=4", "board.rows=4"}} {
		g := enginetest.Load(t, set[0], set[1:]...)
		net := someNet(t, g, 1)
		for depth := 1; depth <= MostDepth; depth++ {
			p := NewSelfPlayer(net, SelfPlay{Depth: depth})
			s := g.NewState()
			for x := uint64(1); s.Ply() < 9 && !s.Over() && s.WinningPlacements().Empty(); x = engines.Mix(x) {
				p.moves = s.AppendMoves(p.moves[:0])
				p.cursor.Follow(&s)
				best := math.Inf(-1)
				for _, m := range p.moves {
					next := s
					next.Play(m)
					best = max(best, plainly(net, next, depth-1, s.Side()))
				}
				for range 8 { // one of the best by lot
					after := s
					after.Play(p.best(p.cursor, &s))
					if got := plainly(net, after, depth-1, s.Side()); math.Abs(got-best) > 1e-9 {
						t.Fatalf("%v, %d plies, ply %d: its move is worth %v, the best %v", set, depth, s.Ply(), got, best)
					}
				}
				s.Play(p.moves[x%uint64(len(p.moves))])
			}
		}
	}
}

// Of moves that a net sees alike each may be chosen, however far it looks ahead.
func TestEqualMovesAreAllChosen(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	l, err := NewLayout(g, For(g))
	if err != nil {
		t.Fatal(err)
	}
	blank, err := l.New(make([]float32, l.Params()))
	if err != nil {
		t.Fatal(err)
	}
	for _, depth := range []int{1, 2, 3} {
		p := NewSelfPlayer(blank, SelfPlay{Depth: depth})
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

// Both sides of a game follow it with the net that is theirs: after it, each sees the last position as its net does. A game is cut
// off at the greatest length, and one that ended is never cut off.
func TestCursorsFollowTheGame(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "vanishing")
	newer, older := someNet(t, g, 1), someNet(t, g, 2)
	for _, rival := range []*Net{nil, older} {
		p := NewSelfPlayer(newer, SelfPlay{Longest: 7, Opening: 7, Depth: 1})
		for number := range uint64(20) {
			lesson := p.Play(t.Context(), 1, number, rival)
			if over := p.state.Over(); lesson.Cut == over || !over && (lesson.Result != 0.5 || len(lesson.Moves) != 7) {
				t.Errorf("%+v", lesson)
			}
			for _, c := range []struct {
				k *Cursor
				n *Net
			}{{p.cursor, newer}, {p.rival, older}} {
				if c.k == nil {
					continue
				}
				for side := range 2 {
					if got, want := c.k.Value(&p.state, side), c.n.Value(&p.state, side); math.Abs(got-want) > 1e-9 {
						t.Fatalf("rival %t, game %d: side %d sees %v, want %v", rival != nil, number, side, got, want)
					}
				}
			}
		}
	}
}

// What has ended is worth more than what is sure to end, and a drawn game nothing: of classic, for either side.
func TestWorthOfEnds(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	for moves, want := range map[string]float64{
		"a1 b1 a2 b2 a3": 2 * sure, "a1 b1 a2 b2 c1 b3": -2 * sure, "b2 a1 c1 a3 a2 c2 b3 b1 c3": 0,
		"a1 b1 a2 b2": sure, "a1 b1 a2 b2 c1": -sure, // the side to move completes a line
	} {
		p := g.NewPosition()
		if err := p.PlayText(strings.Fields(moves)); err != nil {
			t.Fatal(err)
		}
		for side, sign := range [2]float64{1, -1} {
			if got := new(SelfPlayer).worth(nil, nil, &p.State, 1, side, 0, 0); got != sign*want {
				t.Errorf("%s for side %d: %g, want %g", moves, side, got, sign*want)
			}
		}
	}
}

// A game ends where the context does, and whoever watches is told of each ply.
func TestSelfPlayEnds(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "vanishing")
	p := NewSelfPlayer(someNet(t, g, 1), SelfPlay{Longest: 40, Depth: 1, Epsilon: 1})
	ctx, cancel := context.WithCancel(t.Context())
	plies := 0
	p.Each = func() {
		if plies++; plies == 3 {
			cancel()
		}
	}
	if lesson := p.Play(ctx, 1, 1, nil); plies != 3 || len(lesson.Moves) != 3 || !lesson.Cut {
		t.Errorf("%d plies were told, played %+v", plies, lesson)
	}
}

// What no player can play is refused by its name.
func TestSelfPlayCheck(t *testing.T) {
	t.Parallel()
	good := SelfPlay{Epsilon: 0.5, Opening: 0, Longest: 1, Depth: 1}
	if err := good.Check(); err != nil || !good.On() || (SelfPlay{}).On() {
		t.Errorf("%v", err)
	}
	for want, change := range map[string]func(*SelfPlay){
		"epsilon -0.1: expected 0 to 1":  func(o *SelfPlay) { o.Epsilon = -0.1 },
		"epsilon 1.1: expected 0 to 1":   func(o *SelfPlay) { o.Epsilon = 1.1 },
		"epsilon NaN: expected 0 to 1":   func(o *SelfPlay) { o.Epsilon = math.NaN() },
		"opening -1: expected 0 to 5000": func(o *SelfPlay) { o.Opening = -1 },
		"longest 0: expected 1 to 5000":  func(o *SelfPlay) { o.Longest = 0 },
		"longest 5001: expected 1 to":    func(o *SelfPlay) { o.Longest = 5001 },
		"depth 0: expected 1 to 3":       func(o *SelfPlay) { o.Depth = 0 },
		"depth 4: expected 1 to 3":       func(o *SelfPlay) { o.Depth = 4 },
	} {
		o := good
		change(&o)
		if err := o.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %s, got %v", want, err)
		}
	}
	for _, o := range []SelfPlay{{Epsilon: 1, Longest: 1, Depth: 3}, {Longest: 5000, Depth: 2}} {
		if err := o.Check(); err != nil {
			t.Errorf("%+v: %v", o, err)
		}
	}
}
