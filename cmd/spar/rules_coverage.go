package main

import (
	"cmp"
	"strings"

	"github.com/spf13/cobra"

	"spar/engines/coverage"
)

func rulesCoverageCommand() *cobra.Command {
	c := &cobra.Command{
		Use:     "coverage [NAME]",
		Short:   "List well-known games: which are shipped or expressible, and which mechanics are missing",
		Example: "  spar rules coverage\n  spar rules coverage draughts",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			games := coverage.Table()
			if len(args) > 0 {
				if games = coverage.Find(args[0]); len(games) == 0 {
					return usagef("no game with a name like %q in the list; spar rules coverage prints the whole list", args[0])
				}
			}
			t := newListing(c, "coverage", []string{"game", "status", "rules, or what is missing"})
			for _, e := range games {
				what := strings.Trim(cmp.Or(e.Rules, e.Missing)+": "+e.How, ": ")
				if err := t.add(e, e.Game, e.Status, what); err != nil {
					return err
				}
			}
			return t.end("")
		},
	}
	printsJSON(c, "coverage", coverage.Entry{})
	return c
}
