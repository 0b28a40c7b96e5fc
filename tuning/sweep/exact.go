package sweep

import (
	"fmt"

	"spar/arena/campaign"
)

// What solving all variants may take together; each has its share, and no more than a finalist, which has all of
// Options.Exact.
const (
	exactMemory = 16_000_000 // bytes of one table
	allMemory   = 20 * exactMemory
)

// solve works out the exact value of every variant that is small enough, before anything is played. What it finds does
// not depend on the machine: the limits are bytes and positions.
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

// exactly is the exact value of a variant where it takes so many bytes, or as many positions of a proof in proportion;
// else nil.
func (r *runner) exactly(v Variant, bytes int64) (*campaign.Exact, error) {
	return campaign.ExactOf(r.ctx, v.Game, bytes, uint64(bytes/(exactMemory/campaign.ProofNodes)), r.o.Workers)
}

// excluded tells whether a variant is out, whatever its games say: it is won by force, and either a target forbids that
// or there are no targets, where the most even variant is wanted.
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

// eligible are the variants that are not excluded.
func (r *runner) eligible() []Variant {
	var out []Variant
	for _, v := range r.Variants {
		if !r.excluded(r.exact[v.Label]) {
			out = append(out, v)
		}
	}
	return out
}

// certainty orders exact values: a draw is more even than anything sampled, and a forced win less.
func certainty(s Solved) int {
	return map[string]int{"draw": 0, "": 1, "first": 2, "second": 2}[s.Winner]
}

// solved is an exact value as a result has it; nil = unknown.
func solved(x *campaign.Exact) Solved {
	if x == nil {
		return Solved{}
	}
	return Solved{x.Text, x.Winner, x.Plies}
}
