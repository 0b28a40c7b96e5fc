package main

import (
	"cmp"

	"github.com/spf13/cobra"

	"spar/engines/coverage"
)

func rulesCoverageCommand() *cobra.Command {
	c := &cobra.Command{
		Use:     "coverage [NAME]",
		Short:   "List well-known games: shipped, expressible, or which mechanic is missing",
		Example: "  spar rules coverage\n  spar rules coverage draughts",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			games := coverage.Table()
			if len(args) > 0 {
				if games = coverage.Find(args[0]); len(games) == 0 {
					return usagef("no game with a name like %q in the list; spar rules coverage prints the whole list", args[0])
				}
			}
			t := newListing(c, "coverage", []string{"game", "status", "rules, or what is missing", "remark"})
			for _, e := range games {
				if err := t.add(e, e.Game, e.Status, cmp.Or(e.Rules, e.Missing), e.How); err != nil {
					return err
				}
			}
			return t.end("")
		},
	}
	printsJSON(c, "coverage", coverage.Entry{})
	return c
}
