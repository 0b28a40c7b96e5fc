package ratings

import (
	"errors"
	"slices"
)

// Outcome is the result of one game from the first player's side. Its integer
// value is twice the first player's score.
type Outcome uint8

// The three outcomes of a game.
const (
	SecondWins Outcome = iota
	Draw
	FirstWins
)

// Score returns the first player's points: 0, 0.5 or 1.
func (o Outcome) Score() float64 { return float64(o) / 2 }

// maxGames limits every count, so that sums are exact in a float64.
const maxGames = int64(1) << 53

// Errors that Builder methods wrap.
var (
	// ErrSelfPlay is the error for a game of a player against itself.
	ErrSelfPlay = errors.New("agent against itself")
	// ErrBadCount is the error for a negative count, or a total above 2^53 games.
	ErrBadCount = errors.New("count out of range")
	// ErrBadGame is the error for an empty name or an unknown outcome.
	ErrBadGame = errors.New("bad game")
)

// Game is one played game, in the form that the Builder takes.
type Game struct {
	First, Second string // names; any non-empty text
	Result        Outcome
	// Stratum names the set of games with a common advantage, normally the rules.
	Stratum string
	// Pair identifies the pair (or the opening) of the game; empty means a single game. Unless Builder.ByOpening
	// is set, equal texts for other players or strata are different pairs.
	Pair string
	// Hash identifies the moves; 0 means unknown. It serves to count distinct games.
	Hash uint64
}

// Pairing holds the counts of one ordered match-up in one stratum, from the first player's view. Players and
// stratum are indices in Table.Players and Table.Strata.
type Pairing struct {
	First, Second, Stratum int
	Wins, Draws, Losses    int64
}

// Games returns the number of games of the pairing.
func (p Pairing) Games() int64 { return p.Wins + p.Draws + p.Losses }

// Points returns the first player's points.
func (p Pairing) Points() float64 { return float64(p.Wins) + float64(p.Draws)/2 }

// term is the part of a cluster that belongs to one pairing.
type term struct {
	pairing int
	n       [3]int64 // numbers of games by Outcome
}

// cell is a number of identical clusters that have more than one game.
type cell struct {
	terms []term
	count int64
}

// swap holds the pairs with exchanged seats of one unordered match-up in one stratum: n[a][b] is the number of
// pairs whose game in pairing p ended a and whose game in pairing q ended b.
type swap struct {
	p, q int
	n    [3][3]int64
}

// Table is an immutable, order-independent aggregate of games: two tables built
// from the same games in any order are equal. Make one with a Builder.
type Table struct {
	players  []string
	strata   []string
	pairings []Pairing
	singles  [][3]int64 // games outside clusters, by pairing and Outcome
	swaps    []swap     // clusters of two games with exchanged seats
	cells    []cell     // all other clusters
	games    int64
	hashed   int64 // games with a hash
	distinct int64 // number of distinct hashes among them, for each ordered pairing
}

// Players returns the names in ascending order. The caller must not change it.
func (t *Table) Players() []string { return t.players }

// Strata returns the stratum names in ascending order; a table without games
// has none.
func (t *Table) Strata() []string { return t.strata }

// Pairings returns the ordered match-ups sorted by stratum, first, second. The
// caller must not change it.
func (t *Table) Pairings() []Pairing { return t.pairings }

// Games returns the number of games.
func (t *Table) Games() int64 { return t.games }

// Clusters returns the number of clusters with at least two games, and the number of games that belong to none of
// these.
func (t *Table) Clusters() (clusters, alone int64) {
	for _, x := range t.swaps {
		for _, row := range x.n {
			clusters += row[0] + row[1] + row[2]
		}
	}
	for _, c := range t.cells {
		clusters += c.count
	}
	for _, s := range t.singles {
		alone += s[0] + s[1] + s[2]
	}
	return clusters, alone
}

// weights returns the games by pairing and Outcome, with a total weight of 1 for each cluster, however its games
// depend on each other. A variance is then at most m times that of independent games (Kish 1965, Survey Sampling,
// for the design effect 1+(m-1)ρ with ρ = 1).
func (t *Table) weights() [][3]float64 {
	out := make([][3]float64, len(t.pairings))
	for x, s := range t.singles {
		for o, n := range s {
			out[x][o] = float64(n)
		}
	}
	for _, x := range t.swaps {
		for a, row := range x.n {
			for b, n := range row {
				out[x.p][a] += float64(n) / 2
				out[x.q][b] += float64(n) / 2
			}
		}
	}
	for _, c := range t.cells {
		games := int64(0)
		for _, m := range c.terms {
			games += m.n[0] + m.n[1] + m.n[2]
		}
		for _, m := range c.terms {
			for o, n := range m.n {
				out[m.pairing][o] += float64(c.count) * float64(n) / float64(games)
			}
		}
	}
	return out
}

// Of returns the games of one stratum, without their pairs. Use it for ratings, not for standard errors.
func (t *Table) Of(stratum string) *Table {
	var b Builder
	for _, p := range t.pairings {
		if t.strata[p.Stratum] == stratum {
			// counts of a table are in range
			_ = b.AddCount(t.players[p.First], t.players[p.Second], stratum, p.Wins, p.Draws, p.Losses)
		}
	}
	return b.Table()
}

// Split returns the number of pairs with exchanged seats in a stratum, and how many of them the same seat won
// twice.
func (t *Table) Split(stratum string) (split, pairs int64) {
	for _, x := range t.swaps {
		if t.strata[t.pairings[x.p].Stratum] != stratum {
			continue
		}
		split += x.n[FirstWins][FirstWins] + x.n[SecondWins][SecondWins]
		for _, row := range x.n {
			pairs += row[0] + row[1] + row[2]
		}
	}
	return split, pairs
}

// Pentanomial counts the pairs with exchanged seats between a and b by a's points in the pair: 0, ½, 1, 1½, 2. It
// skips other clusters and returns their number. For unknown names all counts are 0.
func (t *Table) Pentanomial(a, b string) (counts [5]int64, skipped int64) {
	ia, oka := slices.BinarySearch(t.players, a)
	ib, okb := slices.BinarySearch(t.players, b)
	if !oka || !okb || ia == ib {
		return counts, 0
	}
	for _, x := range t.swaps {
		p := t.pairings[x.p]
		if min(p.First, p.Second) != min(ia, ib) || max(p.First, p.Second) != max(ia, ib) {
			continue
		}
		for r, row := range x.n {
			for o, n := range row {
				points := r + 2 - o // of the first player of pairing p
				if p.First != ia {
					points = 4 - points
				}
				counts[points] += n
			}
		}
	}
	for _, c := range t.cells {
		if slices.ContainsFunc(c.terms, func(m term) bool {
			p := t.pairings[m.pairing]
			return min(p.First, p.Second) == min(ia, ib) && max(p.First, p.Second) == max(ia, ib)
		}) {
			skipped += c.count
		}
	}
	return counts, skipped
}
