package main

import (
	"context"
	"math/rand/v2"

	"github.com/spf13/cobra"

	"spar/agents"
	"spar/agents/ugi"
	"spar/engines"
)

func ugiCommand() *cobra.Command {
	var (
		agent string
		set   []string
	)
	c := &cobra.Command{
		Use:   "ugi RULES",
		Short: "Let an agent play in someone else's manager, over the Universal Game Interface",
		Long: `Speaks UGI on standard input and output: ugi, isready, setoption, uginewgame, position, query p1turn|gameover|result, go, stop,
quit; and, beyond the protocol, query legalmoves|fen|board and the option Seed.`,
		Example:           `  printf 'ugi\nposition startpos moves b2\ngo depth 4\nquit\n' | spar ugi classic --agent minimax-4`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: gameNames,
		RunE: func(c *cobra.Command, args []string) error {
			g, err := loadGame(args[0], set)
			if err != nil {
				return err
			}
			spec, err := loadAgent(agent, nil)
			if err != nil {
				return err
			}
			a, err := agents.New(spec, g)
			if err != nil {
				return usageError{err}
			}
			p := &ugiPlayer{agent: a, budget: spec.Budget}
			p.NewGame([2]uint64{})
			return ugi.Serve(c.Context(), g, spec.Name, p, c.InOrStdin(), c.OutOrStdout())
		},
	}
	c.Flags().StringVarP(&agent, "agent", "a", "minimax-4", "the agent")
	setFlag(c, &set)
	return c
}

// ugiPlayer is an agent as ugi.Serve needs it.
type ugiPlayer struct {
	agent  agents.Agent
	budget agents.Budget
	rng    *rand.Rand
}

func (p *ugiPlayer) NewGame(seed [2]uint64) {
	p.rng = rand.New(rand.NewPCG(seed[0], seed[1]))
	p.agent.NewGame(seed)
}

// Choose follows the manager's limits; without any, the agent's own budget.
func (p *ugiPlayer) Choose(ctx context.Context, pos *engines.Position, l ugi.Limits) (engines.Move, error) {
	b := agents.Budget{Depth: l.Depth, Nodes: l.Nodes, MoveTime: l.MoveTime}
	if left := l.Clock[pos.Side()]; left > 0 {
		b.MoveTime = left/20 + l.Inc[pos.Side()]*3/4
	}
	d, err := p.agent.Choose(ctx, pos, b.Or(p.budget), p.rng)
	return d.Move, err
}
