package main

import (
	"io"
	"slices"

	"github.com/spf13/cobra"

	"spar/configs/strict"
	"spar/reports/chart"
	"spar/reports/page"
)

// pageFlags are the flags of commands that write documents to files.
type pageFlags struct {
	out, figures string
	tables       bool
	quiet        bool // do not print the names of the files written
}

func (o *pageFlags) flags(c *cobra.Command) {
	c.Flags().StringVarP(&o.out, "out", "o", "", "write the page to this .html file or folder")
	annotate(c, "out", writesPage, nil)
	c.Flags().StringVar(&o.figures, "figures", "", "also write the figures to the folder of --out, as svg, png or pdf")
	o.tablesFlag(c, "also write Markdown, JSON and every table (CSV and JSON) to the folder of --out")
	beforehand(c, o.check)
}

func (o *pageFlags) tablesFlag(c *cobra.Command, usage string) {
	c.Flags().BoolVar(&o.tables, "tables", false, usage)
}

func (o *pageFlags) check(*cobra.Command) error {
	folder := o.out != "" && !page.IsFile(o.out)
	switch {
	case o.figures != "" && !slices.Contains(chart.Formats(), o.figures):
		return usagef("--figures: unknown format %q%s", o.figures, strict.Suggest(o.figures, chart.Formats()))
	case o.figures != "" && !folder:
		return usagef("--figures needs a folder: --out FOLDER")
	case o.tables && !folder:
		return usagef("--tables needs a folder: --out FOLDER")
	}
	return nil
}

// save writes a document. Files in a folder get the given name, and JSON data the given kind. Many means that
// there are several documents.
func (o *pageFlags) save(c *cobra.Command, d *page.Document, name string, many bool, kind string, data any) error {
	wrote, err := d.Save(page.Place{
		Out: o.out, Figures: o.figures, Tables: o.tables, Name: name, Many: many,
		Data: func(w io.Writer) error { return printJSON(w, kind, data) },
	})
	if err == nil && !o.quiet {
		note(c, "wrote %s\n", wrote)
	}
	return err
}
