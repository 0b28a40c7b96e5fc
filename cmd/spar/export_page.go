package main

import (
	"bytes"

	"github.com/spf13/cobra"

	"spar/configs/files"
	"spar/configs/strict"
	"spar/reports/handover"
)

func exportPageCommand() *cobra.Command {
	names := gamesArgument{least: 1}
	var o struct {
		Out string `flag:"out,o" file:".html" help:"write to this file (default NAME.html of the first game)"`
	}
	c := &cobra.Command{
		Use:   "page RULES...",
		Short: "Write games as one HTML file to play in, without a network and without Spar",
		Long: `Writes one HTML file of at most 6 MB in which people play the games against Spar's agents or each
other. The file needs no network: open it from a disk on desktops and Android, or put it at any web address. iPhones
run no scripts in files, so there the file must be at a web address. Several games make a collection with a front
page.

The page offers sides, levels, undo, hints with the value of every move, and the rules in English. A finished game can
be copied as its moves, which "spar analyze RULES --moves" reads, or as a link that opens it in the page.

Spar compiles the engine in the page on first use, from its own sources and with the Go that is installed; release
archives hold it compiled. The file contains no names, paths or opinions.`,
		Example: "  spar export page vanishing --out vanishing.html\n  spar export page my-game.yaml hex5 reversi6 --out " +
			"three-games.html",
		RunE: func(c *cobra.Command, _ []string) error {
			games, err := names.load()
			if err != nil {
				return err
			}
			if err := handover.Check(games); err != nil {
				return err
			}
			if o.Out == "" {
				o.Out = games[0].Name() + ".html"
				if err := files.CheckFile(o.Out); err != nil {
					return strict.Bad(err)
				}
			}
			m, err := handover.Module(c.Context())
			if err != nil {
				return err
			}
			var page bytes.Buffer
			if err := handover.Write(&page, games, m); err != nil {
				return err
			}
			if err := files.WriteBytes(o.Out, page.Bytes()); err != nil {
				return err
			}
			if wantsJSON(c) {
				return sayJSON(c, "exported_page", exportedPage{o.Out, int64(page.Len()), names.Names})
			}
			note(c, "wrote %s, %.1f MB\n", o.Out, float64(page.Len())/1e6)
			return nil
		},
	}
	declare(c, &names, &o)
	printsJSON(c, "exported_page", exportedPage{})
	return c
}

// exportedPage is the output of kind exported_page.
type exportedPage struct {
	File  string   `json:"file" help:"where the page is"`
	Bytes int64    `json:"bytes" help:"its size"`
	Rules []string `json:"rules" help:"the games on the page, as named on the command line"`
}
