package main

import (
	"strings"

	"github.com/spf13/cobra"

	"spar/configs/files"
	"spar/engines"
	"spar/reports/sheet"
)

func rulesSheetCommand() *cobra.Command {
	var rules gameFlags
	var o struct {
		Out string `flag:"out,o=sheet.html" file:".html" help:"write to this file"`
	}
	c := &cobra.Command{
		Use:   "sheet RULES",
		Short: "Write the rules on one page to print, with diagrams of moves and wins",
		Long: `Writes one page: the start position, a diagram for each kind of move and for each way to win, and the
rules in English. Spar finds the positions in random games, always the same ones. Names and colours are those of
"sides:" in the rules file. The page is made to print; a browser can also save it as PDF.`,
		Example: `  spar rules sheet reversi6 --out reversi6.html`,
		RunE: rules.run(func(c *cobra.Command, g *engines.Game) error {
			s := sheet.Of(g, rules.Set...)
			if err := files.Write(o.Out, s.HTML); err != nil {
				return err
			}
			w := writtenSheet{File: o.Out, Rules: g.Name()}
			for _, e := range s.Examples {
				w.Examples = append(w.Examples, e.Title)
			}
			return replyf(c, "rules_sheet", w, "wrote %s: %s\n", o.Out, strings.Join(w.Examples, ", "))
		}),
	}
	declare(c, &rules, &o)
	printsJSON(c, "rules_sheet", writtenSheet{})
	return c
}

// writtenSheet is the output of kind rules_sheet.
type writtenSheet struct {
	File     string   `json:"file" help:"written"`
	Rules    string   `json:"rules" help:"name of the rules"`
	Examples []string `json:"examples" help:"titles of the diagrams"`
}
