// Package ugi speaks the Universal Game Interface: lines of text over standard input and output (PROTOCOL.md).
//
// An engine is a program that plays; a manager is the program that runs it. [Start] runs an engine with Spar as
// its manager, and [Engine] sends it positions and reads its moves. [Serve] does the opposite: a manager talks to
// one of Spar's agents. If the system allows it, Spar starts a guardian process between itself and the engine.
// When Spar ends, the guardian ends the engine and all processes that it started.
package ugi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
)

// Handshake is the maximum time for an engine to answer ugi and isready, if its Command sets no other time.
const Handshake = 10 * time.Second

// Engine is a running program. Only one goroutine may use it at a time.
type Engine struct {
	*wire
	p         *process
	handshake time.Duration
	offered   map[string]bool // names of the options that the engine supports, in lower case
}

// Start runs the program and does the handshake. The error says how the program ended and has its last lines on
// standard error. It wraps ErrStart if there is nothing to run, ErrOurs if the engine is not the cause, and one of
// the engine errors if the engine does not answer correctly.
func Start(ctx context.Context, c Command) (*Engine, error) {
	if c.Name == "" {
		c.Name = c.Path
	}
	h := HostOf(ctx)
	if h.Allow != nil {
		if err := h.Allow(c); err != nil {
			return nil, fmt.Errorf("%s: %w", c.Path, err)
		}
	}
	log, err := openTranscript(h.Log, c.Name)
	if err != nil {
		return nil, err
	}
	p, err := startProcess(c, h, log)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", c.Path, err), log.close())
	}
	log.line('*', fmt.Sprintf("started %q", append([]string{c.Path}, c.Args...)))
	e := &Engine{
		wire:      newWire(p.in, p.out, log),
		p:         p,
		handshake: c.Handshake,
		offered:   map[string]bool{},
	}
	if e.handshake == 0 {
		e.handshake = Handshake
	}
	if err := e.greet(ctx, c.Options); err != nil {
		return nil, fmt.Errorf("%s: %w", c.Path, e.Fail(err))
	}
	return e, nil
}

func (e *Engine) greet(ctx context.Context, options map[string]string) error {
	if err := e.learn(ctx); err != nil {
		return err
	}
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(options)) {
		lines = append(lines, optionLine(name, options[name]))
	}
	return e.ready(ctx, lines...)
}

// learn sends ugi and records the options that the engine lists.
func (e *Engine) learn(ctx context.Context) error {
	if err := e.within(ctx, e.handshake); err != nil {
		return err
	}
	if err := e.send(ctx, "ugiok", "ugi"); err != nil {
		return err
	}
	for {
		line, err := e.next(ctx, "ugiok")
		if err != nil {
			return err
		}
		words := bytes.Fields(line)
		if len(words) >= 3 && string(words[0]) == "option" && string(words[1]) == "name" {
			e.offered[strings.ToLower(string(words[2]))] = true
		}
		if len(words) == 1 && string(words[0]) == "ugiok" {
			return nil
		}
	}
}

// ready sends lines that have no answer, and waits until the engine has processed them.
func (e *Engine) ready(ctx context.Context, lines ...string) error {
	if err := e.within(ctx, e.handshake); err != nil {
		return err
	}
	if err := e.send(ctx, "readyok", append(lines, "isready")...); err != nil {
		return err
	}
	return e.await(ctx, "readyok")
}

// Offers reports whether the engine has listed an option with that name.
func (e *Engine) Offers(option string) bool { return e.offered[strings.ToLower(option)] }

func optionLine(name, value string) string { return "setoption name " + name + " value " + value }

// Game is the information about a game that the manager sends to an engine. A field is sent only if the engine
// offers the option: Seed, two numbers for all its random choices; Rules, the name of the rules; RulesText, the rules
// as one line of JSON.
type Game struct {
	Seed        [2]uint64
	Rules, Text string
}

// NewGame announces a game and waits until the engine is ready for it.
func (e *Engine) NewGame(ctx context.Context, g Game) error {
	var lines []string
	for _, o := range []struct{ name, value string }{
		{"Seed", fmt.Sprintf("%d:%d", g.Seed[0], g.Seed[1])},
		{"Rules", g.Rules},
		{"RulesText", g.Text},
	} {
		if e.Offers(o.name) && o.value != "" {
			lines = append(lines, optionLine(o.name, o.value))
		}
	}
	return e.ready(ctx, append(lines, "uginewgame")...)
}

// BestMove sends a position and a go command in one write and waits for the move. After an error the engine cannot be
// used again: see Fail.
func (e *Engine) BestMove(ctx context.Context, position, goCommand string, limit time.Duration) (string, error) {
	if err := e.within(ctx, limit); err != nil {
		return "", err
	}
	return e.bestMove(ctx, position, goCommand)
}

// CPU returns the processor time that the program and its running child processes have used; 0 if the system does not
// report it.
func (e *Engine) CPU() time.Duration { return e.p.cpu() }

// Fail ends the program at once. It adds to err how the program ended and its last lines on standard error. If the
// engine did not cause the error, the result wraps ErrStart or ErrOurs.
func (e *Engine) Fail(err error) error {
	patience := time.Duration(0)
	if errors.Is(err, ErrGone) {
		patience = grace // its pipe has ended, and it is about to
	}
	end := e.p.end(patience)
	e.log.line('*', fmt.Sprintf("ended: %v %s", err, end.status))
	if log := e.log.close(); log != nil && end.err == nil {
		end.err = log
	}
	switch {
	case end.err != nil && !errors.Is(err, context.Canceled):
		err = end.err
	case end.status != "":
		err = fmt.Errorf("%w (%s)", err, end.status)
	}
	if end.tail != "" {
		err = fmt.Errorf("%w; standard error: %s", err, end.tail)
	}
	return err
}

// Close ends the program and all processes that it started: it sends quit first, and kills the program if it does
// not end soon. It returns an error if the log could not be written or a process cannot be ended.
func (e *Engine) Close() error {
	until := time.Now().Add(grace)
	if e.within(context.Background(), grace) == nil {
		_ = e.send(context.Background(), "end", "quit") // a program that is gone already is what we want
		_ = e.in.Close()
		_, _ = io.Copy(io.Discard, e.out) // one that waits for a reader of its output does not read quit
	}
	end := e.p.end(time.Until(until))
	e.log.line('*', "ended by quit "+end.status)
	return errors.Join(end.err, e.log.close())
}
