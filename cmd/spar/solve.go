package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"spar/engines"
	"spar/engines/bulk"
	"spar/engines/rules"
	"spar/engines/solve"
	"spar/engines/solve/suite"
	"spar/reports/solved"
)

// solveFlags say what is solved, and what is printed of it.
type solveFlags struct {
	List     string    `flag:"suite" in:"Lists of games" not:"count prove query markdown out table set" help:"solve a list of games instead: a shipped one (published or people) or a file ending in .jsonl"`
	Seconds  float64   `flag:"seconds=60" needs:"suite" in:"Lists of games" range:"(0," help:"with --suite: time limit for each game, not for the whole list"`
	Memory   byteCount `flag:"memory=4GB" help:"maximum memory to use, with a unit, like 4GB"`
	Out      string    `flag:"out,o" file:"" help:"write the table to this file"`
	In       string    `flag:"table" help:"use the table in this file instead of solving"`
	Query    string    `flag:"query" not:"markdown out" help:"print the value of each position in this file, one per line; - for standard input"`
	Prove    string    `flag:"prove" not:"query markdown out table" help:"prove the position after these moves by proof-number search"`
	Nodes    uint64    `flag:"nodes" needs:"prove count" help:"maximum number of positions that --prove expands (0 = no limit), or of states that --count counts (default 100000000)"`
	Estimate bool      `flag:"count" not:"prove query markdown out table" help:"only count states (up to symmetry) and positions (without symmetry), and estimate the memory"`
	Each     bool      `flag:"each-move" needs:"prove" help:"with --prove: prove every move of the position"`
	Workers  int       `flag:"workers" help:"number of goroutines; 0 = one per core"`
	Markdown bool      `flag:"markdown" help:"print a table of all games in Markdown"`
}

func solveCommand() *cobra.Command {
	var games gamesArgument
	var o solveFlags
	c := &cobra.Command{
		Use:   "solve RULES...",
		Short: "Solve a game exactly, or prove a single position",
		Long: `Computes the value of every reachable position: win, loss or draw for the side to move, and the
plies to the end with best play. Spar counts the states first and refuses a game that needs more than --memory.

Endless play and repetition count as draws, or as wins of the side that draw.repeated names. The ply limit is ignored,
except in answers to --query. --out keeps the table for later (perfect agents, --query, analysis). A game's overrides
may follow its name in brackets: vanishing[board.columns=4,pieces.cap=4].

--query reads positions, one per line, as moves ("b2 a1 c3") or as {"id":…, "position":…, "moves":[…]}; a blank line
is the start. It answers each with one JSON object, for the side to move. --prove searches a single position, for games
that do not fit into memory; after an interrupt it prints the bounds so far. --each-move proves every move of that
position. The start of a line game of more than 20 cells is proved even without --prove, by threats, pairs of cells and
search. Games won by connecting, such as Hex, are proved by virtual connections. Under a pie rule the values of the
openings decide: in a game without draws the second player wins, by a swap if the opening wins.

--suite solves a list of games and compares the values with those that the list states: who wins, in how many plies,
and how many first moves win, draw and lose. Each line of the list, a file ending in .jsonl, is like
{"name": "small", "rules": "classic[board.rows=2]", "published": {"value": "draw"}, "source": "…"}; only "rules" is
required. Shipped lists are published (known values) and people (118 line games that people judged, without values).
RULES select entries. A game that takes longer than --seconds or more than --memory is "unknown"; a difference gives
exit code 1.`,
		Example: `  spar solve vanishing
  spar solve rolling --json
  echo "b2 a1" | spar solve vanishing --query -
  spar solve connect4 --prove "d6 d5 d4" --nodes 100000
  spar solve hex5 --prove "" --each-move
  spar solve classic rolling vanishing 'vanishing[board.columns=4]' --markdown
  spar solve --suite published --seconds 10
  spar solve --suite published hexapawn 'connect4 4x4'
  spar solve --suite people 5x5-win4 --json
  spar solve --suite mine.jsonl`,
		RunE: func(c *cobra.Command, _ []string) error {
			if o.List != "" {
				return runSuite(c, o.List, games.Names,
					suite.Options{Workers: o.Workers, Memory: int64(o.Memory), Seconds: o.Seconds})
			}
			if len(games.Names) > 1 && (o.Query != "" || changed(c, "prove") || o.Out != "" || o.In != "") {
				return usagef("--query, --prove, --out and --table need a single game")
			}
			var rows []solved.Solution
			out := solved.Output{To: c.OutOrStdout(), JSON: wantsJSON(c)}
			out.Object = func(kind string, v any) error { return printJSON(out.To, kind, v) }
			for _, name := range games.Names {
				r, err := o.one(c, name, games.Set, out)
				if err != nil {
					return err
				}
				if o.Markdown {
					rows = append(rows, r)
				}
			}
			if o.Markdown {
				return solved.Table(c.OutOrStdout(), rows)
			}
			return nil
		},
	}
	declare(c, &games, &o)
	takes := c.Args
	c.Args = func(c *cobra.Command, args []string) error {
		if err := takes(c, args); err != nil || o.List != "" || len(games.Names) > 0 {
			return err
		}
		return cobra.MinimumNArgs(1)(c, args)
	}
	printsJSON(c, "solution", solved.Solution{})
	printsJSON(c, "answer --query", queryAnswer{})
	printsJSON(c, "proof --prove", solved.Proof{})
	printsJSON(c, "move_proof --prove --each-move", solved.MoveProof{})
	printsJSON(c, "state_count --count", solved.States{})
	printsJSON(c, "published --suite", suite.Result{})
	return c
}

