package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"time"

	"github.com/spf13/cobra"

	"spar/agents"
	"spar/agents/ugi"
	"spar/configs/strict"
	"spar/engines"
)

func ugiCommand() *cobra.Command {
	var (
		agent = agentFlags{Name: "minimax-4"}
		rules gameFlags
	)
	c := &cobra.Command{
		Use:   "ugi RULES",
		Short: "Run an agent as an engine for other programs (Universal Game Interface)",
		Long: `Speaks UGI on standard input and output, so that a program that manages matches can use an agent as an
engine.

Commands: ugi, isready, setoption, uginewgame, position, query p1turn|gameover|result, go, stop, quit; and, beyond the
protocol, query legalmoves|fen|board and the option Seed. Spar answers "go" with a limit of 0 at once, and "go infinite"
when "stop" arrives. "quit", the end of the input, SIGINT and SIGTERM end a search: Spar answers with the best move so
far. After an invalid position, Spar answers "go" with "bestmove 0000" and "query" with "response none".`,
		Example: `  (printf 'position startpos moves b2\ngo\n'; sleep 1) | spar ugi classic --agent minimax-4
  printf 'position startpos\nquery legalmoves\nquit\n' | spar ugi --rules connect4`,
		RunE: func(c *cobra.Command, _ []string) error {
			g, spec, a, err := startAgent(c.Context(), &rules, &agent)
			if err != nil {
				return err
			}
			defer closeAgent(a)
			p := &ugiPlayer{agent: a, budget: spec.Budget}
			p.NewGame([2]uint64{})
			return ugi.Serve(c.Context(), g, spec.Name, p, c.InOrStdin(), c.OutOrStdout())
		},
	}
	declare(c, &rules)
	declare(c, &agent)
	return c
}

// startError makes a failure to start an agent before the first game a usage error, unless the system has run out
// of resources.
func startError(err error) error {
	if err == nil || errors.Is(err, agents.ErrOurs) || errors.Is(err, context.Canceled) {
		return err
	}
	return strict.Bad(err)
}

// guardWord is the hidden command that makes this program the guardian of an engine.
const guardWord = "guard"

// engineLog is a folder for logs of the messages to and from engines.
type engineLog struct {
	Folder string `flag:"engine-log" help:"append the messages to and from external programs to NAME.log in this folder"`
}

func (o *engineLog) attach(c *cobra.Command) {
	beforehand(c, func(c *cobra.Command) error {
		if o.Folder == "" {
			return nil
		}
		if err := os.MkdirAll(o.Folder, 0o755); err != nil {
			return usagef("--engine-log: %w", err)
		}
		h := ugi.HostOf(c.Context())
		h.Log = o.Folder
		c.SetContext(ugi.WithHost(c.Context(), h))
		return nil
	})
}

// ugiPlayer makes an agent available to ugi.Serve.
type ugiPlayer struct {
	agent  agents.Agent
	budget agents.Budget
	rng    *rand.Rand
}

func (p *ugiPlayer) NewGame(seed [2]uint64) {
	p.rng = agents.Seed(seed).Stream()
	p.agent.NewGame(seed)
}

// Choose keeps to the limits that the match manager sent or, without any, to the agent's own budget. With a clock, it
// uses a fraction of the remaining time.
func (p *ugiPlayer) Choose(ctx context.Context, pos *engines.Position, l ugi.Limits) (engines.Move, ugi.Info, error) {
	b := agents.Budget{Depth: l.Depth, Nodes: l.Nodes, MoveTime: l.MoveTime}
	if left := l.Clock[pos.Side()]; left > 0 {
		b.MoveTime = max(min(left/20+l.Inc[pos.Side()]*3/4, left*3/4), ugi.AtOnce)
	}
	if l.Infinite {
		b = agents.Budget{MoveTime: forever} // the context ends it
	}
	d, err := p.agent.Choose(ctx, pos, b.Or(p.budget), p.rng)
	return d.Move, ugi.Info{
		Depth: d.Depth,
		Nodes: d.Nodes,
		Score: d.Score,
		PV:    pos.Game().MoveTexts(d.PV),
	}, err
}

// forever is a duration that no search reaches.
const forever = 1000 * time.Hour
