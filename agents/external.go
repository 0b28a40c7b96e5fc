package agents

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"spar/agents/eval"
	"spar/agents/pace"
	"spar/agents/ugi"
	"spar/configs/strict"
	"spar/engines"
)

// UGIOptions are the options for running an external program that speaks UGI.
type UGIOptions struct {
	// The program.
	Command string `yaml:"command" json:"command,omitempty"`
	// Arguments of the program.
	Args []string `yaml:"args" json:"args,omitempty"`
	// Working directory of the program. Default: that of spar.
	Dir string `yaml:"dir" json:"dir,omitempty"`
	// Options sent with setoption.
	Options map[string]string `yaml:"options" json:"options,omitempty"`
	// Maximum seconds for a move if the budget has no limit of wall time; 0 = 30. With such a limit, the maximum is
	// half a second more than the limit.
	Deadline float64 `yaml:"deadline" json:"deadline,omitempty" jsonschema:"minimum=0,maximum=86400"`

	// Seconds that the program may take to answer ugi, and isready before a game; 0 = 10.
	HandshakeSeconds float64 `yaml:"handshake_seconds" json:"handshake_seconds,omitempty" jsonschema:"minimum=0,maximum=86400"`
}

func (o UGIOptions) withDefaults() UGIOptions {
	o.Deadline = cmp.Or(o.Deadline, 30)
	o.HandshakeSeconds = cmp.Or(o.HandshakeSeconds, ugi.Handshake.Seconds())
	return o
}

func ugiKind() kind {
	return kind{
		name:     "ugi",
		about:    "a program that speaks the Universal Game Interface",
		knobs:    []string{"ugi", "budget"},
		foreign:  true,
		program:  true,
		complete: true,
		zeros:    func(s *Spec) { s.UGI = s.UGI.withDefaults() },
		read: func(s *Spec, doc *strict.Document) {
			if s.UGI.Command == "" && !doc.Doubtful("ugi") {
				doc.Errorf("ugi", "type ugi needs a program: set ugi.command")
			}
			for option, value := range s.UGI.Options {
				if strings.ContainsAny(option+value, "\r\n") {
					doc.Errorf("ugi.options", "option %q has a line break", option)
				}
			}
		},
		make: func(_ context.Context, s Spec, g *engines.Game, _ common, _ eval.Model) (Agent, error) {
			return &external{g: g, name: s.Name, o: s.UGI.withDefaults()}, nil
		},
	}
}

// ErrOurs marks an error that the agent did not cause: for example, this process has run out of memory, or the
// program no longer exists. The arena stores no game with such an error.
var ErrOurs = ugi.ErrOurs

// CheckCommand returns an error if the program of an agent does not exist. It does not run the program.
func CheckCommand(s Spec) error {
	if !s.Program() {
		return nil
	}
	if _, err := s.UGI.command(s.Name).Find(); err != nil {
		return strict.Badf("agent %s: %s %w", s.Name, s.UGI.Command, err)
	}
	return nil
}

// Probe starts an agent's program, does the handshake and ends it. The error says why the program does not work, with
// its exit status and its last lines on standard error. It wraps ErrOurs if the agent is not the cause.
func Probe(ctx context.Context, s Spec) error {
	if !s.Program() {
		return nil
	}
	e, err := ugi.Start(ctx, s.UGI.command(s.Name))
	if err == nil {
		err = e.Close()
	}
	if err != nil {
		return fmt.Errorf("agent %s: %w", s.Name, err)
	}
	return nil
}

func (o UGIOptions) command(name string) ugi.Command {
	return ugi.Command{
		Name: name, Path: o.Command, Args: o.Args, Dir: o.Dir, Options: o.Options,
		Handshake: pace.Seconds(o.HandshakeSeconds),
	}
}

// external is an agent that plays through another program. It starts the program when it is first needed, and
// again after a fault.
type external struct {
	g       *engines.Game
	name    string
	o       UGIOptions
	engine  *ugi.Engine
	seed    Seed
	newGame bool
	warned  bool // that it uses more processor time than it has
}

