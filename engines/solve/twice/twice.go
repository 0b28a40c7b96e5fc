// Package twice settles line games by two provers that share no search code. Settle asks package lines first. On a board
// of at most CheckedCells cells its value counts only if the alpha-beta search of solve.Prove finds the same one; on
// larger boards, which that search cannot finish, the pairs of a pairing strategy are checked against the lines by
// which the engine ends games.
package twice

import (
	"context"
	"errors"
	"fmt"
	"time"

	"spar/engines"
	"spar/engines/solve"
	"spar/engines/solve/lines"
)

// CheckedCells is the largest board on which a value needs both provers.
const CheckedCells = 25

// The methods of the second prover.
const (
	AlphaBeta    = "alpha-beta"
	CheckedPairs = "check of the pairs"
)

// Settled is what is known of a game.
type Settled struct {
	Value  lines.Value
	Method string // of the answers to "does the first player win?" and "does the second?"; empty for an unknown value
	Second string // method that confirmed the value, if any
}

// Options are the limits of each of the two provers.
type Options struct {
	Memory  int64   // bytes for its table
	Seconds float64 // of time
}

// Settle works out the value of a line game; it is lines.Unknown if the limits are too low. Rules that are not a line game
// are an error, and so are provers that disagree.
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
	if g.Cells() > CheckedCells {
		var checked bool
		checked, err = pairsHold(g, &proof)
		if checked {
			out.Second = CheckedPairs
		}
		return out, err
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
		return unknown, fmt.Errorf("%s: the provers disagree: %s by %s, %s by %s", g.Name(), out.Value, out.Method, value, AlphaBeta)
	}
	out.Second = AlphaBeta
	return out, nil
}

// pairsHold checks the pairs of a proof. It reports whether there were any; pairs that do not prove what they should are
// an error.
func pairsHold(g *engines.Game, proof *lines.Proof) (checked bool, err error) {
	for side := range 2 {
		pairs := proof.Wins[side].Pairs
		if pairs == nil {
			continue
		}
		stopped := side // whose lines must contain a pair
		if g.Rules().Win.Misere {
			stopped = 1 - side
		}
		var used engines.Bits
		sets := make([]engines.Bits, len(pairs))
		for i, pair := range pairs {
			for _, c := range pair {
				if used.Has(engines.Cell(c)) {
					return true, fmt.Errorf("%s: two pairs share %s", g.Name(), g.CellName(engines.Cell(c)))
				}
				used = used.With(engines.Cell(c))
				sets[i] = sets[i].With(engines.Cell(c))
			}
		}
		for _, w := range g.Windows(stopped) {
			met := false
			for _, pair := range sets {
				met = met || w.Cells.Contains(pair)
			}
			if !met {
				return true, fmt.Errorf("%s: a line contains none of the pairs", g.Name())
			}
		}
		checked = true
	}
	return checked, nil
}
