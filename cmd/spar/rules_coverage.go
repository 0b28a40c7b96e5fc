package main

import (
	"cmp"

	"github.com/spf13/cobra"

	"spar/engines/coverage"
	"spar/reports/screen"
)

func rulesCoverageCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:     "coverage",
		Short:   "List well-known games: shipped, expressible, or which mechanic is missing",
		Example: "  spar rules coverage",
		Args:    noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			t := screen.NewTable(c.OutOrStdout(), screen.Row{"game", "status", "rules, or what is missing", "remark"})
			for _, e := range coverage.Table() {
				if asJSON {
					if err := printJSON(c.OutOrStdout(), "coverage", e); err != nil {
						return err
					}
					continue
				}
				t.AppendRow(screen.Row{e.Game, e.Status, cmp.Or(e.Rules, e.Missing), e.How})
			}
			if !asJSON {
				t.Render()
			}
			return nil
		},
	}
	jsonFlag(c, &asJSON)
	return c
}
