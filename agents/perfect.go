package agents

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"spar/agents/eval"
	"spar/configs/strict"
	"spar/engines"
	"spar/engines/solve"
)

// PerfectOptions determine where an agent of type perfect gets exact values from.
type PerfectOptions struct {
	// File that spar solve --out wrote. Default: Spar solves the game when it makes the agent.
	Table string `yaml:"table" json:"table,omitempty"`
	File  string `yaml:"-" json:"-"` // path of Table, relative to the current folder
	// Maximum memory for solving, in MB; 0 = 64.
	MemoryMB int `yaml:"memory_mb" json:"memory_mb,omitempty" jsonschema:"minimum=0,maximum=1000000"`
}

func (o PerfectOptions) withDefaults() PerfectOptions {
	o.MemoryMB = cmp.Or(o.MemoryMB, 64)
	return o
}

func perfectKind() kind {
	return kind{
		name:    "perfect",
		about:   "plays from the table of a solved game",
		knobs:   []string{"perfect", "ties"},
		certain: firstTie,
		memory: func(s *Spec) int64 {
			if s.Perfect.Table != "" {
				return 0 // the file is mapped
			}
			return s.Perfect.bytes()
		},
		zeros: func(s *Spec) { s.Perfect = s.Perfect.withDefaults() },
		read: func(s *Spec, doc *strict.Document) {
			var err error
			if s.Perfect.File, err = doc.InputFile("perfect.table", s.Perfect.Table); err != nil {
				doc.Errorf("perfect.table", "perfect.table: %v", err)
			}
		},
		suits: func(_ *Spec, g *engines.Game) error { // a game whose positions no solver can number
			_, err := g.NewCodec()
			return err
		},
		make: func(ctx context.Context, s Spec, g *engines.Game, c common, _ eval.Model) (Agent, error) {
			return newPerfect(ctx, c, s.Perfect, g)
		},
	}
}

// bytes returns the memory limit for solving, in bytes.
func (o PerfectOptions) bytes() int64 { return int64(o.withDefaults().MemoryMB) * 1_000_000 }

// perfect plays from the table of a solved game: the fastest win, otherwise a move that keeps the draw, otherwise
// the slowest loss. The table ignores the ply cap and repetition. A win that comes too late for the cap counts as
// a draw (solve.Value.Under). If an earlier position could occur again and draw the game, perfect does not report
// values as exact.
type perfect struct {
	common
	table            *solve.Table
	maxPlies, repeat int
}

func newPerfect(ctx context.Context, c common, o PerfectOptions, g *engines.Game) (Agent, error) {
	a := &perfect{common: c, maxPlies: g.Rules().Draw.MaxPlies, repeat: g.Rules().Draw.Repetition}
	if o.Table != "" {
		t, err := solve.Load(cmp.Or(o.File, o.Table), g)
		if err != nil {
			return nil, err
		}
		a.table = t
		return a, nil
	}
	t, err := solve.Solve(ctx, g, solve.Options{Memory: o.bytes()})
	var large *solve.MemoryError
	if errors.As(err, &large) {
		err = fmt.Errorf("perfect play needs a solved game: %s (raise perfect.memory_mb, or set perfect.table to a file of "+
			"spar solve --out)", large) // not wrapped: advice about the caller's own limit would be wrong
	}
	if err != nil {
		return nil, cmp.Or(ctx.Err(), strict.Bad(err))
	}
	a.table = t
	return a, nil
}

func (a *perfect) Choose(_ context.Context, p *engines.Position, _ Budget, rng *rand.Rand) (Decision, error) {
	rated := a.table.Moves(&p.State)
	if len(rated) == 0 {
		return Decision{}, fmt.Errorf("the table does not contain %s", p.Text())
	}
	best := rated[0].Value
	for _, r := range rated {
		if a.better(r.Value, best, p.Ply()) {
			best = r.Value
		}
	}
	value := best.Under(a.maxPlies, p.Ply())
	d := Decision{
		Score: float64(value.Outcome+1) / 2,
		Exact: a.certain(p),
		Depth: value.DTW,
		Nodes: 1,
	}
	for _, r := range rated {
		if r.Value == best {
			d.Best = append(d.Best, r.Move)
		}
	}
	d.Move, d.Best = a.pick(d.Best, rng)
	d.Value = d.Score
	return d, nil
}

// better compares two moves by their values under the ply cap. Among draws that only the cap causes, it compares
// the values without the cap, because an opponent who makes a mistake may still allow a win.
func (a *perfect) better(x, y solve.Value, ply int) bool {
	if u, v := x.Under(a.maxPlies, ply), y.Under(a.maxPlies, ply); u != v {
		return u.Better(v)
	}
	return x.Better(y)
}

// certain reports whether no position of the game would cause a draw by repetition if it occurred once more.
func (a *perfect) certain(p *engines.Position) bool {
	if a.repeat == 0 {
		return true
	}
	seen := p.Seen()
	for i, h := range seen {
		n := 1
		for _, other := range seen[:i] {
			if other == h {
				n++
			}
		}
		if n >= a.repeat-1 {
			return false
		}
	}
	return true
}
