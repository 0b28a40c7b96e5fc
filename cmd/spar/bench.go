package main

import (
	"errors"
	"math"

	"github.com/spf13/cobra"

	"spar/agents/bench"
	"spar/engines"
	"spar/reports/screen"
)

func benchCommand() *cobra.Command {
	c := &cobra.Command{
		Use:     "bench",
		Short:   "Measure speed: random games and searches",
		Example: "  spar bench playouts classic --seconds 2",
	}
	c.AddCommand(benchPlayoutsCommand(), benchSearchCommand(), benchStrongestCommand())
	return c
}

func benchPlayoutsCommand() *cobra.Command {
	var rules gameFlags
	var o struct {
		Seconds float64 `flag:"seconds=2" not:"playouts" range:"(0," help:"seconds to play games"`
		Count   int64   `flag:"playouts" help:"play this many games instead"`
		Seed    int64   `flag:"seed=1" help:"seed of the random moves"`
	}
	c := &cobra.Command{
		Use:   "playouts RULES",
		Short: "Play uniformly random games on one core",
		Long: `Plays games with uniformly random legal moves on one thread and prints rates per CPU-second and the
shares of the results. The same --seed and --playouts give the same games. An interrupt ends the run early and prints
the rates so far.`,
		Example: `  spar bench playouts classic --seconds 2
  spar bench playouts checkerboard --set draw.repetition=0 --set draw.max_plies=200 --playouts 100000 --json`,
		RunE: rules.run(func(c *cobra.Command, g *engines.Game) error {
			r := bench.Play(c.Context(), g, bench.ProcessClock(), o.Seconds, o.Count, o.Seed)
			if r.Playouts == 0 {
				return c.Context().Err()
			}
			n := float64(r.Playouts)
			err := replyf(c, "playouts", r, "%s: %s, %s in %.2f CPU-seconds\n%.0f games/s, %.1f million plies/s, %.2f "+
				"plies per game\nfirst %.4f  second %.4f  draw %.4f  (±%.4f at most, 95 %%)\n",
				r.Rules, screen.Plural(r.Playouts, "game"), screen.Plural(r.Moves, "ply"), r.CPU, n/r.CPU,
				float64(r.Moves)/r.CPU/1e6, float64(r.Moves)/n, r.First, r.Second, r.Draw, 0.98/math.Sqrt(n))
			return errors.Join(err, c.Context().Err())
		}),
	}
	declare(c, &rules, &o)
	printsJSON(c, "playouts", bench.Playouts{})
	return c
}

func benchSearchCommand() *cobra.Command {
	var (
		agent = agentFlags{Name: "uct-10k"}
		rules gameFlags
	)
	var o struct {
		Seconds float64 `flag:"seconds=2" range:"(0," help:"seconds to search"`
		Plies   int     `flag:"plies" help:"random plies before each search"`
	}
	c := &cobra.Command{
		Use:   "search RULES",
		Short: "Measure the nodes or simulations of an agent per CPU-second",
		Long: `Lets an agent choose moves for some seconds, on one thread, from the start position or from 16 positions
some random plies into the game, and prints nodes (simulations for mcts) per CPU-second. Each search starts without
memory of earlier ones. An agent that names no evaluation is measured with the linear evaluation, so that the rates of
different games are comparable; --agent-set evaluation.file=ctor/learned measures a learned evaluation. An interrupt
ends the run early and prints the rates so far.`,
		Example: `  spar bench search classic --agent uct-10k
  spar bench search checkerboard --agent minimax-4 --plies 20
  spar bench search classic --agent plain-alphabeta --json`,
		RunE: rules.run(func(c *cobra.Command, g *engines.Game) error {
			spec, err := agent.load()
			if err != nil {
				return err
			}
			r, err := bench.Search(c.Context(), g, spec, bench.ProcessClock(), o.Seconds, o.Plies)
			switch {
			case errors.Is(err, bench.ErrAllOver):
				return usagef("--plies %d: %w", o.Plies, err)
			case err != nil:
				return err
			case r.Searches == 0:
				return c.Context().Err()
			}
			err = replyf(c, "search_speed", r, "%s, %s: %s, %s in %.2f CPU-seconds: %.2f million nodes/s, %.3f ms per "+
				"search\n",
				r.Rules, r.Agent, screen.Plural(r.Searches, "search"), screen.Plural(r.Nodes, "node"), r.CPU,
				float64(r.Nodes)/r.CPU/1e6, 1e3*r.CPU/float64(r.Searches))
			return errors.Join(err, c.Context().Err())
		}),
	}
	declare(c, &rules, &agent, &o)
	printsJSON(c, "search_speed", bench.Searches{})
	return c
}
