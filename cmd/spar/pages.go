package main

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"spar/configs/files"
	"spar/configs/strict"
	"spar/reports/chart"
	"spar/reports/page"
	"spar/reports/screen"
)

func checkFigures(out, figures string) error {
	if figures != "" && !slices.Contains(chart.Formats(), figures) {
		return usagef("--figures: unknown format %q%s", figures, strict.Suggest(figures, chart.Formats()))
	}
	if figures != "" && (out == "" || isPage(out)) {
		return usagef("--figures needs a folder: --out FOLDER")
	}
	return nil
}

// saving says where the files of a document go.
type saving struct {
	out, figures string
	name         string // of the files in a folder
	many         bool   // there are more documents: a file of one name would be overwritten
	kind         string // of the data
	data         any    // for the JSON file
}

// saveDocument writes a page, or into a folder the page, the Markdown, the JSON, the tables and, where wanted, the figures.
func saveDocument(note io.Writer, d *page.Document, s saving) error {
	if isPage(s.out) {
		path := s.out
		if s.many {
			path = strings.TrimSuffix(path, ".html") + "-" + s.name + ".html"
		}
		if err := files.Write(path, d.HTML); err != nil {
			return err
		}
		_, err := fmt.Fprintf(note, "wrote %s\n", path)
		return err
	}
	base := filepath.Join(s.out, s.name)
	if err := files.Write(base+".html", d.HTML); err != nil {
		return err
	}
	var image func(id string) string // where the Markdown finds a figure
	if s.figures != "" {
		names, err := d.Figures(base+"-figures", s.figures)
		if err != nil {
			return fmt.Errorf("figures of %s: %w", s.name, err)
		}
		fmt.Fprintf(note, "wrote %s into %s-figures\n", screen.Plural(int64(len(names)), "figure"), base)
		if s.figures != "pdf" { // no page shows one
			image = func(id string) string { return s.name + "-figures/" + id + "." + s.figures }
		}
	}
	names, err := d.Tables(base + "-tables")
	if err != nil {
		return fmt.Errorf("tables of %s: %w", s.name, err)
	}
	if err := files.Write(base+".md", func(w io.Writer) error { return d.Markdown(w, image) }); err != nil {
		return err
	}
	if err := files.Write(base+".json", func(w io.Writer) error { return printJSON(w, s.kind, s.data) }); err != nil {
		return err
	}
	_, err = fmt.Fprintf(note, "wrote %s.html, .md and .json, and %s into %s-tables\n", base, screen.Plural(int64(len(names)), "file"), base)
	return err
}
