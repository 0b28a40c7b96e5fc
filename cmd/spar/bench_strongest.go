package main

import (
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"spar/agents"
	"spar/arena/store"
	"spar/configs"
	"spar/configs/files"
	"spar/configs/strict"
	"spar/engines/rules"
	"spar/reports/trial"
)

func benchStrongestCommand() *cobra.Command {
	var check trial.StrongestCheck
	var games gamesArgument
	var o struct {
		DB      string `flag:"db=out/strongest.db" key:"database" help:"the study's file"`
		Workers int    `flag:"workers" key:"workers"`
		Write   string `flag:"write" help:"add these results to the table of the strongest searches in this file; without the file, to a copy of Spar's own (configs/strongest.yaml)"`
	}
	c := &cobra.Command{
		Use:   "strongest [RULES...]",
		Short: "Check that no search beats the one that \"strongest\" uses, or choose a better one",
		Long: `Plays the search that the agent "strongest" uses against every other search, at equal processor time
and from balanced openings, and prints the search that did best against it. Without RULES it plays all shipped games. A
match-up stops early once it is decided. The exit code is 3 if another search is significantly stronger (5 %, corrected
for multiple comparisons).

Stored games are not played again. To continue after an interrupt, run the same command again; --write leaves out a
game that was interrupted. If --write names an existing table, its searches are the ones that are checked.`,
		Example: `  spar bench strongest reversi ataxx --seconds 0.01 --pairs 20
  spar bench strongest my-rules.yaml --seconds 0.1`,
		RunE: func(c *cobra.Command, _ []string) (err error) {
			if len(games.Names) == 0 {
				games.Names = configs.Names(configs.Games)
			}
			if check.Table, err = agents.ShippedStrongest(); err != nil {
				return err
			}
			if data, err := os.ReadFile(o.Write); err == nil { // of an earlier run, whose rows must not be lost
				if check.Table, err = agents.ReadStrongest(o.Write, data); err != nil {
					return err
				}
			}
			for _, name := range games.Names {
				g, err := loadGame(name, games.Set)
				if err != nil {
					return err
				}
				if err := check.Add(g, rules.JoinLabel(ownOverrides(name, games.Set))); err != nil {
					return strict.Bad(byFlags(c, err))
				}
			}
			db, err := store.Open(calm(c), o.DB, store.Create)
			if err != nil {
				return err
			}
			defer db.Close()
			for _, part := range check.Parts {
				part.Tournament.Workers = o.Workers
				if _, err := playRun(c, part.Tournament, db, &runOptions{}, true); err != nil && c.Context().Err() == nil {
					return err
				}
				if interrupted(c) {
					break
				}
				part.Whole = true
			}
			if err := check.Measure(calm(c), db); err != nil {
				return err
			}
			if err := replyAll(c, "strongest", check.Parts, func(w io.Writer) error {
				return check.Results().Text(w, 0)
			}); err != nil {
				return err
			}
			if o.Write != "" {
				if err := files.Write(o.Write, check.Write); err != nil {
					return err
				}
			}
			if interrupted(c) {
				return errStopped
			}
			if slices.ContainsFunc(check.Parts, func(r *trial.StrongestResult) bool {
				return r.Verdict == "beaten"
			}) {
				return errTarget
			}
			return nil
		},
	}
	declare(c, &games, &check, &o)
	printsJSON(c, "strongest", trial.StrongestResult{})
	return c
}
