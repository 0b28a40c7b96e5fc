package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"spar/arena/store"
	"spar/reports/pages"
	"spar/tuning"
)

func tuneFitCommand() *cobra.Command {
	var o tuning.StudyOptions

	var own struct {
		DB     string `flag:"db" help:"the study's file"`
		Output string `flag:"out,o" file:".yaml .yml" help:"write an agent with the weights to this .yaml file"`
		All    bool   `flag:"all" help:"also list weights that the data do not determine"`
	}
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
			if own.DB == "" {
				return usagef("spar tune fit needs --db, the study to learn from")
			}
			study, err := openStudy(c.Context(), own.DB)
			if err != nil {
				return err
			}
			defer study.Close()
			if err := checkFit(c.Context(), study, o); err != nil {
				return err
			}
			f, err := tuning.FitStudy(c.Context(), study, o)
			if err != nil {
				return err
			}
			if err := writeAgent(own.Output, f.Agent, "Made by: spar tune fit. Not validated."); err != nil {
				return err
			}
			if wantsJSON(c) {
				return printJSON(c.OutOrStdout(), "fit", f)
			}
			if err := pages.Fitted(f, own.All).Text(c.OutOrStdout(), 0); err != nil {
				return err
			}
			if own.Output != "" {
				fmt.Fprintf(c.OutOrStdout(), "\nagent: %s\n", own.Output)
			}
			return nil
		},
	}
	declare(c, &own, &o)
	printsJSON(c, "fit", tuning.StudyFit{})
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
