package threats_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"spar/engines"
	"spar/engines/enginetest"
	"spar/engines/rules"
	"spar/engines/solve"
	"spar/engines/threats"
)

// Whatever wins the finder claims on small boards of random rules, the solver says so too, and that no win is faster
// than the rules allow: as many plies or fewer.
func TestClaimsAgreeWithTheSolver(t *testing.T) {
	t.Parallel()
	claims, games := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		r := rules.DefaultRules()
		r.Board.Columns, r.Board.Rows = rapid.IntRange(3, 4).Draw(rt, "columns"), rapid.IntRange(3, 4).Draw(rt, "rows")
		r.Board.Wrap = rapid.SampledFrom([]string{"none", "columns", "rows", "torus"}).Draw(rt, "wrap")
		r.Placement.Gravity = rapid.Bool().Draw(rt, "gravity")
		r.Win.Line, r.Win.Overlines = 3, rapid.Bool().Draw(rt, "overlines")
		r.Win.Majority = rapid.Bool().Draw(rt, "majority")
		r.Draw.FullBoard = true
		r.Draw.MaxPlies = rapid.SampledFrom([]int{0, 0, 7, 8, 9}).Draw(rt, "cap")
		if r.Board.Columns*r.Board.Rows > 12 || len(engines.Validate(&r)) > 0 {
			return
		}
		g, err := engines.Compile(r)
		if err != nil {
			return
		}
		f := threats.New(g)
		if f == nil {
			rt.Fatalf("%s is not handled", g.Mechanics())
		}
		table, err := solve.Solve(context.Background(), g, solve.Options{Memory: 1 << 26, Workers: 1})
		if err != nil {
			return
		}
		games++
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1))
		for range 20 {
			p := g.NewPosition()
			for !p.Over() {
				first, plies, _ := f.Win(&p.State, 200)
				v, ok := table.Lookup(&p.State)
				if v = v.Under(r.Draw.MaxPlies, p.Ply()); plies > 0 && ok {
					claims++
					if v.Outcome != solve.Win || int(v.DTW) > plies {
						rt.Fatalf("%s: claims %s and a win in %d plies, the table says %v", p.Text(), g.MoveText(first),
							plies, v)
					}
				}
				moves := p.AppendMoves(nil)
				zone, _ := f.Defence(&p.State, 200)
				for _, m := range moves {
					next := p.Clone()
					next.Play(m)
					v, ok := table.Lookup(&next.State)
					if zone.Empty() || zone.Has(m.To()) || !ok {
						continue
					}
					claims++
					if v = v.Under(r.Draw.MaxPlies, next.Ply()); next.Over() || v.Outcome != solve.Win {
						rt.Fatalf("%s: %s is outside of %v, and the reply does not win", p.Text(), g.MoveText(m), zone)
					}
				}
				p.Play(moves[rng.IntN(len(moves))])
			}
		}
	})
	if (games < 10 || claims < 200) && !testing.Short() {
		t.Errorf("%d claims in %d games: the test says little", claims, games)
	}
}

// On large boards a claim is played out against every defence.
func TestClaimsHoldAgainstEveryDefence(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"connect4", "gomoku9", "gomoku11"} {
		g := enginetest.Load(t, name)
		f := threats.New(g)
		rng := rand.New(rand.NewPCG(5, 6))
		claims, deepest := 0, 0
		for range 150 {
			p := g.NewPosition()
			for !p.Over() && claims < 60 {
				if _, plies, _ := f.Win(&p.State, 500); plies > 3 {
					claims++
					deepest = max(deepest, plies)
					if !wins(f, &p.State, plies) {
						t.Errorf("%s: %s is no win in %d plies", name, p.Text(), plies)
					}
				}
				p.Play(near(p, rng))
			}
		}
		if claims < 20 || deepest < 7 {
			t.Errorf("%s: %d claims, the deepest of %d plies: the test says little", name, claims, deepest)
		}
	}
}

// near is a random move, of two the one closer to the middle: games in which lines come about.
func near(p *engines.Position, rng *rand.Rand) engines.Move {
	moves := p.AppendMoves(nil)
	return moves[(rng.IntN(len(moves))+rng.IntN(len(moves))+rng.IntN(len(moves)))/3]
}

// wins plays the finder's moves against every reply, for so many plies.
func wins(f *threats.Finder, s *engines.State, plies int) bool {
	first, claimed, _ := f.Win(s, 100_000)
	if claimed == 0 || claimed > plies {
		return false
	}
	var next, reply engines.State
	next.CopyFrom(s)
	next.Play(first)
	if next.Over() {
		return next.Result() == engines.Winner(s.Side())
	}
	for _, m := range next.AppendMoves(nil) {
		reply.CopyFrom(&next)
		reply.Play(m)
		if reply.Over() || !wins(f, &reply, plies-2) {
			return false
		}
	}
	return true
}

// Rules under which a threat may be met in other ways, or there are none, are left alone.
func TestOtherRulesAreNotHandled(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"vanishing", "ctor", "infiltration", "pente", "connect6", "hex5", "breakthrough",
		"order-and-chaos",
	} {
		if threats.New(enginetest.Load(t, name)) != nil {
			t.Errorf("%s is handled", name)
		}
	}
	for _, name := range []string{"classic", "connect4", "gomoku9", "gomoku11"} {
		if threats.New(enginetest.Load(t, name)) == nil {
			t.Errorf("%s is not handled", name)
		}
	}
}

// A win by three threats in a row, seen without searching its 7 plies in breadth: the row wins at e3 or its far end
// only after the column has forced a reply.
func TestSeesFarWithFewPositions(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "gomoku9")
	f := threats.New(g)
	rng := rand.New(rand.NewPCG(9, 9))
	for range 400 {
		p := g.NewPosition()
		for !p.Over() {
			if _, plies, looked := f.Win(&p.State, 300); plies >= 9 && looked < 300 {
				return
			}
			p.Play(near(p, rng))
		}
	}
	t.Error("no win in 9 plies found with 300 positions")
}

// Any knob that the search does not handle rules it out.
func TestHandles(t *testing.T) {
	t.Parallel()
	enginetest.Handles(t, "gomoku9", func(g *engines.Game) bool { return threats.New(g) != nil },
		"board.wrap", "win.line", "win.overlines", "win.directions", "draw.repetition", "draw.max_plies", "no_moves")
}
