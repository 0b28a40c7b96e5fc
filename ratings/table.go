package ratings

import (
	"slices"
	"strings"
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
	// ErrSelfPlay is returned for a game of a player against itself.
	ErrSelfPlay = mistake("agent against itself")
	// ErrBadCount is returned for a negative count, or a total above 2^53 games.
	ErrBadCount = mistake("count out of range")
	// ErrBadGame is returned for an empty name or an unknown outcome.
	ErrBadGame = mistake("bad game")
)

// Game is one played game, as a Builder accepts it.
type Game struct {
	First, Second string // names; any non-empty text
	Result        Outcome
	// Stratum names a set of games with a common advantage, normally the games under the same rules.
	Stratum string
	// Pair identifies the pair of the game; empty means a single game. The same text for other players or in another
	// stratum means another pair.
	Pair string
	// Opening is the label of the game's opening, or of any other set of games that may depend on each other, whoever
	// played them; see Label. 0 means that games of other pairs are independent.
	Opening uint64
	// Hash identifies the moves; 0 means unknown. Equal games (the same hash in the
	// same ordered pairing) are one cluster.
	Hash uint64
}

// Forfeited is the suffix of the name of a stratum of forfeited games. A forfeited game counts as lost, but says
// nothing about the seats. Such games therefore have a stratum of their own, whose first-player advantage is 0.
const Forfeited = " (forfeited)"

// IsForfeited reports whether a stratum has forfeited games.
func IsForfeited(stratum string) bool { return strings.HasSuffix(stratum, Forfeited) }

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

// Table is an immutable, order-independent aggregate of games: two tables built
// from the same games in any order are equal. Make one with a Builder.
type Table struct {
	players  []string
	strata   []string
	pairings []Pairing
	pairs    clusters  // by pair
	openings *clusters // by opening, if some opening has more than one pair; otherwise nil
	games    int64
}

// Players returns the names in ascending order. The caller must not change the slice.
func (t *Table) Players() []string { return t.players }

// Strata returns the stratum names in ascending order; a table without games
// has none.
func (t *Table) Strata() []string { return t.strata }

// Pairings returns the ordered match-ups sorted by stratum, first, second. The caller must not change the slice.
func (t *Table) Pairings() []Pairing { return t.pairings }

// Games returns the number of games.
func (t *Table) Games() int64 { return t.games }

// Clusters returns the number of clusters of at least two games (pairs, and larger groups with the same pair number),
// and the number of games outside them.
func (t *Table) Clusters() (several, alone int64) { return t.pairs.count() }

// Openings returns the number of independent openings, plus the games without an opening. It returns 0 if no opening
// has more than one pair.
func (t *Table) Openings() int64 {
	if t.openings == nil {
		return 0
	}
	several, alone := t.openings.count()
	return several + alone
}

// weights returns the games by pairing and Outcome, with weights for which the games of a player in one cluster count
// as at most one, however they depend on each other. A variance is then at most m times that of independent games (Kish
// 1965, Survey Sampling, for the design effect 1+(m-1)ρ with ρ = 1).
func (t *Table) weights() [][3]float64 {
	of := &t.pairs
	if t.openings != nil {
		of = t.openings
	}
	out := make([][3]float64, len(t.pairings))
	games := make([]int64, len(t.players))
	of.each(func(terms []term, count int64) {
		most := int64(0)
		for _, m := range terms {
			p := t.pairings[m.pairing]
			games[p.First] += m.games()
			games[p.Second] += m.games()
			most = max(most, games[p.First], games[p.Second])
		}
		for _, m := range terms {
			games[t.pairings[m.pairing].First], games[t.pairings[m.pairing].Second] = 0, 0
			for o, n := range m.n {
				out[m.pairing][o] += float64(count) * float64(n) / float64(most)
			}
		}
	})
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

// Split returns the share of a stratum's pairs with swapped seats in which the same seat won both games.
func (t *Table) Split(stratum string, level float64) Estimate {
	at := map[[2]int]int{} // pairings of the stratum by their players
	for x, p := range t.pairings {
		if t.strata[p.Stratum] == stratum {
			at[[2]int{p.First, p.Second}] = x
		}
	}
	return t.clusteredMean(level, "pairs", func(terms []term, opening bool, sums map[[2]int]openingSums) {
		if !opening && !t.isPair(terms) {
			return
		}
		var pairs openingSums
		for _, m := range terms {
			p := t.pairings[m.pairing]
			q, ok := at[[2]int{p.Second, p.First}]
			i := slices.IndexFunc(terms, func(o term) bool { return o.pairing == q })
			if !ok || i < 0 || p.First > p.Second || t.strata[p.Stratum] != stratum {
				continue
			}
			n := terms[i].n
			pairs.sum += float64(min(m.n[FirstWins], n[FirstWins]) + min(m.n[SecondWins], n[SecondWins]))
			pairs.n += float64(min(m.games(), terms[i].games()))
		}
		if pairs.n > 0 {
			sums[[2]int{}] = pairs
		}
	})
}

// mistake is an error in what the caller wants or gives, as opposed to a failure of the computation.
type mistake string

func (m mistake) Error() string { return string(m) }

// BadInput always returns true: see strict.IsBadInput.
func (mistake) BadInput() bool { return true }
