package evidence

import (
	"slices"
	"strings"

	"spar/ratings"
)

// Opening returns the label of a game's opening (see ratings.Game): equal for games under the same rules with the same
// prescribed first moves; 0 for games from the start. The argument rules is a row id.
func Opening(rules int64, moves string, plies int) uint64 {
	if plies <= 0 {
		return 0
	}
	return ratings.Label(OpeningMoves(moves, plies)) ^ uint64(rules)*0x9e3779b97f4a7c15
}

// OpeningMoves returns the first plies of a game's moves.
func OpeningMoves(moves string, plies int) string {
	for at := range len(moves) {
		if plies > 0 && moves[at] == ' ' {
			plies--
		}
		if plies <= 0 {
			return moves[:at]
		}
	}
	return moves
}

// FirstGame has the facts about a game that determine the first player's score.
type FirstGame struct {
	Event, Pair   int64
	First, Second int64  // row ids of the agents
	Opening       uint64 // see Opening
	Hash          int64  // of the moves; 0 = unknown
	Half          uint8  // half points of the first player: 0, 1 or 2
}

// FirstPlayer collects games for the first player's score: its mean over the games that count for Balance. Every table,
// page and plot that shows the score takes it from here. The zero value has no games.
type FirstPlayer struct {
	// Anytime means that some match-ups could stop early. The interval is then valid at all times simultaneously.
	Anytime bool

	all, fresh firstSums
	seen       map[firstKey]struct{} // distinct games so far; nil after many
	distinct   int64
}

// firstSums are the clusters of games, and of those whose pair is incomplete.
type firstSums struct {
	mean    ratings.ClusteredMean
	counts  [3]int64 // by half points
	waiting map[[2]int64]FirstGame
}

type firstKey struct{ first, second, hash int64 }

// mostDistinct is the largest number of distinct games that FirstPlayer remembers. Agents with more do not repeat the
// same few games.
const mostDistinct = 4096

// Add adds a game that counts for Balance.
func (f *FirstPlayer) Add(g FirstGame) {
	f.all.add(g)
	if f.distinct > mostDistinct {
		return
	}
	k := firstKey{g.First, g.Second, g.Hash}
	if _, again := f.seen[k]; again && g.Hash != 0 {
		return
	}
	if f.seen == nil {
		f.seen = map[firstKey]struct{}{}
	}
	f.seen[k] = struct{}{}
	if f.distinct++; f.distinct > mostDistinct {
		f.seen, f.fresh = nil, firstSums{}
		return
	}
	f.fresh.add(g)
}

// add adds a game, with the other game of its pair if both have come. Games of an agent against itself from the start are
// independent.
func (s *firstSums) add(g FirstGame) {
	s.counts[g.Half]++
	if g.First == g.Second && g.Opening == 0 {
		s.mean.Add(float64(g.Half)/2, 1, 0)
		return
	}
	at := [2]int64{g.Event, g.Pair}
	other, ok := s.waiting[at]
	if !ok {
		if s.waiting == nil {
			s.waiting = map[[2]int64]FirstGame{}
		}
		s.waiting[at] = g
		return
	}
	delete(s.waiting, at)
	s.mean.Add(float64(g.Half+other.Half)/2, 2, g.Opening)
}

// Score returns the first player's score with its interval at a confidence level, or an unknown estimate without
// games. Call it after the last Add. If agents repeat the same few games, each distinct game counts once. N counts
// the games.
func (f *FirstPlayer) Score(level float64) ratings.Estimate {
	s := &f.all
	if n := s.games(); f.distinct <= mostDistinct && Same(n, f.distinct) {
		s = &f.fresh
	}
	if s.games() == 0 {
		return ratings.Estimate{}
	}
	for at, g := range s.waiting { // the other game is missing
		s.mean.Add(float64(g.Half)/2, 1, g.Opening)
		delete(s.waiting, at)
	}
	e := s.mean.Mean(level, "games")
	if !f.Anytime {
		return e
	}
	return e.AtAllTimes(s.counts[:])
}

func (s *firstSums) games() int64 { return s.counts[0] + s.counts[1] + s.counts[2] }

// Part is a part of a study's games: all of them, or those of one agent against itself, as a balance study plays them.
type Part struct{ Kind, Agent string }

// The kinds of parts.
const (
	All      = "all"
	Openings = "openings" // an agent against itself from random openings
	Itself   = "mirror"   // an agent against itself from the start
)

// PartOf returns the part for an event's purpose; ok is false unless one agent played itself in a mirror or openings
// event.
func PartOf(purpose, first, second string) (p Part, ok bool) {
	kind, ok := strings.CutPrefix(purpose, "balance/")
	return Part{kind, first}, ok && first == second && (kind == Openings || kind == Itself)
}

// Headline returns the part whose games give the first player's score: games of the strongest agent from the start;
// if there are none, its games from openings; otherwise all games. Tiers are the agents, weakest first.
func Headline(parts []Part, tiers []string) (best Part) {
	rank := func(p Part) [2]int {
		return [2]int{slices.Index([]string{All, Openings, Itself}, p.Kind), slices.Index(tiers, p.Agent)}
	}
	for i, p := range parts {
		if a, b := rank(p), rank(best); i == 0 || a[0] > b[0] || a[0] == b[0] && a[1] > b[1] {
			best = p
		}
	}
	return best
}
