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
		Long: `Rates the players of results from elsewhere, as "spar standings" does for a study: CSV whose header names the columns
player_first, player_second and result (1, 0, 0.5; 1-0, 0-1, 1/2-1/2; first, second, draw), optionally pair_id and rules, in any
order; or the headers of PGN games, White being the first player. The file "-" is standard input.

Games with the same pair_id are one unit for the errors: between the same two players, or with --by-opening whoever plays.

--json prints one object: model, advantage of the first player in Elo with its error, draw_rate_equal (the probability of a draw
between equals), players (lo and hi are null where the interval is open; status tells what the estimate rests on: ok,
unbounded_above, unbounded_below, unbounded, unplaced, confounded, no_information, prior, anchor), groups that never met, each
with mean 0, and warnings. Ratings of all models are Elo by expected score; "raw" has the own unit of a draw model.`,
		Example: `  spar rate results.csv
  spar rate results.csv --errors pair --json
  spar rate games.pgn --model davidson --anchor "Engine 1.0=2500"`,
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
			if err != nil {
				return resultsError(name, args[0], err)
			}
			if err := checkAnchor(fit, t.Players()); err != nil {
				return err
			}
			p := &pool{title: name, table: t, played: sum.Games, distinct: sum.Games, unhashed: true}
			if sum.Skipped > 0 {
				p.notes = append(p.notes, fmt.Sprintf("%s without a result left out", plural(sum.Skipped, "game")))
			}
			if err := p.rate(fit); err != nil {
				return asUsage(err)
			}
			markMisfits([]*pool{p})
			switch {
			case o.asCSV:
				return printPoolsCSV(c.OutOrStdout(), []*pool{p})
			case o.asJSON:
				r, err := p.ratingJSON(o)
				if err != nil {
					return err
				}
				return printJSON(c.OutOrStdout(), "rating", r)
			}
			return p.print(c.OutOrStdout(), o)
		},
	}
	o.flags(c)
	c.Flags().BoolVar(&perRules, "per-rules", false, "an advantage and a draw rate for each value of the column rules")
	c.Flags().BoolVar(&byOpening, "by-opening", false, "a pair_id is one unit whoever plays")
	return c
}

// rating is the object of "spar rate --json".
type rating struct {
	Model         string         `json:"model"`
	Advantage     *float64       `json:"advantage"` // Elo; null with --per-rules and several rules: see advantages
	AdvantageSE   *float64       `json:"advantage_se"`
	DrawRateEqual *float64       `json:"draw_rate_equal"`
	Players       []ratingPlayer `json:"players"`
	Groups        [][]string     `json:"groups"`
	Warnings      []string       `json:"warnings"`

	Games          int64               `json:"games"`
	Errors         string              `json:"errors"`
	Units          int64               `json:"units"` // independent units behind the errors
	Level          float64             `json:"level"`
	Scale          *float64            `json:"scale,omitempty"` // Elo per unit of the draw model near equality
	AdvantageRaw   *float64            `json:"advantage_raw,omitempty"`
	DrawParameter  *float64            `json:"draw_parameter,omitempty"` // nu of davidson, Elo of raokupper
	Advantages     []advantage         `json:"advantages"`
	LackOfFit      *lackJSON           `json:"lack_of_fit,omitempty"`
	Intransitivity *intransitivityJSON `json:"intransitivity,omitempty"`
	Crosstable     []matchJSON         `json:"crosstable,omitempty"`
	LOS            *losJSON            `json:"los,omitempty"`
}

type ratingPlayer struct {
	Name   string   `json:"name"`
	Elo    float64  `json:"elo"`
	SE     float64  `json:"se"`
	Lo     *float64 `json:"lo"`
	Hi     *float64 `json:"hi"`
	Games  int64    `json:"games"`
	Score  float64  `json:"score"`
	Status string   `json:"status"`
	Raw    *float64 `json:"raw,omitempty"` // in the unit of the draw model
}

func (p *pool) ratingJSON(o ratingOptions) (*rating, error) {
	f := p.fit
	r := &rating{
		Model: f.Model.String(), Players: []ratingPlayer{}, Groups: f.Groups, Warnings: p.warnings(), Games: p.played,
		Errors: f.Errors.String(), Units: p.units(), Level: f.Level, Advantages: p.advantages(),
	}
	if r.Groups == nil {
		r.Groups = [][]string{}
	}
	if len(f.Advantages) == 1 {
		a := f.Advantages[0]
		elo := a.Elo + 0 // never -0
		r.Advantage, r.AdvantageSE, r.DrawRateEqual = &elo, &a.SE, &a.DrawRate
	}
	draws := f.Model != ratings.ModelScore
	if draws {
		r.Scale = &f.Scale
		if len(f.Advantages) == 1 {
			r.AdvantageRaw, r.DrawParameter = &f.Advantages[0].Raw, &f.Advantages[0].DrawParameter
		}
	}
	for _, a := range f.Players {
		player := ratingPlayer{
			Name: a.Name, Elo: a.Elo + 0, SE: a.SE,
			Games: a.Total().Games(), Score: score(a.Total()), Status: string(a.Status),
		}
		player.Lo, player.Hi = ends(a.Interval)
		if draws {
			player.Raw = &a.Raw
		}
		r.Players = append(r.Players, player)
	}
	slices.SortStableFunc(r.Players, func(a, b ratingPlayer) int {
		i, j := p.row(a.Name), p.row(b.Name)
		switch {
		case i.Group != j.Group:
			return i.Group - j.Group
		case i.Elo > j.Elo:
			return -1
		case i.Elo < j.Elo:
			return 1
		}
		return 0
	})
	return r, p.extras(o, &r.LackOfFit, &r.Intransitivity, &r.Crosstable, &r.LOS)
}

// atLine finds the line that an error of the package results names.
var atLine = regexp.MustCompile(`^(?:game at )?line (\d+): `)

// resultsError puts a mistake in a results file in the form file:line:col: what is wrong. The name is for people.
func resultsError(name, path string, err error) error {
	var wrong *csv.ParseError
	if errors.As(err, &wrong) {
		return strict.Errors{place(path, strict.Error{File: name, Line: wrong.Line, Col: wrong.Column, Message: wrong.Err.Error()}, "")}
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

// place adds to a mistake the column of the field and the text of the line, as far as the file can be read again.
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

// fieldAt finds where the field of a column stands in the record that starts at a line of a CSV file.
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
			field = slices.IndexFunc(row, func(h string) bool {
				return strings.EqualFold(strings.TrimSpace(strings.TrimPrefix(h, "\ufeff")), column)
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
