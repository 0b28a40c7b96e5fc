package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"spar/arena/store"
	"spar/configs/plain"
	"spar/engines"
	"spar/engines/solve"
	"spar/reports/accuracy"
	"spar/reports/watch"
)

func accuracyCommand() *cobra.Command {
	var agent agentFlags
	var o struct {
		Path      string    `flag:"db" help:"a study"`
		Rules     string    `flag:"rules,r" help:"the game; with --db the default is every solvable game"`
		By        string    `flag:"by" one:"ply dtw" help:"also show results by ply, or by distance to the end (dtw)"`
		Positions int       `flag:"positions=2000" range:"[1," help:"positions that --agent decides; with --db and proofs, about this many decisions"`
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
turn a win into a draw or a loss, or a draw into a loss. Intervals are Wilson's, 95 %, clustered by game.

A game that is too large for a table but has a prover, like connect4 or hex7 (see spar help solve), is measured by a proof
of each position; positions that take more than --nodes do not count.`,
		Example: `  spar accuracy --agent minimax-2 --rules vanishing
  spar accuracy --agent greedy --rules classic --by dtw
  spar accuracy --db out/quickstart.db --rules rolling`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if (o.Path == "") == (agent.Name == "") {
				return usagef("give one of --db and --agent")
			}
			m := measure{
				solve.Options{Memory: int64(o.Memory), Progress: solveProgress(c)},
				solve.ProofOptions{Nodes: o.Nodes, Memory: 64e6},
				o.Positions, newDisplay(c),
			}
			var rows []accuracy.Result
			var err error
			if agent.Name != "" {
				rows, err = m.agent(c.Context(), &agent, o.Rules, o.Set, o.Seed)
			} else {
				rows, err = m.study(c.Context(), o.Path, o.Rules, c.ErrOrStderr())
			}
			if err != nil {
				return err
			}
			return replyAll(c, "accuracy", rows, func(w io.Writer) error {
				accuracy.Text(w, rows, o.By)
				return nil
			})
		},
	}
	declare(c, &o, &agent)
	printsJSON(c, "accuracy", accuracy.Result{})
	return c
}

// measure says how accuracy is measured.
type measure struct {
	table     solve.Options
	proof     solve.ProofOptions
	positions int
	shown     *watch.Display
}

func (m *measure) agent(ctx context.Context, agent *agentFlags, rules string, set []string, seed int64) (
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
	values, free, err := accuracy.ValuesOf(ctx, g, m.table, &m.proof)
	if err != nil {
		return nil, solveError(err)
	}
	began := time.Now()
	r, err := accuracy.Agent(ctx, values, g, spec, m.positions, seed, func(done int) {
		m.shown.Stage(began, "positions", int64(done), int64(m.positions))
	})
	return []accuracy.Result{r}, errors.Join(err, free())
}

func (m *measure) study(ctx context.Context, path, rules string, notes io.Writer) ([]accuracy.Result, error) {
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
		rows, err := m.rules(ctx, db, name, rules != "")
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

// decisionsAGame is about how many decisions of a game are compared.
const decisionsAGame = 20

// rules measures a study's games under rules. Proofs, which take long, are only made if proofs is set, and for about as
// many decisions as positions are asked for.
func (m *measure) rules(ctx context.Context, db *store.DB, rules string, proofs bool) ([]accuracy.Result, error) {
	g, err := studyRules(ctx, db, rules)
	if err != nil {
		return nil, err
	}
	proof, most := &m.proof, int64(0)
	if !proofs {
		proof = nil
	}
	values, free, err := accuracy.ValuesOf(ctx, g, m.table, proof)
	if err != nil {
		return nil, err
	}
	if values.Proves() {
		most = max(1, int64(m.positions/decisionsAGame))
	}
	rows, err := accuracy.Study(ctx, db, rules, g, values, most)
	return rows, errors.Join(err, free())
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
