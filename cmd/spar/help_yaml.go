package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"spar/configs/files"
	"spar/configs/reference"
	"spar/configs/strict"
)

// yamlTopic is "spar help yaml", and "spar yaml" with --out.
func yamlTopic() *cobra.Command {
	root := yamlCommand("yaml", "yaml", "Every key of every YAML file: agents, tournaments, tunings, sweeps, machines, rules", reference.Kinds())
	var names []string
	for _, k := range reference.Kinds() {
		names = append(names, k.Name)
		root.AddCommand(yamlCommand(k.Name, "yaml "+k.Name, k.About, []reference.Kind{k}))
	}
	root.Args = func(_ *cobra.Command, args []string) error {
		if len(args) > 0 {
			return fmt.Errorf("unknown kind of file %q%s", args[0], strict.Suggest(args[0], names))
		}
		return nil
	}
	return root
}

func yamlCommand(use, path, short string, kinds []reference.Kind) *cobra.Command {
	var out string
	c := &cobra.Command{
		Use:     use,
		Short:   short,
		Example: fmt.Sprintf("  spar help %s\n  spar %s --out out/keys.html", path, path),
		Args:    noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			write := reference.Text
			if out == "" {
				return write(c.OutOrStdout(), kinds)
			}
			switch strings.ToLower(filepath.Ext(out)) {
			case ".html":
				write = reference.HTML
			case ".md":
				write = reference.Markdown
			}
			if err := files.Write(out, func(w io.Writer) error { return write(w, kinds) }); err != nil {
				return err
			}
			_, err := fmt.Fprintf(c.OutOrStdout(), "wrote %s\n", out)
			return err
		},
	}
	outFlag(c, &out, "write a page into this file, .html, .md or .txt", ".html", ".md", ".txt")
	c.SetHelpFunc(func(c *cobra.Command, _ []string) {
		if err := reference.Text(c.OutOrStdout(), kinds); err != nil {
			fmt.Fprintln(c.ErrOrStderr(), err)
		}
	})
	return c
}
