package main

import (
	"context"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"spar/arena/store"
	"spar/configs/plain"
	"spar/engines/solve"
	"spar/reports/accuracy"
)

func accuracyCommand() *cobra.Command {
	var agent agentFlags
	var o struct {
		Path      string    `flag:"db" help:"measure the stored games of this study"`
		Rules     string    `flag:"rules,r" help:"the game; with --db the default is every solvable game"`
		Positions int       `flag:"positions=2000" range:"[1," help:"number of decisions to measure; with --db a sample of about this many, if they need proofs"`
		Nodes     uint64    `flag:"nodes=1000000" help:"maximum number of positions that a proof expands"`
		Seed      int64     `flag:"seed=1" help:"seed of the positions and decisions"`
		Memory    byteCount `flag:"memory=200MB" help:"maximum memory for solving, with a unit, like 4GB"`
		Set       []string  `flag:"set"`
	}
	c := &cobra.Command{
		Use:   "accuracy",
		Short: "Measure agents against perfect play in solved games",
		Long: `Solves the game, then counts how many decisions of an agent keep the exact value: in the stored games
of a study (--db), or in positions of random games (--agent and --rules). A decision keeps the value if it does not
turn a win into a draw or a loss, or a draw into a loss. Intervals are 95 % Wilson intervals, clustered by game.

If a game is too large for a table but Spar can prove its positions, as in connect4 or hex7 (see spar help solve),
Spar proves each position. Positions whose proof needs more than --nodes do not count.`,
		Example: `  spar accuracy --agent minimax-2 --rules vanishing
  spar accuracy --agent greedy --rules classic
  spar accuracy --db out/quickstart.db --rules rolling`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if (o.Path == "") == (agent.Name == "") {
				return usagef("give either --db or --agent")
			}
			began, shown := time.Now(), newDisplay(c)
			m := accuracy.Measure{
				Table: solve.Options{Memory: int64(o.Memory), Progress: solveProgress(c)},
				Proof: solve.ProofOptions{Nodes: o.Nodes, Memory: 64e6}, Positions: o.Positions,
				Progress: func(done int) { shown.Stage(began, "positions", int64(done), int64(o.Positions)) },
				Skipped: func(rules string, err error) {
					why := strings.TrimLeft(strings.TrimPrefix(err.Error(), rules), ": ")
					note(c, "Skipped %s: %s\n", plain.Line(rules), plain.Text(why))
				},
			}
			var rows []accuracy.Result
			var err error
			if agent.Name != "" {
				rows, err = measureAgent(c.Context(), m, &agent, o.Rules, o.Set, o.Seed)
			} else {
				err = withStudy(c, o.Path, func(c *cobra.Command, db *store.DB) (err error) {
					if err = checkFilter(c.Context(), db, store.Filter{Rules: o.Rules}); err == nil {
						rows, err = m.Games(c.Context(), db, o.Rules)
					}
					return err
				})
			}
			if err != nil {
				return solveError(err, "")
			}
			return replyAll(c, "accuracy", rows, func(w io.Writer) error {
				accuracy.Text(w, rows)
				return nil
			})
		},
	}
	declare(c, &o, &agent)
	printsJSON(c, "accuracy", accuracy.Result{})
	return c
}

func measureAgent(ctx context.Context, m accuracy.Measure, agent *agentFlags, rules string, set []string, seed int64) (
	[]accuracy.Result, error,
) {
	if rules == "" {
		return nil, usagef("--agent needs --rules")
	}
	g, err := loadGame(rules, set)
	if err != nil {
		return nil, err
	}
	spec, err := agent.load()
	if err != nil {
		return nil, err
	}
	r, err := m.Agent(ctx, g, spec, seed)
	return []accuracy.Result{r}, err
}
