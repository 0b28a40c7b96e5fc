package main

import (
	"errors"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"spar/arena/store"
	"spar/configs/files"
	"spar/reports/page"
	"spar/reports/pages"
	"spar/tuning"
)

func tuneReportCommand() *cobra.Command {
	var o tuneOptions
	var agent, output string
	var slices int
	var together []string
	c := &cobra.Command{
		Use:   "report TUNING",
		Short: "Write the report of a tuning as a web page",
		Long: `Writes one self-contained page about a finished tuning: weights before and after, the course of the
search, the validation, and the results near the answer. Prints a summary.

--slices plays games along single numbers; --together plays games over two numbers at once, which shows whether they
can be tuned one by one.`,
		Example: `  spar tune report checkerboard
  spar tune report my-tuning.yaml --slices 50 --out out/report.html
  spar tune report my-tuning.yaml --slices 50 --together mcts.exploration,mcts.rave`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: tuningNames,
		RunE: func(c *cobra.Command, args []string) error {
			t, err := o.load(args[0])
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
			d, err := reportData(c, t, agent, slices, together)
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
					output, d.Result, d.Examination, d.Landscape,
					d.Planes,
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
	c.Flags().IntVar(&slices, "slices", 0, "pairs at each of four values of each number around the result; 0 = none")
	c.Flags().StringArrayVar(&together, "together", nil, "two numbers changed together, as PATH,PATH: --slices pairs at "+
		"each of 24 points (repeatable)")
	return c
}

// reportData collects the data for the report from the study.
func reportData(c *cobra.Command, t *tuning.Tuning, agent string, slices int, together []string) (pages.Tuned, error) {
	d := pages.Tuned{Tuning: t}
	var planes [][2]string
	for _, pair := range together {
		a, b, ok := strings.Cut(pair, ",")
		if !ok || a == "" || b == "" || strings.Contains(b, ",") {
			return d, usagef("--together %q: expected two numbers of the tuning, like mcts.exploration,mcts.rave", pair)
		}
		planes = append(planes, [2]string{a, b})
	}
	if len(together) > 0 && slices == 0 {
		return d, usagef("--together needs a number of pairs for each point, like --slices 50")
	}
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
	for _, paths := range planes {
		if err := t.CheckTogether(d.Result, paths); err != nil {
			return d, usagef("--together: %w", err)
		}
	}
	candidate, training, err := candidateOf(c, t, agent)
	if err != nil {
		return d, err
	}
	d.Examination, err = t.RecallValidation(c.Context(), db, candidate, training)
	if errors.Is(err, tuning.ErrMissing) {
		err = nil // the page says so
	}
	if err != nil || slices == 0 {
		return d, err
	}
	writable, err := store.Open(c.Context(), t.Database, store.Create)
	if err != nil {
		return d, err
	}
	defer writable.Close()
	unlock, err := writable.Lock() // of all planes
	if err != nil {
		return d, err
	}
	defer unlock()
	progress := newTuneProgress(c, t)
	defer progress.Clear()
	if len(together) == 0 {
		d.Landscape, err = t.Landscape(c.Context(), writable, d.Result, slices, progress.tell)
		return d, err
	}
	for _, paths := range planes {
		p, err := t.Together(c.Context(), writable, d.Result, paths, slices, progress.tell)
		if err != nil {
			return d, err
		}
		d.Planes = append(d.Planes, p)
	}
	return d, nil
}

// tuningReport is the output of kind tuning_report.
type tuningReport struct {
	Report      string              `json:"report" help:"the page's file"`
	Result      *tuning.Result      `json:"result" help:"see tuning"`
	Examination *tuning.Examination `json:"examination" help:"see examination; null if the answer was not validated"`
	Landscape   []tuning.Slice      `json:"landscape" help:"single numbers around the answer: path, points with value, step and match"`
	Planes      []*tuning.Plane     `json:"planes,omitempty"`
}
