package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"spar/agents"
	"spar/configs"
	"spar/engines"
)

type searchBench struct {
	Rules    string  `json:"rules"`
	Agent    string  `json:"agent"`
	Nodes    int64   `json:"nodes"`
	Searches int64   `json:"searches"`
	CPU      float64 `json:"cpu_s"`
	Wall     float64 `json:"wall_s"`
}

func benchSearchCommand() *cobra.Command {
	var (
		agent    string
		set      []string
		agentSet []string
		seconds  float64
		plies    int
		asJSON   bool
	)
	c := &cobra.Command{
		Use:   "search RULES",
		Short: "Measure the nodes or simulations of an agent per CPU-second",
		Long: `Lets an agent choose again and again for some seconds, on one thread, from the empty board or from positions some random plies
into the game (one of 16, in turn), forgetting everything between searches. Nodes are simulations for mcts.`,
		Example: `  spar bench search classic --agent uct-10k
  spar bench search checkerboard --agent minimax-4 --plies 20
  spar bench search classic --agent plain-alphabeta --json`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: gameNames,
		RunE: func(c *cobra.Command, args []string) error {
			g, err := loadGame(args[0], set)
			if err != nil {
				return err
			}
			spec, err := loadAgent(agent, agentSet)
			if err != nil {
				return err
			}
			a, err := agents.New(spec, g)
			if err != nil {
				return usageError{err}
			}
			r, err := benchSearch(c.Context(), g, a, spec.Budget, plies, seconds)
			if err != nil {
				return err
			}
			r.Agent = spec.Name
			if asJSON {
				return printJSON(c.OutOrStdout(), "search_speed", r)
			}
			_, err = fmt.Fprintf(c.OutOrStdout(), "%s, %s: %d searches, %d nodes in %.2f CPU-seconds: %.2f million nodes/s, %.3f ms a search\n",
				r.Rules, r.Agent, r.Searches, r.Nodes, r.CPU, float64(r.Nodes)/r.CPU/1e6, 1e3*r.CPU/float64(r.Searches))
			return err
		},
	}
	c.Flags().StringVarP(&agent, "agent", "a", "uct-10k", "the agent")
	c.Flags().StringArrayVar(&agentSet, "agent-set", nil, "override a knob of the agent (repeatable)")
	c.Flags().Float64Var(&seconds, "seconds", 2, "how long")
	c.Flags().IntVar(&plies, "plies", 0, "random plies before the search")
	setFlag(c, &set)
	jsonFlag(c, &asJSON)
	return c
}

// benchPositions returns positions some random plies into the game.
func benchPositions(g *engines.Game, plies, n int) []*engines.Position {
	var out []*engines.Position
	rng := rand.New(rand.NewPCG(2, 3))
	if plies == 0 {
		n = 1
	}
	for tries := 0; len(out) < n && tries < 1000; tries++ {
		p := g.NewPosition()
		for range plies {
			if moves := p.AppendMoves(nil); len(moves) > 0 {
				p.Play(moves[rng.IntN(len(moves))])
			}
		}
		if !p.Over() {
			out = append(out, p)
		}
	}
	return out
}

func benchSearch(ctx context.Context, g *engines.Game, a agents.Agent, b agents.Budget, plies int, seconds float64) (searchBench, error) {
	r := searchBench{Rules: g.Name()}
	positions := benchPositions(g, plies, 16)
	if len(positions) == 0 {
		return r, usagef("--plies %d: every random game is over by then", plies)
	}
	rng := rand.New(rand.NewPCG(7, 8))
	cpu, began := cpuSeconds(), time.Now()
	for time.Since(began).Seconds() < seconds && ctx.Err() == nil {
		a.NewGame(agents.Seed{})
		d, err := a.Choose(ctx, positions[int(r.Searches)%len(positions)], b, rng)
		if err != nil {
			return r, err
		}
		r.Nodes += d.Nodes
		r.Searches++
	}
	r.CPU, r.Wall = cpuSeconds()-cpu, time.Since(began).Seconds()
	return r, nil
}

func benchDepthCommand() *cobra.Command {
	var (
		agent  string
		most   float64
		plies  int
		asJSON bool
	)
	c := &cobra.Command{
		Use:   "depth [RULES...]",
		Short: "Time of minimax to each depth, so that a gain in move ordering shows",
		Example: `  spar bench depth checkerboard --most 5
  spar bench depth`,
		ValidArgsFunction: gameNames,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				args = configs.Names(configs.Games)
			}
			t := newTable(c.OutOrStdout(), table.Row{"rules", "depth", "nodes", "seconds", "Mnodes/s", "branching"}, 2, 3, 4, 5, 6)
			for _, name := range args {
				if err := benchDepths(c, t, name, agent, plies, most, asJSON); err != nil {
					return err
				}
			}
			if !asJSON {
				t.Render()
			}
			return nil
		},
	}
	c.Flags().StringVarP(&agent, "agent", "a", "minimax-4", "the minimax agent")
	c.Flags().Float64Var(&most, "most", 1, "go no deeper after a depth took this many seconds")
	c.Flags().IntVar(&plies, "plies", 8, "random plies before the search")
	jsonFlag(c, &asJSON)
	return c
}

func benchDepths(c *cobra.Command, t table.Writer, name, agent string, plies int, most float64, asJSON bool) error {
	g, err := loadGame(name, nil)
	if err != nil {
		return err
	}
	spec, err := loadAgent(agent, nil)
	if err != nil {
		return err
	}
	if spec.Type != "minimax" {
		return usagef("agent %s is of type %s: depth is measured with minimax", spec.Name, spec.Type)
	}
	a, err := agents.New(spec, g)
	if err != nil {
		return usageError{err}
	}
	positions := benchPositions(g, min(plies, g.Cells()/3), 4)
	last := int64(0)
	for depth := 1; depth <= 40; depth++ {
		nodes, cpu := int64(0), cpuSeconds()
		exact := true
		for _, p := range positions {
			a.NewGame(agents.Seed{})
			d, err := a.Choose(c.Context(), p, agents.Budget{Depth: depth}, rand.New(rand.NewPCG(1, 1)))
			if err != nil {
				return err
			}
			nodes += d.Nodes
			exact = exact && d.Exact
		}
		cpu = cpuSeconds() - cpu
		if asJSON {
			if err := printJSON(c.OutOrStdout(), "search_depth", map[string]any{"rules": name, "depth": depth, "nodes": nodes, "cpu_s": cpu}); err != nil {
				return err
			}
		}
		branching := ""
		if last > 0 {
			branching = fmt.Sprintf("%.2f", float64(nodes)/float64(last))
		}
		t.AppendRow(table.Row{name, depth, nodes, fmt.Sprintf("%.3f", cpu), fmt.Sprintf("%.2f", float64(nodes)/max(cpu, 1e-9)/1e6), branching})
		last = nodes
		if cpu > most || exact || c.Context().Err() != nil {
			break
		}
	}
	return nil
}
