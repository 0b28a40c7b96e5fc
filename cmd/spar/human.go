package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"spar/agents/human"
	"spar/engines"
)

// terminal is the desk of a person at the keyboard: the board stands above, moves are typed.
type terminal struct{ out io.Writer }

// Turn shows the board before the first ply; "spar play" shows it after each.
func (t terminal) Turn(p *engines.Position) {
	if p.Ply() == 0 {
		fmt.Fprintf(t.out, "%s\n", p.Picture(useColour(t.out)))
	}
	fmt.Fprintf(t.out, "your move (? lists them, %s gives up): ", human.Resign)
}

func (t terminal) Refused(p *engines.Position, answer string, err error) {
	switch answer {
	case "":
	case "?":
		fmt.Fprintln(t.out, p.Game().JoinMoves(p.AppendMoves(nil)))
	default:
		fmt.Fprintln(t.out, err)
	}
}

// newHuman reads moves from in, one a line, until it ends.
func newHuman(in io.Reader, out io.Writer) *human.Player {
	lines := make(chan string)
	go func() {
		defer close(lines)
		for s := bufio.NewScanner(in); s.Scan(); {
			lines <- strings.TrimSpace(s.Text())
		}
	}()
	return human.New(terminal{out}, lines)
}
