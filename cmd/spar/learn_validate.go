package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"spar/agents"
	"spar/agents/patterns"
	"spar/arena"
	"spar/arena/store"
	"spar/engines"
	"spar/engines/solve"
	"spar/reports/accuracy"
	"spar/reports/table"
	"spar/tuning/learn"
)

// ofStudy replaces the name of a study by the net that was tested in it. Further games are stored in that study.
func ofStudy(c *cobra.Command, args []string, db *string) error {
	study, err := openStudy(c.Context(), args[0])
	if err != nil {
		return err
	}
	defer study.Close()
	if !c.Flags().Changed("db") {
		*db = args[0]
	}
	if args[0], err = learn.NetOf(c.Context(), study); err != nil {
		return usageError{err}
	}
	return nil
}

// exactPositions is the number of positions, as in spar accuracy.
const exactPositions = 2000

// exactly compares agents with exact values, if the game is small (solve.Small).
func exactly(ctx context.Context, g *engines.Game, of []agents.Spec, seed int64) ([]accuracy.Result, error) {
	t, err := solve.Small(ctx, g)
	if t == nil {
		return nil, err
	}
	defer t.Close()
	var out []accuracy.Result
	for _, s := range of {
		r, err := accuracy.Agent(ctx, accuracy.Table(t), g, s, exactPositions, seed, nil)
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, nil
}

func learnValidateCommand() *cobra.Command {
	var (
		db             string
		x              learn.Examination
		older, budgets []string
		seed           int64
	)
	c := &cobra.Command{
		Use:   "validate NET|STUDY",
		Short: "Test a learned evaluation in new games at equal CPU time, in minimax and in mcts",
		Long: `Plays a net against the evaluation that is the default without it and against hand-made weights, in the
same search, and against tree search with random games (uct), all at equal CPU time. NET is a name like
ctor/learned, a file of "spar learn", or the study of its gate.

With --budgets the kinds of search play against each other at each budget, minimax and
mcts with the net and with weights, and uct. If a search without the net is better than both with it, the exit code
is 3.

Spar first measures how much more time the net takes and lowers its budget by that. Openings are near-even where the
rules have such openings, from another seed than the gate's. Stored games are not played again. Small rules are also
solved: how often does the net keep the exact value, and what does it expect in won, drawn and lost positions?`,
		Example: `  spar learn validate ctor/learned --pairs 100
  spar learn validate out/learn.db
  spar learn validate ctor/learned --nodes 0 --simulations 0 --budgets 10ms,50ms,1s --pairs 48
  spar learn validate out/mine.net --against out/older.net --json`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if strings.HasSuffix(args[0], ".db") {
				if err := ofStudy(c, args, &db); err != nil {
					return err
				}
			}
			file, net, err := loadNet(args[0])
			if err != nil {
				return err
			}
			g, about := net.Game(), net.About()
			if x.Budgets, err = parseBudgets(budgets); err != nil {
				return err
			}
			if x.Nodes == 0 && x.Sims == 0 && len(x.Budgets) == 0 {
				return usagef("--nodes 0 and --simulations 0: there is nothing to play")
			}
			x.Seed, x.Clock, x.Rivals = seed, processClock(), append(learn.Rivals(g), learn.UCT())
			for _, name := range older {
				other, net, err := loadNet(name)
				if err == nil && net.Game().RulesHash() != g.RulesHash() {
					err = usagef("--against %s: it was learned for %s, not for %s", name, net.Game().Name(), g.Name())
				}
				if err != nil {
					return err
				}
				x.Rivals = append(x.Rivals, learn.RivalOf(name, other))
			}
			study, err := store.Open(context.WithoutCancel(c.Context()), db, store.Create)
			if err != nil {
				return err
			}
			defer study.Close()
			matchups, err := x.Examine(c.Context(), study, file, g, nil)
			var kinds []arena.Recommendation
			if err == nil {
				kinds, err = x.Kinds(c.Context(), file, g)
			}
			var exact []accuracy.Result
			if err == nil {
				exact, err = exactly(c.Context(), g, x.Ahead(file), seed)
			}
			if wantsJSON(c) {
				err = errors.Join(err, printJSON(c.OutOrStdout(), "learned_validation",
					learnedValidation{g.Name(), err == nil, about, matchups, kinds, exact, db}))
			} else {
				err = errors.Join(err, printValidation(c.OutOrStdout(), args[0], net, matchups, kinds, exact))
			}
			if err == nil && slices.ContainsFunc(kinds, arena.Recommendation.Displaces) {
				return errTarget
			}
			return err
		},
	}
	f := c.Flags()
	f.StringVar(&db, "db", "out/learn.db", "the study that stores the games")
	f.StringArrayVar(&older, "against", nil, "another net of the same rules to play against, such as one of a shorter "+
		"training (repeatable)")
	f.StringSliceVar(&budgets, "budgets", nil, "budgets at which all kinds of search play against each other, like "+
		"10ms,50ms,1s")
	f.IntVar(&x.Pairs, "pairs", 100, "pairs of each contest")
	f.Int64Var(&x.Nodes, "nodes", 1000, "positions for each move of the opponent in minimax; 0 = no minimax")
	f.Int64Var(&x.Sims, "simulations", 200, "simulations for each move of the opponent in mcts; 0 = no mcts")
	f.Int64Var(&seed, "seed", 1001, "seed of the openings and the games")
	workersFlag(c, &x.Workers)
	jsonFlag(c)
	return c
}