func (a *external) NewGame(seed Seed) { a.seed, a.newGame = seed, true }

// late is the time after the end of its budget at which a move counts as too late.
const late = 500 * time.Millisecond

func (a *external) Choose(ctx context.Context, p *engines.Position, b Budget, _ *rand.Rand) (Decision, error) {
	if err := a.Prepare(ctx); err != nil {
		return Decision{}, err
	}
	limit := pace.Seconds(a.o.Deadline)
	before := time.Duration(0)
	if b.OnCPU() {
		before = a.engine.CPU()
	} else if t := b.Time(); t > 0 {
		limit = t + late
	}
	text, err := a.engine.BestMove(ctx, positionLine(a.g, p), goLine(b), limit)
	if err == nil && b.OnCPU() {
		err = a.charge(ctx, a.engine.CPU()-before, b.Time())
	}
	if err != nil {
		return Decision{}, a.fail(err)
	}
	m, err := a.g.ReadMove(text)
	if err != nil {
		return Decision{}, a.fail(fmt.Errorf("%w: bestmove %s: %w", ugi.ErrGarbage, text, err))
	}
	info := a.engine.Info()
	return Decision{
		Move:  m,
		Best:  []engines.Move{m},
		Score: info.Score,
		Depth: info.Depth,
		Nodes: info.Nodes,
		PV:    a.line(p, m, info.PV),
	}, nil
}

// charge returns an error if the program has used twice its processor time or more for a move. Beyond a tenth more than
// its time it warns, once for each start of the program.
func (a *external) charge(ctx context.Context, used, budget time.Duration) error {
	used = used.Round(time.Millisecond / 10)
	if used >= 2*budget {
		return fmt.Errorf("%w: it used %v of processor time for a move, at least twice its limit of %v", ugi.ErrTimeout,
			used, budget)
	}
	if warn := ugi.HostOf(ctx).Warn; used > budget+budget/10 && !a.warned && warn != nil {
		a.warned = true
		warn(fmt.Sprintf("agent %s used %v of processor time on a move with a limit of %v; at %v it forfeits",
			a.name, used, budget, 2*budget))
	}
	return nil
}

// line returns the legal beginning of the program's expected continuation, if that starts with the chosen move.
func (a *external) line(p *engines.Position, m engines.Move, pv []string) []engines.Move {
	var out []engines.Move
	at := p.Clone()
	for i, text := range pv[:min(len(pv), 500)] { // a study with megabytes in a row cannot be read
		next, err := at.ParseMove(text)
		if err != nil || at.Over() || i == 0 && next != m {
			break
		}
		at.Play(next)
		out = append(out, next)
	}
	return out
}

// Prepare starts the program if it is not running, and announces the game.
func (a *external) Prepare(ctx context.Context) error {
	if a.engine == nil {
		e, err := ugi.Start(ctx, a.o.command(a.name))
		if err != nil {
			return fault(err)
		}
		a.engine, a.newGame = e, true
	}
	if !a.newGame {
		return nil
	}
	a.newGame = false
	if err := a.engine.NewGame(ctx, ugi.Game{Seed: a.seed, Rules: a.g.Name(), Text: a.g.Rules().Canonical()}); err != nil {
		return a.fail(err)
	}
	return nil
}

// fail ends the program, so that the next game starts a new one, and returns the fault.
func (a *external) fail(err error) error {
	e := a.engine
	a.engine = nil
	return fault(e.Fail(err))
}

// fault returns the fault that an error of the program is, or nil if the program did not cause it.
func fault(err error) error {
	kind := "crash"
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, ErrOurs):
		return err
	case errors.Is(err, ugi.ErrStart), errors.Is(err, ugi.ErrNotAllowed):
		return fmt.Errorf("%w: %w", ErrOurs, err)
	case errors.Is(err, ugi.ErrTimeout), errors.Is(err, context.DeadlineExceeded):
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
