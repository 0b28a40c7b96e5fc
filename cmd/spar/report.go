package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"spar/agents/pace"
	"spar/arena/campaign"
	"spar/arena/oracle"
	"spar/arena/store"
	"spar/configs/plain"
	"spar/configs/strict"
	"spar/reports/balance"
	"spar/reports/page"
	"spar/reports/watch"
	"spar/tuning/target"
)

// reportHelp explains the flags that all commands for balance reports have.
const reportHelp = `The report is a short text (--text), Markdown (--markdown) or JSON (--json) on standard output, or
a page (--out). With a path ending in .html the page is one file that works without a network; for several rules Spar
writes one file for each, with the rules' name appended. Any other path is a folder, which --tables and --figures
use, too.

--target states a goal, like 'fpa<=0.05', 'completion>=99%' or 'score in [0.48, 0.52]', at the strongest tier from
the start position. Measures: fpa (distance of the first player's score from 0.5), score, elo, draws, completion,
finished (share of the games that reach a goal, fill the board or leave a player without a move), length, depth (levels
of play from random to strong, each scoring 60 % against the one below), alive (share of the games in which the rarest
mechanic happens). A target is met if its whole 95 % interval meets it. If one is missed or undecided, the exit code is 3;
--undecided pass ignores undecided targets.`

// reportOptions are the flags of commands that write balance reports.
type reportOptions struct {
	Page      pageFlags
	AsText    bool     `flag:"text" help:"print a short report as text"`
	Markdown  bool     `flag:"markdown" help:"print the whole report as Markdown"`
	Blind     bool     `flag:"blind" in:"Agents" help:"use no table, proof or exact value: the verdict depends on play only"`
	Wanted    []string `flag:"target" help:"a target, like fpa<=0.05; exit code 3 if it is not met (repeatable)"`
	Undecided string   `flag:"undecided=fail" in:"Targets" one:"fail pass" help:"how undecided targets count: fail or pass"`
	Values    int      `flag:"values" in:"Agents" range:"[-1," help:"with a stronger search, evaluate the positions of this many games of the strongest agent, and of a quarter as many of each of the other agents; -1 = none"`

	brief   bool // print nothing about each report
	silent  bool // do not print the table of all reports, either
	workers int
	targets []target.Target
	time    pace.Limit // time limit for all reports together
}

// prints reports whether to print more than the summary.
func (o *reportOptions) prints(c *cobra.Command) bool { return o.AsText || o.Markdown || wantsJSON(c) }

func (o *reportOptions) check() error {
	o.targets = nil
	for _, text := range o.Wanted {
		t, err := target.Parse(text)
		if err != nil {
			return usagef("--target %w", err)
		}
		o.targets = append(o.targets, t)
	}
	return nil
}

func reportCommand() *cobra.Command {
	var o reportOptions
	var own struct {
		Path    string `flag:"db"`
		Rules   string `flag:"rules,r" help:"report only on the rules with this name in the study"`
		After   string `flag:"rules-after" needs:"compare" help:"with --compare, the rules of the second study, if their name differs"`
		Compare bool   `flag:"compare" help:"compare two studies"`
		Workers int    `flag:"workers" help:"number of goroutines; 0 = one per core"`
	}
	c := &cobra.Command{
		Use:   "report STUDY.db",
		Short: "Report how balanced the rules of a study are, or compare two studies",
		Long: `Measures how balanced the rules of a study are, and writes a report. A study of "spar balance" has all
that a report needs; for other studies the report says what is missing. --compare reports what a change of the rules
did.

` + reportHelp + `

--compare takes two studies, before and after a change of the rules, and reports the differences with intervals.
--target then applies to the second study.`,
		Example: `  spar report out/balance-vanishing.db
  spar report out/quickstart.db --rules ctor --out out/ctor.html
  spar report out/balance-vanishing.db --target 'fpa<=0.05' --target 'completion>=99%'
  spar report --compare out/before.db out/after.db`,
		RunE: func(c *cobra.Command, args []string) error {
			studies := slices.DeleteFunc(slices.Clone(args), target.Is)
			o.Wanted = append(o.Wanted, slices.DeleteFunc(slices.Clone(args), func(s string) bool {
				return !target.Is(s)
			})...)
			o.workers = own.Workers
			if err := o.check(); err != nil {
				return err
			}
			if changed(c, "db") {
				if len(studies) > 0 {
					return studyTwice(studies[0])
				}
				studies = append(studies, own.Path)
			}
			if own.Compare {
				return compareStudies(c, studies, [2]string{own.Rules, cmp.Or(own.After, own.Rules)}, o)
			}
			if len(studies) != 1 {
				return usagef("%d studies given, expected one (or two with --compare)", len(studies))
			}
			db, err := openStudy(c.Context(), studies[0])
			if err != nil {
				return err
			}
			defer db.Close()
			labels, err := rulesNamed(c.Context(), db, own.Rules)
			if err != nil {
				return err
			}
			if !o.prints(c) && o.Page.Out == "" {
				o.AsText = true
			}
			return writeReports(c, db, labels, o)
		},
	}
	declare(c, &own, &o)
	printsJSON(c, "report", balance.Report{})
	printsJSON(c, "comparison --compare", balance.Comparison{})
	return c
}

// rulesNamed returns the names of the rules in a study, or only the requested ones.
func rulesNamed(ctx context.Context, db *store.DB, wanted string) ([]string, error) {
	names, err := db.Names(ctx, "rules")
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, usagef("%s has no games", db.Path())
	}
	switch {
	case wanted == "":
		return balance.Studied(ctx, db, names)
	case !slices.Contains(names, wanted):
		return nil, usagef("%s has no rules %q%s", db.Path(), wanted, strict.Suggest(wanted, names))
	}
	return []string{wanted}, nil
}

