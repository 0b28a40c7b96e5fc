package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"spar/configs"
	"spar/configs/plain"
	"spar/engines"
	"spar/engines/bulk"
	"spar/engines/solve"
	"spar/reports/review"
)

// analyzeFlags say which game is reviewed, and for whom.
type analyzeFlags struct {
	Rules       string   `flag:"rules,r" help:"the game, instead of the argument"`
	Moves       string   `flag:"moves"`
	Set         []string `flag:"set"`
	DB          string   `flag:"db" help:"a study that holds the game"`
	Game        int64    `flag:"game" help:"the number of the game in the study"`
	File        string   `flag:"file" not:"moves" help:"a file of games, or of positions, one JSON object per line; - for standard input"`
	Perspective string   `flag:"perspective=first" help:"side whose expected score the bar and the chart show: first or second (a line of --file may state its own)"`
}

func analyzeCommand() *cobra.Command {
	judge := judgeFlags{Agent: agentFlags{Name: defaultJudge}}
	var question positionQuestion
	var o analyzeFlags
	c := &cobra.Command{
		Use:   "analyze [RULES]",
		Short: "Review a game move by move, or list the best moves of a position or the parts of its evaluation",
		Long: `Rates every move of a game: prints the expected score before and after the move, the loss against the
best move, and a class from best to mistake. Then it prints a bar chart of the values. Give moves, the number of a
stored game, or a file of games (as for "spar replay"). --best prints the best moves of a position, --parts explains
its evaluation.

Small games (up to about two million states) are solved at once and their values are exact: a rating is 100-n for a
win in n plies, n-100 for a loss, 0 for a draw. In other games one agent searches the position after each legal
move, and a rating is its score from -99 to 99; the output names the agent. --table takes the values from a file of
"spar solve --out".

--best prints the fastest wins; if there are none, all moves that draw; otherwise the slowest losses. --parts prints
the features of a position for the side to move, or the patterns of a learned evaluation, the largest contributions
first. With either flag, --file takes positions, one per line, as objects ({"id":…, "rules":…, "set":{…},
"position":…, "moves":[…]}) or as moves, and answers with JSON.

The class of a move follows from its loss in expected score (win 1, draw 0.5, loss 0): best: one of the best moves;
excellent: at most 0.02; good: at most 0.05; inaccuracy: at most 0.15; mistake: more. The game classic uses
the classes of its original program.`,
		Example: `  spar analyze classic --moves "c2 c1 b3 c3 b2 b1 a1 a3"
  spar analyze classic --moves "b2 b1" --best
  spar analyze ctor --moves "e5 f6 e6" --parts --agent ctor/learned
  spar analyze --db out/quickstart.db --game 17
  spar analyze --file games.jsonl --perspective second --json`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 1 && byDB(c, args[0]) == "" {
				return nil
			}
			return noArgs(c, args)
		},
		ValidArgsFunction: shipped(configs.Games),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				if o.Rules != "" {
					return rulesOnce(args)
				}
				o.Rules = args[0]
			}
			if question.Parts && !changed(c, "agent") {
				judge.Agent.Name = "greedy"
			}
			side, err := review.ParseSide(o.Perspective)
			if err != nil {
				return err
			}
			spec, err := judge.Agent.load()
			if err != nil {
				return err
			}
			if judge.Table != "" {
				if _, err := solve.Load(judge.Table, nil); err != nil {
					return err
				}
			}
			j := review.NewJudge(spec, judge.Table)
			if question.Best || question.Parts {
				if o.Rules == "" && o.File == "" {
					return usagef("expected a position: RULES with --moves or --position, or --file")
				}
				question.spec, question.judge = spec, j
				return question.run(c, o.Rules, o.Moves, o.File, o.Set)
			}
			if err := o.check(c, question.Position); err != nil {
				return err
			}
			show := reviewPrinter{j: j, asJSON: wantsJSON(c)}
			if o.File != "" {
				lines := review.Reader{Side: side, Chosen: changed(c, "perspective")}
				return errors.Join(answerLines(c, []string{o.File}, bulk.Each,
					func(name string, number int, line []byte, out io.Writer) (bool, error) {
						lines.Name = name
						return show.print(c.Context(), out, lines.Request(number, line))
					}), j.Close())
			}
			one, err := o.request(c.Context())
			if err != nil {
				return err
			}
			one.Side = side
			failed, err := show.print(c.Context(), c.OutOrStdout(), one)
			if err == nil && failed {
				err = errSaid
			}
			return errors.Join(err, j.Close())
		},
	}
	declare(c, &o, &judge, &question)
	printsJSON(c, "review", review.Game{})
	printsJSON(c, "hint --best", review.Hint{}, bulk.Asked{})
	printsJSON(c, "evaluation --parts", review.Evaluation{}, bulk.Asked{})
	printsJSON(c, "learned_evaluation --parts with an agent whose evaluation is learned", review.LearnedEvaluation{},
		bulk.Asked{})
	return c
}

