package person_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"spar/agents"
	"spar/agents/person"
	"spar/configs"
	"spar/configs/must"
	"spar/engines"
)

// In every shipped game the chances of the moves add up to 1.
func TestChancesInAllGames(t *testing.T) {
	t.Parallel()
	o := person.Practised()
	rng := rand.New(rand.NewPCG(1, 1))
	for _, name := range configs.Names(configs.Games) {
		g := must.Get(engines.Named(name))(t)
		eye, p := person.NewEye(g, agents.DefaultEval()), g.NewPosition()
		for ply := 0; ply < 12 && !p.Over(); ply++ {
			moves := p.AppendMoves(nil)
			chances, sum := make([]float64, len(moves)), 0.0
			o.Chances(eye.Look(p, moves), chances)
			for _, x := range chances {
				sum += x
			}
			if math.Abs(sum-1) > 1e-9 {
				t.Errorf("%s, ply %d: the chances add up to %v", name, ply, sum)
			}
			p.Play(moves[rng.IntN(len(moves))])
		}
	}
}

// Moves are drawn as often as Chances says, misread rules included.
func TestDrawsByChances(t *testing.T) {
	t.Parallel()
	g := must.Get(engines.Named("misere-tictactoe"))(t)
	p := g.NewPosition()
	must.Do(t, p.PlayText([]string{"a1", "b2", "c1", "c3"}))
	o := person.Novice()
	eye := person.NewEye(g, agents.DefaultEval())
	rng := rand.New(rand.NewPCG(2, 2))
	moves := p.AppendMoves(nil)
	v := eye.Look(p, moves)
	want := make([]float64, len(moves))
	got := make([]float64, len(moves))
	space := make([]float64, len(moves))
	o.Chances(v, want)
	const n = 20000
	for range n {
		got[o.Draw(v, rng.Float64() < o.Misread, rng, space)] += 1. / n
	}
	for i := range want {
		if math.Abs(got[i]-want[i]) > 4*math.Sqrt(.25/n) {
			t.Errorf("%s: drawn %.3f, expected %.3f", g.MoveText(moves[i]), got[i], want[i])
		}
	}
}

// Whoever sees it completes a line, and else stops the opponent's.
func TestWinsAndBlocks(t *testing.T) {
	t.Parallel()
	g := must.Get(engines.Named("classic"))(t)
	o := person.Novice()
	o.Temperature, o.Overlook, o.Slip = .01, 0, 0
	for _, c := range []struct {
		moves []string
		want  string
	}{
		{[]string{"a1", "a2", "b1", "b2"}, "c1"},
		{[]string{"a1", "b2", "b1"}, "c1"},
	} {
		p := g.NewPosition()
		must.Do(t, p.PlayText(c.moves))
		moves := p.AppendMoves(nil)
		at := o.Draw(person.NewEye(g, agents.DefaultEval()).Look(p, moves), false, rand.New(rand.NewPCG(3, 3)),
			make([]float64, len(moves)))
		if got := g.MoveText(moves[at]); got != c.want {
			t.Errorf("after %v: %s, expected %s", c.moves, got, c.want)
		}
	}
}
