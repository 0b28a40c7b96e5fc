package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"spar/engines/people"
	"spar/engines/solve/suite"
	"spar/tuning/predict"
)

func tunePersonCommand() *cobra.Command {
	var o struct {
		Prior  float64 `flag:"prior=1" range:"(0,100]" help:"standard deviation of the knobs around the published fit, on logarithmic or logistic scales"`
		Output string  `flag:"out,o" file:".yaml .yml" help:"write the fitted agent to this .yaml file"`
	}
	c := &cobra.Command{
		Use:   "person FILE",
		Short: "Fit the agent person to games of people",
		Long: `Fits the knobs of the agent person to the moves of people by maximum likelihood. FILE is a study with games
of people, like out/people.db, or matches as "spar predict" takes them. The published fit is the prior; --prior sets
how much your players may differ from it.

Cross-validation by pairs of players says how much better the fit predicts games that it has not seen.`,
		Example: `  spar tune person out/people.db --out out/us.yaml
  spar tune person matches.jsonl --json`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			spec, err := loadAgent("person", nil)
			if err != nil {
				return err
			}
			matches, err := matchesOf(c, args)
			if err != nil {
				return err
			}
			if len(matches) == 0 {
				return usagef("%s: no moves of people", args[0])
			}
			f, err := predict.Fit(matches, spec.Person, o.Prior)
			if err != nil {
				return err
			}
			spec.Name, spec.Description, spec.Person = "", fmt.Sprintf("Fitted to %d moves of people.", f.Moves), f.Options
			if err := writeAgent(o.Output, spec, "Made by: spar tune person."); err != nil {
				return err
			}
			if wantsJSON(c) {
				return printJSON(c.OutOrStdout(), "person_fit", f)
			}
			fmt.Fprintf(c.OutOrStdout(), "%s\nlog-likelihood per move: %s; published fit %s; gain on unseen pairs "+
				"%s\n", f.Options,
				f.LogLikelihood, f.Before, f.Gain)
			return nil
		},
	}
	declare(c, &o)
	printsJSON(c, "person_fit", predict.Fitted{})
	return c
}

// matchesOf reads the matches in a file, or the games of people in a study.
func matchesOf(c *cobra.Command, args []string) ([]people.Match, error) {
	if strings.HasSuffix(args[0], ".db") {
		db, err := openStudy(c.Context(), args[0])
		if err != nil {
			return nil, err
		}
		defer db.Close()
		return predict.OfStudy(c.Context(), db)
	}
	in, name, err := openInput(c, args)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	games, err := suite.Games("people")
	if err != nil {
		return nil, err
	}
	matches, _, err := people.ReadMatches(in, name, games)
	if err != nil {
		return nil, usageError{err}
	}
	return matches, nil
}
