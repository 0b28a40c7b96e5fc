package agents

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"time"

	"spar/agents/ugi"
	"spar/engines"
)

// UGIOptions say how to run an engine written by others.
type UGIOptions struct {
	Command  string            `yaml:"command" json:"command,omitempty" jsonschema_description:"The program."`
	Args     []string          `yaml:"args" json:"args,omitempty" jsonschema_description:"Its arguments."`
	Dir      string            `yaml:"dir" json:"dir,omitempty" jsonschema_description:"Working directory; that of spar when left out."`
	Options  map[string]string `yaml:"options" json:"options,omitempty" jsonschema_description:"Options sent with setoption."`
	Deadline float64           `yaml:"deadline" json:"deadline,omitempty" jsonschema:"minimum=0,maximum=86400" jsonschema_description:"Seconds that a move may take where the budget has no time; 0 = 30. With a time budget it is that time and half a second."`
}

// external plays through a program. It is started when first needed and again after a fault.
type external struct {
	g       *engines.Game
	o       UGIOptions
	engine  *ugi.Engine
	seed    Seed
	newGame bool
}

func (a *external) NewGame(seed Seed) { a.seed, a.newGame = seed, true }

// late is how much more than its budget a move may take.
const late = 500 * time.Millisecond

func (a *external) Choose(ctx context.Context, p *engines.Position, b Budget, _ *rand.Rand) (Decision, error) {
	if err := a.prepare(ctx); err != nil {
		return Decision{}, a.fail(err)
	}
	limit := time.Duration(a.o.Deadline * float64(time.Second))
	if limit == 0 {
		limit = 30 * time.Second
	}
	if t := b.Time(); t > 0 {
		limit = t + late
	}
	text, err := a.engine.BestMove(ctx, positionLine(a.g, p), goLine(b), limit)
	if err != nil {
		return Decision{}, a.fail(err)
	}
	m, err := a.g.ReadMove(text)
	if err != nil {
		return Decision{}, a.fail(fmt.Errorf("%w: bestmove %s: %w", ugi.ErrGarbage, text, err))
	}
	return Decision{Move: m, Best: []engines.Move{m}, Score: math.NaN()}, nil
}

func (a *external) prepare(ctx context.Context) error {
	if a.engine == nil {
		e, err := ugi.Start(ctx, ugi.Command{Path: a.o.Command, Args: a.o.Args, Dir: a.o.Dir, Options: a.o.Options})
		if err != nil {
			return err
		}
		a.engine, a.newGame = e, true
	}
	if !a.newGame {
		return nil
	}
	a.newGame = false
	if a.engine.Offers("seed") {
		if err := a.engine.SetOption("Seed", fmt.Sprintf("%d:%d", a.seed[0], a.seed[1])); err != nil {
			return err
		}
	}
	return a.engine.NewGame()
}

// fail ends the program, so that the next game begins with a fresh one, and names the fault.
func (a *external) fail(err error) error {
	_ = a.Close() // it has failed already
	kind := "crash"
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case errors.Is(err, ugi.ErrTimeout):
		kind = "timeout"
	case errors.Is(err, ugi.ErrGarbage):
		kind = "garbage"
	}
	return &Fault{Kind: kind, Err: err}
}

// Sleep ends the program until the next move.
func (a *external) Sleep() { _ = a.Close() }

// Close ends the program.
func (a *external) Close() error {
	if a.engine == nil {
		return nil
	}
	e := a.engine
	a.engine = nil
	return e.Close()
}

func positionLine(g *engines.Game, p *engines.Position) string {
	line := "position startpos"
	if p.Origin() != "" {
		line = "position fen " + p.Origin()
	}
	if moves := p.Played(); len(moves) > 0 {
		line += " moves " + strings.Join(g.MoveTexts(moves), " ")
	}
	return line
}

func goLine(b Budget) string {
	switch {
	case b.Depth > 0:
		return fmt.Sprintf("go depth %d", b.Depth)
	case b.Nodes > 0:
		return fmt.Sprintf("go nodes %d", b.Nodes)
	case b.Iterations > 0:
		return fmt.Sprintf("go nodes %d", b.Iterations)
	case b.Time() > 0:
		return fmt.Sprintf("go movetime %d", max(1, b.Time().Milliseconds()))
	}
	return "go nodes 1000"
}
