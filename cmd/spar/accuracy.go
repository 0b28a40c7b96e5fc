package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"sort"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"spar/agents"
	"spar/arena/store"
	"spar/engines"
	"spar/engines/solve"
	"spar/ratings"
)

// accuracy counts an agent's decisions against the exact values of a solved game.
type accuracy struct {
	Agent     string        `json:"agent"`
	Rules     string        `json:"rules"`
	Decisions int64         `json:"decisions"`
	Kept      int64         `json:"kept"` // decisions that kept the value of the position
	Share     float64       `json:"share"`
	Lo        float64       `json:"lo"`
	Hi        float64       `json:"hi"`
	MeanLoss  float64       `json:"mean_loss"` // in points: half a point from win to draw or draw to loss
	Optimal   int64         `json:"optimal"`   // decisions that were also the fastest win or the slowest loss
	ByDTW     []accuracyRow `json:"by_dtw"`
	Mistakes  []mistake     `json:"mistakes,omitempty"`
}

// accuracyRow is the part of the decisions at one distance to the end, 0 for drawn positions.
type accuracyRow struct {
	Value     string `json:"value"`
	DTW       int    `json:"dtw"`
	Decisions int64  `json:"decisions"`
	Kept      int64  `json:"kept"`
}

type mistake struct {
	Position string  `json:"position"`
	Move     string  `json:"move"`
	Best     string  `json:"best"`
	Loss     float64 `json:"loss"`
	DTW      int     `json:"dtw"`
}

func accuracyCommand() *cobra.Command {
	var (
		path, agent, rules string
		set                []string
		seed               int64
		positions          int
		memory             float64
		asJSON             bool
	)
	c := &cobra.Command{
		Use:   "accuracy",
		Short: "Measure agents against perfect play in solved games",
		Long: `Compares decisions with the exact values of the game, which is solved first: every decision of the games of a study (--db), or
the decisions of one agent in positions of random games (--agent and --rules). A decision keeps the value when it turns no
win into a draw or loss and no draw into a loss. Intervals are Wilson's, 95 %, over decisions.`,
		Example: `  spar accuracy --agent minimax-2 --rules vanishing
  spar accuracy --db out/quickstart.db --rules rolling`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if (path == "") == (agent == "") {
				return usagef("give one of --db and --agent")
			}
			o := solve.Options{Memory: int64(memory * 1e9), Progress: solveProgress(c.ErrOrStderr())}
			var rows []*accuracy
			var err error
			if agent != "" {
				rows, err = agentAccuracy(c.Context(), agent, rules, set, o, positions, seed)
			} else {
				rows, err = studyAccuracy(c.Context(), path, rules, o, c.ErrOrStderr())
			}
			if err != nil {
				return err
			}
			return printAccuracy(c.OutOrStdout(), rows, asJSON)
		},
	}
	c.Flags().StringVar(&path, "db", "", "a study")
	c.Flags().StringVarP(&agent, "agent", "a", "", "an agent")
	c.Flags().StringVarP(&rules, "rules", "r", "", "the game; with --db all solvable ones when left out")
	c.Flags().IntVar(&positions, "positions", 2000, "positions that --agent decides")
	c.Flags().Int64Var(&seed, "seed", 1, "seed of the positions and decisions")
	c.Flags().Float64Var(&memory, "memory", 0.2, "most gigabytes for solving")
	setFlag(c, &set)
	jsonFlag(c, &asJSON)
	return c
}

// points is what an outcome is worth.
func points(o solve.Outcome) float64 {
	switch o {
	case solve.Win:
		return 1
	case solve.Draw:
		return 0.5
	}
	return 0
}

// judge adds one decision.
func (a *accuracy) judge(t *solve.Table, p *engines.Position, m engines.Move, byDTW map[accuracyRow]*accuracyRow) {
	best := t.Best(&p.State)
	if len(best) == 0 {
		return
	}
	value := best[0].Value
	loss := 0.0
	for _, r := range t.Moves(&p.State) {
		if r.Move == m {
			loss = points(value.Outcome) - points(r.Value.Outcome)
			if r.Value == value {
				a.Optimal++
			}
		}
	}
	a.Decisions++
	key := accuracyRow{Value: value.Outcome.String(), DTW: value.DTW}
	row := byDTW[key]
	if row == nil {
		row = &accuracyRow{Value: key.Value, DTW: key.DTW}
		byDTW[key] = row
	}
	row.Decisions++
	a.MeanLoss += loss
	if loss == 0 {
		a.Kept++
		row.Kept++
		return
	}
	g := p.Game()
	a.Mistakes = append(a.Mistakes, mistake{p.Text(), g.MoveText(m), g.MoveText(best[0].Move), loss, value.DTW})
}

// finish works out the shares and keeps the five worst mistakes: the largest loss, then the longest win given away.
func (a *accuracy) finish(byDTW map[accuracyRow]*accuracyRow) {
	if a.Decisions > 0 {
		a.Share = float64(a.Kept) / float64(a.Decisions)
		a.MeanLoss /= float64(a.Decisions)
		v := ratings.Wilson(a.Kept, a.Decisions, 0.95)
		a.Lo, a.Hi = v.Interval.Lo, v.Interval.Hi
	}
	for _, r := range byDTW {
		a.ByDTW = append(a.ByDTW, *r)
	}
	sort.Slice(a.ByDTW, func(i, j int) bool {
		x, y := a.ByDTW[i], a.ByDTW[j]
		return x.Value > y.Value || x.Value == y.Value && x.DTW < y.DTW
	})
	sort.SliceStable(a.Mistakes, func(i, j int) bool {
		x, y := a.Mistakes[i], a.Mistakes[j]
		return x.Loss > y.Loss || x.Loss == y.Loss && x.DTW > y.DTW
	})
	a.Mistakes = a.Mistakes[:min(5, len(a.Mistakes))]
}

