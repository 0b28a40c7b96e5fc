package main

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"

	"spar/arena/store"
	"spar/arena/transfer"
	"spar/reports/console"

	"github.com/spf13/cobra"
)

func showCommand() *cobra.Command {
	var o struct {
		Path string `flag:"db=out/quickstart.db" help:"the study"`
	}
	c := &cobra.Command{
		Use:     "show GAME",
		Short:   "Show a stored game with the board after each ply",
		Example: "  spar show 17 --db out/quickstart.db",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			id, err := strconv.ParseInt(args[0], 10, 64)
			if err != nil || id <= 0 {
				return usagef("%q is not the number of a game (see \"spar games\")%s", args[0], byDB(c, args[0]))
			}
			return withStudy(c, o.Path, func(c *cobra.Command, db *store.DB) error {
				row, err := storedGame(c.Context(), db, id)
				if err != nil {
					return err
				}
				if !wantsJSON(c) {
					return console.Show(c.Context(), c.OutOrStdout(), db, row)
				}
				thoughts, err := db.Thoughts(c.Context(), row.ID)
				for _, ply := range slices.Sorted(maps.Keys(thoughts)) {
					row.Thoughts = append(row.Thoughts, thoughts[ply])
				}
				return cmp.Or(err, sayJSON(c, transfer.KindGame, transfer.Whole(row)))
			})
		},
	}
	declare(c, &o)
	printsJSON(c, "game", transfer.Lines(transfer.KindGame)...)
	return c
}

// storedGame reads a game by its number.
func storedGame(ctx context.Context, db *store.DB, id int64) (store.Row, error) {
	for row, err := range db.Games(ctx, store.Filter{ID: id}) {
		return row, err
	}
	return store.Row{}, usagef("no game %d in %s", id, db.Path())
}
