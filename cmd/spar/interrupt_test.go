//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"spar/configs/must"
)

// fifo makes a named pipe in a folder of its own.
func fifo(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	must.Do(t, syscall.Mkfifo(path, 0o600))
	return path
}

// started runs spar with the pipe's path for PIPE among its arguments and returns when it reads the pipe, which is
// after it has begun to listen to signals.
func started(t *testing.T, pipe string, args ...string) (c *exec.Cmd, stdout, stderr *bytes.Buffer, end *os.File) {
	t.Helper()
	for i := range args {
		args[i] = strings.ReplaceAll(args[i], "PIPE", pipe)
	}
	stdout, stderr = &bytes.Buffer{}, &bytes.Buffer{}
	c = exec.Command("spar", args...)
	c.Stdout, c.Stderr = stdout, stderr
	must.Do(t, c.Start())
	t.Cleanup(func() { _ = c.Process.Kill() })
	end = must.Get(os.OpenFile(pipe, os.O_WRONLY, 0))(t)
	t.Cleanup(func() { end.Close() })
	return c, stdout, stderr, end
}

// Waiting for a request ends at an interrupt, too.
func TestInterruptedEnvironment(t *testing.T) {
	t.Parallel()
	in, requests := io.Pipe()
	defer requests.Close()
	ctx, interrupt := context.WithCancel(t.Context())
	answered, out := io.Pipe()
	code := make(chan int, 1)
	go func() { code <- run(ctx, []string{"env", "classic"}, in, out, io.Discard) }()
	must.Get(requests.Write([]byte(`{"do":"reset"}` + "\n")))(t)
	must.Get(answered.Read(make([]byte, 1)))(t)
	go func() { _, _ = io.Copy(io.Discard, answered) }()
	interrupt()
	if got := <-code; got != 130 {
		t.Errorf("exit code %d, want 130", got)
	}
}

// Commands without anything to go on with later end at the first interrupt of either kind: they keep what they have
// said, say that they were interrupted, and exit with 130.
func TestInterrupts(t *testing.T) {
	t.Parallel()
	const game = "name: wide\nboard: {columns: 9, rows: 9}\nwin: {line: 9}\n" // 81! sequences
	const lines = `{"rules":"classic","moves":["a1"]}` + "\n"
	for _, test := range []struct {
		name, pipe, input string
		signal            os.Signal
		args              []string
	}{
		{"perft", "wide.yaml", game, os.Interrupt, []string{"perft", "PIPE", "--depth", "60"}},
		{"perft as JSON", "wide.yaml", game, syscall.SIGTERM, []string{"perft", "--rules", "PIPE", "--depth", "60", "--json"}},
		{"bench search as JSON", "wide.yaml", game, os.Interrupt, []string{"bench", "search", "PIPE", "--seconds", "600", "--json"}},
		{"bench playouts as JSON", "wide.yaml", game, syscall.SIGTERM, []string{"bench", "playouts", "PIPE", "--seconds", "600", "--json"}},
		{"accuracy as JSON", "wide.yaml", game, os.Interrupt, []string{"accuracy", "--rules", "PIPE", "--agent", "random", "--set", "board.rows=7", "--set", "win.line=7", "--memory", "400TB", "--json"}},
		{"play as JSON", "wide.yaml", game, os.Interrupt, []string{"play", "--rules", "PIPE", "minimax-6", "minimax-6", "--agent-set", "minimax-6:budget.depth=40", "--json"}},
		{"rate as JSON", "games.csv", "", os.Interrupt, []string{"rate", "PIPE", "--json"}},
		{"import as JSON", "games.jsonl", "", syscall.SIGTERM, []string{"import", "PIPE", "--db", "PIPE.db", "--json"}},
		{"analyze as JSON", "games", lines, os.Interrupt, []string{"analyze", "--file", "PIPE", "--json"}},
		{"bench playouts", "wide.yaml", game, os.Interrupt, []string{"bench", "playouts", "PIPE", "--seconds", "600"}},
		{"bench search", "wide.yaml", game, syscall.SIGTERM, []string{"bench", "search", "PIPE", "--seconds", "600", "--agent", "uct-10k"}},
		{"run", "plan.yaml", "", os.Interrupt, []string{"run", "PIPE"}},
		{"rules check", "wide.yaml", "", os.Interrupt, []string{"rules", "check", "PIPE"}},
		{"rules check of a half-read file", "wide.yaml", game, syscall.SIGTERM, []string{"rules", "check", "PIPE"}},
		{"replay", "games", lines, os.Interrupt, []string{"replay", "PIPE"}},
		{"choose", "games", lines, syscall.SIGTERM, []string{"choose", "PIPE", "--agent", "greedy", "--json"}},
		{"analyze", "games", lines, os.Interrupt, []string{"analyze", "--file", "PIPE"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			pipe := fifo(t, test.pipe)
			c, stdout, stderr, end := started(t, pipe, test.args...)
			must.Get(end.WriteString(test.input))(t)
			if test.input == game && test.args[0] != "rules" {
				if err := end.Close(); err != nil { // the game is known, the work begins
					t.Fatal(err)
				}
			}
			must.Do(t, c.Process.Signal(test.signal))
			var exit *exec.ExitError
			if err := c.Wait(); !errors.As(err, &exit) || exit.ExitCode() != exitInterrupted ||
				stderr.String() != "spar: interrupted\n" {
				t.Errorf("%v, stderr %q, stdout %q", err, stderr, stdout)
			}
			last := `{"kind":"summary","version":2,"finished":false,"error":"interrupted"}` + "\n"
			if slices.Contains(test.args, "--json") && !strings.HasSuffix(stdout.String(), last) {
				t.Errorf("the last object does not say that it is not finished: %q", stdout)
			}
			if left, err := filepath.Glob(pipe + ".*"); err != nil || left != nil {
				t.Errorf("left behind: %v %v", left, err)
			}
		})
	}
}

// A second interrupt ends a command that does not look at the first: here one that waits for its rules.
func TestSecondInterrupt(t *testing.T) {
	t.Parallel()
	c, _, _, _ := started(t, fifo(t, "never.yaml"), "perft", "PIPE")
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case err := <-ended:
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.ExitCode() != exitInterrupted && exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGTERM {
				t.Errorf("ended by %v", err)
			}
			return
		case <-tick.C:
			_ = c.Process.Signal(syscall.SIGTERM) // it may just have ended
		}
	}
}

// An interrupt is no mistake of the input, wherever it has met the command.
func TestEndingOfInterrupted(t *testing.T) {
	t.Parallel()
	stopped, stop := context.WithCancel(context.Background())
	stop()
	err := usagef("reading a study: %w", context.Canceled)
	if code, said := ending(stopped, err); code != exitInterrupted || said != "interrupted" {
		t.Errorf("%d %q", code, said)
	}
	if code, _ := ending(context.Background(), err); code != exitUsage {
		t.Errorf("without an interrupt: %d", code)
	}
}
