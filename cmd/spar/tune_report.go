package main

import (
	"errors"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"spar/configs/files"
	"spar/reports/page"
	"spar/reports/pages"
	"spar/tuning"
)

func tuneReportCommand() *cobra.Command {
	var o tuneOptions
	var agent, output string
	c := &cobra.Command{
		Use:   "report TUNING",
		Short: "Write the report of a tuning as a web page",
		Long: `Writes one self-contained page about a finished tuning: weights before and after, the course of the
search, and the validation. Prints a summary.`,
		Example: `  spar tune report checkerboard
  spar tune report my-tuning.yaml --out out/report.html`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: tuningNames,
		RunE: func(c *cobra.Command, args []string) error {
			t, err := o.load(c, args[0])
			if err != nil {
				return err
			}
			if output == "" {
				output = strings.TrimSuffix(t.Database, filepath.Ext(t.Database))
				if filepath.Base(output) != t.Name { // so that another study's page of the same tuning stays
					output += "-" + t.Name
				}
				output += ".html"
			}
			d, err := reportData(c, t, agent)
			if err != nil {
				return err
			}
			d.Commands = []page.Command{
				{Text: "spar tune " + args[0], Note: "makes the tuning"},
				{Text: "spar tune validate " + args[0], Note: "validates it"},
				{Text: "spar tune report " + args[0], Note: "makes this page"},
			}
			doc := pages.Tuning(d)
			if err := files.Write(output, doc.HTML); err != nil {
				return err
			}
			if wantsJSON(c) {
				return printJSON(c.OutOrStdout(), "tuning_report", tuningReport{
					output, d.Result, d.Examination,
				})
			}
			if err := doc.Text(c.OutOrStdout(), 0); err != nil {
				return err
			}
			return say(c, "\nreport: %s\n", output)
		},
	}
	o.flags(c)
	agentFlag(c, &agent, "show the validation of this agent instead of the tuning's answer")
	outFlag(c, &output, "the page's file (default: next to the study)")
	return c
}

// reportData collects the data for the report from the study.
func reportData(c *cobra.Command, t *tuning.Tuning, agent string) (pages.Tuned, error) {
	d := pages.Tuned{Tuning: t}
	db, err := openStudy(c.Context(), t.Database)
	if err != nil {
		return d, err
	}
	defer db.Close()
	if d.Result, err = t.Recall(c.Context(), db); err != nil {
		if errors.Is(err, tuning.ErrMissing) {
			return d, usagef("%w: run spar tune first, with the same file and --db", err)
		}
		return d, err
	}
	candidate, training, err := candidateOf(c, t, agent)
	if err != nil {
		return d, err
	}
	d.Examination, err = t.RecallValidation(c.Context(), db, candidate, training)
	if errors.Is(err, tuning.ErrMissing) {
		err = nil // the page says so
	}
	return d, err
}

// tuningReport is the output of kind tuning_report.
type tuningReport struct {
	Report      string              `json:"report" help:"the page's file"`
	Result      *tuning.Result      `json:"result" help:"see tuning"`
	Examination *tuning.Examination `json:"examination" help:"see examination; null if the answer was not validated"`
}
