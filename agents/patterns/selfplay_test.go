package patterns

import (
	"math"
	"math/rand/v2"
	"testing"

	"spar/configs/must"
	"spar/engines"
	"spar/engines/enginetest"
)

// someNet is a net of random numbers.
func someNet(t testing.TB, g *engines.Game, seed uint64) *Net {
	t.Helper()
	l := must.Get(NewLayout(g, For(g)))(t)
	rng, numbers := rand.New(rand.NewPCG(seed, 0)), make([]float32, l.Params())
	for i := range numbers {
		numbers[i] = float32(rng.NormFloat64())
	}
	n := must.Get(l.New(numbers))(t)
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

// A player that looks some plies ahead plays a move that is best by looking at all lines, in rules whose turns
// alternate, in rules whose turns do not, and where moves in another order lead to the same position, so that what is
// worse may look as good.
func TestLooksAhead(t *testing.T) {
	t.Parallel()
	for _, set := range [][]string{
		{"vanishing"},
		{"vanishing", "turn.placements=2", "board.columns=4", "board.rows=4"},
		{"classic", "board.columns=4", "board.rows=4"},
	} {
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
						t.Fatalf("%v, %d plies, ply %d: its move is worth %v, the best %v", set, depth, s.Ply(), got,
							best)
					}
				}
				s.Play(p.moves[x%uint64(len(p.moves))])
			}
		}
	}
}

// After a game its cursor sees the last position as the net does.
// A game is cut off at the greatest length, and one that ended is never cut off.
func TestCursorsFollowTheGame(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "vanishing")
	net := someNet(t, g, 1)
	p := NewSelfPlayer(net, SelfPlay{Longest: 7, Opening: 7, Depth: 1})
	for number := range uint64(20) {
		lesson := p.Play(t.Context(), 1, number)
		if over := p.state.Over(); lesson.Cut == over || !over && (lesson.Result != 0.5 || len(lesson.Moves) != 7) {
			t.Errorf("%+v", lesson)
		}
		for side := range 2 {
			if got, want := p.cursor.Value(&p.state, side), net.Value(&p.state, side); math.Abs(got-want) > 1e-9 {
				t.Fatalf("game %d: side %d sees %v, want %v", number, side, got, want)
			}
		}
	}
}
