// Package twice solves line games by two provers that share no search code. Settle asks package lines first. If
// that prover finds a draw by pairs of cells, Settle checks the pairs against the lines by which the engine ends
// games. On a board of at most CheckedCells cells, it accepts any other value only if the alpha-beta search of
// solve.Prove finds the same. That search is too slow for larger boards.
package twice

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"spar/engines"
	"spar/engines/grid"
	"spar/engines/solve"
	"spar/engines/solve/lines"
)

// CheckedCells is the number of cells up to which both provers must find the value.
const CheckedCells = 25

// AlphaBeta and the next constant name the methods of the second prover.
const (
	AlphaBeta    = "alpha-beta"
	CheckedPairs = "check of the pairs"
)

// Settled is the result of Settle.
type Settled struct {
	Value lines.Value
	// methods that answered "does the first player win?" and "does the second?"; empty if the value is unknown
	Method string
	Second string // the method that confirmed the value, if any
}

// Options are the limits for each of the two provers.
type Options struct {
	Memory  int64   // memory for its table in bytes
	Seconds float64 // computing time in seconds
}

// Settle finds the value of a line game; it is lines.Unknown if the limits are too low. It returns an error for rules
// that are not a line game, and if the provers disagree.
func Settle(ctx context.Context, g *engines.Game, o Options) (Settled, error) {
	l, err := lines.From(g)
	if err != nil {
		return Settled{}, err
	}
	unknown := Settled{Value: lines.Unknown}
	limit := time.Duration(o.Seconds * float64(time.Second))
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	proof := lines.Prove(limited, l, lines.Options{Memory: o.Memory})
	if ctx.Err() != nil {
		return unknown, ctx.Err()
	}
	if proof.Value == lines.Unknown {
		return unknown, nil
	}
	out := Settled{Value: proof.Value, Method: proof.Method()}
	if pairsHold(g, &proof) {
		out.Second = CheckedPairs
	}
	if out.Second != "" || g.Cells() > CheckedCells {
		return out, nil
	}
	limited, cancel = context.WithTimeout(ctx, limit)
	defer cancel()
	s := g.NewState()
	second, err := solve.Prove(limited, &s, solve.ProofOptions{Memory: o.Memory, Workers: 1})
	switch {
	case ctx.Err() != nil:
		return unknown, ctx.Err()
	case errors.Is(err, context.DeadlineExceeded), err == nil && !second.Known():
		return unknown, nil
	case err != nil:
		return unknown, err
	}
	value := lines.Draw
	switch second.AtLeast {
	case solve.Win:
		value = lines.First
	case solve.Loss:
		value = lines.Second
	}
	if value != out.Value {
		return unknown, fmt.Errorf("%s: the provers disagree: %s by %s, %s by %s", g.Name(), out.Value, out.Method, value,
			AlphaBeta)
	}
	out.Second = AlphaBeta
	return out, nil
}

// pairsHold reports whether the pairs of a proof show that the game is a draw: every line of either side contains
// one of the pairs, and the pairs are disjoint.
func pairsHold(g *engines.Game, proof *lines.Proof) bool {
	var held [2]bool
	for _, answer := range proof.Wins {
		var used engines.Bits
		sets, disjoint := make([]engines.Bits, len(answer.Pairs)), true
		for i, pair := range answer.Pairs {
			for _, c := range pair {
				disjoint = disjoint && !used.Has(engines.Cell(c))
				used = used.With(engines.Cell(c))
				sets[i] = sets[i].With(engines.Cell(c))
			}
		}
		for side := range held {
			held[side] = held[side] || disjoint && !slices.ContainsFunc(g.Windows(side), func(w grid.Window) bool {
				return !slices.ContainsFunc(sets, w.Cells.Contains)
			})
		}
	}
	return held[0] && held[1]
}
