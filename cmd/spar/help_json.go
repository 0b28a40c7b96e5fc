package main

import (
	_ "embed" // the page
	"fmt"

	"github.com/spf13/cobra"
)

// helpJSON is the page behind "spar help json": each kind of object with its fields. A test holds it against what commands print.
//
//go:embed help_json.txt
var helpJSON string

// jsonTopic is "spar help json".
func jsonTopic() *cobra.Command {
	c := &cobra.Command{
		Use:   "json",
		Short: "What --json prints: every kind of object with its fields",
	}
	c.SetHelpFunc(func(c *cobra.Command, _ []string) { fmt.Fprint(c.OutOrStdout(), helpJSON) })
	return c
}