// one solves a game, or does with it what the flags ask for instead. The solution is empty if the game has no table.
func (o *solveFlags) one(c *cobra.Command, name string, set []string, out solved.Output) (r solved.Solution, err error) {
	base, overrides := ownOverrides(name, set)
	g, err := loadGame(name, set)
	if err != nil {
		return r, err
	}
	table := solve.Options{Workers: o.Workers, Memory: int64(o.Memory), Progress: solveProgress(c)}
	tabled := o.Estimate || o.Query != "" || o.Out != "" || o.In != "" || o.Markdown
	if changed(c, "prove") || solve.BeyondTables(g) && !tabled {
		p := solved.Prover{
			Game: g, Label: rules.JoinLabel(g.Name(), overrides), Moves: o.Prove, Each: o.Each, Out: out,
			Options: solve.ProofOptions{Nodes: o.Nodes, Memory: table.Memory, Workers: o.Workers, Progress: proofProgress(c)},
		}
		return r, p.Run(c.Context())
	}
	if o.Estimate {
		if table.States = countedStates; changed(c, "nodes") {
			table.States = o.Nodes
		}
		return r, solveError(solved.Count(c.Context(), g, table, out), orProve)
	}
	began := time.Now()
	t, err := openTable(c.Context(), g, o.In, table)
	if err != nil {
		return r, err
	}
	if o.Query != "" {
		return r, answerQueries(c, t, g, o.Query, base, overrides)
	}
	if o.Out != "" {
		if err := t.Save(o.Out); err != nil {
			return r, err
		}
	}
	r = solved.New(t, g, time.Since(began).Seconds())
	r.Rules = rules.JoinLabel(r.Rules, overrides)
	switch {
	case wantsJSON(c):
		return r, sayJSON(c, "solution", r)
	case !o.Markdown:
		return r, r.Text(c.OutOrStdout())
	}
	return r, nil
}

// countedStates is how many states --count counts at most unless --nodes says another number: some minutes.
const countedStates = 100_000_000

// openTable loads a table from a file. Without a file it solves the game.
func openTable(ctx context.Context, g *engines.Game, file string, o solve.Options) (*solve.Table, error) {
	if file != "" {
		return solve.Load(file, g)
	}
	t, err := solve.Solve(ctx, g, o)
	return t, solveError(err, orProve)
}

// orProve is what solve offers for games that it cannot solve whole.
const orProve = `, or --prove "MOVES" --nodes N for single positions`

// solveError says what helps if a game is too large to solve; instead is another way that the command has.
func solveError(err error, instead string) error {
	var memory *solve.MemoryError
	var key *engines.KeyError
	switch {
	case errors.As(err, &memory):
		return usagef("%w; raise --memory%s", err, instead)
	case errors.As(err, &key):
		return usagef("%w; use a smaller board (--set board.columns=… --set board.rows=…)%s", key, instead)
	}
	return err
}

// solveProgress shows the progress of the solver.
func solveProgress(c *cobra.Command) func(solve.Progress) {
	began, shown := time.Now(), newDisplay(c)
	return func(p solve.Progress) {
		shown.Show(func() string { return p.Text(time.Since(began)) })
	}
}

// queryAnswer is the answer to a line of --query.
type queryAnswer struct {
	bulk.Asked
	solve.Answer
}

// answerQueries answers positions one after another.
func answerQueries(c *cobra.Command, t *solve.Table, g *engines.Game, file, rules string, set []string) error {
	many := positionsFile{path: file}
	kind := func(*engines.Position) string { return "answer" }
	return many.each(c, kind, rules, set, func(a bulk.Asked, p *engines.Position) (any, error) {
		if p.Game().RulesHash() != g.RulesHash() {
			return nil, fmt.Errorf("the table is for %s, not for %s", g.Name(), p.Game().Name())
		}
		answer, err := t.Answer(p)
		return queryAnswer{a, answer}, err
	})
}

// proofProgress shows the progress of a proof.
func proofProgress(c *cobra.Command) func(solve.ProofStatus) {
	shown := newDisplay(c)
	return func(p solve.ProofStatus) {
		shown.Show(func() string {
			if p.Limit > 0 {
				return fmt.Sprintf("%d of at most %d positions", p.Nodes, p.Limit)
			}
			return fmt.Sprintf("%d positions", p.Nodes)
		})
	}
}
