package agents_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"spar/agents"
	"spar/configs/must"
	"spar/engines"
	"spar/engines/enginetest"
)

// decisions are the moves that an agent makes in some games against random moves, all from the same random numbers.
func decisions(t *testing.T, s agents.Spec, g *engines.Game) string {
	t.Helper()
	a, out := newAgent(t, s, g), ""
	for game := range uint64(2) {
		rng := rand.New(rand.NewPCG(game, 1))
		other := rand.New(rand.NewPCG(game, 2))
		a.NewGame(agents.Seed{game, 1})
		p := g.NewPosition()
		for side := int(game); !p.Over() && p.Ply() < 24; {
			if p.Side() != side {
				moves := p.AppendMoves(nil)
				p.Play(moves[other.IntN(len(moves))])
				continue
			}
			d := must.Get(a.Choose(context.Background(), p, s.Budget, rng))(t)
			if len(d.PV) > 0 && d.PV[0] != d.Move {
				t.Errorf("%s under %s plays %s and expects %s", s.Name, g.Name(), g.MoveText(d.Move), g.MoveText(d.PV[0]))
			}
			out += g.MoveText(d.Move) + " "
			p.Play(d.Move)
		}
	}
	return out
}

// What is called idle decides no move: changed, the agent plays the same games.
func TestIdleKnobsDecideNothing(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ agent, rules, knob, value string }{
		{"mcts-100", "vanishing", "mcts.reuse", "false"},
		{"mcts-100", "ctor", "mcts.rollout_epsilon", "0.7"},
		{"mcts-100", "ctor", "mcts.rollout_plies", "3"},
		{"mcts-100", "ctor", "mcts.noise_alpha", "2"},
		{"mcts-100", "ctor", "budget.depth", "1"},
		{"uct", "connect4", "mcts.noise", "0.5"},
		{"uct", "connect4", "weights.own_need_1", "500"},
		{"uct", "connect4", "scale", "3"},
		{"plain", "checkerboard", "minimax.table_mb", "0"},
		{"plain", "checkerboard", "minimax.quiescence", "false"},
		{"plain", "checkerboard", "minimax.candidates", "1"},
		{"minimax-2", "checkerboard", "scale", "7"},
		{"minimax-2", "ctor", "budget.iterations", "7"},
		{"minimax-2", "classic", "weights.own_hanging", "900"},
		{"greedy", "classic", "weights.enemy_expiring", "900"},
		{"greedy", "classic", "late_from", "2"},
		{"greedy", "classic", "movement_weights.own_centre", "55"},
	} {
		t.Run(fmt.Sprint(test), func(t *testing.T) {
			t.Parallel()
			base := map[string][]string{
				"uct": {
					"mcts.selection=uct", "mcts.exploration=1.4", "mcts.rollout=random", "mcts.fpu=2",
					"budget.iterations=100",
				},
				"plain": {"minimax.ordering=plain", "budget.depth=2"},
			}[test.agent]
			name := map[string]string{"uct": "mcts-100", "plain": "minimax-2"}[test.agent]
			if name == "" {
				name = test.agent
			}
			g, was := enginetest.Load(t, test.rules), loadSpec(t, name, base...)
			if was.IdleAt(test.knob, g) == "" {
				t.Errorf("%s is not called idle", test.knob)
			}
			is := loadSpec(t, name, append(base, test.knob+"="+test.value)...)
			if was.Weights == nil && is.Weights != nil { // the others stay as they were
				full := was.For(g).Weights
				for k, v := range is.Weights {
					full[k] = v
				}
				is.Weights = full
			}
			if a, b := decisions(t, was, g), decisions(t, is, g); a != b {
				t.Errorf("%s=%s: %s\nin place of %s", test.knob, test.value, b, a)
			}
		})
	}
}

// What decides moves is not called idle.
func TestKnobsThatDecideAreNotIdle(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ agent, rules, knob, value string }{
		{"mcts-100", "classic", "mcts.exploration", "3"},
		{"mcts-100", "ctor", "mcts.rollout", "random"},
		{"mcts-100", "ctor", "scale", "5"},
		{"minimax-2", "checkerboard", "minimax.candidates", "1"},
		{"minimax-2", "ctor", "scale", "7"}, // weights in place of the learned evaluation
		{"minimax-2", "ctor", "budget.depth", "1"},
	} {
		g, was := enginetest.Load(t, test.rules), loadSpec(t, test.agent)
		is := loadSpec(t, test.agent, test.knob+"="+test.value)
		if decisions(t, was, g) == decisions(t, is, g) {
			t.Errorf("%v decides nothing here: the test is blind", test)
		}
		if why := was.IdleAt(test.knob, g); why != "" {
			t.Errorf("%v is called idle: %s", test, why)
		}
	}
}

// The first move of an expected continuation is the move played, for every type of agent under every kind of rules,
// also where moves are equally good and one of them is drawn.
func TestExpectedContinuationBeginsWithTheMove(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"random", "greedy", "minimax-2", "mcts-100", "perfect"} {
		for _, rules := range []string{
			"classic", "rolling", "vanishing", "checkerboard", "infiltration", "ctor", "connect4",
			"hex5",
		} {
			g := enginetest.Load(t, rules)
			s := loadSpec(t, name, map[string][]string{"mcts-100": {"budget.iterations=30"}}[name]...)
			for _, soft := range []float64{0, 0.1} {
				if soft > 0 && !s.Searches() || s.Type == "perfect" && g.Cells() > 9 {
					continue
				}
				s.Mixture.Softmax = soft
				decisions(t, s, g)
			}
		}
	}
}
