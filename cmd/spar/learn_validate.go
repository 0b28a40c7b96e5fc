package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"spar/agents/bench"
	"spar/agents/patterns"
	"spar/arena/store"
	"spar/reports/pages"
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

func learnValidateCommand() *cobra.Command {
	var o struct {
		DB      string   `flag:"db=out/learn.db" help:"the study that stores the games"`
		Older   []string `flag:"against" help:"another net of the same rules to play against, such as one of a shorter training (repeatable)"`
		Pairs   int      `flag:"pairs=100" help:"pairs of each contest"`
		Nodes   int64    `flag:"nodes=1000" help:"positions for each move of the opponent in minimax; 0 = no minimax"`
		Sims    int64    `flag:"simulations=200" help:"simulations for each move of the opponent in mcts; 0 = no mcts"`
		Workers int      `flag:"workers"`
		Seed    int64    `flag:"seed=1001" help:"seed of the openings and the games"`
	}
	c := &cobra.Command{
		Use:   "validate NET|STUDY",
		Short: "Test a learned evaluation in new games at equal CPU time, in minimax and in mcts",
		Long: `Plays a net against the evaluation that is the default without it and against hand-made weights, in the
same search, and against tree search with random games (uct), all at equal CPU time. NET is a name like
ctor/learned, a file of "spar learn", or the study of its gate.

Spar first measures how much more time the net takes and lowers its budget by that. Openings are near-even where the
rules have such openings, from another seed than the gate's. Stored games are not played again. "spar accuracy" compares
a net's moves with exact values.`,
		Example: `  spar learn validate ctor/learned --pairs 100
  spar learn validate out/learn.db
  spar learn validate out/mine.net --against out/older.net --json`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if strings.HasSuffix(args[0], ".db") {
				if err := ofStudy(c, args, &o.DB); err != nil {
					return err
				}
			}
			file, net, err := loadNet(args[0])
			if err != nil {
				return err
			}
			g, about := net.Game(), net.About()
			if o.Nodes == 0 && o.Sims == 0 {
				return usagef("--nodes 0 and --simulations 0: there is nothing to play")
			}
			x := learn.Examination{
				Pairs: o.Pairs, Nodes: o.Nodes, Sims: o.Sims, Workers: o.Workers, Seed: o.Seed, Clock: bench.ProcessClock(),
				Rivals: append(learn.Rivals(g), learn.UCT()),
			}
			for _, name := range o.Older {
				other, net, err := loadNet(name)
				if err == nil && net.Game().RulesHash() != g.RulesHash() {
					err = usagef("--against %s: it was learned for %s, not for %s", name, net.Game().Name(), g.Name())
				}
				if err != nil {
					return err
				}
				x.Rivals = append(x.Rivals, learn.RivalOf(name, other))
			}
			study, err := store.Open(context.WithoutCancel(c.Context()), o.DB, store.Create)
			if err != nil {
				return err
			}
			defer study.Close()
			matchups, err := x.Examine(c.Context(), study, file, g, nil)
			if wantsJSON(c) {
				return errors.Join(err, printJSON(c.OutOrStdout(), "learned_validation",
					learnedValidation{g.Name(), err == nil, about, matchups, o.DB}))
			}
			fmt.Fprintf(c.OutOrStdout(), "%s: %s, learned from %d games, %.0f CPU-s\n", args[0], g.Name(), about.Games,
				about.CPUSecond)
			return errors.Join(err, pages.MatchupText(c.OutOrStdout(), matchups))
		},
	}
	declare(c, &o)
	printsJSON(c, "learned_validation", learnedValidation{})
	return c
}

// learnedValidation is the output of kind learned_validation.
type learnedValidation struct {
	Rules    string              `json:"rules" help:"name of the rules"`
	Finished bool                `json:"finished" help:"false if an interrupt ended it"`
	Net      patterns.Provenance `json:"net"`
	Matchups []learn.Matchup     `json:"contests"`
	Database string              `json:"db" help:"the study of the games"`
}
