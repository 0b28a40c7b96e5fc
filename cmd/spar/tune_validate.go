package main

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"spar/agents"
	"spar/arena/store"
	"spar/reports/pages"
	"spar/reports/screen"
	"spar/tuning"
)

func tuneValidateCommand() *cobra.Command {
	var o tuneOptions
	var machines machineFlags

	var own struct {
		Agent string `flag:"agent,a" help:"validate this agent instead of the tuned agent"`
	}
	c := &cobra.Command{
		Use:   "validate TUNING",
		Short: "Test tuned weights on games that the training never saw",
		Long: `Tests the result of a finished tuning, or another candidate, on openings and random numbers that the
training did not use.

  1. a sequential test (GSPRT, normalized Elo) against the starting agent (before tuning); it may end undecided
  2. a match of fixed length against the starting agent: the held-out gain with its interval
  3. matches of both against a pool of other agents: the worst pairing counts, because strength is not transitive
  4. a match one level deeper: gains of a shallow search may vanish in a deeper one

The training gain minus the held-out gain is the optimism. Another candidate plays its own games; the output shows how
many candidates were tested.`,
		Example: `  spar tune validate checkerboard
  spar tune validate my-tuning.yaml --agent checkerboard/tuned --set validation.pairs=400`,
		RunE: o.run(func(c *cobra.Command, t *tuning.Tuning) error {
			return validate(c, t, &machines, own.Agent)
		}),
	}
	declare(c, &o, &machines, &own)
	printsJSON(c, "examination", tuning.Examination{})
	return c
}

func validate(c *cobra.Command, t *tuning.Tuning, machines *machineFlags, agent string) error {
	candidate, training, err := candidateOf(c, t, agent)
	if err != nil {
		return err
	}
	var x *tuning.Examination
	seconds, err := playTuning(c, t, machines, func(db *store.DB, tell tuning.Progress) (err error) {
		x, err = t.Validate(c.Context(), db, candidate, training, tell)
		return err
	})
	if err != nil {
		return err
	}
	return reply(c, "examination", x, func(w io.Writer) error {
		return errors.Join(pages.Examined(x).Text(w, 0), printTo(w, "\n%s of the validation, stored in %s, %.1f s\n",
			screen.Plural(x.Games, "game"), t.Database, seconds))
	})
}

// candidateOf returns the agent to validate. If it is the result of the training, it also returns the last check of the
// training.
func candidateOf(c *cobra.Command, t *tuning.Tuning, agent string) (agents.Spec, *tuning.Check, error) {
	if agent != "" {
		s, err := loadAgent(agent, nil)
		if err != nil {
			return s, nil, err
		}
		return s.For(t.Game), nil, nil
	}
	db, err := store.Open(c.Context(), t.Database, store.Existing)
	if err != nil {
		return agents.Spec{}, nil, notTuned(err)
	}
	defer db.Close()
	r, err := t.Recall(c.Context(), db)
	if err != nil {
		if errors.Is(err, tuning.ErrMissing) {
			err = notTuned(err)
		}
		return agents.Spec{}, nil, err
	}
	return r.Tuned, r.LastCheck(), nil
}

func notTuned(err error) error {
	return usagef("%w: run spar tune first, with the same file and --db", err)
}
