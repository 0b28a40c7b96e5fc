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

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"spar/agents"
	"spar/arena/store"
	"spar/engines"
	"spar/engines/solve"
	"spar/reports/accuracy"
	"spar/reports/review"
)

// Games that are solved on the spot: their boards have at most exactCells cells, and solving takes at most exactMemory bytes,
// which is enough for about two million states.
const (
	exactCells  = 20
	exactMemory = 100 << 20
)

// reviewed is a game with its review as "spar analyze --json" prints it.
type reviewed struct {
	ID          json.RawMessage `json:"id,omitempty"`
	Rules       string          `json:"rules,omitempty"`
	Perspective string          `json:"perspective,omitempty"`
	Moves       []string        `json:"moves,omitempty"`
	Result      string          `json:"result,omitempty"`
	Source      string          `json:"source,omitempty"` // exact, or the name of the agent whose scores these are
	*review.Review
	Error string `json:"error,omitempty"`

	classic bool
}

// gameToReview is where a game comes from.
type gameToReview struct {
	id          json.RawMessage
	name        string // for people
	g           *engines.Game
	moves       []string
	perspective int
	err         error
}

func analyzeCommand() *cobra.Command {
	var (
		rules, moves, db, file, perspective, agent, plot, table string
		game                                                    int64
		set                                                     []string
		asJSON                                                  bool
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
  spar analyze --db out/quickstart.db --game 17 --plot arc.svg
  spar analyze --file games.jsonl --perspective second --json`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			side, err := parsePerspective(perspective)
			if err != nil {
				return err
			}
			if ext := strings.ToLower(filepath.Ext(plot)); plot != "" && ext != ".svg" && ext != ".png" {
				return usagef("--plot %s: expected a name ending in .svg or .png", plot)
			}
			spec, err := loadAgent(agent, nil)
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
				games = []gameToReview{{name: rules, g: g, moves: strings.Fields(moves), perspective: side}}
				if err := g.NewPosition().PlayText(games[0].moves); err != nil {
					return usageError{err}
				}
			case db != "":
				one, err := gameFromStudy(c.Context(), db, game)
				if err != nil {
					return err
				}
				one.perspective = side
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
			if plot != "" && len(games) != 1 {
				return usagef("--plot draws one game, not %d", len(games))
			}
			return analyzeAll(c.Context(), c.OutOrStdout(), newJudge(spec, table), games, plot, asJSON)
		},
	}
	c.Flags().StringVar(&rules, "rules", "", "the rules of the game given with --moves")
	c.Flags().StringVar(&moves, "moves", "", "the moves, space-separated")
	setFlag(c, &set)
	c.Flags().StringVar(&db, "db", "", "a study that holds the game")
	c.Flags().Int64Var(&game, "game", 0, "the number of the game in the study")
	c.Flags().StringVar(&file, "file", "", "a file of games, one JSON object a line; - for standard input")
	c.Flags().StringVar(&perspective, "perspective", "first", "the side that bar and arc are seen from: first or second (a line of --file may state its own)")
	c.Flags().StringVarP(&agent, "agent", "a", "minimax-4", "whose scores count where the game is too large to be solved on the spot")
	c.Flags().StringVar(&table, "table", "", "file of spar solve --out with the game's exact values")
	c.Flags().StringVar(&plot, "plot", "", "draw the arc into this file, .svg or .png")
	jsonFlag(c, &asJSON)
	for flag, names := range map[string]cobra.CompletionFunc{"rules": gameNames, "agent": agentNames} {
		if err := c.RegisterFlagCompletionFunc(flag, names); err != nil {
			panic(err) // the flags stand just above
		}
	}
	return c
}

// parsePerspective reads a side: first or X, second or O.
func parsePerspective(text string) (int, error) {
	switch text {
	case "first", "X":
		return engines.First, nil
	case "second", "O":
		return engines.Second, nil
	}
	return 0, usagef("perspective %q: expected first or second", text)
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
		g, err := storedGame(row)
		if err != nil {
			return gameToReview{}, err
		}
		number, err := json.Marshal(row.ID)
		name := fmt.Sprintf("game %d, %s: %s (X) against %s (O)", row.ID, row.RulesName, row.FirstName, row.SecondName)
		return gameToReview{id: number, name: name, g: g, moves: strings.Fields(row.Moves)}, err
	}
	return gameToReview{}, usagef("no game %d in %s", id, path)
}

// gamesFromFile reads one game a line. A line that is not a game keeps its error. The perspective that a line states holds
// unless it was chosen by hand.
func gamesFromFile(in io.Reader, name string, side int, chosen bool) ([]gameToReview, error) {
	cache := gameCache{}
	var games []gameToReview
	err := eachLine(in, name, func(number int, line []byte) error {
		var l struct {
			replayLine
			Perspective string `json:"perspective"`
		}
		one := gameToReview{perspective: side}
		if err := json.Unmarshal(line, &l); err != nil {
			one.err = fmt.Errorf("%s:%d: not a game: %w", name, number, err)
		} else {
			one.id, one.moves = l.ID, l.Moves
			if l.Perspective != "" && !chosen {
				one.perspective, one.err = parsePerspective(l.Perspective)
			}
			g, err := cache.game(l.Rules, l.Set)
			one.g, one.err = g, errors.Join(one.err, err)
		}
		one.name = fmt.Sprintf("%s:%d", name, number)
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

func analyzeAll(ctx context.Context, out io.Writer, j *judge, games []gameToReview, plot string, asJSON bool) error {
	defer j.Close()
	buffered := bufio.NewWriter(out)
	failed := false
	for i, one := range games {
		r, err := j.review(ctx, one)
		if ctx.Err() != nil {
			return errors.Join(buffered.Flush(), ctx.Err())
		}
		if err != nil {
			failed = true
			r = reviewed{ID: one.id, Error: err.Error()}
		}
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
		if err != nil {
			return err
		}
		if plot != "" && r.Error == "" {
			if err := drawArc(plot, one.name, &r); err != nil {
				return errors.Join(buffered.Flush(), err)
			}
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

// printReview shows a review to people.
func printReview(out io.Writer, name string, r *reviewed) error {
	by := "exact"
	if r.Source != "exact" {
		by = "scores by " + r.Source
	}
	fmt.Fprintf(out, "%s: %s after %d plies, %s, seen from %s\n", name, r.Result, len(r.Plies), by, r.Perspective)
	t := newTable(out, table.Row{"ply", "move", "before", "after", "loss", "rating", "class", "bar", "label", "best"}, 1, 3, 4, 5, 6, 8)
	for i, p := range r.Plies {
		score := []float64{float64(p.Top) / 100, float64(p.Rating) / 100, float64(p.Top-p.Rating) / 100}
		if p.Scores != nil {
			score = []float64{p.Before, p.After, p.Loss}
		}
		t.AppendRow(table.Row{
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

// judge rates the moves of games: exactly where the game is small, otherwise by one agent.
type judge struct {
	spec   agents.Spec
	file   string                  // table of a solved game, in place of solving on the spot
	tables map[string]*solve.Table // by hash of the rules; nil = too large
	agents map[string]agents.Agent
}

func newJudge(spec agents.Spec, table string) *judge {
	return &judge{spec: spec, file: table, tables: map[string]*solve.Table{}, agents: map[string]agents.Agent{}}
}

// Close ends agents that hold resources.
func (j *judge) Close() {
	for _, t := range j.tables {
		if t != nil {
			t.Close() //nolint:errcheck // it was only read
		}
	}
	for _, a := range j.agents {
		if c, ok := a.(agents.Closer); ok {
			c.Close() //nolint:errcheck // the review is complete
		}
	}
}

// table loads the table of a game, or solves the game if it is small; otherwise it returns nil.
func (j *judge) table(ctx context.Context, g *engines.Game) (*solve.Table, error) {
	if g.Cells() > exactCells && j.file == "" {
		return nil, nil
	}
	hash, err := solve.RulesHash(g)
	if err != nil {
		return nil, err
	}
	if t, ok := j.tables[hash]; ok {
		return t, nil
	}
	var t *solve.Table
	if j.file != "" {
		if t, err = solve.Load(j.file, g); err != nil {
			return nil, usageError{err}
		}
	} else {
		t, err = accuracy.Table(ctx, g, exactMemory)
	}
	if err == nil {
		j.tables[hash] = t
	}
	return t, err
}

// evaluator lets the agent search the position after every legal move.
func (j *judge) evaluator(ctx context.Context, g *engines.Game) (review.Evaluator, error) {
	key := g.RulesHash()
	a, ok := j.agents[key]
	if !ok {
		var err error
		if a, err = agents.New(j.spec, g); err != nil {
			return nil, err
		}
		j.agents[key] = a
	}
	return func(p *engines.Position) ([]float64, error) {
		var scores []float64
		for _, m := range p.AppendMoves(nil) {
			score, err := agents.MoveScore(ctx, a, p, m, j.spec.Budget)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", j.spec.Name, err)
			}
			scores = append(scores, score)
		}
		return scores, nil
	}, nil
}

// means returns what moves of a game are rated by, and its name.
func (j *judge) means(ctx context.Context, g *engines.Game) (*solve.Table, review.Evaluator, string, error) {
	t, err := j.table(ctx, g)
	if err != nil || t != nil {
		return t, nil, "exact", err
	}
	evaluator, err := j.evaluator(ctx, g)
	return nil, evaluator, j.spec.Name, err
}

// review reviews one game.
func (j *judge) review(ctx context.Context, one gameToReview) (reviewed, error) {
	if one.err != nil {
		return reviewed{}, one.err
	}
	p := one.g.NewPosition()
	if err := p.PlayText(one.moves); err != nil {
		return reviewed{}, err
	}
	r := reviewed{
		ID: one.id, Rules: one.g.Name(), Perspective: "XO"[one.perspective : one.perspective+1], Moves: one.moves,
		Result: p.Result().String(), Source: "exact", classic: review.IsClassic(one.g),
	}
	var err error
	if r.classic {
		r.Review, err = review.Classic(one.g, one.moves, one.perspective)
		return r, err
	}
	t, evaluator, source, err := j.means(ctx, one.g)
	if err != nil {
		return reviewed{}, err
	}
	r.Source = source
	r.Review, err = review.Generic(one.g, one.moves, t, evaluator, one.perspective)
	return r, err
}
