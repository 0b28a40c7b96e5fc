package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"spar/arena/store"
	"spar/configs/files"
	"spar/reports/pages"
	"spar/tuning"
	"spar/tuning/fit"
)

func tuneFitCommand() *cobra.Command {
	var db, output string
	var o tuning.StudyOptions
	var all bool
	c := &cobra.Command{
		Use:   "fit",
		Short: "Learn weights from games already recorded",
		Long: `Fits weights to the results of stored games: logistic regression on the features of the positions
(Texel tuning), with the same weight for each game. Prints the calibration on held-out games, the loss for each ridge, and
which features are redundant.

Cross-validation over whole games chooses the ridge; standard errors are clustered by game. The weights predict
results of the games' players; that is not the same as choosing good moves. Use them as a start for "spar tune".`,
		Example: `  spar tune fit --db out/ladder.db --rules checkerboard
  spar tune fit --db out/ladder.db --rules ctor --late-from 50 --out out/fitted.yaml`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if db == "" {
				return usagef("spar tune fit needs --db, the study to learn from")
			}
			study, err := openStudy(c.Context(), db)
			if err != nil {
				return err
			}
			defer study.Close()
			if err := checkFit(c.Context(), study, o); err != nil {
				return err
			}
			f, err := tuning.FitStudy(c.Context(), study, o)
			if errors.Is(err, fit.ErrData) {
				return usageError{err}
			}
			if err != nil {
				return err
			}
			if output != "" {
				text, err := tuning.AgentYAML(f.Agent, "Made by: spar tune fit. Not validated.")
				if err != nil {
					return err
				}
				if err := files.WriteBytes(output, text); err != nil {
					return err
				}
			}
			if wantsJSON(c) {
				return printJSON(c.OutOrStdout(), "fit", f)
			}
			pages.FitText(c.OutOrStdout(), f, all)
			if output != "" {
				fmt.Fprintf(c.OutOrStdout(), "\nagent: %s\n", output)
			}
			return nil
		},
	}
	flags := c.Flags()
	flags.StringVar(&db, "db", "", "the study's file")
	flags.StringVarP(&o.Rules, "rules", "r", "", "name of the rules in the study; required if it "+
		"has several")
	flags.StringVar(&o.Event, "event", "", "games of this event only")
	flags.IntVar(&o.LateFrom, "late-from", 0, "learn a second set of weights from this ply on; 0 = one set")
	flags.Float64SliceVar(&o.Ridges, "ridge", nil, "candidates for the penalty (default 0, 1e-4, 1e-3, 1e-2)")
	flags.IntVar(&o.Positions, "positions", 0, "approximate maximum number of positions, spread over the "+
		"games; 0 = 60,000")
	flags.Uint64Var(&o.Seed, "seed", 1, "seed of the folds")
	outFlag(c, &output, "write an agent with the weights to this .yaml file", yamlEndings()...)
	flags.BoolVar(&all, "all", false, "also list weights that the data do not determine")
	jsonFlag(c)
	return c
}

// checkFit checks those flags of fit for which errors of package tuning would not name the flag.
func checkFit(ctx context.Context, db *store.DB, o tuning.StudyOptions) error {
	for _, r := range o.Ridges {
		if !(r >= 0) || math.IsInf(r, 0) {
			return usagef("--ridge %v: expected 0 or more", r)
		}
	}
	names, err := db.Names(ctx, "rules")
	if err == nil && o.Rules == "" && len(names) > 1 {
		return usagef("--rules is needed: %s has games of %s", db.Path(), strings.Join(names, ", "))
	}
	return errors.Join(err, checkFilter(ctx, db, store.Filter{Rules: o.Rules}))
}
