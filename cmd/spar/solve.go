package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"spar/engines"
	"spar/engines/bulk"
	"spar/engines/solve"
)

// exactValue is a value as JSON: a draw has no distance.
type exactValue struct {
	Value string `json:"value"`
	DTW   *int   `json:"dtw"`
}

func exactOf(v solve.Value) exactValue {
	if v.Outcome == solve.Draw {
		return exactValue{Value: v.Outcome.String()}
	}
	return exactValue{v.Outcome.String(), &v.DTW}
}

type solved struct {
	Rules    string                `json:"rules"`
	Value    string                `json:"value"` // first, second or draw
	DTW      *int                  `json:"dtw"`
	States   uint64                `json:"states"`
	Win      uint64                `json:"win"`
	Loss     uint64                `json:"loss"`
	Draw     uint64                `json:"draw"`
	MaxDTW   int                   `json:"max_dtw"`
	Openings map[string]exactValue `json:"openings"`
	Seconds  float64               `json:"seconds"`
	Bytes    int64                 `json:"bytes"`
	Reduced  uint64                `json:"reduced"`
	Peak     int64                 `json:"peak_bytes"`
}

func solveCommand() *cobra.Command {
	var (
		rules, set []string
		memory     int64 = 4e9
		out, in    string
		query      string
		prove      string
		nodes      uint64
		estimate   bool
		workers    int
		asJSON, md bool
	)
	c := &cobra.Command{
		Use:   "solve RULES...",
		Short: "Solve a game exactly, or prove a single position",
		Long: `Works out the value of every position that play can lead to: win, loss or draw for the side to move and the plies to the end
with best play. Endless play and repetition are draws; the ply cap is left out. The states are counted first, and a game that
does not fit --memory is refused with the number. --out keeps the table for later (perfect agents, --query, analysis).

A game's own overrides may stand in brackets behind its name: vanishing[board.columns=4,pieces.cap=4].

--query reads lines of moves ("b2 a1 c3") and answers each with a line of JSON, for the side to move. --prove searches one position by proof numbers,
for games that do not fit.`,
		Example: `  spar solve vanishing
  spar solve rolling --json
  echo "b2 a1" | spar solve vanishing --query -
  spar solve connect4 --prove "d6 d5 d4" --nodes 100000
  spar solve classic rolling vanishing 'vanishing[board.columns=4]' --markdown`,
		RunE: func(c *cobra.Command, _ []string) error {
			if len(rules) > 1 && (query != "" || c.Flags().Changed("prove") || out != "" || in != "") {
				return usagef("--query, --prove, --out and --table are for one game")
			}
			var rows []solved
			for _, name := range rules {
				base, own := splitLabel(name)
				overrides := append(engines.Overrides(own), set...)
				g, err := loadGame(base, overrides)
				if err != nil {
					return err
				}
				o := solve.Options{Workers: workers, Memory: memory, Progress: solveProgress(c.ErrOrStderr())}
				switch {
				case c.Flags().Changed("prove"):
					return provePosition(c.Context(), c.OutOrStdout(), g, prove, nodes, asJSON)
				case estimate:
					classes, bytes, err := solve.Count(c.Context(), g, o)
					if err != nil {
						return solveError(err)
					}
					fmt.Fprintf(c.OutOrStdout(), "%s: %d states up to symmetry, about %s to solve\n", g.Name(), classes, solve.ByteText(bytes))
					continue
				}
				began := time.Now()
				t, err := openTable(c.Context(), g, in, o)
				if err != nil {
					return err
				}
				if query != "" {
					return errors.Join(answerQueries(c, t, g, query), t.Close())
				}
				if out != "" {
					if err := t.Save(out); err != nil {
						return err
					}
				}
				r := solvedGame(g, overrides, t, time.Since(began).Seconds())
				rows = append(rows, r)
				if asJSON {
					err = printJSON(c.OutOrStdout(), "solution", r)
				} else if !md {
					r.print(c.OutOrStdout())
				}
				if err := errors.Join(err, t.Close()); err != nil {
					return err
				}
			}
			if md {
				return printSolvedTable(c.OutOrStdout(), rows)
			}
			return nil
		},
	}
	rulesArguments(c, &rules, 1)
	memoryFlag(c, &memory, "most memory to use")
	outFlag(c, &out, "keep the table in this file")
	c.Flags().StringVar(&in, "table", "", "use the table in this file instead of solving")
	c.Flags().StringVar(&query, "query", "", "answer lines of moves from this file, - for standard input")
	c.Flags().StringVar(&prove, "prove", "", "prove the position after these moves by proof-number search")
	c.Flags().Uint64Var(&nodes, "nodes", 1_000_000, "positions that --prove may expand")
	c.Flags().BoolVar(&estimate, "count", false, "only count the states and estimate the memory")
	c.Flags().IntVar(&workers, "workers", 0, "goroutines; 0 = one a core")
	c.Flags().BoolVar(&md, "markdown", false, "print a table of all games in Markdown")
	setFlag(c, &set)
	jsonFlag(c, &asJSON)
	return c
}

