package arena

import (
	"spar/arena/store"
	"spar/engines"
)

// Book is the openings of one game, for callers that play games outside a tournament's schedule. It is safe for several
// goroutines.
type Book struct{ book *openingBook }

// NewBook begins a book; the same rules, openings and seed give the same openings in the same order.
func NewBook(g *engines.Game, o Openings, seed int64) *Book {
	return &Book{newOpeningBook(g, o, seed)}
}

// Opening returns the moves of an opening; when there are fewer than asked for, they come round again. It is not to be changed.
func (b *Book) Opening(index int64) []engines.Move { return b.book.opening(index) }

// Distinct returns how many different openings the first n indices have.
func (b *Book) Distinct(n int64) int64 { return b.book.distinct(n) }

// SamePosition is a number that positions have in common which a symmetry of the rules turns into each other, and no others
// but by accident (once in 2^64).
func SamePosition(s *engines.State) uint64 { return s.CanonicalHash() }

// Row is what a study stores of the game; the ids are those of the study's rows.
func (r *Record) Row(g *engines.Game, event, rules, first, second int64) store.Game {
	return store.Game{
		Event: event, Number: r.Number, Rules: rules, First: first, Second: second,
		Pair: r.Pair, Opening: r.Opening, OpeningPlies: r.OpeningPlies, Seed: r.Seed, Moves: g.JoinMoves(r.Moves),
		Result: r.Result.String(), Reason: r.Reason, Detail: r.Detail, Plies: r.Plies,
		FirstMS: float64(r.Spent[0].Microseconds()) / 1000, SecondMS: float64(r.Spent[1].Microseconds()) / 1000,
		FirstNodes: r.Nodes[0], SecondNodes: r.Nodes[1], Hash: r.Hash(g.RulesHash()), Timed: r.Timed, Thoughts: r.Thoughts,
	}
}
