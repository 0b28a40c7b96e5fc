package main

import (
	"bufio"
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"spar/arena/store"
	"spar/arena/transfer"
	"spar/configs/files"
	"spar/configs/plain"
)

func exportCommand() *cobra.Command {
	var o transfer.PositionOptions
	study := studyFlag{defaultStudy}
	var own struct {
		Format    string    `flag:"format=jsonl" help:"format of the output: jsonl or csv; with --positions jsonl, csv or npz"`
		Positions bool      `flag:"positions" help:"write one row for each position instead of each game"`
		Exact     bool      `flag:"exact" needs:"positions" help:"with --positions: add exact values if the game can be solved"`
		Memory    byteCount `flag:"memory=256MB" needs:"exact" help:"with --exact: maximum memory for solving the game, with a unit, like 4GB"`
		Out       string    `flag:"out,o" file:"" help:"write to this file instead of standard output"`
	}
	c := &cobra.Command{
		Use:   "export [STUDY.db]",
		Short: "Write the games or the positions of a study as JSONL, CSV or NumPy arrays",
		Long: `Writes the games of a study as text: JSONL with everything, CSV for other programs.
--positions writes one row per position, for learning, as JSONL, CSV or NumPy arrays (npz).

JSONL has a first line with the events and who ran them, rules, agents and machines, then a line for each game, then
people's opinions and unfinished games, and stored values of positions (spar help json lists the fields). "spar
import" rebuilds the same study from it. In JSONL each move has its agent's score, depth and nodes, if the tournament
recorded them (record_plies).

--positions writes, from the games that count for learning, the move and its number (spar help env --all explains
numbers and planes; action_code is their version), what the agent reported (score, depth, nodes or visits, line of play)
and the outcome, all for the side to move, and the position as text, cells, planes or features (--with). --exact adds
the exact value if the game can be solved within --memory or the study holds it. --test marks a share of the games for
testing; identical games get the same mark. key is a number from 0 to 1 for other splits. npz is for one set of rules.`,
		Example: `  spar export --db out/quickstart.db > study.jsonl
  spar export --db out/quickstart.db --format csv --out games.csv
  spar export --db out/quickstart.db --positions --rules ctor --format npz --out ctor.npz
  spar export --db out/quickstart.db --positions --with cells,features --exact --format csv`,
		RunE: func(c *cobra.Command, _ []string) error {
			write, ok := map[string]func(context.Context, *store.DB, io.Writer) error{
				"jsonl": exportJSONL, "csv": transfer.CSV,
			}[own.Format]
			if own.Positions {
				write, ok = positionsWriter(own.Format, o)
			}
			switch {
			case !ok && own.Positions:
				return usagef("--format %s: expected jsonl, csv or npz", own.Format)
			case !ok && own.Format == "npz":
				return usagef("--format npz needs --positions")
			case !ok && own.Format == "pgn":
				return usagef("--format pgn: removed; jsonl has every move, and spar rate reads csv")
			case !ok:
				return usagef("--format %s: expected jsonl or csv", own.Format)
			}
			db, err := openStudy(c.Context(), study.Path)
			if err != nil {
				return err
			}
			defer db.Close()
			if own.Positions {
				if err := checkFilter(c.Context(), db, store.Filter{Rules: o.Rules}); err != nil {
					return err
				}
				if own.Exact {
					o.Exact = int64(own.Memory)
				}
				if !changed(c, "with") {
					o.With = map[string][]string{"npz": {"planes", "features"}}[own.Format]
					if o.With == nil {
						o.With = []string{"text", "features"}
					}
				}
				o.Unsolved = func(rules string, why error) {
					note(c, "%s: no exact values: %s\n", plain.Line(rules), plain.Line(why.Error()))
				}
				write, _ = positionsWriter(own.Format, o)
			}
			if own.Out != "" {
				return files.Write(own.Out, func(w io.Writer) error { return write(c.Context(), db, w) })
			}
			w := bufio.NewWriter(c.OutOrStdout())
			return errors.Join(write(c.Context(), db, w), w.Flush())
		},
	}
	declare(c, &study, &own, &o)
	for _, kind := range []string{
		transfer.KindStudy, transfer.KindGame, transfer.KindTable, transfer.KindOpinion, transfer.KindLines,
		transfer.KindValues,
		transfer.KindPosition,
	} {
		printsJSON(c, kind, transfer.Lines(kind)...)
	}
	c.Flags().Lookup("json").Hidden = true // it prints nothing else
	c.AddCommand(exportPageCommand())
	return c
}

// positionsWriter returns the writer of positions for a format. The second result is false for an unknown format.
func positionsWriter(format string, o transfer.PositionOptions) (write func(context.Context, *store.DB,
	io.Writer) error, ok bool,
) {
	write, ok = map[string]func(context.Context, *store.DB, io.Writer) error{
		"jsonl": func(ctx context.Context, db *store.DB, w io.Writer) error {
			return transfer.PositionsJSONL(ctx, db, o, func(kind string, line any) error {
				return printJSON(w, kind, line)
			})
		},
		"csv": func(ctx context.Context, db *store.DB, w io.Writer) error {
			return transfer.PositionsCSV(ctx, db, o, w)
		},
		"npz": func(ctx context.Context, db *store.DB, w io.Writer) error {
			return transfer.PositionsNPZ(ctx, db, o, w)
		},
	}[format]
	return write, ok
}

func exportJSONL(ctx context.Context, db *store.DB, w io.Writer) error {
	return transfer.JSONL(ctx, db, func(kind string, line any) error { return printJSON(w, kind, line) })
}
