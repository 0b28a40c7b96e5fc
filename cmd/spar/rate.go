package main

import (
	"github.com/spf13/cobra"

	"spar/ratings"
	"spar/ratings/results"
	"spar/reports/standings"
)

func rateCommand() *cobra.Command {
	var o ratingOptions
	var own struct {
		PerRules  bool `flag:"per-rules" help:"estimate a first-player advantage and a draw rate for each name in the rules column"`
		ByOpening bool `flag:"by-opening" help:"treat games with the same pair_id as one unit, whoever played them"`
		Strictly  bool `flag:"strict" help:"refuse a file with a game that Spar cannot read"`
	}
	c := &cobra.Command{
		Use:   "rate FILE",
		Short: "Rate players from a file of results",
		Long: `Rates the players in results of other programs, as "spar standings" does for a study. FILE is PGN (White is the
first player), or CSV with commas, semicolons or tabs; "-" is standard input. Spar skips games that it cannot read,
and names them; if it can read none, the file is refused.

The header of CSV names the columns, in any order: player_first, player_second (or white, black) and result (1, 0,
0.5; 1-0, 0:1, 1/2-1/2; first, second, draw; 1-0F is a forfeit), optionally pair_id, rules, event, round, fen or
opening, moves, termination and counts_for_strength (1 or 0). Spar skips byes, and games of an export that "spar
standings" would not
count.

For standard errors, games with the same opening are one unit, whoever played them. Without openings, games of the same
two players with the same pair_id are one unit; with --by-opening, games of any players. Without a pair_id, two games
are a pair if they are the only ones of their players with the same round and opening (FEN), and have swapped seats.
Copies of a game (the same moves, players and result) are one unit.

--json prints one object (spar help json rating). Ratings of all models are Elo by expected score; "raw" is in the
unit of a draw model.`,
		Example: `  spar rate results.csv
  spar rate results.csv --errors pair --json
  spar rate games.pgn --draw-model davidson --anchor "Engine 1.0=2500"`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			fit, err := o.fitOptions()
			if err != nil {
				return err
			}
			fit.PerStratum = own.PerRules
			in, name, err := openInput(c, args)
			if err != nil {
				return err
			}
			defer in.Close()
			t, sum, err := results.Read(in, results.Options{File: name, ByOpening: own.ByOpening, Strict: own.Strictly})
			if err != nil && interrupted(c) {
				return c.Context().Err()
			}
			if err == nil && sum.Games == 0 && len(sum.Mistakes) > 0 {
				err = sum.Mistakes
			}
			if err != nil {
				return err
			}
			fit.PerStratum = fit.PerStratum || sum.Export // as in standings
			if err := checkAnchor(fit, t.Players()); err != nil {
				return err
			}
			p := &standings.Pool{Title: name, Table: t, Played: sum.Games, Distinct: sum.Distinct}
			for _, note := range sum.Notes {
				p.Note("%s", note)
			}
			fit.Few = sum.Few
			if !sum.Paired && sum.Pairs == 0 && fit.Errors == ratings.ErrorPair {
				fit.Errors = ratings.ErrorGame // a note says that there are no pairs
			}
			if _, err := untilDone(c.Context(), func() (any, error) { return nil, p.Rate(fit) }); err != nil {
				return asUsage(err)
			}
			pools := []*standings.Pool{p}
			standings.MarkMisfits(pools)
			switch {
			case o.CSV:
				return standings.WriteCSV(c.OutOrStdout(), pools)
			case wantsJSON(c):
				return sayJSON(c, "rating", p.RatingJSON(o.Extras))
			}
			return p.Text(c.OutOrStdout(), o.Extras)
		},
	}
	declare(c, &o, &own)
	printsJSON(c, "rating", standings.Rating{})

	return c
}
