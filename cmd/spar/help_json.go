package main

import (
	_ "embed" // the page
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"spar/reports/standings"
)

// helpJSON is the page behind "spar help json": each kind of object with its fields. A test holds it against what commands print.
//
//go:embed help_json.txt
var helpText string

// helpJSON is the page with the keys that are declared where they are made.
func helpJSON() string {
	return strings.Replace(helpText, "  {{standings.agents}}\n", standings.Help("agents[]."), 1)
}

// jsonTopic is "spar help json".
func jsonTopic() *cobra.Command {
	return &cobra.Command{
		Use:         "json",
		Short:       "What --json prints: every kind of object with its fields",
		Example:     "  spar help json\n  spar json",
		Annotations: map[string]string{isTopic: "yes"},
		RunE: func(c *cobra.Command, _ []string) error {
			_, err := fmt.Fprint(c.OutOrStdout(), helpJSON())
			return err
		},
	}
}
