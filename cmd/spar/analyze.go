package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"spar/arena/store"
	"spar/engines"
	"spar/engines/bulk"
	"spar/reports/chart"
	"spar/reports/review"
	"spar/reports/screen"
)

// gameToReview is a game from the command line, a study or a file.
type gameToReview struct {
	id    json.RawMessage
	name  string // for people
	g     *engines.Game
	moves []string
	side  int
	err   error
}

func analyzeCommand() *cobra.Command {
	var (
		rules, moves, db, file, perspective, table, out string

		agent         = defaultJudge
		game          int64
		set, agentSet []string
		asJSON        bool
	)
	c := &cobra.Command{
		Use:   "analyze",
		Short: "Review a game: what each move was worth and what would have been best",
		Long: `Rates every ply of a game: the expected score before it (of the best move) and after it, the loss against the best, its class,
the evaluation bar, the best moves, and the arc of the whole game. Above the middle of the arc is good for the perspective.

Small games (classic, rolling, vanishing and others of at most about two million states) are solved on the spot, and the values are exact: a
rating is 100-n for a win in n plies, n-100 for a loss, 0 for a draw. For the others one agent searches every position after a
legal move (or --table names a file of "spar solve --out"); its name stands in the output, and a rating is its score from -99 to 99. Classic is reviewed as the original
program does. Elsewhere the class of a move follows from the loss in expected score (won 1, drawn 0.5, lost 0):
best: one of the best moves; excellent: at most 0.02; good: at most 0.05; inaccuracy: at most 0.15; mistake: more.

The game is given as a move list, as the number of a stored game, or as a file with one JSON object a line,
{"id":…, "rules":"classic", "set":{…}, "moves":[…]}, as for "spar replay".`,
		Example: `  spar analyze --rules classic --moves "c2 c1 b3 c3 b2 b1 a1 a3"
  spar analyze --db out/quickstart.db --game 17 --out arc.svg
  spar analyze --file games.jsonl --perspective second --json`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			side, err := review.ParseSide(perspective)
			if err != nil {
				return usageError{err}
			}
			if ext := strings.ToLower(filepath.Ext(out)); out != "" && ext != ".svg" && ext != ".png" {
				return usagef("--out %s: expected a name ending in .svg or .png", out)
			}
			spec, err := loadAgent(agent, agentSet)
			if err != nil {
				return err
			}
			given := 0
			for _, name := range []string{"rules", "db", "file"} {
				if c.Flags().Changed(name) {
					given++
				}
			}
			switch {
			case given != 1:
				return usagef("expected a game: one of --rules with --moves, --db with --game, or --file")
			case rules == "" && (c.Flags().Changed("moves") || c.Flags().Changed("set")):
				return usagef("--moves and --set go with --rules")
			case db == "" && c.Flags().Changed("game"), db != "" && game <= 0:
				return usagef("--db goes with --game, the number of a stored game (see \"spar games\")")
			}
			var games []gameToReview
			switch {
			case rules != "":
				g, err := loadGame(rules, set)
				if err != nil {
					return err
				}
				games = []gameToReview{{name: rules, g: g, moves: strings.Fields(moves), side: side}}
				if err := g.NewPosition().PlayText(games[0].moves); err != nil {
					return usageError{err}
				}
			case db != "":
				one, err := gameFromStudy(c.Context(), db, game)
				if err != nil {
					return err
				}
				one.side = side
				games = []gameToReview{one}
			default:
				in, name, err := openInput(c, []string{file})
				if err != nil {
					return err
				}
				defer in.Close()
				if games, err = gamesFromFile(in, name, side, c.Flags().Changed("perspective")); err != nil {
					return err
				}
			}
			if out != "" && len(games) != 1 {
				return usagef("--out draws one game, not %d", len(games))
			}
			j := review.NewJudge(spec, table)
			return errors.Join(analyzeAll(c.Context(), c.OutOrStdout(), j, games, out, asJSON), j.Close())
		},
	}
	rulesFlag(c, &rules, "the rules of the game given with --moves")
	c.Flags().StringVar(&moves, "moves", "", "the moves, space-separated")
	setFlag(c, &set)
	c.Flags().StringVar(&db, "db", "", "a study that holds the game")
	c.Flags().Int64Var(&game, "game", 0, "the number of the game in the study")
	c.Flags().StringVar(&file, "file", "", "a file of games, one JSON object a line; - for standard input")
	c.Flags().StringVar(&perspective, "perspective", "first", "the side that bar and arc are seen from: first or second (a line of --file may state its own)")
	judgeFlags(c, &agent, &agentSet, &table)
	outFlag(c, &out, "draw the arc into this file, .svg or .png")
	jsonFlag(c, &asJSON)
	return c
}

// defaultJudge is the agent whose scores count where nothing is exact.
const defaultJudge = "minimax-4"

// judgeFlags adds what moves are rated by.
func judgeFlags(c *cobra.Command, agent *string, agentSet *[]string, table *string) {
	agentFlag(c, agent, "whose scores count where the game is too large to be solved on the spot")
	agentSetFlag(c, agentSet)
	c.Flags().StringVar(table, "table", "", "file of spar solve --out with the game's exact values")
}

