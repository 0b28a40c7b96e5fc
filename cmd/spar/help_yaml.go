package main

import (
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"spar/configs/files"
	"spar/configs/reference"
	"spar/configs/strict"
)

// yamlTopic is "spar help yaml", and "spar yaml" with --out.
func yamlTopic() *cobra.Command {
	var o struct {
		Out string `flag:"out,o" file:".html .md .txt" help:"write the list to this file, .html, .md or .txt"`
	}
	var names []string
	for _, k := range reference.Kinds() {
		names = append(names, k.Name)
	}
	c := &cobra.Command{
		Use:         "yaml [KIND]",
		Short:       "Every key of every YAML file: " + strings.Join(names, ", "),
		Example:     "  spar help yaml rules\n  spar yaml --out out/keys.html",
		Annotations: map[string]string{isTopic: "yes"},
		Args:        cobra.MaximumNArgs(1),
		ValidArgs:   names,
		RunE: func(c *cobra.Command, args []string) error {
			kinds := reference.Kinds()
			if len(args) > 0 {
				at := slices.Index(names, args[0])
				if at < 0 {
					return usagef("unknown kind of file %q%s", args[0], strict.Suggest(args[0], names))
				}
				kinds = kinds[at : at+1]
			}
			write := reference.Text
			switch strings.ToLower(filepath.Ext(o.Out)) {
			case "":
				return write(c.OutOrStdout(), kinds)
			case ".html":
				write = reference.HTML
			case ".md":
				write = reference.Markdown
			}
			if err := files.Write(o.Out, func(w io.Writer) error { return write(w, kinds) }); err != nil {
				return err
			}
			return say(c, "wrote %s\n", o.Out)
		},
	}
	declare(c, &o)
	return c
}
