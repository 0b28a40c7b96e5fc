package page

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"spar/configs/files"
	"spar/reports/chart"
)

// Tables writes every table of the document to a folder, as CSV and as JSON. It returns the names of the files in
// order.
func (d *Document) Tables(dir string) ([]string, error) {
	p, err := d.prepare()
	if err != nil {
		return nil, err
	}
	var names []string
	for i := range p.Parts {
		for _, t := range p.Parts[i].Listed {
			for _, f := range []struct {
				ending string
				write  func(io.Writer) error
			}{{".csv", t.CSV}, {".json", t.JSON}} {
				name := t.ID + f.ending
				if err := save(dir, name, f.write); err != nil {
					return names, err
				}
				names = append(names, name)
			}
		}
	}
	return names, nil
}

// Figures writes every figure that has data to a folder, as "svg", "png" or "pdf". The document's own figures come
// before those of its sections. It returns the names of the files in order.
func (d *Document) Figures(dir, format string) ([]string, error) {
	if !slices.Contains(chart.Formats(), format) {
		return nil, fmt.Errorf("figure format %q: expected %s", format, strings.Join(chart.Formats(), ", "))
	}
	p, err := d.prepare()
	if err != nil {
		return nil, err
	}
	figures := slices.Clone(p.Front.Drawn)
	for i := range p.Parts {
		figures = append(figures, p.Parts[i].Drawn...)
	}
	var names []string
	for _, f := range figures {
		name := f.ID + "." + format
		c := &chart.Named{Title: d.Title, Chart: f.Chart}
		if err := save(dir, name, func(w io.Writer) error {
			return chart.Write(w, c, format, f.Alt)
		}); err != nil {
			return names, err
		}
		names = append(names, name)
	}
	return names, nil
}

func save(dir, name string, write func(io.Writer) error) error {
	return files.Write(filepath.Join(dir, name), write)
}