// gameFromStudy finds a stored game.
func gameFromStudy(ctx context.Context, path string, id int64) (gameToReview, error) {
	db, err := store.OpenExisting(ctx, path)
	if err != nil {
		return gameToReview{}, usageError{err}
	}
	defer db.Close()
	for row, err := range db.Games(ctx, store.Filter{ID: id}) {
		if err != nil {
			return gameToReview{}, err
		}
		g, err := engines.Stored(row.RulesJSON)
		if err != nil {
			return gameToReview{}, err
		}
		name := fmt.Sprintf("game %d, %s: %s (X) against %s (O)", row.ID, row.RulesName, row.FirstName, row.SecondName)
		return gameToReview{id: fmt.Append(nil, row.ID), name: name, g: g, moves: strings.Fields(row.Moves)}, nil
	}
	return gameToReview{}, usagef("no game %d in %s", id, path)
}

// gamesFromFile reads one game a line. A line that is not a game keeps its error. The perspective that a line states holds
// unless it was chosen by hand.
func gamesFromFile(in io.Reader, name string, side int, chosen bool) (games []gameToReview, err error) {
	var cache bulk.Games
	err = bulk.Each(in, name, func(number int, line []byte) error {
		one := gameToReview{name: fmt.Sprintf("%s:%d", name, number), side: side}
		var l review.Line
		if err := json.Unmarshal(line, &l); err != nil {
			one.err = fmt.Errorf("%s: not a game: %w", one.name, err)
			games = append(games, one)
			return nil
		}
		one.id, one.moves = l.ID, l.Moves
		var err error
		if one.g, err = cache.Game(&l.Line); l.Perspective != "" && !chosen {
			one.side, one.err = review.ParseSide(l.Perspective)
		}
		one.err = errors.Join(one.err, err)
		if len(one.id) > 0 {
			one.name = strings.Trim(string(one.id), `"`)
		}
		if one.g != nil {
			one.name += ", " + one.g.Name()
		}
		games = append(games, one)
		return nil
	})
	return games, err
}

func analyzeAll(ctx context.Context, out io.Writer, j *review.Judge, games []gameToReview, figure string, asJSON bool) error {
	buffered := bufio.NewWriter(out)
	failed := false
	for i, one := range games {
		var r review.Game
		err := one.err
		if err == nil {
			r, err = j.Review(ctx, one.g, one.moves, one.side)
		}
		if ctx.Err() != nil {
			return errors.Join(buffered.Flush(), ctx.Err())
		}
		if err != nil {
			failed = true
			r = review.Game{Error: err.Error()}
		}
		r.ID = one.id
		switch {
		case asJSON:
			err = printJSON(buffered, "review", r)
		case r.Error != "":
			_, err = fmt.Fprintf(buffered, "%s: %s\n", one.name, r.Error)
		default:
			if i > 0 {
				fmt.Fprintln(buffered)
			}
			err = printReview(buffered, one.name, &r)
		}
		if err == nil && figure != "" && r.Error == "" {
			err = drawArc(figure, one.name, &r)
		}
		if err != nil {
			return errors.Join(buffered.Flush(), err)
		}
	}
	if err := buffered.Flush(); err != nil {
		return err
	}
	if failed {
		return errSaid
	}
	return nil
}

// sourceText says whose values a review has.
func sourceText(r *review.Game, exact string) string {
	if r.Source == review.Exact {
		return exact
	}
	return "scores by " + r.Source
}

// printReview shows a review to people.
func printReview(out io.Writer, name string, r *review.Game) error {
	fmt.Fprintf(out, "%s: %s after %d plies, %s, seen from %s\n", name, r.Result, len(r.Plies), sourceText(r, "exact"), r.Perspective)
	t := screen.NewTable(out, screen.Row{"ply", "move", "before", "after", "loss", "rating", "class", "bar", "label", "best"}, 1, 3, 4, 5, 6, 8)
	for i, p := range r.Plies {
		score := []float64{float64(p.Top) / 100, float64(p.Rating) / 100, float64(p.Top-p.Rating) / 100}
		if p.Scores != nil {
			score = []float64{p.Before, p.After, p.Loss}
		}
		t.AppendRow(screen.Row{
			i + 1, p.Text, fmt.Sprintf("%.2f", score[0]), fmt.Sprintf("%.2f", score[1]), fmt.Sprintf("%.2f", score[2]),
			p.Display, p.Class, fmt.Sprintf("%.4g", p.Bar), p.Label + " " + p.Side, shortList(p.Best, 9),
		})
	}
	t.Render()
	_, err := fmt.Fprintf(out, "arc %s\n", bars(r.Arc))
	return err
}

// shortList joins words and counts those beyond most.
func shortList(words []string, most int) string {
	if len(words) <= most {
		return strings.Join(words, " ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(words[:most], " "), len(words)-most)
}

// bars draws a series from -0.5 to 0.5 as one line of blocks.
func bars(arc []float64) string {
	blocks := []rune("▁▂▃▄▅▆▇█")
	var b strings.Builder
	for _, v := range arc {
		i := int(math.Floor((v + 0.5) * float64(len(blocks))))
		b.WriteRune(blocks[min(max(i, 0), len(blocks)-1)])
	}
	return b.String()
}

// drawArc draws the arc of a review.
func drawArc(path, name string, r *review.Game) error {
	a := &chart.Arc{Player: "first player (X)", Source: sourceText(r, "exact values")}
	if r.Perspective == "O" {
		a.Player, a.Swap = "second player (O)", true
	}
	for _, v := range r.Arc {
		a.Values = append(a.Values, v+0.5)
	}
	for _, p := range r.Plies {
		a.Moves = append(a.Moves, p.Text)
		a.Classes = append(a.Classes, p.Class)
	}
	if err := chart.Save(path, a, fmt.Sprintf("%s: expected score of the %s by ply", name, a.Player)); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	return nil
}
