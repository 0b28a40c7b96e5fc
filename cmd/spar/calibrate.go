package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"spar/agents"
	"spar/arena/calibration"
	"spar/arena/campaign"
	"spar/arena/store"
	"spar/configs/files"
	"spar/configs/strict"
	"spar/tuning/learn"
)

// calibrated is a calibration as JSON.
type calibrated struct {
	Effort  string              `json:"effort" help:"effort of the studies"`
	Seeds   int                 `json:"seeds" help:"studies (seeds) of each set of rules"`
	Counts  []calibration.Count `json:"counts" help:"of all, of the parts of the list, by value and by family: name, variants, studies, right, undecided, falsely_favoured, falsely_even, left_out, named, named_right, plain, plain_wrong, cpu_s, longest_s, plain_cpu_s"`
	Studies []calibration.Study `json:"studies" help:"each with rules, held, effort, seed, eval, truth, claim, against, likeliest, stages, games, cpu_s, left_out, plain"`
}

func calibrateCommand() *cobra.Command {
	o := calibration.Options{Memory: 256_000_000, Path: "out/calibration.jsonl"}
	var markdown bool
	var machines machineFlags
	c := &cobra.Command{
		Use:   "calibrate [LIST]",
		Short: "Measure how often the verdicts of balance studies are right, on solved rules",
		Long: `Runs blind balance studies (spar balance --blind) of rules whose exact values are known, with several
seeds each, and counts how often the verdict is right, undecided, falsely in favour of a side, or falsely even.

The output compares this with a simple method that has the same time: ten games of one agent against itself, after which
the side with more wins is called favoured, without an interval. --alone leaves these games out.

The list is a file with one set of rules per line, like vanishing[pieces.cap=4]; rules after a line "held out" are
counted separately. Without LIST, Spar uses its own list. The output of "spar solve --suite people --json" is also a
list, with exact values. Only the games behind the verdict are played; they are the same as in the whole study. --out
keeps finished studies, and the same command continues from there. --seconds limits the processor time of this process;
time of other machines does not count.

--eval gives the agents another evaluation. With "learned", Spar first learns one for each set of rules and seed. The
number of games is fixed, so every run learns the same. The nets are stored next to the file, and the ten games of the
simple method are not played.`,
		Example: `  spar calibrate --effort quick --seeds 5 --out out/quick.jsonl
  spar calibrate settled.jsonl --alone --seeds 1 --seconds 0 --out out/people.jsonl
  spar calibrate --effort normal --seeds 1 --seconds 0 --out out/normal.jsonl --markdown
  spar calibrate --effort normal --seeds 1 --seconds 0 --eval learned --out out/normal.jsonl --markdown`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case o.Seeds < 1 || o.Seeds > 1000:
				return usagef("--seeds %d: expected 1 to 1000", o.Seeds)
			case !(o.Seconds >= 0):
				return usagef("--seconds %v: expected seconds, 0 for any", o.Seconds)
			}
			o.Variants = calibration.Shipped()
			if len(args) == 1 {
				data, err := files.Read(args[0], strict.SmallBytes)
				if err != nil {
					return usageError{err}
				}
				if o.Variants, err = calibration.Read(bytes.NewReader(data)); err != nil {
					return usagef("%s: %w", args[0], err)
				}
			}
			if o.Evaluation = opinion(o); o.Eval != "" && o.Eval != learned {
				if _, err := agents.LoadSpec(o.Eval); err != nil {
					return asInput(err)
				}
			}
			shown := newDisplay(c)
			o.Progress = func(done, total int, s calibration.Study) {
				shown.Show(func() string { return fmt.Sprintf("%d of %d studies, %s: %s", done, total, s.Rules, s.Claim) })
			}
			leave, err := calibrators(c, &machines, &o)
			if err != nil {
				return err
			}
			studies, err := calibration.Run(c.Context(), o)
			err = errors.Join(err, leave())
			shown.Clear()
			if c.Context().Err() != nil {
				note(c, "not finished: %d of %d studies are kept in %s; run the same command again "+
					"to continue\n", len(studies), len(o.Variants)*o.Seeds, o.Path)
				return unfinished{err: errStopped}
			}
			if err != nil {
				return err
			}
			counts := calibration.Summarise(studies)
			return reply(c, "calibration", calibrated{o.Effort, o.Seeds, counts, studies}, func(w io.Writer) error {
				return printCalibration(w, counts, studies, commandLine(c, args), markdown)
			})
		},
	}
	f := c.Flags()
	f.StringVar(&o.Effort, "effort", "quick", "effort of each study: quick, normal or thorough")
	knownWord(c, "effort", "effort", campaign.EffortNames()...)
	f.IntVar(&o.Seeds, "seeds", 5, "studies (seeds) of each set of rules")
	f.Float64Var(&o.Seconds, "seconds", 60, "maximum processor time of a study; one that takes more does not "+
		"count; 0 = no limit")
	f.StringVar(&o.Eval, "eval", "", "use the evaluation of this agent; learned: learn one first (default: the "+
		"hand-made one)")
	f.BoolVar(&o.Alone, "alone", false, "do not play the ten games of one agent")
	outFlag(c, &o.Path, "file that stores the studies as JSON lines; an existing file is continued")
	f.IntVar(&o.Workers, "workers", 1, "games at the same time; 0 = one per core")
	f.BoolVar(&markdown, "markdown", false, "also print a line for each set of rules, and the command")
	machines.flags(c)
	jsonFlag(c)
	return c
}

