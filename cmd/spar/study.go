package main

import (
	"github.com/spf13/cobra"

	"spar/arena/store"
	"spar/reports/record"
)

func studyCommand() *cobra.Command {
	study := studyFlag{defaultStudy}
	c := &cobra.Command{
		Use:   "study [STUDY.db]",
		Short: "Show how a study's games were made: plans, agents, programs, machines, times",
		Long: `Shows what a study holds and how it was made: purposes and numbers of games, events with seed, plan
and times, program versions, machines, rules, and every agent with all its knobs. --json has plans, rules and
weights in full.

A study continues only with the same plan and agents. If the agents of this build have other knobs or weights under
the same name, Spar stops and names the difference.`,
		Example: `  spar study out/quickstart.db`,
		RunE: study.run(func(c *cobra.Command, db *store.DB) error {
			r, err := record.Read(c.Context(), db)
			if err != nil {
				return err
			}
			return reply(c, "record", r, r.Text)
		}),
	}
	declare(c, &study)
	printsJSON(c, "record", record.Record{})
	return c
}
