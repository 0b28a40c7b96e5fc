package main

import (
	"errors"
	"io/fs"
	"os"

	"spar/arena/store"
	"spar/arena/transfer"
	"spar/reports/record"
	"spar/reports/screen"

	"github.com/spf13/cobra"
)

func importCommand() *cobra.Command {
	var o struct {
		Path string `flag:"db=out/imported.db" help:"the study"`
	}
	c := &cobra.Command{
		Use:   "import [FILE|-]",
		Short: "Import games that \"spar export\" wrote",
		Long: `Adds an export to a study: games with their agents, events and machines, people's opinions and
unfinished games, and values of positions. Spar replays every game first and writes nothing if anything is wrong. It
warns if the file has fewer games than its first line announces.

Spar skips games that the study already has. You can therefore repeat an import, and combine several studies if each
name means the same in all of them. A machine that is barred in one of them stays barred. "spar rate" rates results of
other programs (PGN, CSV).`,
		Example: "  spar import study.jsonl --db out/merged.db",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			in, name, err := openInput(c, args)
			if err != nil {
				return err
			}
			defer in.Close()
			_, known := os.Stat(o.Path)
			db, err := store.Open(calm(c), o.Path, store.Create)
			if err != nil {
				return err
			}
			defer db.Close()
			n, err := transfer.Import(c.Context(), db, in, name)
			if err != nil && errors.Is(known, fs.ErrNotExist) { // nothing is left of what could not be taken in
				err = errors.Join(err, db.Discard(calm(c)))
			}
			if err != nil {
				return err
			}
			missing := max(0, n.Announced-n.Games)
			if missing > 0 {
				note(c, "warning: %s ends too early: it announces %s and has %d. Export the study again\n", name,
					screen.Plural(n.Announced, "game"), n.Games)
			} else if n.Announced == 0 { // an older export, or one without games
				v, err := record.Verify(c.Context(), db, func(error) {})
				if err != nil {
					return err
				}
				for _, open := range v.Open {
					note(c, "warning: "+notFinished, open.Event, screen.Plural(open.Left, "game"))
				}
			}
			return replyf(c, "import", importedGames{o.Path, n.Games, n.Added, missing}, "%s read, %d of them new in %s\n",
				screen.Plural(n.Games, "game"), n.Added, o.Path)
		},
	}
	declare(c, &o)
	printsJSON(c, "import", importedGames{})
	return c
}

// importedGames is the output of kind import.
type importedGames struct {
	DB      string `json:"db" help:"the study's file"`
	Games   int64  `json:"games" help:"games read"`
	Added   int64  `json:"added" help:"games that were new to the study"`
	Missing int64  `json:"missing" help:"games that the file's first line announces, but that the file lacks"`
}
