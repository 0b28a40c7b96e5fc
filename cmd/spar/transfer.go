package main

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"spar/arena"
	"spar/arena/store"
	"spar/arena/study"
	"spar/engines"
	"spar/engines/bulk"
)

// transferredGame is a game with all that another study needs to take it in.
type transferredGame struct {
	exportedGame
	Opening      int64           `json:"opening"`
	OpeningPlies int             `json:"opening_plies"`
	FirstMS      float64         `json:"first_ms"`
	SecondMS     float64         `json:"second_ms"`
	FirstNodes   int64           `json:"first_nodes"`
	SecondNodes  int64           `json:"second_nodes"`
	Hash         int64           `json:"hash"`
	Timed        bool            `json:"timed,omitempty"`
	RulesJSON    json.RawMessage `json:"rules_json"`
}

func exportCommand() *cobra.Command {
	var path, format string
	c := &cobra.Command{
		Use:   "export",
		Short: "Write the games of a study as JSONL, CSV or PGN-style text",
		Example: `  spar export --db out/quickstart.db > games.jsonl
  spar export --db out/quickstart.db --format csv > games.csv`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			write, ok := map[string]func(*bufio.Writer, store.Row) error{"jsonl": exportJSON, "csv": exportCSV, "pgn": exportPGN}[format]
			if !ok {
				return usagef("--format %s: expected jsonl, csv or pgn", format)
			}
			db, err := store.OpenExisting(c.Context(), path)
			if err != nil {
				return usageError{err}
			}
			defer db.Close()
			out := bufio.NewWriter(c.OutOrStdout())
			if format == "csv" {
				fmt.Fprintln(out, "id,event,number,rules,player_first,player_second,pair_id,result,reason,plies,seed,first_ms,second_ms,first_nodes,second_nodes,moves")
			}
			for row, err := range db.Games(c.Context(), store.Filter{}) {
				if err == nil {
					err = write(out, row)
				}
				if err != nil {
					return err
				}
			}
			return out.Flush()
		},
	}
	c.Flags().StringVar(&path, "db", "out/quickstart.db", "the study")
	c.Flags().StringVar(&format, "format", "jsonl", "jsonl, csv or pgn")
	return c
}

func exportJSON(w *bufio.Writer, r store.Row) error {
	return printJSON(w, "game", transferredGame{
		exportedGame: gameJSON(r), Opening: r.Opening, OpeningPlies: r.OpeningPlies, FirstMS: r.FirstMS, SecondMS: r.SecondMS,
		FirstNodes: r.FirstNodes, SecondNodes: r.SecondNodes, Hash: r.Hash, Timed: r.Timed, RulesJSON: json.RawMessage(r.RulesJSON),
	})
}

func exportCSV(w *bufio.Writer, r store.Row) error {
	c := csv.NewWriter(w)
	score := map[string]string{"first": "1", "second": "0", "draw": "0.5"}[r.Result]
	err := c.Write([]string{
		fmt.Sprint(r.ID), r.EventName, fmt.Sprint(r.Number), r.RulesName, r.FirstName, r.SecondName, fmt.Sprint(r.Pair), score, r.Reason, fmt.Sprint(r.Plies),
		fmt.Sprint(r.Seed), fmt.Sprint(r.FirstMS), fmt.Sprint(r.SecondMS), fmt.Sprint(r.FirstNodes), fmt.Sprint(r.SecondNodes), r.Moves,
	})
	c.Flush()
	return errors.Join(err, c.Error())
}

func exportPGN(w *bufio.Writer, r store.Row) error {
	result := map[string]string{"first": "1-0", "second": "0-1", "draw": "1/2-1/2"}[r.Result]
	tag := func(name, value string) {
		fmt.Fprintf(w, "[%s \"%s\"]\n", name, strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value))
	}
	tag("Event", r.EventName)
	tag("Round", strconv.FormatInt(r.Pair+1, 10))
	tag("White", r.FirstName)
	tag("Black", r.SecondName)
	tag("Result", result)
	tag("Variant", r.RulesName)
	tag("Termination", r.Reason)
	fmt.Fprintln(w)
	width := 0
	for i, m := range append(strings.Fields(r.Moves), result) {
		if i < r.Plies {
			m = fmt.Sprintf("%d. %s", i+1, m)
		}
		if width += len(m) + 1; width > 78 {
			fmt.Fprintln(w)
			width = len(m) + 1
		}
		fmt.Fprintf(w, "%s ", m)
	}
	_, err := fmt.Fprint(w, "\n\n")
	return err
}

