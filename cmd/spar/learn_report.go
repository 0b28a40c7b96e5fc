package main

import (
	"cmp"
	"context"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"spar/agents/pace"
	"spar/agents/patterns"
	"spar/configs"
	"spar/configs/files"
	"spar/reports/page"
	"spar/reports/pages"
	"spar/tuning/learn"
)

// descriptionGames is the number of self-play games by which the page of a net describes it.
const descriptionGames = 1000

func learnReportCommand() *cobra.Command {
	var o struct {
		Out   string `flag:"out,o" file:"" help:"the page's file (default: next to the net, in out for a shipped net)"`
		Games int    `flag:"games=1000" range:"[1," help:"games of self-play"`
	}
	c := &cobra.Command{
		Use:   "report NET",
		Short: "Write a web page about a learned evaluation",
		Long: `Plays games of self-play with a net (a name like ctor/learned, or a file of "spar learn") and writes one
self-contained page: whether the net improves play, the value of a piece on each cell, the strongest patterns, the
accuracy of its scores, the largest differences from weights, and the course of the training.`,
		Example: `  spar learn report ctor/learned
  spar learn report out/mine.net --games 5000 --out out/mine.html`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			_, net, err := loadNet(args[0])
			if err != nil {
				return err
			}
			r, err := learnedPage(c.Context(), args[0], net, nil, o.Games, o.Out, pace.Limit{})
			if err != nil {
				return err
			}
			if wantsJSON(c) {
				return printJSON(c.OutOrStdout(), "learned_report", learnedReport{
					net.Game().Name(), net.About(), r.description,
					r.file,
				})
			}
			if err := r.document.Text(c.OutOrStdout(), 0); err != nil {
				return err
			}
			return say(c, "\nreport: %s\n", r.file)
		},
	}
	declare(c, &o)
	printsJSON(c, "learned_report", learnedReport{})
	return c
}

// loadNet reads a net by name or path, with the rules of its training.
func loadNet(name string) (*patterns.File, *patterns.Net, error) {
	file, net, err := learn.Open(name)
	return file, net, badInput(err)
}

// netPage is the page of a net, with the files that were written.
type netPage struct {
	file        string
	description learn.Description
	document    *page.Document
}

// learnedPage describes a net by new games and writes its page, next to the net unless out names a file.
func learnedPage(ctx context.Context, name string, net *patterns.Net, matchups []learn.Matchup, games int, out string,
	limit pace.Limit,
) (netPage, error) {
	beside := "out/" + net.Game().Name()
	if configs.IsNetPath(name) {
		beside = strings.TrimSuffix(name, filepath.Ext(name))
	}
	r := netPage{file: cmp.Or(out, beside+"-net.html")}
	var err error
	if r.description, err = learn.Look(ctx, net, games, net.About().Seed, limit); err != nil {
		return r, err
	}
	r.document = pages.Net(pages.Learned{
		Name: name, Net: net, Description: r.description, Matchups: matchups,
		Commands: []page.Command{
			{Text: "spar learn report " + name, Note: "makes this page"},
			{Text: "spar learn validate " + name, Note: "validates the net"},
		},
	})
	return r, files.Write(r.file, r.document.HTML)
}

// learnedReport is the output of kind learned_report.
type learnedReport struct {
	Rules       string              `json:"rules" help:"name of the rules"`
	Net         patterns.Provenance `json:"net"`
	Description learn.Description   `json:"portrait"`
	Report      string              `json:"report" help:"the page"`
}
