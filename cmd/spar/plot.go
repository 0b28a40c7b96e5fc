package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"spar/arena/store"
	"spar/configs/plain"
	"spar/reports/chart"
	"spar/reports/figures"
	"spar/reports/screen"
)

func plotCommand() *cobra.Command {
	var ask figures.Ask
	var study studyFlag

	names, texts := figures.Kinds()
	var list []string
	for i, name := range names {
		list = append(list, fmt.Sprintf("  %-9s %s", name, texts[i]))
	}
	var o struct {
		Output  string   `flag:"out,o" file:".pdf .svg .png" help:"the file, ending in .pdf, .svg or .png (default: next to the study)"`
		Title   string   `flag:"title" help:"the title (default: names of the games)"`
		Size    string   `flag:"size" help:"size in pixels, like 800x400 (default: one that suits the data)"`
		Colours []string `flag:"colours" list:"comma" help:"one colour for each agent in the order of --agents, like b84a00,0067a8; not with --kind heatmap"`
	}
	c := &cobra.Command{
		Use:   "plot STUDY.db",
		Short: "Draw a figure of a study for a paper, as PDF, SVG or PNG",
		Long: "Draws one figure of a study; every estimate has its 95 % interval. The extension of --out selects the " +
			"format.\n\nKinds:\n\n" + strings.Join(list, "\n"),
		Example: `  spar plot out/try.db --kind ladder --out out/ladder.pdf
  spar plot out/try.db --kind strength --rules ctor --cost nodes -o strength.svg
  spar plot out/try.db --agents greedy,minimax-2 --colours b84a00,0067a8`,
		RunE: func(c *cobra.Command, _ []string) error {
			switch {
			case changed(c, "cost") && ask.Kind != "strength":
				return usagef("--cost needs --kind strength")
			case changed(c, "colours") && ask.Kind == "heatmap":
				return usagef("--colours: a heat map has its own colour scale")
			case changed(c, "title"):
				ask.Title = &o.Title
			}
			if err := oneOf("kind", ask.Kind, names...); err != nil {
				return err
			}
			if o.Size != "" {
				n, err := fmt.Sscanf(o.Size+" ", "%fx%f ", &ask.Width, &ask.Height)
				if n != 2 || err != nil || min(ask.Width, ask.Height) < leastSize || max(ask.Width, ask.Height) > mostSize {
					return usagef("--size %s: expected WIDTHxHEIGHT in pixels, each from %d to %d", o.Size, leastSize, mostSize)
				}
			}
			for _, text := range o.Colours {
				k, err := chart.ParseColour(text)
				if err != nil {
					return usagef("--colours: %s", err)
				}
				ask.Colours = append(ask.Colours, k)
			}
			if o.Output == "" {
				o.Output = bare(study.Path) + "-" + ask.Kind + ".svg"
			}
			db, err := openStudy(c.Context(), study.Path)
			if err != nil {
				return err
			}
			defer db.Close()
			if err := checkFilter(c.Context(), db, store.Filter{Rules: ask.Rules}); err != nil {
				return err
			}
			agents := ask.Agents
			if len(agents) == 0 {
				if agents, err = db.Names(c.Context(), "agents"); err != nil {
					return err
				}
			}
			if len(ask.Colours) > len(agents) {
				return usagef("--colours: %d colours for %s", len(ask.Colours), screen.Plural(len(agents), "agent"))
			}
			f, err := figures.Draw(c.Context(), db, ask)
			if err == nil {
				err = chart.Save(o.Output, f.Chart, f.Alt)
			}
			if err != nil {
				return err
			}
			return replyf(c, "figure", drawnFigure{study.Path, o.Output, f.Alt}, "wrote %s\n%s\n", o.Output, plain.Line(f.Alt))
		},
	}
	declare(c, &study, &ask, &o)
	printsJSON(c, "figure", drawnFigure{})
	return c
}

// The sizes of a figure in pixels.
const (
	leastSize = 200
	mostSize  = 4000
)

// drawnFigure is the output of kind figure.
type drawnFigure struct {
	DB   string `json:"db" help:"the study's file"`
	File string `json:"file" help:"written"`
	Text string `json:"text" help:"what the figure shows, in words"`
}
