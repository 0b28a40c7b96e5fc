package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"spar/engines/solve/suite"
	"spar/reports/screen"
)

// runSuite solves the entries of a suite and compares them with the values that it states. Names select some of them.
func runSuite(c *cobra.Command, name string, names []string, o suite.Options) error {
	all, err := suite.Named(name)
	if err == nil {
		all, err = suite.Only(all, names)
	}
	if err != nil {
		return usagef("--suite: %w", err)
	}
	shown := newDisplay(c)
	t := newListing(c, "published",
		strings.Fields("game published ours verdict by states seconds source"), 6, 7)
	count, done := map[string]int{}, 0
	err = suite.Run(c.Context(), all, o, func(r suite.Result) error {
		count[r.Verdict]++
		done++
		shown.Show(func() string {
			return fmt.Sprintf("%d of %s, %s", done, screen.Plural(len(all), "entry"), r.Name)
		})
		verdict := r.Verdict
		if r.Why != "" {
			verdict += ": " + r.Why
		}
		return t.add(r, r.Name, r.Published.String(), r.Ours.String(), verdict, r.By, r.States,
			fmt.Sprintf("%.2f", r.Seconds), r.Source)
	})
	shown.Clear()
	if err != nil {
		return err
	}
	err = t.end("%d same, %d different, %d solved without a stated value, %d unknown\n", count[suite.Same],
		count[suite.Different], count[suite.Solved], count[suite.Unknown])
	if err == nil && count[suite.Different] > 0 {
		return errSaid
	}
	return err
}