func agentAccuracy(ctx context.Context, name, rules string, set []string, o solve.Options, positions int, seed int64) ([]*accuracy, error) {
	if rules == "" {
		return nil, usagef("--agent needs --rules")
	}
	g, err := loadGame(rules, set)
	if err != nil {
		return nil, err
	}
	spec, err := loadAgent(name, nil)
	if err != nil {
		return nil, err
	}
	a, err := agents.New(spec, g)
	if err != nil {
		return nil, usageError{err}
	}
	t, err := solve.Solve(ctx, g, o)
	if err != nil {
		return nil, solveError(err)
	}
	defer t.Close()
	out, byDTW := &accuracy{Agent: spec.Name, Rules: g.Name()}, map[accuracyRow]*accuracyRow{}
	rng := rand.New(rand.NewPCG(uint64(seed), 0x616363))
	for out.Decisions < int64(positions) && ctx.Err() == nil {
		p := g.NewPosition()
		stop := rng.IntN(g.Cells()*2 + 1)
		for range stop {
			if moves := p.AppendMoves(nil); len(moves) > 0 {
				p.Play(moves[rng.IntN(len(moves))])
			}
		}
		if p.Over() {
			continue
		}
		a.NewGame(agents.Seed{rng.Uint64(), rng.Uint64()})
		d, err := a.Choose(ctx, p, spec.Budget, rng)
		if err != nil {
			return nil, err
		}
		out.judge(t, p, d.Move, byDTW)
	}
	out.finish(byDTW)
	return []*accuracy{out}, ctx.Err()
}

func studyAccuracy(ctx context.Context, path, rules string, o solve.Options, notes io.Writer) ([]*accuracy, error) {
	db, err := store.OpenExisting(ctx, path)
	if err != nil {
		return nil, usageError{err}
	}
	defer db.Close()
	names := []string{rules}
	if rules == "" {
		if names, err = db.Names(ctx, "rules"); err != nil {
			return nil, err
		}
	}
	var out []*accuracy
	for _, name := range names {
		rows, err := rulesAccuracy(ctx, db, name, o)
		if err != nil && rules == "" {
			fmt.Fprintf(notes, "%s is left out: %v\n", name, err)
			continue
		}
		if err != nil {
			return nil, solveError(err)
		}
		out = append(out, rows...)
	}
	return out, nil
}

func rulesAccuracy(ctx context.Context, db *store.DB, rules string, o solve.Options) ([]*accuracy, error) {
	var t *solve.Table
	var g *engines.Game
	byAgent := map[string]*accuracy{}
	byDTW := map[string]map[accuracyRow]*accuracyRow{}
	for row, err := range db.Games(ctx, store.Filter{Rules: rules}) {
		if err != nil {
			return nil, err
		}
		if t == nil {
			if g, err = storedGame(row); err != nil {
				return nil, err
			}
			if t, err = solve.Solve(ctx, g, o); err != nil {
				return nil, err
			}
			defer t.Close()
		}
		p := g.NewPosition()
		for i, text := range strings.Fields(row.Moves) {
			m, err := p.ParseMove(text)
			if err != nil {
				return nil, fmt.Errorf("game %d: %w", row.ID, err)
			}
			if i >= row.OpeningPlies {
				name := [2]string{row.FirstName, row.SecondName}[p.Side()]
				if byAgent[name] == nil {
					byAgent[name], byDTW[name] = &accuracy{Agent: name, Rules: rules}, map[accuracyRow]*accuracyRow{}
				}
				byAgent[name].judge(t, p, m, byDTW[name])
			}
			p.Play(m)
		}
	}
	if t == nil {
		return nil, usagef("no games of %s in %s", rules, db.Path())
	}
	var out []*accuracy
	for name, a := range byAgent {
		a.finish(byDTW[name])
		out = append(out, a)
	}
	sort.Slice(out, func(i, j int) bool {
		return out[i].Share > out[j].Share || out[i].Share == out[j].Share && out[i].Agent < out[j].Agent
	})
	return out, nil
}

func printAccuracy(w io.Writer, rows []*accuracy, asJSON bool) error {
	t := newTable(w, table.Row{"rules", "agent", "kept the value", "95 %", "decisions", "mean loss", "optimal"}, 3, 4, 5, 6, 7)
	for _, a := range rows {
		if asJSON {
			if err := printJSON(w, a); err != nil {
				return err
			}
			continue
		}
		t.AppendRow(table.Row{
			a.Rules, a.Agent, fmt.Sprintf("%.2f %%", 100*a.Share), fmt.Sprintf("%.2f to %.2f", 100*a.Lo, 100*a.Hi), a.Decisions,
			fmt.Sprintf("%.4f", a.MeanLoss), fmt.Sprintf("%.1f %%", 100*float64(a.Optimal)/max(1, float64(a.Decisions))),
		})
	}
	if asJSON {
		return nil
	}
	t.Render()
	for _, a := range rows {
		if len(a.Mistakes) > 0 {
			m := a.Mistakes[0]
			fmt.Fprintf(w, "worst of %s in %s: %s instead of %s in %s\n", a.Agent, a.Rules, m.Move, m.Best, m.Position)
		}
	}
	return nil
}
