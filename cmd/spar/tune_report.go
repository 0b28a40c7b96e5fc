package main

import (
	"errors"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"spar/configs/files"
	"spar/reports/page"
	"spar/reports/pages"
	"spar/tuning"
)

func tuneReportCommand() *cobra.Command {
	var o tuneOptions

	var own struct {
		Agent  string `flag:"agent,a" help:"show the validation of this agent instead of the tuned agent"`
		Output string `flag:"out,o" file:"" help:"the page's file (default: next to the study)"`
	}
	c := &cobra.Command{
		Use:   "report TUNING",
		Short: "Write the report of a tuning as a web page",
		Long: `Writes one self-contained page about a finished tuning: parameters before and after, the progress of the
search, and the validation. The command also prints a summary.`,
		Example: `  spar tune report checkerboard
  spar tune report my-tuning.yaml --out out/report.html`,
		RunE: o.run(func(c *cobra.Command, t *tuning.Tuning) error {
			if own.Output == "" {
				own.Output = bare(t.Database)
				if filepath.Base(own.Output) != t.Name { // so that another study's page of the same tuning stays
					own.Output += "-" + t.Name
				}
				own.Output += ".html"
			}
			d, err := reportData(c, t, own.Agent)
			if err != nil {
				return err
			}
			name := c.Flags().Arg(0)
			d.Commands = []page.Command{
				{Text: "spar tune " + name, Note: "This command runs the tuning:"},
				{Text: "spar tune validate " + name, Note: "This command validates the tuning:"},
				{Text: "spar tune report " + name, Note: "This command writes this page:"},
			}
			doc := pages.Tuning(d)
			if err := files.Write(own.Output, doc.HTML); err != nil {
				return err
			}
			return reply(c, "tuning_report", tuningReport{own.Output, d.Result, d.Examination}, func(w io.Writer) error {
				return errors.Join(doc.Text(w, 0), printTo(w, "\nreport: %s\n", own.Output))
			})
		}),
	}
	declare(c, &o, &own)
	printsJSON(c, "tuning_report", tuningReport{})

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
			err = notTuned(err)
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
	Examination *tuning.Examination `json:"examination" help:"see examination; null if the tuned agent was not validated"`
}
