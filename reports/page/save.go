package page

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"spar/configs/files"
	"spar/reports/screen"
)

// Place describes where the files of a document are written.
type Place struct {
	Out     string // a path ending in .html for the page alone, or a folder
	Figures string // format of the figures to write into the folder; empty for none
	Tables  bool   // also write Markdown, data, and each table as CSV and JSON to the folder
	Name    string // name of the files in the folder, without extension
	Many    bool   // there are several documents: each page gets its name before the extension of Out
	Data    func(io.Writer) error
}

// IsFile reports whether out is the path of a page and not of a folder.
func IsFile(out string) bool { return strings.HasSuffix(out, ".html") }

// Path returns the file for the page of a document with the given name. It returns out itself if out is a page and
// there is only one document.
func Path(out, name string, many bool) string {
	switch base, file := strings.CutSuffix(out, ".html"); {
	case !file:
		return filepath.Join(out, name+".html")
	case many:
		return base + "-" + name + ".html"
	}
	return out
}

// Save writes the page and the other requested files. It returns a description of what it wrote.
func (d *Document) Save(p Place) (wrote string, err error) {
	base := strings.TrimSuffix(Path(p.Out, p.Name, p.Many), ".html")
	if IsFile(p.Out) {
		return base + ".html", files.Write(base+".html", d.HTML)
	}
	if err := files.Write(base+".html", d.HTML); err != nil {
		return "", err
	}
	wrote = base + ".html"
	var image func(id string) string // where the Markdown finds a figure
	if p.Figures != "" {
		names, err := d.Figures(base+"-figures", p.Figures)
		if err != nil {
			return "", fmt.Errorf("figures of %s: %w", p.Name, err)
		}
		wrote += fmt.Sprintf(", %s in %s-figures", screen.Plural(len(names), "figure"), base)
		if p.Figures != "pdf" { // no page shows one
			image = func(id string) string { return p.Name + "-figures/" + id + "." + p.Figures }
		}
	}
	if !p.Tables {
		return wrote, nil
	}
	names, err := d.Tables(base + "-tables")
	if err != nil {
		return "", fmt.Errorf("tables of %s: %w", p.Name, err)
	}
	if err := files.Write(base+".md", func(w io.Writer) error {
		return d.Markdown(w, image)
	}); err != nil {
		return "", err
	}
	if err := files.Write(base+".json", p.Data); err != nil {
		return "", err
	}
	return wrote + fmt.Sprintf(", .md and .json, %s in %s-tables", screen.Plural(len(names), "file"), base), nil
}
