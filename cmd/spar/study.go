package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"spar/arena/store"
	"spar/configs/files"
	"spar/configs/strict"
	"spar/reports/record"
)

func studyCommand() *cobra.Command {
	var path, folder string
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
		RunE: onStudy(&path, func(c *cobra.Command, db *store.DB) error {
			r, err := record.Read(c.Context(), db)
			if err != nil {
				return err
			}
			if folder != "" {
				return writePlans(c, r, folder)
			}
			return reply(c, "record", r, r.Text)
		}),
	}
	studyArgument(c, &path)
	c.Flags().StringVar(&folder, "write-plan", "", "write the plans with their rules and agents to a `folder`; they "+
		"reproduce the games")
	jsonFlag(c)
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

func citeCommand() *cobra.Command {
	var path, event string
	c := &cobra.Command{
		Use:   "cite STUDY.db",
		Short: "Print the text that a paper needs: version, commit, hardware, seeds, plan hashes, games, command",
		Example: `  spar cite out/quickstart.db
  spar cite out/quickstart.db --event quickstart --json`,
		RunE: onStudy(&path, func(c *cobra.Command, db *store.DB) error {
			r, err := record.Read(c.Context(), db)
			if err != nil {
				return err
			}
			cited, err := r.Cite(event)
			if errors.Is(err, record.ErrEvent) {
				var names []string
				for _, e := range r.Events {
					names = append(names, e.Event)
				}
				return usagef("%s holds no games of an event %q%s", path, event, strict.Suggest(event, names))
			}
			if err != nil {
				return err
			}
			if wantsJSON(c) {
				return printJSON(c.OutOrStdout(), "citation", cited)
			}
			_, err = fmt.Fprint(c.OutOrStdout(), cited.Text)
			return err
		}),
	}
	studyArgument(c, &path)
	c.Flags().StringVar(&event, "event", "", "one event, instead of all with games")
	jsonFlag(c)
	return c
}
