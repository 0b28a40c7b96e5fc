// Package console plays a game at a terminal. A [Table] shows the board and reads what a person types: moves,
// take-backs and requests for hints.
package console

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"spar/agents/human"
	"spar/arena"
	"spar/engines"
	"spar/reports/board"
	"spar/reports/review"
	"spar/reports/screen"
)

// Table is a game with at least one person. Set the exported fields before Play.
type Table struct {
	Game       *engines.Game
	Seats      [2]arena.Seat // players; for a person only the name is given, and Play adds the agent
	People     [2]bool
	Conditions arena.Conditions
	Lines      <-chan string                 // lines that the person types; closed at the end of input
	Out        io.Writer                     // where prompts and answers are written
	Colour     bool                          // draw boards in colour, with ANSI codes
	Judge      func() (*review.Judge, error) // makes the judge that rates moves for hints; called at most once

	judge  *review.Judge
	cancel context.CancelFunc
	back   int  // number of plies to take back
	fresh  bool // the board has not been printed yet
	at     []engines.Move
	left   bool // the person has asked to quit
}

// Left is the error for a person who leaves an unfinished game. Its value is the number of plies played.
type Left int

func (l Left) Error() string {
	return "You left the game after " + screen.Plural(l, "ply") + "."
}

// Play plays to the end, or returns Left. If moves were taken back, the agents continue with new random streams.
func (t *Table) Play(ctx context.Context) (arena.Result, error) {
	for side := range t.Seats {
		if t.People[side] {
			t.Seats[side].Agent = human.New(t, t.Lines)
		}
	}
	t.at = slices.Clone(t.Conditions.Opening)
	limit := t.Conditions.GameLimit
	var before [2]time.Duration
	for again := uint64(0); ; again++ {
		c := t.Conditions
		c.Opening, c.Stream = slices.Clone(t.at), again
		if limit > 0 {
			c.GameLimit = max(limit-before[0]-before[1], time.Nanosecond)
		}
		t.fresh = true
		playing, cancel := context.WithCancel(ctx)
		t.cancel, t.back = cancel, 0
		r, err := arena.Play(playing, t.Game, c, t.Seats)
		cancel()
		for side := range before {
			before[side] += r.Spent[side]
		}
		if t.left || r.Reason == "forfeit_left" {
			return r, Left(len(t.at))
		}
		if t.back == 0 || ctx.Err() != nil {
			r.Spent = before
			return r, err
		}
		t.at = t.at[:len(t.at)-t.back]
		fmt.Fprintf(t.Out, "taken back: %s\n", screen.Plural(t.back, "ply"))
	}
}

// Mover returns the side that made the last move of a position.
func Mover(p *engines.Position) int {
	q := p.Game().NewPosition()
	for i, m := range p.Played() {
		if i == len(p.Played())-1 {
			break
		}
		q.Play(m)
	}
	return q.Side()
}

// Close releases the judge.
func (t *Table) Close() error {
	if t.judge == nil {
		return nil
	}
	return t.judge.Close()
}

// Turn implements human.Desk.
func (t *Table) Turn(p *engines.Position) {
	t.at = append(t.at[:0:0], p.Played()...)
	if t.fresh {
		fmt.Fprintf(t.Out, "%s\n", p.Picture(t.Colour))
		t.fresh = false
	}
	fmt.Fprint(t.Out, "your move"+board.Due(p)+" (? lists the moves, help the commands): ")
}

// command is an input that is not a move.
type command struct {
	name, does string
	run        func(t *Table, p *engines.Position, argument string) error
}

func commands() []command {
	return []command{
		{"?", "lists the legal moves", func(t *Table, p *engines.Position, _ string) error {
			fmt.Fprintln(t.Out, p.Game().JoinMoves(p.AppendMoves(nil)))
			return nil
		}},
		{"undo", "takes back your last move and the reply", (*Table).undo},
		{"hint", "shows the best moves", (*Table).hint},
		{"board", "shows the board again", func(t *Table, p *engines.Position, _ string) error {
			fmt.Fprintf(t.Out, "%s\n", p.Picture(t.Colour))
			return nil
		}},
		{"quit", "leaves the unfinished game", func(t *Table, _ *engines.Position, _ string) error {
			t.left = true
			t.cancel()
			return nil
		}},
		{human.Resign, "resigns", nil},
		{"help", "lists these commands", nil},
	}
}

// Refused implements human.Desk: an answer that is not a move may be a command.
func (t *Table) Refused(p *engines.Position, answer string, err error) {
	name, argument, _ := strings.Cut(answer, " ")
	for _, c := range commands() {
		if c.name != name {
			continue
		}
		if c.run == nil {
			break
		}
		if err := c.run(t, p, strings.TrimSpace(argument)); err != nil {
			fmt.Fprintln(t.Out, err)
		}
		return
	}
	switch name {
	case "":
	case "help":
		fmt.Fprintln(t.Out, "enter a move (like b2, c2-d3, c2xe4; ? lists the legal ones) or a command:")
		for _, c := range commands() {
			fmt.Fprintf(t.Out, "  %-7s %s\n", c.name, c.does)
		}
	default:
		fmt.Fprintln(t.Out, err)
	}
}

// undo goes back to the person's previous decision.
func (t *Table) undo(p *engines.Position, _ string) error {
	q := t.Game.NewPosition()
	last := -1
	for i, m := range p.Played() {
		if t.People[q.Side()] {
			last = i
		}
		q.Play(m)
	}
	if last < 0 {
		return errors.New("you have no move to take back")
	}
	t.back = len(p.Played()) - last
	t.cancel()
	return nil
}

// rater returns the judge. It is created when it is first needed.
func (t *Table) rater() (*review.Judge, error) {
	if t.judge == nil {
		j, err := t.Judge()
		if err != nil {
			return nil, err
		}
		t.judge = j
	}
	return t.judge, nil
}

func (t *Table) hint(p *engines.Position, _ string) error {
	j, err := t.rater()
	if err != nil {
		return err
	}
	h, err := j.Hint(context.Background(), p)
	if err != nil {
		return err
	}
	fmt.Fprintf(t.Out, "best: %s (%s)\n", strings.Join(h.Best, " "), h.Worth())
	return nil
}