func importCommand() *cobra.Command {
	var path string
	c := &cobra.Command{
		Use:     "import [FILE|-]",
		Short:   "Take games in that \"spar export\" wrote as JSONL",
		Long:    "Takes the games of a JSONL export into a study. Every game is replayed first; a file with a game that does not agree with its record is refused whole, as is one with games that the study already has.",
		Example: "  spar import games.jsonl --db out/merged.db",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			in, name, err := openInput(c, args)
			if err != nil {
				return err
			}
			defer in.Close()
			games, err := readTransfer(in, name)
			if err != nil {
				return usageError{err}
			}
			db, err := store.Open(c.Context(), path)
			if err != nil {
				return err
			}
			defer db.Close()
			if err := importGames(c, db, games); err != nil {
				return err
			}
			_, err = fmt.Fprintf(c.OutOrStdout(), "%d games taken into %s\n", len(games), path)
			return err
		},
	}
	c.Flags().StringVar(&path, "db", "out/imported.db", "the study")
	return c
}

// readTransfer reads and replays every game before anything is written.
func readTransfer(in io.Reader, name string) ([]transferredGame, error) {
	var games []transferredGame
	compiled := map[string]*engines.Game{}
	err := bulk.Each(in, name, func(number int, line []byte) error {
		var g transferredGame
		if err := json.Unmarshal(line, &g); err != nil {
			return fmt.Errorf("%s:%d: not an exported game: %w", name, number, err)
		}
		rules, ok := compiled[string(g.RulesJSON)]
		if !ok {
			var err error
			if rules, err = storedGame(store.Row{RulesJSON: string(g.RulesJSON)}); err != nil {
				return fmt.Errorf("%s:%d: %w", name, number, err)
			}
			compiled[string(g.RulesJSON)] = rules
		}
		if err := arena.Verify(rules, study.Game{ID: g.ID, Moves: strings.Join(g.Moves, " "), Plies: g.Plies, Result: g.Result, Reason: g.Reason}); err != nil {
			return fmt.Errorf("%s:%d: %w", name, number, err)
		}
		games = append(games, g)
		return nil
	})
	return games, err
}

func importGames(c *cobra.Command, db *store.DB, games []transferredGame) error {
	unlock, err := db.Lock()
	if err != nil {
		return err
	}
	defer unlock()
	ctx := c.Context()
	var rows []study.Game
	for _, g := range games {
		e, err := db.BeginEvent(ctx, study.Event{Name: g.Event, Purpose: "imported", Plan: "imported", Seed: g.Seed})
		if err != nil {
			return err
		}
		row := study.Game{
			Event: e.ID, Number: g.Number, Pair: g.Pair, Opening: g.Opening, OpeningPlies: g.OpeningPlies, Seed: g.Seed, Moves: strings.Join(g.Moves, " "),
			Result: g.Result, Reason: g.Reason, Detail: g.Detail, Plies: g.Plies, FirstMS: g.FirstMS, SecondMS: g.SecondMS,
			FirstNodes: g.FirstNodes, SecondNodes: g.SecondNodes, Hash: g.Hash, Timed: g.Timed,
		}
		rules, err := storedGame(store.Row{RulesJSON: string(g.RulesJSON)})
		if err != nil {
			return err
		}
		label := g.Rules
		if len(g.Set) > 0 {
			label = arena.Label(rules, g.Set)
		}
		if row.Rules, err = db.RulesID(ctx, label, rules.RulesHash(), string(g.RulesJSON)); err != nil {
			return err
		}
		if row.First, err = db.AgentID(ctx, g.First, "imported"); err != nil {
			return err
		}
		if row.Second, err = db.AgentID(ctx, g.Second, "imported"); err != nil {
			return err
		}
		rows = append(rows, row)
	}
	return errors.Join(db.Commit(ctx, rows, nil, 0), db.Judge(ctx))
}

func verifyCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:     "verify DB",
		Short:   "Replay every stored game and check it against its row",
		Example: "  spar verify out/quickstart.db",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
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
					if g, err = storedGame(row); err != nil {
						return err
					}
					compiled[row.Rules] = g
				}
				games++
				if err := arena.Verify(g, row.Game); err != nil {
					bad++
					fmt.Fprintln(c.ErrOrStderr(), err)
				}
			}
			if asJSON {
				err = printJSON(c.OutOrStdout(), "verification", map[string]any{"games": games, "bad": bad})
			} else {
				_, err = fmt.Fprintf(c.OutOrStdout(), "%d games replayed, %d do not agree with their rows\n", games, bad)
			}
			if bad > 0 {
				return errSaid
			}
			return err
		},
	}
	jsonFlag(c, &asJSON)
	return c
}
