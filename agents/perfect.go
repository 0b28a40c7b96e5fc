package agents

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"spar/engines"
	"spar/engines/solve"
)

// PerfectOptions say where perfect play comes from.
type PerfectOptions struct {
	Table    string `yaml:"table" json:"table,omitempty" jsonschema_description:"File that spar solve --out wrote; when left out the game is solved when the agent is made."`
	File     string `yaml:"-" json:"-"` // where Table is, seen from the current folder
	MemoryMB int    `yaml:"memory_mb" json:"memory_mb,omitempty" jsonschema:"minimum=0,maximum=1000000" jsonschema_description:"Most memory for solving, in MB; 0 = 64."`
}

// perfect plays from the table of a solved game: the fastest win, else a move that keeps the draw, else the slowest loss. The
// table knows neither the ply cap nor repetition.
type perfect struct {
	common
	table *solve.Table
}

func newPerfect(c common, o PerfectOptions, g *engines.Game) (Agent, error) {
	if o.Table != "" {
		t, err := solve.Load(cmp.Or(o.File, o.Table), g)
		if err != nil {
			return nil, err
		}
		return &perfect{common: c, table: t}, nil
	}
	memory := int64(o.MemoryMB) * 1_000_000
	if memory == 0 {
		memory = 64_000_000
	}
	t, err := solve.Solve(context.Background(), g, solve.Options{Memory: memory})
	var large *solve.MemoryError
	if errors.As(err, &large) {
		return nil, fmt.Errorf("perfect play needs a solved game: %w (perfect.memory_mb, or perfect.table with a file of spar solve --out)", err)
	}
	if err != nil {
		return nil, err
	}
	return &perfect{common: c, table: t}, nil
}

func (a *perfect) NewGame(Seed) {}

func (a *perfect) Choose(_ context.Context, p *engines.Position, _ Budget, rng *rand.Rand) (Decision, error) {
	rated := a.table.Best(&p.State)
	if len(rated) == 0 {
		return Decision{}, fmt.Errorf("the table does not know %s", p.Text())
	}
	d := Decision{Score: 0.5, Exact: true, Depth: rated[0].Value.DTW, Nodes: 1}
	switch rated[0].Value.Outcome {
	case solve.Win:
		d.Score = 1
	case solve.Loss:
		d.Score = 0
	}
	for _, r := range rated {
		d.Best = append(d.Best, r.Move)
	}
	d.Move, d.Best = a.pick(d.Best, rng)
	d.Value = d.Score
	return d, nil
}

// Close gives the table's memory back.
func (a *perfect) Close() error { return a.table.Close() }
