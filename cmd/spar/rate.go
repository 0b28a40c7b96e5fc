package main

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"spar/configs/strict"
	"spar/ratings"
	"spar/ratings/results"
	"spar/reports/screen"
	"spar/reports/standings"
)

func rateCommand() *cobra.Command {
	var (
		o         ratingOptions
		perRules  bool
		byOpening bool
	)
	c := &cobra.Command{
		Use:   "rate FILE",
		Short: "Rate players from a file of results",
		Long: `Rates the players in results of other programs, as "spar standings" does for a study. FILE is CSV, or PGN, of
which Spar reads the headers (White is the first player); "-" is standard input.

The header of CSV names the columns, in any order: player_first, player_second (or white, black) and result (1, 0,
0.5; 1-0, 0-1, 1/2-1/2; first, second, draw), optionally pair_id, rules and counts_for_strength (1 or 0). Games of
an export that "spar standings" would not count are left out.

Games with the same pair_id are one unit for the errors: between the same two players, or with --by-opening between
any players.

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
			fit.PerStratum = perRules
			in, name, err := openInput(c, args)
			if err != nil {
				return err
			}
			defer in.Close()
			t, sum, err := results.Read(in, results.Options{ByOpening: byOpening})
			if err != nil && c.Context().Err() != nil {
				return c.Context().Err()
			}
			if err != nil {
				return resultsError(name, args[0], err)
			}
			if err := checkAnchor(fit, t.Players()); err != nil {
				return err
			}
			p := &standings.Pool{Title: name, Table: t, Played: sum.Games}
			if sum.Skipped > 0 {
				p.Note(fmt.Sprintf("Skipped %s without a result", screen.Plural(sum.Skipped, "game")))
			}
			if sum.LeftOut > 0 {
				p.Note(fmt.Sprintf("Skipped %s: the file says that they do not count "+
					"for strength", screen.Plural(sum.LeftOut, "game")))
			}
			if err := p.Rate(fit); err != nil {
				return asUsage(err)
			}
			pools := []*standings.Pool{p}
			standings.MarkMisfits(pools)
			switch {
			case o.asCSV:
				return standings.WriteCSV(c.OutOrStdout(), pools)
			case wantsJSON(c):
				return printJSON(c.OutOrStdout(), "rating", p.RatingJSON(o.Extras))
			}
			return p.Text(c.OutOrStdout(), o.Extras)
		},
	}
	o.flags(c)
	c.Flags().BoolVar(&perRules, "per-rules", false, "estimate a first-player advantage and a draw rate for each value "+
		"of the column rules")
	c.Flags().BoolVar(&byOpening, "by-opening", false, "games with the same pair_id are one unit for all players")
	return c
}

// atLine matches the line number in errors of package results.
var atLine = regexp.MustCompile(`^(?:game at )?line (\d+): `)

// resultsError formats an error in a results file as file:line:col: message. The name is for people.
func resultsError(name, path string, err error) error {
	var wrong *csv.ParseError
	if errors.As(err, &wrong) {
		return strict.Errors{place(path, strict.Error{
			File: name, Line: wrong.Line, Col: wrong.Column,
			Message: wrong.Err.Error(),
		}, "")}
	}
	text := strings.TrimPrefix(err.Error(), "results: ")
	text = strings.TrimPrefix(text, results.ErrFormat.Error()+": ")
	m := atLine.FindStringSubmatch(text)
	if m == nil {
		return usagef("%s: %s", name, text)
	}
	line, _ := strconv.Atoi(m[1])
	text = strings.TrimPrefix(text[len(m[0]):], "ratings: ")
	text = strings.TrimPrefix(strings.TrimPrefix(text, results.ErrFormat.Error()+": "), ratings.ErrBadGame.Error()+": ")
	column := ""
	switch {
	case errors.Is(err, ratings.ErrSelfPlay), strings.HasSuffix(text, `against "")`):
		column = "player_second"
	case errors.Is(err, ratings.ErrBadGame):
		column = "player_first"
	case strings.HasPrefix(text, "result "):
		column = "result"
	}
	return strict.Errors{place(path, strict.Error{File: name, Line: line, Col: 1, Message: text}, column)}
}

// place adds the column of the field and the text of the line to an error, if the file can be read again.
func place(path string, e strict.Error, column string) strict.Error {
	if path == "-" {
		return e
	}
	f, err := os.Open(filepath.Clean(path))
	if err != nil {
		return e
	}
	defer f.Close()
	if column != "" {
		if line, col, ok := fieldAt(f, e.Line, column); ok {
			e.Line, e.Col = line, col
		}
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return e
		}
	}
	const widest = 200 // a longer line is no help
	in := bufio.NewReader(f)
	for n := 1; ; n++ {
		text, err := in.ReadString('\n')
		if n == e.Line && len(text) <= widest {
			e.Source = strings.TrimRight(text, "\r\n")
			return e
		}
		if err != nil || n >= e.Line {
			return e
		}
	}
}

// fieldAt finds the position of a column's field in the record that starts at a line of a CSV file.
func fieldAt(r io.Reader, line int, column string) (at, col int, ok bool) {
	in := csv.NewReader(r)
	in.FieldsPerRecord = -1
	field := -1
	for {
		row, err := in.Read()
		if err != nil {
			return 0, 0, false
		}
		if field < 0 {
			other := map[string]string{"player_first": "white", "player_second": "black"}[column]
			field = slices.IndexFunc(row, func(h string) bool {
				h = strings.TrimSpace(strings.TrimPrefix(h, "\ufeff"))
				return strings.EqualFold(h, column) || other != "" && strings.EqualFold(h, other)
			})
			if field < 0 {
				return 0, 0, false
			}
			continue
		}
		if start, _ := in.FieldPos(0); start == line && field < len(row) {
			at, col = in.FieldPos(field)
			return at, col, true
		}
	}
}
