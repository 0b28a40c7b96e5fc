package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"spar/arena/store"
	"spar/configs/plain"
	"spar/reports/chart"
	"spar/reports/figures"
)

func plotCommand() *cobra.Command {
	var ask figures.Ask
	var path, output string
	names, texts := figures.Kinds()
	var list []string
	for i, name := range names {
		list = append(list, fmt.Sprintf("  %-9s %s", name, texts[i]))
	}
	c := &cobra.Command{
		Use:   "plot STUDY.db",
		Short: "Draw a figure of a study for a paper, as PDF, SVG or PNG",
		Long: "Draws one figure of a study; every estimate has its 95 % interval. The extension of --out selects the " +
			"format.\n\nKinds:\n\n" + strings.Join(list, "\n"),
		Example: `  spar plot out/try.db --kind ladder --out out/ladder.pdf
  spar plot out/try.db --kind strength --rules ctor --cost nodes --out out/strength.svg`,
		RunE: func(c *cobra.Command, _ []string) error {
			if c.Flags().Changed("cost") && ask.Kind != "strength" {
				return usagef("--cost needs --kind strength")
			}
			if output == "" {
				output = strings.TrimSuffix(path, filepath.Ext(path)) + "-" + ask.Kind + ".svg"
			}
			db, err := openStudy(c.Context(), path)
			if err != nil {
				return err
			}
			defer db.Close()
			if err := checkFilter(c.Context(), db, store.Filter{Rules: ask.Rules}); err != nil {
				return err
			}
			f, err := figures.Draw(c.Context(), db, ask)
			if err == nil {
				err = chart.Save(output, f.Chart, f.Alt)
			}
			if err != nil {
				return err
			}
			return replyf(c, "figure", drawnFigure{path, output, f.Alt}, "wrote %s\n%s\n", output, plain.Line(f.Alt))
		},
	}
	studyArgument(c, &path)
	c.Flags().StringVar(&ask.Kind, "kind", "ladder", strings.Join(names, ", "))
	knownWord(c, "kind", "kind", names...)
	rulesFlag(c, &ask.Rules, "one of the rules of the study (default: all together)")
	c.Flags().StringVar(&ask.Cost, "cost", "time", "with --kind strength: time or nodes")
	outFlag(c, &output, "the file, ending in .pdf, .svg or .png (default: next to the study)", ".pdf", ".svg", ".png")
	oneOf(c, "cost", "time", "nodes")
	jsonFlag(c)
	return c
}

// drawnFigure is the output of kind figure.
type drawnFigure struct {
	DB   string `json:"db" help:"the study's file"`
	File string `json:"file" help:"written"`
	Text string `json:"text" help:"what the figure shows, in words"`
}
