package main

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"spar/agents"
	"spar/arena/store"
	"spar/ratings"
	"spar/reports/screen"
	"spar/tuning"
)

func tuneValidateCommand() *cobra.Command {
	var o tuneOptions
	var agent string
	c := &cobra.Command{
		Use:   "validate TUNING",
		Short: "Prove tuned weights on games that the training never saw",
		Long: `Examines the answer of a finished tuning, or another candidate, on openings and random numbers that the training did not use:

  1. a sequential test (GSPRT, normalized Elo) against the start; it may end undecided,
  2. a match of fixed length against the start: the held-out gain with its interval,
  3. matches of both against a pool of other agents: strength is not transitive, so the worst pairing counts,
  4. a match one level deeper: gains of one ply may vanish in a search.

Training minus held-out gain is the optimism. It is one look: another candidate plays games of its own, and is counted.`,
		Example: `  spar tune validate checkerboard
  spar tune validate my-tuning.yaml --agent checkerboard/tuned --set validation.pairs=400`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: tuningNames,
		RunE: func(c *cobra.Command, args []string) error {
			t, err := o.load(args[0])
			if err != nil {
				return err
			}
			return validate(c, t, agent, o.asJSON)
		},
	}
	o.flags(c)
	agentFlag(c, &agent, "examine this agent in place of the tuning's answer")
	return c
}

func validate(c *cobra.Command, t *tuning.Tuning, agent string, asJSON bool) error {
	candidate, training, err := candidateOf(c, t, agent)
	if err != nil {
		return err
	}
	db, err := store.Open(c.Context(), t.Database)
	if err != nil {
		return err
	}
	defer db.Close()
	began := time.Now()
	x, err := t.Validate(c.Context(), db, candidate, training, &tuneProgress{out: c.ErrOrStderr(), t: t})
	if err != nil {
		return planUsage(err)
	}
	if asJSON {
		return printJSON(c.OutOrStdout(), "examination", x)
	}
	printExamination(c.OutOrStdout(), x)
	_, err = fmt.Fprintf(c.OutOrStdout(), "\n%d games in %s, %.1f s\n", x.Games, t.Database, time.Since(began).Seconds())
	return err
}

// candidateOf is the agent to examine, and the last check of the training if it is the training's answer.
func candidateOf(c *cobra.Command, t *tuning.Tuning, agent string) (agents.Spec, *tuning.Check, error) {
	if agent != "" {
		s, err := agents.LoadSpec(agent)
		if err != nil {
			return s, nil, usageError{err}
		}
		return s.For(t.Game), nil, nil
	}
	db, err := store.OpenExisting(c.Context(), t.Database)
	if err != nil {
		return agents.Spec{}, nil, usagef("%w: run spar tune first, with the same file and --db", err)
	}
	defer db.Close()
	r, err := t.Recall(c.Context(), db)
	if errors.Is(err, tuning.ErrMissing) {
		return agents.Spec{}, nil, usagef("%w: run spar tune first, with the same file and --db", err)
	}
	if err != nil {
		return agents.Spec{}, nil, err
	}
	var last *tuning.Check
	if n := len(r.Checks); n > 0 {
		last = &r.Checks[n-1]
	}
	return r.Tuned, last, nil
}

func printExamination(w io.Writer, x *tuning.Examination) {
	fmt.Fprintf(w, "%s, examination %d: %s against the start\n\n", x.Name, x.Look, x.Candidate)
	verdict := map[ratings.State]string{ratings.StateAcceptH1: "better", ratings.StateAcceptH0: "not better", ratings.StateContinue: "undecided"}[x.SPRT.State]
	fmt.Fprintf(w, "sequential test (0 against %g normalized Elo, error rates 5 %%): %s after %.0f pairs, LLR %.2f (bounds %.2f, %.2f)\n",
		x.SPRT.Elo1, verdict, x.SPRT.N, x.SPRT.LLR, x.SPRT.Lower, x.SPRT.Upper)
	t := screen.NewTable(w, screen.Row{"match", "score", "Elo", "95 %", "pairs"}, 2, 3, 5)
	add := func(name string, m tuning.Match) {
		t.AppendRow(screen.Row{name, fmt.Sprintf("%.1f %%", 100*m.Score), fmt.Sprintf("%+.0f", m.Elo), wholeInterval(m.Interval), m.N})
	}
	add("held out, against the start", x.Direct)
	add("one level deeper ("+x.Condition+")", x.Deeper)
	t.Render()
	if x.Training != nil {
		fmt.Fprintf(w, "on the training's openings: %+.0f Elo (%s); optimism %+.0f ± %.0f Elo\n",
			x.Training.Match.Elo, wholeInterval(x.Training.Match.Interval), x.Optimism.Elo, 1.96*x.Optimism.SE)
	}
	fmt.Fprintln(w, "\nthe pool, from both sides:")
	t = screen.NewTable(w, screen.Row{"opponent", "tuned", "Elo", "95 %", "start", "Elo", "95 %", "pairs"}, 2, 3, 5, 6, 8)
	for _, row := range x.Pool {
		cells := screen.Row{row.Opponent}
		for _, m := range []tuning.Match{row.Tuned, row.Start} {
			cells = append(cells, fmt.Sprintf("%.1f %%", 100*m.Score), fmt.Sprintf("%+.0f", m.Elo), wholeInterval(m.Interval))
		}
		t.AppendRow(append(cells, row.Tuned.N))
	}
	t.Render()
	fmt.Fprintf(w, "worst pairing: %s; the start's: %s\n", x.Worst, x.WorstWas)
	t = screen.NewTable(w, screen.Row{"rating in the pool", "Elo", "95 %", "games"}, 2, 4)
	for _, p := range x.Ratings {
		t.AppendRow(screen.Row{p.Agent, fmt.Sprintf("%+.0f", p.Elo), wholeInterval(p.Interval), p.Games})
	}
	t.Render()
	for _, name := range x.Earlier {
		fmt.Fprintf(w, "examined before: %s\n", name)
	}
	for _, warning := range x.Warnings {
		fmt.Fprintf(w, "warning: %s\n", warning)
	}
}