// openTable loads the table of a file, or solves the game.
func openTable(ctx context.Context, g *engines.Game, file string, o solve.Options) (*solve.Table, error) {
	if file != "" {
		t, err := solve.Load(file, g)
		if err != nil {
			return nil, usageError{err}
		}
		return t, nil
	}
	t, err := solve.Solve(ctx, g, o)
	return t, solveError(err)
}

func solveError(err error) error {
	var memory *solve.MemoryError
	if errors.As(err, &memory) {
		return usageError{fmt.Errorf("%w (raise --memory, or use --prove for single positions)", err)}
	}
	return err
}

// solveProgress tells a person how far the solver is.
func solveProgress(w io.Writer) func(solve.Progress) {
	if !isTerminal(w) {
		return nil
	}
	began := time.Now()
	return func(p solve.Progress) {
		fmt.Fprintf(w, "\r%-9s %12d of %12d states, %s, %s left   ", p.Phase, p.Done, p.Total, solve.ByteText(p.Bytes), p.ETA(time.Since(began)).Round(time.Second))
	}
}

func solvedGame(g *engines.Game, set []string, t *solve.Table, seconds float64) solved {
	st := t.Stats()
	r := solved{
		Rules: g.Name(), Value: st.Winner(), DTW: exactOf(st.Root).DTW, States: st.States, Win: st.Win, Loss: st.Loss, Draw: st.Draw,
		MaxDTW: st.MaxDTW, Openings: map[string]exactValue{}, Seconds: seconds, Bytes: t.Bytes(), Reduced: st.Reduced, Peak: st.PeakBytes,
	}
	if len(set) > 0 {
		r.Rules += "[" + strings.Join(set, ",") + "]"
	}
	for _, o := range st.Openings {
		r.Openings[o.Move] = exactOf(o.Value)
	}
	return r
}

// best lists the openings that keep the value, the fastest first when it is a win.
func (r *solved) best() (names []string, v exactValue) {
	rank := func(v exactValue) int {
		switch {
		case v.Value == "win":
			return 1_000_000 - *v.DTW
		case v.Value == "draw":
			return 0
		}
		return -1_000_000 + *v.DTW
	}
	best := -2_000_000
	for _, o := range r.Openings {
		best = max(best, rank(o))
	}
	for name, o := range r.Openings {
		if rank(o) == best {
			names, v = append(names, name), o
		}
	}
	sortCells(names)
	return names, v
}

func (r *solved) outcome() string {
	switch r.Value {
	case "draw":
		return "draw"
	case "first":
		return fmt.Sprintf("first player wins in %d plies", *r.DTW)
	}
	return fmt.Sprintf("second player wins in %d plies", *r.DTW)
}

