package main

import (
	"github.com/spf13/cobra"

	"spar/arena/store"
	"spar/configs/files"
	"spar/reports/record"
)

func studyCommand() *cobra.Command {
	var study studyFlag
	var o struct {
		Folder string `flag:"write-plan" help:"write the plans with their rules and agents to a folder; they reproduce the games"`
	}
	c := &cobra.Command{
		Use:   "study STUDY.db",
		Short: "Show how a study's games were made: plans, agents, programs, machines, times",
		Long: `Shows what a study holds and how it was made: purposes and numbers of games, events with seed, plan
and times, program versions, machines, rules, and every agent with all its knobs. --json has plans, rules and
weights in full.

A study continues only with the same plan and agents. If the agents of this build have other knobs or weights under
the same name, Spar stops and names the difference.`,
		Example: `  spar study out/quickstart.db
  spar study out/quickstart.db --write-plan out/again`,
		RunE: study.run(func(c *cobra.Command, db *store.DB) error {
			r, err := record.Read(c.Context(), db)
			if err != nil {
				return err
			}
			if o.Folder != "" {
				return writePlans(c, r, o.Folder)
			}
			return reply(c, "record", r, r.Text)
		}),
	}
	declare(c, &study, &o)
	printsJSON(c, "record", record.Record{})
	printsJSON(c, "written_plan --write-plan", record.Written{})
	return c
}

func writePlans(c *cobra.Command, r *record.Record, folder string) error {
	if err := files.CheckFolder(folder); err != nil {
		return usagef("--write-plan: %v", err)
	}
	written, err := r.WritePlans(folder)
	if err != nil {
		return err
	}
	for _, w := range written {
		if wantsJSON(c) {
			err = printJSON(c.OutOrStdout(), "written_plan", w)
		} else {
			err = w.Text(c.OutOrStdout())
		}
		if err != nil {
			return err
		}
	}
	return nil
}
