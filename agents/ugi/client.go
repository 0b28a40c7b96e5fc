// Package ugi speaks the Universal Game Interface, lines of text over standard input and output, on both sides: Engine talks
// to a program written by others, Serve lets others talk to an agent of ours.
package ugi

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// Command says how to start an engine.
type Command struct {
	Path    string            // program, looked up in PATH
	Args    []string          // its arguments
	Dir     string            // working directory; empty = ours
	Options map[string]string // sent by setoption after the handshake
}

// Errors of an engine. They wrap more detail.
var (
	ErrTimeout = errors.New("no answer in time")
	ErrGone    = errors.New("the process ended")
	ErrGarbage = errors.New("not an answer")
)

// Handshake is how long an engine may take to answer ugi and isready.
const Handshake = 10 * time.Second

// Engine is a running program. One goroutine at a time.
type Engine struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	lines   chan string
	offered map[string]bool // options that it offers, lower case
}

// Start runs the program and greets it.
func Start(ctx context.Context, c Command) (*Engine, error) {
	cmd := exec.Command(c.Path, c.Args...)
	cmd.Dir = c.Dir
	cmd.Stderr = io.Discard
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // so that its children end with it, and Ctrl-C is ours alone
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Path, err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Path, err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting %s: %w", c.Path, err)
	}
	e := &Engine{cmd: cmd, in: in, lines: make(chan string, 64), offered: map[string]bool{}}
	go e.read(out)
	if err := e.greet(ctx, c.Options); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", c.Path, err), e.Close())
	}
	return e, nil
}

// read passes lines on until the program closes its output or floods a reader that has given up.
func (e *Engine) read(out io.Reader) {
	defer close(e.lines)
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		e.lines <- strings.TrimRight(lines.Text(), "\r")
	}
}

func (e *Engine) greet(ctx context.Context, options map[string]string) error {
	if err := e.send("ugi"); err != nil {
		return err
	}
	deadline := time.After(Handshake)
	for {
		line, err := e.next(ctx, deadline, "ugiok")
		if err != nil {
			return err
		}
		words := strings.Fields(line)
		if len(words) >= 3 && words[0] == "option" && words[1] == "name" {
			e.offered[strings.ToLower(words[2])] = true
		}
		if len(words) == 1 && words[0] == "ugiok" {
			break
		}
	}
	for name, value := range options {
		if err := e.SetOption(name, value); err != nil {
			return err
		}
	}
	return e.ready(ctx)
}

// Offers tells whether the engine has listed an option of that name.
func (e *Engine) Offers(option string) bool { return e.offered[strings.ToLower(option)] }

// SetOption sends an option.
func (e *Engine) SetOption(name, value string) error {
	return e.send("setoption name " + name + " value " + value)
}

func (e *Engine) ready(ctx context.Context) error {
	if err := e.send("isready"); err != nil {
		return err
	}
	deadline := time.After(Handshake)
	for {
		line, err := e.next(ctx, deadline, "readyok")
		if err != nil {
			return err
		}
		if strings.TrimSpace(line) == "readyok" {
			return nil
		}
	}
}

// NewGame announces a game.
func (e *Engine) NewGame() error { return e.send("uginewgame") }

// BestMove sends a position and a go command in one write and waits for the move. A late engine is stopped; what it answers
// then does not count.
func (e *Engine) BestMove(ctx context.Context, position, goCommand string, limit time.Duration) (string, error) {
	if err := e.send(position + "\n" + goCommand); err != nil {
		return "", err
	}
	deadline := time.After(limit)
	for {
		line, err := e.next(ctx, deadline, "bestmove")
		if err != nil {
			return "", err
		}
		words := strings.Fields(line)
		if len(words) == 0 || words[0] != "bestmove" {
			continue // info and the like
		}
		if len(words) < 2 {
			return "", fmt.Errorf("%w: %q", ErrGarbage, line)
		}
		return words[1], nil
	}
}

func (e *Engine) send(line string) error {
	if _, err := io.WriteString(e.in, line+"\n"); err != nil {
		return fmt.Errorf("%w (%w)", ErrGone, err)
	}
	return nil
}

func (e *Engine) next(ctx context.Context, deadline <-chan time.Time, want string) (string, error) {
	select {
	case line, ok := <-e.lines:
		if !ok {
			return "", fmt.Errorf("%w while %s was due", ErrGone, want)
		}
		return line, nil
	case <-deadline:
		return "", fmt.Errorf("%w: %s", ErrTimeout, want)
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// Close ends the program: politely first, by force when it does not go at once.
func (e *Engine) Close() error {
	_ = e.send("quit") // a program that is gone already is what we want
	_ = e.in.Close()
	ended := make(chan error, 1)
	go func() {
		for range e.lines { // let the reader end
		}
		ended <- e.cmd.Wait()
	}()
	select {
	case <-ended:
	case <-time.After(200 * time.Millisecond):
		_ = syscall.Kill(-e.cmd.Process.Pid, syscall.SIGKILL)
		<-ended
	}
	return nil
}
