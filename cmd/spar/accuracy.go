package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"spar/arena/store"
	"spar/configs/plain"
	"spar/engines"
	"spar/engines/solve"
	"spar/reports/accuracy"
)

func accuracyCommand() *cobra.Command {
	var (
		agent       agentFlags
		path, rules string
		set         []string
		seed        int64
		positions   int
		memory      int64 = 200e6
		by          string
	)
	c := &cobra.Command{
		Use:   "accuracy",
		Short: "Measure agents against perfect play in solved games",
		Long: `Solves the game, then counts how many decisions of an agent keep the exact value: in the stored games
of a study (--db), or in positions of random games (--agent and --rules). A decision keeps the value if it does not
turn a win into a draw or a loss, or a draw into a loss. Intervals are Wilson's, 95 %, clustered by game.`,
		Example: `  spar accuracy --agent minimax-2 --rules vanishing
  spar accuracy --agent greedy --rules classic --by dtw
  spar accuracy --db out/quickstart.db --rules rolling`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if (path == "") == (agent.name == "") {
				return usagef("give one of --db and --agent")
			}
			o := solve.Options{Memory: memory, Progress: solveProgress(c)}
			var rows []accuracy.Result
			var err error
			if agent.name != "" {
				rows, err = agentAccuracy(c.Context(), &agent, rules, set, o, positions, seed)
			} else {
				rows, err = studyAccuracy(c.Context(), path, rules, o, c.ErrOrStderr())
			}
			if err != nil {
				return err
			}
			return replyAll(c, "accuracy", rows, func(w io.Writer) error {
				accuracy.Text(w, rows, by)
				return nil
			})
		},
	}
	f := c.Flags()
	f.StringVar(&path, "db", "", "a study")
	agent.flags(c, "an agent")
	rulesFlag(c, &rules, "the game; with --db the default is every solvable game")
	f.StringVar(&by, "by", "", "also show results by ply, or by distance to the end (dtw)")
	f.IntVar(&positions, "positions", 2000, "positions that --agent decides")
	f.Int64Var(&seed, "seed", 1, "seed of the positions and decisions")
	memoryFlag(c, &memory, "maximum memory for solving")
	oneOf(c, "by", "ply", "dtw")
	positive(c, "positions")
	setFlag(c, &set)
	jsonFlag(c)
	return c
}

func agentAccuracy(ctx context.Context, agent *agentFlags, rules string, set []string, o solve.Options,
	positions int, seed int64,
) ([]accuracy.Result, error) {
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
	t, err := solve.Solve(ctx, g, o)
	if err != nil {
		return nil, solveError(err)
	}
	defer t.Close()
	r, err := accuracy.Agent(ctx, t, g, spec, positions, seed)
	return []accuracy.Result{r}, err
}

func studyAccuracy(ctx context.Context, path, rules string, o solve.Options, notes io.Writer) ([]accuracy.Result,
	error,
) {
	db, err := openStudy(ctx, path)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	if err := checkFilter(ctx, db, store.Filter{Rules: rules}); err != nil {
		return nil, err
	}
	names := []string{rules}
	if rules == "" {
		if names, err = db.Names(ctx, "rules"); err != nil {
			return nil, err
		}
	}
	var out []accuracy.Result
	for _, name := range names {
		rows, err := rulesAccuracy(ctx, db, name, o)
		if err != nil && rules == "" {
			fmt.Fprintf(notes, "Skipped %s: %s\n", plain.Line(name), plain.Text(err.Error()))
			continue
		}
		if err != nil {
			return nil, solveError(err)
		}
		out = append(out, rows...)
	}
	return out, nil
}

func rulesAccuracy(ctx context.Context, db *store.DB, rules string, o solve.Options) ([]accuracy.Result, error) {
	g, err := studyRules(ctx, db, rules)
	if err != nil {
		return nil, err
	}
	t, err := solve.Solve(ctx, g, o)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	return accuracy.Study(ctx, db, rules, g, t, 0)
}

// studyRules compiles rules of a study, by name.
func studyRules(ctx context.Context, db *store.DB, name string) (*engines.Game, error) {
	for row, err := range db.Games(ctx, store.Filter{Rules: name, Limit: 1}) {
		if err != nil {
			return nil, err
		}
		return engines.Stored(row.RulesJSON)
	}
	return nil, usagef("no games of %s in %s", name, db.Path())
}
