// Package published compares the solver with known exact values. Each [Entry] has the value of one game and its
// source: a publication, or a program that enumerates all positions and shares no code with this engine.
package published

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"spar/engines"
	"spar/engines/solve"
)

// Entry is a game with its known value.
type Entry struct {
	Name   string // short, like "hexapawn 4x3"
	Rules  string // a shipped game
	Set    []string
	Value  Value
	Source string // where the value comes from, in words
	Proof  bool   // check with a proof search, because the table of all states would be too large
	Long   bool   // takes more than a second, so that tests skip it
}

// Value is the known value of a game from its start; some parts may be unknown.
type Value struct {
	Winner string `json:"value" help:"who wins from the start: first, second or draw"` // first, second or draw
	// plies to the end with best play; 0 = a draw, or unknown
	Plies int `json:"dtw,omitempty" help:"plies to the end with best play; omitted if unknown"`
	// number of first moves that win/draw/lose for the first player; empty = unknown
	Openings string `json:"openings,omitempty" help:"first moves that win/draw/lose for the first player; omitted if unknown"`
}

// String writes a value like "first in 9, openings 1/4/4".
func (v Value) String() string {
	text := v.Winner
	if v.Plies > 0 {
		text += fmt.Sprint(" in ", v.Plies)
	}
	if v.Openings != "" {
		text += ", openings " + v.Openings
	}
	return text
}

// Label returns the game in the form that "spar solve" reads: the name of the rules with the overrides in brackets.
func (e *Entry) Label() string {
	if len(e.Set) == 0 {
		return e.Rules
	}
	return e.Rules + "[" + strings.Join(e.Set, ",") + "]"
}

// The values of Answer.Verdict.
const (
	Same         = "same"
	Different    = "different"
	NotAttempted = "not attempted" // the entry does not fit into the limits of time or memory
)

// Answer is the solver's result for an entry.
type Answer struct {
	Verdict string
	Ours    *Value // value that the solver found; nil if it did not try
	States  uint64 // number of states; for a proof, number of positions expanded
	Why     string // reason why the solver did not try
}

// Check solves an entry and compares the known parts of its value. The context limited must be derived from ctx.
// Its deadline is for this entry: if it passes, the verdict says so. The end of ctx is an error.
func (e *Entry) Check(ctx, limited context.Context, o solve.Options) (Answer, error) {
	g, err := engines.Named(e.Rules, e.Set...)
	if err != nil {
		return Answer{}, fmt.Errorf("%s: %w", e.Name, err)
	}
	ask := byTable
	if e.Proof {
		ask = byProof
	}
	ours, states, err := ask(limited, g, o)
	switch {
	case ctx.Err() != nil:
		return Answer{}, ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return Answer{Verdict: NotAttempted, Why: "no value within the time", States: states}, nil
	case errors.As(err, new(*solve.MemoryError)):
		return Answer{Verdict: NotAttempted, Why: err.Error()}, nil
	case err != nil:
		return Answer{}, fmt.Errorf("%s: %w", e.Name, err)
	}
	a := Answer{Verdict: Different, Ours: &ours, States: states}
	if e.agrees(ours) {
		a.Verdict = Same
	}
	return a, nil
}

func (e *Entry) agrees(ours Value) bool {
	p := e.Value
	return ours.Winner == p.Winner && (p.Plies == 0 || ours.Plies == p.Plies) &&
		(p.Openings == "" || ours.Openings == p.Openings)
}

func byTable(ctx context.Context, g *engines.Game, o solve.Options) (Value, uint64, error) {
	t, err := solve.Solve(ctx, g, o)
	if err != nil {
		return Value{}, 0, err
	}
	s := t.Stats()
	v := Value{Winner: s.Winner(), Plies: s.Root.DTW}
	var count [3]int
	for _, opening := range s.Openings {
		count[opening.Outcome-solve.Loss]++
	}
	v.Openings = fmt.Sprintf("%d/%d/%d", count[2], count[1], count[0])
	return v, s.States, t.Close()
}

func byProof(ctx context.Context, g *engines.Game, o solve.Options) (Value, uint64, error) {
	s := g.NewState()
	p, err := solve.Prove(ctx, &s, solve.ProofOptions{Memory: o.Memory, Workers: o.Workers})
	if err != nil || !p.Known() {
		return Value{}, p.Nodes, err
	}
	winner := engines.Drawn
	if p.AtLeast != solve.Draw {
		winner = engines.FirstWins
		if (p.AtLeast == solve.Win) != (s.Side() == engines.First) {
			winner = engines.SecondWins
		}
	}
	return Value{Winner: winner.String()}, p.Nodes, nil
}
