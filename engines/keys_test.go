package engines_test

import (
	"math/rand/v2"
	"testing"

	"spar/configs/must"
	"spar/engines"
	"spar/engines/enginetest"
	"spar/engines/rules"
)

// Positions that a codec gives one key have the same numbers of wins, draws and losses below them, seen by the side to
// move: under any rules, for images of the board and for exchanged colours.
func TestOneKeyOneFuture(t *testing.T) {
	t.Parallel()
	images, exchanges := 0, 0
	check := func(r engines.Rules) bool {
		r.Draw.Repetition, r.Draw.MaxPlies = 0, 0
		if len(engines.Validate(&r)) > 0 {
			return false
		}
		g := must.Get(engines.Compile(r))(t)
		codec, err := g.NewCodec()
		if err != nil {
			return false
		}
		rng := rand.New(rand.NewPCG(7, 8))
		randomPositions(g, 1, 24, func(p *engines.Position) {
			key, _, ok := codec.Canonical(&p.State)
			if !ok {
				return
			}
			all := g.Symmetries()
			image := p.Transform(all[rng.IntN(len(all))])
			if other, _, ok := codec.Canonical(&image); !ok || other != key {
				t.Fatalf("%s has key %v, its image %s has %v\n%s", p.Text(), key, image.Text(), other, r.Canonical())
			}
			var decoded engines.State
			codec.Decode(key, &decoded)
			if decoded.Side() != p.Side() {
				exchanges++
			}
			if len(all) > 1 {
				images++
			}
			want := future(&p.State, 3, 500)
			for _, other := range []*engines.State{&image, &decoded} {
				if got := future(other, 3, 500); got != want {
					t.Fatalf("%s has the future %v, %s of the same key %v\n%s", p.Text(), want, other.Text(), got, r.Canonical())
				}
			}
		})
		return true
	}
	for mechanic := range rules.Undeclared {
		found, draws := 0, enginetest.RandomRulesWith(mechanic)
		for seed := 0; seed < 200 && found < 2; seed++ {
			if r := draws.Example(seed); r.Mechanics().Has(mechanic) && check(r) {
				found++
			}
		}
		if found < 2 {
			t.Errorf("%d random rules with %s have keys", found, rules.MechanicsOf(mechanic))
		}
	}
	if (images < 20 || exchanges < 5) && !testing.Short() {
		t.Errorf("%d positions with images, %d with colours exchanged: too few for a test", images, exchanges)
	}
}

// future counts, by the plies still to look ahead, the ends for and against the side to move of s, draws, and the
// moves. Ahead is cut so that no more than a number of positions are looked at.
func future(s *engines.State, depth, most int) (out [4][4]int) {
	var walk func(q *engines.State, depth, budget int)
	walk = func(q *engines.State, depth, budget int) {
		if q.Over() {
			out[depth][q.Result()]++
			return
		}
		moves := q.AppendMoves(nil)
		out[depth][0] += len(moves)
		if depth == 0 || len(moves) > budget {
			return
		}
		for _, m := range moves {
			next := *q
			next.Play(m)
			walk(&next, depth-1, budget/len(moves))
		}
	}
	walk(s, depth, most)
	if s.Side() == engines.Second {
		for i := range out {
			out[i][engines.FirstWins], out[i][engines.SecondWins] = out[i][engines.SecondWins], out[i][engines.FirstWins]
		}
	}
	return out
}
