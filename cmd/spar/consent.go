package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"spar/agents/ugi"
	"spar/reports/screen"
)

// askOn returns a function that asks a person at the terminal; nil if standard input or error is not a terminal.
func askOn(stdin io.Reader, stderr io.Writer) func(string) (bool, error) {
	in, ok := stdin.(*os.File)
	if !ok || !screen.Terminal(in) || !screen.Terminal(stderr) {
		return nil
	}
	return func(question string) (bool, error) {
		fmt.Fprint(stderr, question)
		answer := ""
		for letter := make([]byte, 1); ; { // a letter at a time: what follows the line is not ours
			n, err := in.Read(letter)
			if n == 1 && letter[0] != '\n' {
				answer += string(letter)
				continue
			}
			if err != nil && err != io.EOF {
				return false, err
			}
			answer = strings.ToLower(strings.TrimSpace(answer))
			return answer == "y" || answer == "yes", nil
		}
	}
}

// noPrograms returns a context that allows no program and asks nobody. It is for dry runs and checks.
func noPrograms(ctx context.Context) context.Context {
	h := ugi.HostOf(ctx)
	h.Allow = func(c ugi.Command) error {
		return fmt.Errorf("%w: a dry run starts no programs", ugi.ErrNotAllowed)
	}
	return ugi.WithHost(ctx, h)
}
