package main

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"spar/arena"
	"spar/arena/store"
	"spar/arena/transfer"
	"spar/configs/plain"
	"spar/configs/strict"
	"spar/engines"
	"spar/reports/screen"
)

func gamesCommand() *cobra.Command {
	var f store.Filter
	study := studyFlag{defaultStudy}
	var o struct {
		Length string  `flag:"length" not:"min-plies max-plies" help:"number of plies: A-B, A- (at least), -B (at most) or A"`
		Delete []int64 `flag:"delete" help:"delete these games played by people, given by number, with everything stored about them"`
	}
	c := &cobra.Command{
		Use:   "games [STUDY.db]",
		Short: "List the games of a study",
		Long:  `Lists the games that satisfy all given flags.`,
		Example: `  spar games --db out/quickstart.db --rules ctor --limit 5
  spar games --db out/quickstart.db --agent greedy --result draw --sort -plies
  spar games --db out/quickstart.db --lost-by greedy --length 10-30 --opening "b2 a1"
  spar games --db out/quickstart.db --sort odd`,
		RunE: func(c *cobra.Command, _ []string) error {
			if o.Length != "" {
				if err := readLength(o.Length, &f); err != nil {
					return err
				}
			}
			if f.Max > 0 && f.Max < f.Min {
				return usagef("%d to %d plies: the range ends before it begins", f.Min, f.Max)
			}
			f.Opening = strings.Join(strings.Fields(f.Opening), " ")
			mode := store.Existing
			if len(o.Delete) > 0 {
				mode = store.Writing
			}
			db, err := store.Open(c.Context(), study.Path, mode)
			if err != nil {
				return strict.Bad(err)
			}
			defer db.Close()
			if err := errors.Join(checkFilter(c.Context(), db, f), checkOpening(c.Context(), db, f)); err != nil {
				return err
			}
			if len(o.Delete) > 0 {
				if err := db.DeleteHumanGames(c.Context(), o.Delete); err != nil {
					return err
				}
				return say(c, "deleted %s played by people\n", screen.Plural(len(o.Delete), "game"))
			}
			t := newListing(c, "game", strings.Fields("game rules first second result reason plies moves"), 1, 7)
			for g, err := range db.Games(c.Context(), f) {
				if err != nil {
					return err
				}
				moves := g.Moves
				if len(moves) > 40 {
					moves = moves[:37] + "..."
				}
				if err := t.add(transfer.GameOf(g), g.ID, g.RulesName, g.FirstName, g.SecondName, g.Result, g.Reason, g.Plies,
					moves); err != nil {
					return err
				}
			}
			if f.Opening != "" && len(t.Rows) == 0 && !wantsJSON(c) {
				return say(c, "no selected game begins with %s\n", plain.Line(f.Opening))
			}
			return t.end("")
		},
	}
	declare(c, &study, &f, &o)
	printsJSON(c, "game", transfer.Lines(transfer.KindGame)...)
	return c
}

// readLength parses --length.
func readLength(text string, f *store.Filter) error {
	low, high, isRange := strings.Cut(text, "-")
	if !isRange {
		high = low
	}
	for _, end := range []struct {
		text string
		to   *int
	}{{low, &f.Min}, {high, &f.Max}} {
		n, err := strconv.Atoi(end.text)
		if end.text != "" && (err != nil || n < 1) || low == "" && high == "" {
			return usagef("--length %s: expected a number or range of plies, like 20, 10-30, 10- or -30", text)
		}
		*end.to = n
	}
	return nil
}

// checkFilter returns an error for names that the study does not have, since they would select nothing.
func checkFilter(ctx context.Context, db *store.DB, f store.Filter) error {
	for _, name := range []struct{ flag, value, kind string }{
		{"agent", f.Agent, "agents"},
		{"lost-by", f.Lost, "agents"},
		{"rules", f.Rules, "rules"},
	} {
		if name.value == "" {
			continue
		}
		held, err := db.Names(ctx, name.kind)
		if err != nil {
			return err
		}
		if !slices.Contains(held, name.value) {
			return usagef("--%s: %s holds no games of %q%s", name.flag, db.Path(), name.value, strict.Suggest(name.value, held))
		}
	}
	reasons := append(arena.Reasons(), arena.Forfeits()...)
	if f.Reason == "" || slices.Contains(reasons, f.Reason) {
		return nil
	}
	held, err := db.Names(ctx, "reasons") // agents of one's own fail for their own
	if err == nil {
		err = oneOf("reason", f.Reason, append(reasons, slices.DeleteFunc(held, func(s string) bool {
			return slices.Contains(reasons, s)
		})...)...)
	}
	return err
}

// checkOpening returns an error for an opening with which no game can begin under the requested rules, or under
// any rules of the study.
func checkOpening(ctx context.Context, db *store.DB, f store.Filter) error {
	if f.Opening == "" {
		return nil
	}
	rules, err := db.Rules(ctx)
	if err != nil {
		return err
	}
	var wrong error
	for _, r := range rules {
		if f.Rules != "" && f.Rules != r.Name {
			continue
		}
		g, err := engines.Stored(r.Canonical)
		if err != nil {
			return err
		}
		if err = g.NewPosition().PlayText(strings.Fields(f.Opening)); err == nil {
			return nil
		}
		wrong = usagef("--opening, under %s: %w", r.Name, err)
	}
	return wrong
}
