package main

import (
	"io"

	"spar/arena/store"
	"spar/reports/standings"

	"github.com/spf13/cobra"
)

func workersCommand() *cobra.Command {
	study := studyFlag{defaultStudy}
	c := &cobra.Command{
		Use:   "workers [STUDY.db]",
		Short: "List the machines that played a study, with speed, faults and reliability",
		Long: `Lists the machines that played games of a study (see "spar worker"): rates, faults, and how many of
their games other machines replayed, with how many differences. "local" is the process that stored the games.

The residual is how far the first player's score in a machine's games is from that of the other machines in the same
match-ups.`,
		Example: "  spar workers --db out/quickstart.db",
		RunE: study.run(func(c *cobra.Command, db *store.DB) error {
			ws, err := standings.Workers(c.Context(), db)
			if err != nil {
				return err
			}
			return replyAll(c, "worker", ws, func(out io.Writer) error { return standings.WorkersText(out, ws) })
		}),
	}
	declare(c, &study)
	printsJSON(c, "worker", standings.Worker{})
	return c
}