func (r *solved) print(w io.Writer) {
	names, _ := r.best()
	fmt.Fprintf(w, "%s: %s; best openings: %s\n", r.Rules, r.outcome(), strings.Join(names, " "))
	fmt.Fprintf(w, "%d states (%d up to symmetry): %d won, %d lost, %d drawn for the side to move; longest %d plies\n", r.States, r.Reduced, r.Win, r.Loss, r.Draw, r.MaxDTW)
	fmt.Fprintf(w, "%.2f s, table of %s, about %s while solving\n", r.Seconds, solve.ByteText(r.Bytes), solve.ByteText(r.Peak))
}

func printSolvedTable(w io.Writer, rows []solved) error {
	t := table.NewWriter()
	t.AppendHeader(table.Row{"rules", "states", "value", "longest", "best openings", "seconds", "table"})
	for _, r := range rows {
		names, _ := r.best()
		list := strings.Join(names, " ")
		if len(names) == len(r.Openings) {
			list = "all"
		}
		t.AppendRow(table.Row{r.Rules, r.States, r.outcome(), r.MaxDTW, list, fmt.Sprintf("%.2f", r.Seconds), solve.ByteText(r.Bytes)})
	}
	_, err := fmt.Fprintln(w, t.RenderMarkdown())
	return err
}

type answer struct {
	Moves string `json:"moves"`
	exactValue
	Best  []string `json:"best"`
	Error string   `json:"error,omitempty"`
}

// answerQueries answers one line of moves after the other.
func answerQueries(c *cobra.Command, t *solve.Table, g *engines.Game, file string) error {
	in, name, err := openInput(c, []string{file})
	if err != nil {
		return err
	}
	defer in.Close()
	out := bufio.NewWriter(c.OutOrStdout())
	failed := false
	lines := bufio.NewScanner(in)
	for lines.Scan() { // an empty line is the start of the game
		a := answerQuery(t, g, strings.TrimSpace(lines.Text()))
		failed = failed || a.Error != ""
		if err := printJSON(out, "answer", a); err != nil {
			return err
		}
	}
	if err := errors.Join(lines.Err(), out.Flush()); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if failed {
		return errSaid
	}
	return nil
}

func answerQuery(t *solve.Table, g *engines.Game, moves string) answer {
	a := answer{Moves: moves, Best: []string{}}
	p, err := bulk.Position(g, "", strings.Fields(moves))
	if err != nil {
		a.Error = err.Error()
		return a
	}
	v, ok := t.Lookup(&p.State)
	if !ok {
		a.Error = "the game is over"
		return a
	}
	a.exactValue = exactOf(v)
	for _, r := range t.Best(&p.State) {
		a.Best = append(a.Best, g.MoveText(r.Move))
	}
	return a
}

func provePosition(ctx context.Context, w io.Writer, g *engines.Game, moves string, nodes uint64, asJSON bool) error {
	p, err := bulk.Position(g, "", strings.Fields(moves))
	if err != nil {
		return usageError{err}
	}
	r, err := solve.Prove(ctx, &p.State, solve.ProofOptions{Nodes: nodes})
	if err != nil {
		return err
	}
	value := "unknown"
	if r.Known() {
		value = r.AtLeast.String()
	}
	move := ""
	if r.Move != engines.NoMove {
		move = g.MoveText(r.Move)
	}
	if asJSON {
		return printJSON(w, "proof", map[string]any{"rules": g.Name(), "moves": moves, "value": value, "at_least": r.AtLeast, "at_most": r.AtMost, "move": move, "nodes": r.Nodes})
	}
	fmt.Fprintf(w, "%s after %q: %s for the side to move, %d positions expanded", g.Name(), moves, value, r.Nodes)
	if !r.Known() {
		fmt.Fprintf(w, " (at least %v, at most %v)", r.AtLeast, r.AtMost)
	}
	if move != "" {
		fmt.Fprintf(w, "; %s wins", move)
	}
	_, err = fmt.Fprintln(w)
	return err
}
