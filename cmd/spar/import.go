package main

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"strings"

	"spar/arena/store"
	"spar/arena/transfer"
	"spar/engines"
	"spar/reports/screen"

	"github.com/spf13/cobra"
)

func importCommand() *cobra.Command {
	var o struct {
		Path  string   `flag:"db=out/imported.db" help:"the study"`
		Rules []string `flag:"rules,r" help:"rules of games copied out of a page (repeatable)"`
	}
	c := &cobra.Command{
		Use:   "import [FILE|-]",
		Short: "Import games that \"spar export\" wrote, or that were copied out of a page",
		Long: `Adds an export to a study: games with their agents, events and machines, opinions
and unfinished games of people and values of positions. Spar replays every game first and writes nothing if anything
is wrong.

Spar skips games that the study already has. You can therefore repeat an import, and combine several studies if names
mean the same in them. A machine that is barred in one of them is barred. "spar rate" rates results of
other programs (PGN, CSV).

Games that people copied out of a page of "spar export page", as text or as links, are read one per line and become games
of people. If their rules are not shipped, name the file with --rules.`,
		Example: "  spar import study.jsonl --db out/merged.db\n  spar import copied.txt --rules my-game.yaml --db " +
			"out/people.db",
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			in, name, err := openInput(c, args)
			if err != nil {
				return err
			}
			defer in.Close()
			var games []*engines.Game
			for _, name := range o.Rules {
				g, err := loadGame(name, nil)
				if err != nil {
					return err
				}
				games = append(games, g)
			}
			_, known := os.Stat(o.Path)
			db, err := store.Open(context.WithoutCancel(c.Context()), o.Path, store.Create)
			if err != nil {
				return err
			}
			defer db.Close()
			n, err := transfer.Import(c.Context(), db, in, name, games...)
			if err != nil && errors.Is(known, fs.ErrNotExist) { // nothing is left of what could not be taken in
				err = errors.Join(err, db.Discard(context.WithoutCancel(c.Context())))
			}
			var syntax *json.SyntaxError
			switch {
			case errors.Is(err, transfer.ErrFile) && errors.As(err, &syntax) && strings.HasPrefix(err.Error(), name+":1:"):
				return usagef("%s:1: %w: spar import reads exports in the format jsonl; it does not read CSV and "+
					"other files", name, transfer.ErrFile)
			case err != nil:
				return err
			case wantsJSON(c):
				return printJSON(c.OutOrStdout(), "import", importedGames{o.Path, n.Games, n.Added})
			}
			return say(c, "%s read, %d of them new in %s\n", screen.Plural(n.Games, "game"), n.Added, o.Path)
		},
	}
	declare(c, &o)
	printsJSON(c, "import", importedGames{})
	return c
}

// importedGames is the output of kind import.
type importedGames struct {
	DB    string `json:"db" help:"the study's file"`
	Games int64  `json:"games" help:"games read"`
	Added int64  `json:"added" help:"games that were new to the study"`
}
