package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"

	"spar/agents"
	"spar/engines"
)

// human is a person at the keyboard: a seat of "spar play" only.
type human struct {
	lines <-chan string
	out   io.Writer
}

// newHuman reads moves from in, one a line, until it ends.
func newHuman(in io.Reader, out io.Writer) *human {
	lines := make(chan string)
	go func() {
		defer close(lines)
		for s := bufio.NewScanner(in); s.Scan(); {
			lines <- strings.TrimSpace(s.Text())
		}
	}()
	return &human{lines, out}
}

func (h *human) NewGame(agents.Seed) {}

// Choose asks until the answer is a legal move. It fails when the person resigns or the input ends.
func (h *human) Choose(ctx context.Context, p *engines.Position, _ agents.Budget, _ *rand.Rand) (agents.Decision, error) {
	if p.Ply() == 0 {
		fmt.Fprintf(h.out, "%s\n", p.Picture(useColour(h.out)))
	}
	for {
		fmt.Fprintf(h.out, "your move (? lists them, resign gives up): ")
		var line string
		var ok bool
		select {
		case line, ok = <-h.lines:
		case <-ctx.Done():
			return agents.Decision{}, &agents.Fault{Kind: "timeout", Err: fmt.Errorf("no move in time: %w", context.Cause(ctx))}
		}
		switch {
		case !ok, line == "resign":
			return agents.Decision{}, &agents.Fault{Kind: "resign", Err: fmt.Errorf("resigned")}
		case line == "":
			continue
		case line == "?":
			fmt.Fprintln(h.out, p.Game().JoinMoves(p.AppendMoves(nil)))
			continue
		}
		m, err := p.ParseMove(line)
		if err == nil {
			return agents.Decision{Move: m, Score: math.NaN()}, nil
		}
		fmt.Fprintln(h.out, err)
	}
}
