package playout

import (
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"spar/configs/must"
	"spar/engines"
	"spar/engines/enginetest"
)

// What Random.Tactical plays is legal, completes a line where one can be completed, and has the result of the rules.
// Where it calls a game a draw before the board is full, random moves make it one.
func TestTacticalPlayouts(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	rapid.Check(t, func(rt *rapid.T) {
		r := enginetest.RandomRulesWithin(races()).Draw(rt, "rules")
		r.Win.Line = max(2, r.Win.Line)
		r.Win.Misere = r.Win.Region != "enemy" && rapid.Bool().Draw(rt, "misere")
		r.Draw.FullBoard = true
		if len(engines.Validate(&r)) > 0 {
			return
		}
		g := must.Get(engines.Compile(r))(rt)
		playouts := New(g, rand.NewPCG(3, 4), false)
		start := g.NewState()
		for i, p := 0, start; i < 36; i++ {
			if i%12 == 0 || p.Over() {
				p = start
			}
			root := g.NewState()
			result, moves, sides, ok := playouts.Tactical(&root, &p)
			if !ok {
				if Races(g) {
					rt.Fatalf("%s: nothing played\n%s", p.Text(), r.Canonical())
				}
				break
			}
			s := p
			for i, m := range moves {
				wins := s.WinningPlacements()
				if s.Side() != int(sides[i]) || !wins.Empty() && !wins.Has(m.To()) {
					rt.Fatalf("%s: %s by %d of %v\n%s", p.Text(), g.MoveText(m), sides[i], moves, r.Canonical())
				}
				if safe := s.SafePlacements(); !safe.Empty() && !safe.Has(m.To()) {
					rt.Fatalf("%s: %s loses at once\n%s", p.Text(), g.MoveText(m), r.Canonical())
				}
				s.Play(m)
			}
			for !s.Over() {
				if result != engines.Drawn {
					rt.Fatalf("%s: %v is %s, the game goes on\n%s", p.Text(), moves, result, r.Canonical())
				}
				all := s.AppendMoves(nil)
				s.Play(all[rng.IntN(len(all))])
			}
			if s.Result() != result {
				rt.Fatalf("%s: %v is %s, by the rules %s\n%s", p.Text(), moves, result, s.Result(), r.Canonical())
			}
			p.Play(playouts.Move(&p))
		}
	})
}
