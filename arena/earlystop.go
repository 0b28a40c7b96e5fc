package arena

import (
	"fmt"

	"spar/arena/evidence"
	"spar/engines"
	"spar/ratings"
)

// EarlyStop stops a match-up of a tournament in rounds when it is decided. A match-up is decided when no quantity's
// interval contains one of the quantity's limits. The intervals are confidence sequences
// (ratings.ConfidenceSequence), which are valid at all times. A report must use them for a match-up that stopped
// early. The tournament ends when every match-up has stopped.
type EarlyStop struct {
	// limits, ascending, for the mean score of the first player if an agent plays itself, otherwise for the mean pair
	// score of the first agent
	Score []float64 `json:"score"`
	Draws []float64 `json:"draws,omitempty"` // limits for the fraction of drawn games; a draw by a cap does not count
	// limits for the fraction of games that neither the ply limit nor the clock ends
	Ends  []float64 `json:"ends,omitempty"`
	Least int       `json:"least"` // number of rounds that are always played
	Level float64   `json:"level"` // confidence level of the intervals
}

// tally holds the results of a match-up, for EarlyStop.
type tally struct {
	// number of games (or pairs) in which the first player (or first agent) had 0, 1, 2, ... half points
	score   []int64
	drawn   [2]int64
	ended   [2]int64
	half    int  // half points of the first player in the first game of the pair
	whole   bool // the first game of the pair counts as evidence
	settled bool
}

// add adds a judged game.
func (t *tally) add(g *slot, counts bool) {
	if counts {
		drawn, ended := g.outcome == engines.Drawn && !g.capped, !g.capped
		t.drawn[index(drawn)]++
		t.ended[index(ended)]++
	}
	points := int(2 * g.outcome.Score(engines.First))
	switch {
	case g.First == g.Second: // both games of a pair are independent
		if counts {
			t.count(3, points)
		}
	case g.Number%2 == 0:
		t.half, t.whole = points, counts
	case t.whole && counts: // the seats are exchanged now
		t.count(5, t.half+2-points)
	}
}

func index(on bool) int {
	if on {
		return 1
	}
	return 0
}

func (t *tally) count(of, points int) {
	if t.score == nil {
		t.score = make([]int64, of)
	}
	t.score[points]++
}

// clear reports whether every interval contains no limit.
func (c *EarlyStop) clear(t *tally) bool {
	for _, q := range []struct {
		counts []int64
		limits []float64
	}{{t.score, c.Score}, {t.drawn[:], c.Draws}, {t.ended[:], c.Ends}} {
		if len(q.limits) == 0 {
			continue
		}
		s := ratings.ConfidenceSequence(q.counts, c.Level)
		for _, x := range q.limits {
			if s.Interval.Lo < x && x < s.Interval.Hi {
				return false
			}
		}
	}
	return true
}

// earlyStopRule decides when each match-up stops. It receives the games in order.
type earlyStopRule struct {
	tallies []tally
	open    int // number of undecided match-ups
}

// skips reports whether a game is unnecessary because its match-up is decided.
func (r *earlyStopRule) skips(number int64) bool {
	return len(r.tallies) > 0 && r.tallies[number/2%int64(len(r.tallies))].settled
}

// judged adds the next judged game of a tournament that has the given number of match-ups in a round.
func (r *earlyStopRule) judged(c *EarlyStop, g *slot, matchUps int64) (string, bool) {
	if r.tallies == nil {
		r.tallies = make([]tally, matchUps)
		r.open = int(matchUps)
	}
	at := g.Number / 2 % matchUps
	t := &r.tallies[at]
	if t.settled {
		return "", false
	}
	t.add(g, g.outcome != engines.Ongoing && !g.void && g.marks.Counts(evidence.Balance))
	round := g.Number/2/matchUps + 1
	if g.Number%2 == 0 || round < int64(c.Least) || !c.clear(t) {
		return "", false
	}
	t.settled = true
	if r.open--; r.open > 0 {
		return "", false
	}
	return fmt.Sprintf("every match-up is decided after %d rounds", round), true
}