func printValidation(
	w io.Writer,
	name string,
	net *patterns.Net,
	matchups []learn.Matchup,
	kinds []arena.Recommendation,
	exact []accuracy.Result,
) error {
	about := net.About()
	fmt.Fprintf(w, "%s: %s, learned from %d games, %.0f CPU-s\n", name, net.Game().Name(), about.Games, about.CPUSecond)
	matchupTable(w, matchups)
	if len(exact) > 0 {
		fmt.Fprintln(w, "compared with exact values, in positions of random games:")
		accuracy.Brief(w, exact)
	}
	return printKinds(w, kinds)
}

// learnedValidation is the output of kind learned_validation.
type learnedValidation struct {
	Rules    string                 `json:"rules" help:"name of the rules"`
	Finished bool                   `json:"finished" help:"false if an interrupt ended it"`
	Net      patterns.Provenance    `json:"net"`
	Matchups []learn.Matchup        `json:"contests"`
	Kinds    []arena.Recommendation `json:"kinds,omitempty" help:"kinds of search with and without the net, for each budget"`
	Exact    []accuracy.Result      `json:"exact,omitempty"`
	Database string                 `json:"db" help:"the study of the games"`
}

// parseBudgets reads the budgets of decisions.
func parseBudgets(texts []string) ([]agents.Budget, error) {
	out := make([]agents.Budget, len(texts))
	for i, text := range texts {
		var err error
		if out[i], err = arena.ParseBudget(text); err != nil {
			return nil, usageError{err}
		}
	}
	return out, nil
}

// recommendationText returns a function that prints a recommendation.
func recommendationText(r arena.Recommendation) func(io.Writer) error {
	return func(out io.Writer) error {
		t := table.To(out, []string{"a", "b", "score of a", "pairs"}, 3, 4)
		for _, d := range r.Duels {
			t.Add(d.Agent, d.Opponent, table.Of(d.Estimate), d.Pairs)
		}
		t.Write()
		t = table.To(out, []string{"candidate", "ms per decision", "games", ""}, 2, 3)
		for _, k := range r.Candidates {
			beaten := ""
			if k.Beaten != "" {
				beaten = "beaten by " + k.Beaten
			}
			t.Add(k.Name, fmt.Sprintf("%.1f", k.Decision), k.Games, beaten)
		}
		t.Write()
		_, err := fmt.Fprintf(out, "%s (openings: %s; %d games)\n", r, r.Openings, r.Games)
		return err
	}
}
