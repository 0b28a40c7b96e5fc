package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"spar/arena"
	"spar/arena/store"
	"spar/arena/study"
	"spar/configs/plain"
	"spar/configs/strict"
	"spar/reports/page"
	"spar/reports/record"
	"spar/reports/screen"
)

// verifyOptions are the flags of verify.
type verifyOptions struct {
	Replay  bool    `flag:"replay" help:"let the agents play the games again, and compare the moves"`
	Share   float64 `flag:"share=1" range:"(0,1]" needs:"replay" help:"fraction of the games to replay, evenly spread"`
	Workers int     `flag:"workers" needs:"replay"`
}

func verifyCommand() *cobra.Command {
	var study studyFlag
	var o verifyOptions
	c := &cobra.Command{
		Use:   "verify STUDY.db",
		Short: "Check a study's file and its games; --replay lets the agents play them again",
		Long: `Checks the study's file with SQLite's own check, then plays the moves of every game and compares the
stored row with them and with the plan: result, agents, pair, opening, seed, and whether the game counts in ratings.
--replay lets the agents play again and compares every move. For a damaged study it prints the command that saves what is readable.

--replay uses the agents as the study stores them, with the same random numbers. If a game differs, Spar names the
first ply that differs, and the exit code is 1. Games that depended on a clock, on people or on other programs
cannot be replayed; Spar counts them.`,
		Example: `  spar verify out/quickstart.db
  spar verify out/quickstart.db --replay --share 0.1`,
		RunE: func(c *cobra.Command, _ []string) error { return o.run(c, study.Path) },
	}
	declare(c, &study, &o)
	printsJSON(c, "verification", verification{})
	return c
}

const notFinished = "%s is not finished, or its last games are missing: %s left to play\n"

// rescue copies what sqlite3 can read. A dump of a damaged file ends in ROLLBACK and lacks the version of the tables.
// The command .recover would find more, but many builds of sqlite3 lack it.
// The two readers follow each other, because one locks the file for a moment when it ends.
const rescue = `  (sqlite3 %[1]s .dump; echo "PRAGMA user_version=$(sqlite3 %[1]s 'PRAGMA user_version');") | sed 's/^ROLLBACK.*/COMMIT;/' | sqlite3 NEW.db` + "\n"

func (o *verifyOptions) run(c *cobra.Command, path string) error {
	damage, err := store.Damage(c.Context(), path)
	if err != nil {
		return strict.Bad(err)
	}
	for _, fault := range damage {
		note(c, "%s: %s\n", path, plain.Line(fault))
	}
	out := verification{Damage: append([]string{}, damage...)}
	if len(damage) > 0 {
		note(c, "%s is damaged. In a Unix shell, this saves the readable part:\n", path)
		fmt.Fprintf(c.ErrOrStderr(), rescue, page.ShellWord(path))
		if wantsJSON(c) {
			err = sayJSON(c, "verification", out)
		}
		return cmp.Or(err, errSaid)
	}
	db, err := openStudy(c.Context(), path)
	if err != nil {
		return err
	}
	defer db.Close()
	v, err := record.Verify(c.Context(), db, func(err error) {
		fmt.Fprintln(c.ErrOrStderr(), plain.Line(err.Error()))
	})
	if err != nil {
		return err
	}
	out.Games, out.Bad = v.Games, v.Bad
	if o.Replay {
		if out.Replay, err = o.again(c, db); err != nil {
			return err
		}
	}
	again := out.Replay
	if wantsJSON(c) {
		err = sayJSON(c, "verification", out)
	} else {
		err = say(c, "%s replayed, %d mismatches\n", screen.Plural(v.Games, "game"), v.Bad)
		for _, o := range v.Open {
			fmt.Fprintf(c.OutOrStdout(), notFinished, o.Event, screen.Plural(o.Left, "game"))
		}
		if again != nil {
			_, err = fmt.Fprintf(c.OutOrStdout(),
				"The agents replayed %s: %d differ; %d of the identical games have a different number of nodes\n",
				screen.Plural(again.Again, "game"), again.Differ, again.Searched)
			for _, l := range again.LeftOut {
				fmt.Fprintf(c.OutOrStdout(), "Skipped %s: %s\n", screen.Plural(l.Games, "game"), l.Why)
			}
		} else if v.Games > 0 {
			note(c, "Not checked: whether the agents chose these moves. --replay lets them play again\n")
		}
	}
	if v.Bad > 0 || again != nil && again.Differ > 0 {
		return errSaid
	}
	return err
}

// again lets the agents play the games again. It never starts external programs.
func (o *verifyOptions) again(c *cobra.Command, db *store.DB) (*record.Replayed, error) {
	again, err := record.Replay(noPrograms(c.Context()), db, o.Share, o.Workers, func(g study.Game, d arena.Difference) {
		note(c, "game %d: %s\n", g.ID, plain.Line(d.String()))
	})
	if errors.Is(err, record.ErrNone) {
		for _, l := range again.LeftOut {
			err = fmt.Errorf("%w (%d: %s)", err, l.Games, l.Why)
		}
	}
	if err != nil && errors.Is(err, context.Canceled) {
		return nil, c.Context().Err()
	}
	return again, err
}

// verification is the output of kind verification.
type verification struct {
	Games  int64            `json:"games" help:"games replayed"`
	Bad    int64            `json:"bad" help:"mismatches of games, plans and agents"`
	Damage []string         `json:"damage" help:"damage that SQLite found in the file"`
	Replay *record.Replayed `json:"replay" help:"null without --replay"`
}