// opinion returns a function that finds the evaluation of a study; nil = the hand-made one.
func opinion(o calibration.Options) func(context.Context, campaign.Rules, int64) (string, error) {
	switch o.Eval {
	case "":
		return nil
	case learned:
		nets := strings.TrimSuffix(o.Path, filepath.Ext(o.Path)) + "-nets"
		return func(ctx context.Context, r campaign.Rules, seed int64) (string, error) {
			net := filepath.Join(nets, fmt.Sprintf("%s-%s-%d.net", fileName(r.Label), o.Effort, seed))
			return learn.Agent(ctx, r.Game, net, 0, learn.Options{
				Seed: seed, Workers: o.Workers, Assets: o.Assets, Pool: o.Pool,
				Games: learn.GamesOf(o.Effort),
			})
		}
	}
	return func(context.Context, campaign.Rules, int64) (string, error) { return o.Eval, nil }
}

// calibrators opens the pool for other machines if the flags request it. It keeps the records of the machines
// during the calibration.
func calibrators(c *cobra.Command, machines *machineFlags, o *calibration.Options) (leave func() error, err error) {
	leave = func() error { return nil }
	if !machines.on() {
		return leave, nil
	}
	folder, err := os.MkdirTemp("", "spar-calibrate-")
	if err != nil {
		return leave, err
	}
	db, err := store.Open(context.WithoutCancel(c.Context()), filepath.Join(folder, "machines.db"), store.Create)
	if err != nil {
		return leave, errors.Join(err, os.RemoveAll(folder))
	}
	closing := func() error { return nil }
	o.Assets, o.Pool, closing, err = machines.open(c, db, o.Workers, nil)
	leave = func() error { return errors.Join(closing(), db.Close(), os.RemoveAll(folder)) }
	if err != nil {
		return leave, errors.Join(err, leave())
	}
	return leave, nil
}

// printCalibration writes the table; if full is set, with each set of rules.
func printCalibration(w io.Writer, counts []calibration.Count, studies []calibration.Study, command string,
	full bool,
) error {
	if full {
		fmt.Fprintf(w, "`%s`\n\n", strings.TrimSuffix(command, " --markdown"))
	}
	if err := calibration.Text(w, counts); err != nil {
		return err
	}
	all := counts[0]
	plain := ""
	if all.PlainSeconds > 0 {
		plain = fmt.Sprintf("; %.0f s for the ten games each", all.PlainSeconds)
	}
	_, err := fmt.Fprintf(w, "\n%.0f s of processor time, %.1f s for the longest study%s.\n", all.Seconds, all.Longest,
		plain)
	if err != nil || !full {
		return err
	}
	fmt.Fprintln(w)
	return calibration.Variants(w, studies)
}
