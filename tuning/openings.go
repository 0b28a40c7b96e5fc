package tuning

import (
	"fmt"
	"sync"

	"spar/arena/openings"
	"spar/engines"
)

// finalShare is the reciprocal of the fraction of openings that is kept for validations.
const finalShare = 4

// openingSet draws the openings of one purpose. An opening belongs either to training or to validations, by a hash of the
// position that it leads to; positions that a symmetry of the rules turns into each other have the same hash. The two
// sets are therefore disjoint, however many openings are drawn.
type openingSet struct {
	mu    sync.Mutex
	g     *engines.Game
	book  *openings.Book
	final bool
	kept  []int64 // indices of the openings in the book
	next  int64
	ended bool // the book has no more openings
}

func (t *Tuning) openings(seed uint64, final bool) *openingSet {
	return &openingSet{g: t.Game, book: openings.NewBook(t.Game, t.Openings, int64(seed>>1)), final: final}
}

// isFinal reports whether an opening is kept for validations.
func isFinal(g *engines.Game, moves []engines.Move) bool {
	p := g.NewPosition()
	for _, m := range moves {
		p.Play(m)
	}
	x := p.CanonicalHash() * 0x9e3779b97f4a7c15
	return (x>>32)%finalShare == 0
}

// opening returns the moves of an opening. Indices beyond the last opening start again at the first. The empty opening
// belongs to both sets.
func (o *openingSet) opening(index int64) []engines.Move {
	o.mu.Lock()
	defer o.mu.Unlock()
	for !o.ended && int64(len(o.kept)) <= index {
		if o.book.Distinct(o.next+1) <= o.next {
			o.ended = true
			break
		}
		if m := o.book.Opening(o.next); len(m) == 0 || isFinal(o.g, m) == o.final {
			o.kept = append(o.kept, o.next)
		}
		o.next++
	}
	if len(o.kept) == 0 {
		return nil
	}
	return o.book.Opening(o.kept[index%int64(len(o.kept))])
}

// distinct returns how many distinct openings the first n indices have.
func (o *openingSet) distinct(n int64) int64 {
	if n > 0 {
		o.opening(n - 1)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	return min(n, int64(len(o.kept)))
}

// checkOpenings refuses rules and openings that leave one of the two sets empty.
func (t *Tuning) checkOpenings() error {
	for _, final := range []bool{false, true} {
		if o := t.openings(seedOf(t.Seed, "check"), final); o.distinct(1) == 0 {
			return fmt.Errorf("too few openings to keep some for the validation: list more, or use random ones, like "+
				"openings: {plies: %d}", t.Openings.Plies+1)
		}
	}
	return nil
}
