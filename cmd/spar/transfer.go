package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"spar/arena"
	"spar/arena/store"
	"spar/arena/transfer"
	"spar/configs/files"
	"spar/configs/plain"
	"spar/engines"
	"spar/reports/screen"
)

func exportCommand() *cobra.Command {
	var path, format, out string
	c := &cobra.Command{
		Use:   "export",
		Short: "Write the games of a study as JSONL, CSV or PGN-style text",
		Long: `Writes a study as text. JSONL keeps everything: a first line with the events, rules and agents, then a line a game, then what is
known of positions; "spar import" makes the same study of it. CSV and PGN are for other programs, and for "spar rate".`,
		Example: `  spar export --db out/quickstart.db > study.jsonl
  spar export --db out/quickstart.db --format csv --out games.csv`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			write, ok := map[string]func(context.Context, *store.DB, io.Writer) error{"jsonl": exportJSONL, "csv": transfer.CSV, "pgn": transfer.PGN}[format]
			if !ok {
				return usagef("--format %s: expected jsonl, csv or pgn", format)
			}
			db, err := store.OpenExisting(c.Context(), path)
			if err != nil {
				return usageError{err}
			}
			defer db.Close()
			if out != "" {
				return files.Write(out, func(w io.Writer) error { return write(c.Context(), db, w) })
			}
			w := bufio.NewWriter(c.OutOrStdout())
			return errors.Join(write(c.Context(), db, w), w.Flush())
		},
	}
	c.Flags().StringVar(&path, "db", "out/quickstart.db", "the study")
	c.Flags().StringVar(&format, "format", "jsonl", "jsonl, csv or pgn")
	outFlag(c, &out, "write this file, in place of standard output")
	return c
}

func exportJSONL(ctx context.Context, db *store.DB, w io.Writer) error {
	return transfer.JSONL(ctx, db, func(kind string, line any) error { return printJSON(w, kind, line) })
}

func importCommand() *cobra.Command {
	var (
		path   string
		asJSON bool
	)
	c := &cobra.Command{
		Use:   "import [FILE|-]",
		Short: "Take games in that \"spar export\" wrote as JSONL",
		Long: `Takes a JSONL export into a study: games with their agents, events and all that is known of them. Every game is replayed first, and
nothing is written when anything is wrong. Games that the study has already stay as they are: an import can be repeated, and several
studies can be joined in one, as long as names mean the same in them.`,
		Example: "  spar import study.jsonl --db out/merged.db",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			in, name, err := openInput(c, args)
			if err != nil {
				return err
			}
			defer in.Close()
			_, known := os.Stat(path)
			db, err := store.Open(context.WithoutCancel(c.Context()), path)
			if err != nil {
				return err
			}
			defer db.Close()
			n, err := transfer.Import(c.Context(), db, in, name)
			if err != nil && errors.Is(known, fs.ErrNotExist) { // nothing is left of what could not be taken in
				err = errors.Join(err, db.Discard(context.WithoutCancel(c.Context())))
			}
			var plan *store.PlanError
			switch {
			case errors.Is(err, transfer.ErrFile), errors.As(err, &plan):
				return usageError{err}
			case err != nil:
				return err
			case asJSON:
				return printJSON(c.OutOrStdout(), "import", map[string]any{"db": path, "games": n.Games, "added": n.Added})
			}
			_, err = fmt.Fprintf(c.OutOrStdout(), "%s read, %d of them new in %s\n", screen.Plural(n.Games, "game"), n.Added, path)
			return err
		},
	}
	c.Flags().StringVar(&path, "db", "out/imported.db", "the study")
	jsonFlag(c, &asJSON)
	return c
}

func verifyCommand() *cobra.Command {
	var asJSON bool
	var salvage string
	c := &cobra.Command{
		Use:   "verify DB",
		Short: "Check a study's file, replay every stored game and check it against its row",
		Long: `Runs SQLite's own check of the file first and says what is damaged; then replays every game. With --salvage what can still be
read of a damaged study goes into a new file, whose games are replayed instead.`,
		Example: "  spar verify out/quickstart.db\n  spar verify broken.db --salvage saved.db",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			damage, err := store.Damage(c.Context(), args[0])
			if err != nil {
				return usageError{err}
			}
			for _, fault := range damage {
				fmt.Fprintf(c.ErrOrStderr(), "%s: %s\n", args[0], plain.Line(fault))
			}
			var saved []store.Saved
			switch {
			case salvage != "":
				if saved, err = store.Salvage(c.Context(), args[0], salvage); err != nil {
					return usageError{err}
				}
				for _, s := range saved {
					fmt.Fprintf(c.ErrOrStderr(), "saved %d rows of %s, at least %d lost\n", s.Rows, s.Table, s.Lost)
				}
				args = []string{salvage}
			case len(damage) > 0:
				fmt.Fprintf(c.ErrOrStderr(), "%s is damaged: spar verify %s --salvage NEW.db saves what can be read\n", args[0], args[0])
				return errSaid
			}
			db, err := store.OpenExisting(c.Context(), args[0])
			if err != nil {
				return usageError{err}
			}
			defer db.Close()
			compiled := map[int64]*engines.Game{}
			games, bad := 0, 0
			for row, err := range db.Games(c.Context(), store.Filter{}) {
				if err != nil {
					return err
				}
				g, ok := compiled[row.Rules]
				if !ok {
					if g, err = engines.Stored(row.RulesJSON); err != nil {
						return err
					}
					compiled[row.Rules] = g
				}
				games++
				if err := arena.Verify(g, row.Game); err != nil {
					bad++
					fmt.Fprintln(c.ErrOrStderr(), plain.Line(err.Error()))
				}
			}
			if asJSON {
				err = printJSON(c.OutOrStdout(), "verification", map[string]any{"games": games, "bad": bad, "damage": append([]string{}, damage...), "saved": append([]store.Saved{}, saved...)})
			} else {
				_, err = fmt.Fprintf(c.OutOrStdout(), "%d games replayed, %d do not agree with their rows\n", games, bad)
			}
			if bad > 0 || len(damage) > 0 {
				return errSaid
			}
			return err
		},
	}
	jsonFlag(c, &asJSON)
	c.Flags().StringVar(&salvage, "salvage", "", "save what can be read of a damaged study into this new file")
	return c
}
