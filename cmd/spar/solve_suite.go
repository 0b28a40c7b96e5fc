package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"spar/configs/strict"
	"spar/engines/solve"
	"spar/engines/solve/published"
	"spar/reports/table"
)

// publishedRow is a published value, with the value that Spar finds.
type publishedRow struct {
	Name string `json:"name" help:"short name of the game"`
	// rules with overrides, in the form that "spar solve" accepts
	Rules     string           `json:"rules" help:"the game in the form that spar solve accepts, with overrides"`
	Source    string           `json:"source" help:"source of the published value"`
	Published published.Value  `json:"published"`
	Ours      *published.Value `json:"ours"`
	Verdict   string           `json:"verdict" help:"same, different or not attempted"`
	Why       string           `json:"why,omitempty" help:"why it was not attempted"`
	// method that Spar used: table or proof
	By      string  `json:"by" help:"table of all states, or proof of the start"`
	States  uint64  `json:"states" help:"number of ongoing states, or positions expanded by the proof"`
	Seconds float64 `json:"wall_s" help:"time in seconds"`
}

// suite holds the options of --suite.
type suite struct {
	name    string
	only    []string // names of entries or of rules to solve; empty = all
	seconds float64  // time limit in seconds for each entry
	options solve.Options
	asJSON  bool
}

// suiteFlags adds the flags of --suite.
func suiteFlags(c *cobra.Command, s *suite) {
	c.Flags().StringVar(&s.name, "suite", "", "known games instead: published (compare with known values) or people "+
		"(solve line games that people judged)")
	c.Flags().Float64Var(&s.seconds, "seconds", 60, fmt.Sprintf("with --suite: time for each value; all together may "+
		"take longer. For people: for each prover, %d unless set", peopleSeconds))
	knownWord(c, "suite", "suite", "published", "people")
	needs(c, []string{"seconds"}, "suite")
	positive(c, "seconds")
}

// run solves the entries one after another and prints each with its published value.
func (s *suite) run(ctx context.Context, out, progress io.Writer, entries []published.Entry) (err error) {
	count := map[string]int{}
	t := table.To(out, []string{"game", "published", "ours", "verdict", "by", "states", "seconds", "source"}, 6, 7)
	for i, e := range entries {
		if isTerminal(progress) {
			fmt.Fprintf(progress, "\r%3d of %d  %-50s", i+1, len(entries), e.Name)
		}
		var row publishedRow
		if row, err = s.compare(ctx, &e); err != nil {
			break
		}
		count[row.Verdict]++
		if s.asJSON {
			if err := printJSON(out, "published", row); err != nil {
				return err
			}
			continue
		}
		ours := "-"
		if row.Ours != nil {
			ours = row.Ours.String()
		}
		verdict := row.Verdict
		if row.Why != "" {
			verdict += ": " + row.Why
		}
		t.Add(row.Name, row.Published.String(), ours, verdict, row.By, row.States, fmt.Sprintf("%.2f", row.Seconds),
			row.Source)
	}
	if isTerminal(progress) {
		fmt.Fprintf(progress, "\r%70s\r", "")
	}
	if !s.asJSON {
		t.Write()
		fmt.Fprintf(out, "%d same, %d different, %d not attempted\n", count[published.Same], count[published.Different],
			count[published.NotAttempted])
	}
	if err == nil && count[published.Different] > 0 {
		return errSaid
	}
	return err
}

// entries returns the requested entries.
func (s *suite) entries() ([]published.Entry, error) {
	all := published.Table()
	if len(s.only) == 0 {
		return all, nil
	}
	var names []string
	for _, e := range all {
		for _, name := range []string{e.Rules, e.Name} {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	var bad error
	for _, name := range s.only {
		if !slices.Contains(names, name) {
			bad = errors.Join(bad, fmt.Errorf("no value of %q is known%s", name, strict.Suggest(name, names)))
		}
	}
	if bad != nil {
		return nil, usageError{bad}
	}
	return slices.DeleteFunc(all, func(e published.Entry) bool {
		return !slices.Contains(s.only, e.Rules) && !slices.Contains(s.only, e.Name)
	}), nil
}

func (s *suite) compare(ctx context.Context, e *published.Entry) (publishedRow, error) {
	limited, cancel := context.WithTimeout(ctx, time.Duration(s.seconds*float64(time.Second)))
	defer cancel()
	began := time.Now()
	a, err := e.Check(ctx, limited, s.options)
	by := "table"
	if e.Proof {
		by = "proof"
	}
	return publishedRow{
		e.Name, e.Label(), e.Source, e.Value, a.Ours, a.Verdict, a.Why, by, a.States,
		time.Since(began).Seconds(),
	}, err
}
