package main

import (
	"strings"

	"github.com/spf13/cobra"

	"spar/arena/store"
	"spar/reports/balance"
	"spar/reports/screen"
)

// compareStudies prints the differences between two studies.
func compareStudies(c *cobra.Command, studies []string, rules [2]string, o reportOptions) error {
	if len(studies) != 2 {
		return usagef("--compare: %s given, expected two: before and after the change",
			screen.Plural(len(studies), "study"))
	}
	var dbs [2]*store.DB
	var names [2]string
	for i, path := range studies {
		db, err := openStudy(c.Context(), path)
		if err != nil {
			return err
		}
		defer db.Close()
		dbs[i] = db
		labels, err := rulesNamed(c.Context(), db, rules[i])
		if err != nil {
			return err
		}
		if len(labels) > 1 {
			return usagef("%s holds several sets of rules; choose with --rules and --rules-after (%s)",
				path, strings.Join(labels, ", "))
		}
		names[i] = labels[0]
	}
	shown := newDisplay(c)
	r, after, err := balance.Compare(c.Context(), dbs[0], dbs[1], names[0], names[1], o.study(shown, "comparing"))
	shown.Clear()
	if err != nil {
		return err
	}
	r.Judged = after.Judge(names[1], o.targets)
	if err := o.Page.show(c, r.Page(), o.Markdown, "comparison", "comparison", r, r); err != nil {
		return err
	}
	return verdictOf(c, r.Judged, o)
}