// writeReports measures each of the rules and writes the requested output. It returns errTarget if a target is not met.
func writeReports(c *cobra.Command, db *store.DB, labels []string, o reportOptions) error {
	out := c.OutOrStdout()
	shown := newDisplay(c)
	var all []*balance.Report
	var judged []target.Judged
	for i, label := range labels {
		measuring := o.study(shown, label)
		measuring.Time = o.time.Part(1 / float64(len(labels)-i))
		r, err := balance.Study(c.Context(), db, label, measuring)
		shown.Clear()
		if errors.Is(err, balance.ErrNoGames) {
			note(c, "%s: %s\n", plain.Line(label), plain.Text(err.Error()))
			continue
		}
		if err != nil {
			return fmt.Errorf("report on %s: %w", label, err)
		}
		all = append(all, r)
		r.Targets = r.Judge(label, o.targets)
		judged = append(judged, r.Targets...)
		if err := writeReport(c, db, r, o); err != nil {
			return err
		}
		if o.Page.Out != "" {
			d, err := o.document(c.Context(), db, r)
			if err != nil {
				return err
			}
			if err := o.Page.save(c, d, fileName(label), len(labels) > 1, "report", r); err != nil {
				return err
			}
		}
	}
	if len(all) == 0 {
		return usagef("%s has no games to report on", db.Path())
	}
	if len(all) > 1 && !o.Markdown && !wantsJSON(c) && !o.silent {
		if err := balance.Overview(all).Text(out, 0); err != nil {
			return err
		}
	}
	return verdictOf(c, judged, o)
}

// study returns the options of the measurement that the flags mean.
func (o *reportOptions) study(shown *watch.Display, label string) balance.StudyOptions {
	began, at := time.Now(), ""
	tell := func(stage string, done, total int64) {
		if stage != at {
			began, at = time.Now(), stage
		}
		shown.Stage(began, plain.Line(label)+": "+stage, done, total)
	}
	s := balance.StudyOptions{
		Options:     balance.Options{Workers: o.workers, Progress: tell, Blind: o.Blind},
		PeopleGames: 100,
	}
	if o.Values > 0 {
		s.Values = &oracle.Options{
			Games: o.Values, Workers: o.workers,
			Progress: func(done, total int64) { tell("positions valued", done, total) },
		}
	}
	return s
}

// document converts a report to a page.
func (o *reportOptions) document(ctx context.Context, db *store.DB, r *balance.Report) (*page.Document, error) {
	var commands []page.Command
	record, ok, err := campaign.Stored(ctx, db, r.Rules.Name)
	if err != nil {
		return nil, err
	}
	if args := record.Args(); ok && args != nil {
		for i, a := range args {
			args[i] = page.ShellWord(a)
		}
		commands = append(commands, page.Command{
			Text: strings.Join(args, " ") + " --db " + page.ShellWord(db.Path()),
			Note: "This command plays or continues the games and writes this report:",
		})
	}
	commands = append(commands, page.Command{
		Text: fmt.Sprintf("spar report %s --rules %s", page.ShellWord(db.Path()), page.ShellWord(r.Rules.Name)),
		Note: "This command writes this report from the stored games:",
	})
	d, err := r.Page(balance.PageOptions{Commands: commands, Study: db.Path()})
	if err != nil {
		return nil, fmt.Errorf("report on %s: %w", r.Rules.Name, err)
	}
	return d, nil
}

// commandLine returns the command line, without flags that do not affect the result.
func commandLine(c *cobra.Command, args []string) string {
	text := c.CommandPath()
	for _, a := range args {
		text += " " + page.ShellWord(a)
	}
	c.Flags().Visit(func(f *pflag.Flag) {
		if slices.Contains(strings.Fields("workers out figures tables text markdown json csv write"), f.Name) {
			return
		}
		values := []string{f.Value.String()}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			if values = list.GetSlice(); f.Value.Type() == "intSlice" {
				values = []string{strings.Join(values, ",")}
			}
		}
		for _, v := range values {
			text += " --" + f.Name + " " + page.ShellWord(v)
		}
	})
	return text
}

// writeReport prints a report.
func writeReport(c *cobra.Command, db *store.DB, r *balance.Report, o reportOptions) error {
	if o.brief {
		return nil
	}
	out := c.OutOrStdout()
	if wantsJSON(c) {
		if err := printJSON(out, "report", r); err != nil {
			return err
		}
	}
	if !o.AsText && !o.Markdown && (wantsJSON(c) || o.Page.Out == "") {
		return nil
	}
	d, err := o.document(c.Context(), db, r)
	if err != nil {
		return err
	}
	if o.Markdown {
		return d.Markdown(out, nil)
	}
	if wantsJSON(c) {
		return nil
	}
	if err := d.Text(out, 0); err != nil {
		return err
	}
	_, err = fmt.Fprintln(out)
	return err
}

// verdictOf prints the verdicts on the targets. It returns an error if one is not met.
func verdictOf(c *cobra.Command, judged []target.Judged, o reportOptions) error {
	failed := false
	w := c.OutOrStdout()
	if wantsJSON(c) || o.Markdown {
		w = c.ErrOrStderr()
	}
	for _, j := range judged {
		fmt.Fprintln(w, j)
		failed = failed || j.Verdict == target.Missed || j.Verdict == target.Undecided && o.Undecided == "fail"
	}
	if failed {
		return errTarget
	}
	return nil
}
