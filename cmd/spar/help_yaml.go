package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"spar/configs/reference"
	"spar/configs/strict"
)

// yamlTopic is "spar help yaml".
func yamlTopic() *cobra.Command {
	var names []string
	for _, k := range reference.Kinds() {
		names = append(names, k.Name)
	}
	c := &cobra.Command{
		Use:         "yaml [KIND]",
		Short:       "Every key of every YAML file: " + strings.Join(names, ", "),
		Example:     "  spar yaml rules",
		Annotations: map[string]string{isTopic: "yes"},
		Args:        cobra.MaximumNArgs(1),
		ValidArgs:   names,
		RunE: func(c *cobra.Command, args []string) error {
			kinds := reference.Kinds()
			if len(args) > 0 {
				at := slices.Index(names, args[0])
				if at < 0 {
					return usagef("%s", strict.Unknown("kind of file", args[0], names))
				}
				kinds = kinds[at : at+1]
			}
			return reference.Text(c.OutOrStdout(), kinds)
		},
	}
	return c
}
