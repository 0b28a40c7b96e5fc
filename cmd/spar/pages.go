package main

import (
	"io"

	"github.com/spf13/cobra"

	"spar/reports/page"
)

// pageFlags are the flags of commands that write documents to files.
type pageFlags struct {
	Out     string `flag:"out,o" page:"" help:"write the page to this .html file or folder"`
	Figures string `flag:"figures" one:"svg png pdf" help:"also write the figures to the folder of --out, as svg, png or pdf"`
	Tables  bool   `flag:"tables" help:"also write Markdown, JSON and every table (CSV and JSON) to the folder of --out"`
	quiet   bool   // do not print the names of the files written
}

func (o *pageFlags) attach(c *cobra.Command) { beforehand(c, o.check) }

func (o *pageFlags) check(*cobra.Command) error {
	folder := o.Out != "" && !page.IsFile(o.Out)
	switch {
	case o.Figures != "" && !folder:
		return usagef("--figures needs a folder: --out FOLDER")
	case o.Tables && !folder:
		return usagef("--tables needs a folder: --out FOLDER")
	}
	return nil
}

// save writes a document. Files in a folder get the given name, and JSON data the given kind. Many means that
// there are several documents.
func (o *pageFlags) save(c *cobra.Command, d *page.Document, name string, many bool, kind string, data any) error {
	wrote, err := d.Save(page.Place{
		Out: o.Out, Figures: o.Figures, Tables: o.Tables, Name: name, Many: many,
		Data: func(w io.Writer) error { return printJSON(w, kind, data) },
	})
	if err == nil && !o.quiet {
		note(c, "wrote %s\n", wrote)
	}
	return err
}
