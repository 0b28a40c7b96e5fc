package sweep

import (
	"fmt"

	"spar/arena/campaign"
)

// Memory for solving, in bytes. All variants together get allMemory, in equal parts, and at most Options.Exact.
const (
	exactMemory = 16_000_000 // for one transposition table
	allMemory   = 20 * exactMemory
)

// solve computes the exact value of every variant that is small enough, before games are played. Its limits are bytes
// and positions, so that the result does not depend on the machine.
func (r *runner) solve() error {
	r.exact = map[string]*campaign.Exact{}
	each := min(r.o.Exact, allMemory/int64(len(r.Variants)))
	for i, v := range r.Variants {
		r.o.Stage(fmt.Sprintf("solving variant %d of %d", i+1, len(r.Variants)))
		x, err := r.exactly(v, each)
		if err != nil {
			return err
		}
		r.exact[v.Label] = x
	}
	return nil
}

// exactly returns the exact value of a variant, or nil if it needs more than the given memory in bytes or more
// than a proportional number of positions.
func (r *runner) exactly(v Variant, bytes int64) (*campaign.Exact, error) {
	return campaign.ExactOf(r.ctx, v.Game, bytes, uint64(bytes/(exactMemory/campaign.ProofNodes)), r.o.Workers)
}

// excluded reports whether a variant is excluded by its exact value: one side wins by force, and a target forbids
// this, or there are no targets and the most even variant is wanted.
func (r *runner) excluded(x *campaign.Exact) bool {
	if x == nil || x.Winner == "draw" {
		return false
	}
	for _, t := range r.Goal {
		if t.MissedBy(x) {
			return true
		}
	}
	return len(r.Goal) == 0
}

// eligible returns the variants that are not excluded.
func (r *runner) eligible() []Variant {
	var out []Variant
	for _, v := range r.Variants {
		if !r.excluded(r.exact[v.Label]) {
			out = append(out, v)
		}
	}
	return out
}

// certainty orders exact values: a draw is better than any sampled value, a forced win worse.
func certainty(s Solved) int {
	return map[string]int{"draw": 0, "": 1, "first": 2, "second": 2}[s.Winner]
}

// solved converts an exact value to its form in a result; nil = unknown.
func solved(x *campaign.Exact) Solved {
	if x == nil {
		return Solved{}
	}
	return Solved{x.Text, x.Winner, x.Plies}
}