// check returns an error unless the flags name exactly one game.
func (o *analyzeFlags) check(c *cobra.Command, position string) error {
	given := 0
	for _, name := range []string{o.Rules, o.DB, o.File} {
		if name != "" {
			given++
		}
	}
	switch {
	case given != 1:
		return usagef("expected a game: one of RULES with --moves, --db with --game, or --file")
	case position != "":
		return usagef("--position needs --best or --parts: a game is reviewed from its start")
	case o.Rules == "" && (changed(c, "moves") || changed(c, "set")):
		return usagef("--moves and --set need RULES")
	case o.DB == "" && changed(c, "game"), o.DB != "" && o.Game <= 0:
		return usagef("--db and --game belong together: --game is the number of a stored game (see \"spar games\")")
	}
	return nil
}

// request returns the stored game, or the one that --moves plays.
func (o *analyzeFlags) request(ctx context.Context) (review.Request, error) {
	if o.DB != "" {
		return gameFromStudy(ctx, o.DB, o.Game)
	}
	g, err := loadGame(o.Rules, o.Set)
	if err != nil {
		return review.Request{}, err
	}
	moves := strings.Fields(o.Moves)
	if err := g.NewPosition().PlayText(moves); err != nil {
		return review.Request{}, usagef("--moves: %w", err)
	}
	return review.Request{Name: o.Rules, Game: g, Moves: moves}, nil
}

// defaultJudge is the agent whose scores are used if there are no exact values.
const defaultJudge = "minimax-4"

// judgeFlags choose what rates moves.
type judgeFlags struct {
	Agent agentFlags
	Table string `flag:"table" help:"file of spar solve --out with the game's exact values"`
}

// gameFromStudy finds a stored game.
func gameFromStudy(ctx context.Context, path string, id int64) (review.Request, error) {
	db, err := openStudy(ctx, path)
	if err != nil {
		return review.Request{}, err
	}
	defer db.Close()
	row, err := storedGame(ctx, db, id)
	if err != nil {
		return review.Request{}, err
	}
	g, err := engines.Stored(row.RulesJSON)
	if err != nil {
		return review.Request{}, err
	}
	name := fmt.Sprintf("game %d, %s: %s (%s) against %s (%s)", row.ID, plain.Line(row.RulesName),
		plain.Line(row.FirstName), g.SideLabel(0), plain.Line(row.SecondName), g.SideLabel(1))
	return review.Request{
		ID:    fmt.Append(nil, row.ID),
		Name:  name,
		Game:  g,
		Moves: strings.Fields(row.Moves),
	}, nil
}

// reviewPrinter reviews games and prints the reviews.
type reviewPrinter struct {
	j       *review.Judge
	asJSON  bool
	printed int
}

// print reviews and prints a game. It returns true if the game could not be reviewed.
func (s *reviewPrinter) print(ctx context.Context, out io.Writer, one review.Request) (failed bool, err error) {
	r, err := s.j.Answer(ctx, one)
	if err != nil {
		return false, err
	}
	switch {
	case s.asJSON:
		err = printJSON(out, "review", r)
	case r.Error != "" && r.Line > 0: // it says where
		_, err = fmt.Fprintln(out, r.Error)
	case r.Error != "":
		_, err = fmt.Fprintf(out, "%s: %s\n", one.Name, r.Error)
	default:
		if s.printed++; s.printed > 1 {
			fmt.Fprintln(out)
		}
		err = r.Text(out, one.Name)
	}
	return r.Error != "", err
}
