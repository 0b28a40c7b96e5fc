package arena

import (
	"fmt"
	"math"
	"slices"
)

// format makes the stages of a tournament.
type format interface {
	// stage returns the pairs of the next stage, and its name. If the tournament is over, it returns no pairs, and
	// the reason.
	stage(s *Schedule) (pairs []pairing, text string)
	// barrier reports whether all games of a stage must be judged before the next stage is made.
	barrier() bool
	// estimate returns the number of games, and whether it is exact.
	estimate(t *Tournament) (games int64, exact bool)
	// judged receives every game in the order of numbers, including void ones. It returns whether the tournament
	// is over.
	judged(s *Schedule, g *slot) (why string, over bool)
	// skips reports whether a later game is unnecessary because of the games judged so far.
	skips(number int64) bool
}

// mayLeaveOut reports whether some games of the schedule may never be played, because of an early stop or a
// withdrawn agent.
func (t *Tournament) mayLeaveOut() bool {
	return t.Stop.adaptive() || t.Stop.Minutes > 0 || t.Faults.Withdraw > 0
}

// pairing is one pair of games to play.
type pairing struct {
	rules, a, b int
	opening     int64
	meeting     int // number of earlier pairs of the same two players, for formats whose pairs reuse openings
}

func newFormat(t *Tournament) format {
	who, n := everybody, len(t.Players)
	switch t.Format {
	case "swiss":
		return &swiss{
			t:      t,
			points: make([]float64, n),
			met:    map[[2]int]int{},
			byes:   make([]int, n),
		}
	case "gauntlet":
		who = gauntlet
	case "match":
		who = match
	case "mirror":
		who = mirror
	case "ladder":
		who = ladder
	}
	return &rounds{t: t, who: who(t)}
}

// rounds is the format in which each pairing plays one pair under each of the rules in a round. A run that is
// stopped early is therefore balanced.
type rounds struct {
	t     *Tournament
	who   pairings
	round int   // current round, from 0
	place int64 // index in the round, over pairings and rules
	stop  stopRule
}

// pairings holds the pairs of players of a round, computed by index, since a large field has too many to list.
type pairings struct {
	n  int64
	at func(i int64) (a, b int)
}

// everybody pairs every player with every other, in the order 1-0, 2-0, 2-1, 3-0, ...
func everybody(t *Tournament) pairings {
	n := int64(len(t.Players))
	return pairings{n * (n - 1) / 2, func(i int64) (int, int) {
		b := int64((1 + math.Sqrt(float64(1+8*i))) / 2)
		for b*(b-1)/2 > i { // the root may be off by one
			b--
		}
		for (b+1)*b/2 <= i {
			b++
		}
		return int(i - b*(b-1)/2), int(b)
	}}
}

// gauntlet pairs each seed with each player of the field.
func gauntlet(t *Tournament) pairings {
	var seeds, field []int
	for i := range t.Players {
		if slices.Contains(t.Seeds, t.Players[i].Name) {
			seeds = append(seeds, i)
		} else {
			field = append(field, i)
		}
	}
	n := int64(len(field))
	return pairings{int64(len(seeds)) * n, func(i int64) (int, int) { return seeds[i/n], field[i%n] }}
}

// mirror pairs each player with itself. The two games of a pair then have the same seats and opening. They are
// independent, because each game has its own random streams.
func mirror(t *Tournament) pairings {
	return pairings{int64(len(t.Players)), func(i int64) (int, int) { return int(i), int(i) }}
}

// ladder pairs each player with the one listed before.
func ladder(t *Tournament) pairings {
	return pairings{int64(len(t.Players)) - 1, func(i int64) (int, int) { return int(i) + 1, int(i) }}
}

// match is one pairing.
func match(*Tournament) pairings { return pairings{1, func(int64) (int, int) { return 0, 1 }} }

func (r *rounds) barrier() bool { return false }

func (r *rounds) estimate(t *Tournament) (int64, bool) {
	return int64(t.Pairs) * r.who.n * int64(len(t.Rules)) * 2, !t.mayLeaveOut()
}

// mostOfStage is the maximum number of pairings in a stage: a round, or a part of a large one.
const mostOfStage = 4096

func (r *rounds) stage(*Schedule) ([]pairing, string) {
	if r.round == r.t.Pairs || r.who.n == 0 {
		return nil, r.finished()
	}
	var out []pairing
	for len(out) < mostOfStage {
		a, b := r.who.at(r.place % r.who.n)
		out = append(out, pairing{int(r.place / r.who.n), a, b, int64(r.round), 0})
		if r.place++; r.place == r.who.n*int64(len(r.t.Rules)) {
			r.round, r.place = r.round+1, 0
			break
		}
	}
	return out, ""
}

// finished returns the reason for the end when all rounds have been played.
func (r *rounds) finished() string {
	of := ""
	if r.who.n*int64(len(r.t.Rules)) > 1 {
		of = " of each match-up"
	}
	if r.t.Pairs == 1 {
		return "the one pair" + of + " played"
	}
	return fmt.Sprintf("all %d pairs%s played", r.t.Pairs, of)
}

func (r *rounds) skips(number int64) bool { return r.stop.clear.skips(number) }

func (r *rounds) judged(s *Schedule, g *slot) (string, bool) {
	if !r.t.Stop.adaptive() {
		return "", false
	}
	matchUps := r.who.n * int64(len(r.t.Rules))
	if c := r.t.Stop.EarlyStop; c != nil {
		return r.stop.clear.judged(c, g, matchUps)
	}
	perRound := 2 * matchUps
	return r.stop.judged(s, g, (g.Number+1)/perRound, (g.Number+1)%perRound == 0)
}
