package campaign

import (
	"fmt"
	"slices"
	"strings"

	"spar/ratings"
)

// Claim says which player has the advantage, if it is known.
type Claim string

// The values of Claim.
const (
	First   Claim = "first"
	Second  Claim = "second"
	Even    Claim = "even"
	Unknown Claim = "unknown"
)

// Finding is the result of an inquiry.
type Finding struct {
	Claim Claim `json:"claim"`
	// Forced is a first move with which the first player scores significantly better than with free choice.
	Forced *Probe `json:"forced,omitempty"`
	// Against is the reason for making no claim; empty if there is a claim.
	Against string `json:"against,omitempty"`
	// Settle describes what would lead to a claim; empty if there is a claim.
	Settle string `json:"settle,omitempty"`
}

// The limits of claims; reports/research/calibration.md says how reliable claims are with them. To change them, use
// only the rules that its tables do not call held out.
const (
	leastStages = 3    // minimum number of stages; with fewer, the searches are too weak
	firm        = 0.9  // required fraction of the points, or of draws, at the last stage
	loose       = 0.75 // required fraction at the stage before, and for single openings
)

// says returns the result that these games support with at least the given fraction of the points (for draws, of
// the games).
func (t Tally) says(share float64) Claim {
	n := float64(t.Games())
	switch s := t.Score(); {
	case n == 0:
	case s >= share:
		return First
	case 1-s >= share: // rather than s <= 1-share, which leaves out exactly a tenth for nine tenths
		return Second
	case float64(t.Draws+t.Caps) >= share*n:
		return Even
	}
	return Unknown
}

// says returns the result that all kinds of play support, or unknown.
func (p Probe) says(share float64) Claim {
	out := Claim("")
	for _, kind := range []string{AlphaBeta, TreeSearch, Across} {
		c := p.By[kind].says(share)
		if out != "" && out != c {
			return Unknown
		}
		out = c
	}
	return out
}

// forcing reports whether the first player's best first move wins against every tested reply, in all kinds of play.
func (s Stage) forcing() bool {
	best := s.best()
	if best.Moves == "" || best.says(1) != First || s.Side != "second" || len(s.Replies) == 0 {
		return false
	}
	if s.turned(First) != "" {
		return false
	}
	var all Tally
	for _, r := range s.Replies {
		all = all.Plus(r.All())
	}
	return all.Score() >= firm
}

// surely reports whether the first player scores significantly better with a given first move than with free
// choice, over several stages. The interval of the score with that move must be above that of the score with free
// choice. The confidence level is corrected for choosing the best of all first moves.
func surely(best Probe, stages []Stage) bool {
	type sums struct {
		points float64
		games  int64
	}
	var with, free sums
	add := func(to *sums, p Probe) {
		if t := p.All(); t.Games() > 0 {
			n := p.Independent(t.Games())
			to.points += t.Score() * float64(n)
			to.games += n
		}
	}
	moves := 1
	for _, s := range stages {
		add(&free, s.Free)
		moves = max(moves, len(s.FirstMoves))
		for _, p := range s.FirstMoves {
			if p.Moves == best.Moves {
				add(&with, p)
			}
		}
	}
	share := func(s sums) ratings.Estimate {
		return ratings.WilsonPoints(s.points, s.games, 1-0.05/float64(moves))
	}
	return best.Moves != "" && share(with).Interval.Lo > share(free).Interval.Hi
}

// best returns the first move with the best score for the first player. If several are equal, it returns the most
// frequent one.
func (s Stage) best() Probe {
	var out Probe
	for _, p := range s.FirstMoves {
		if out.Moves == "" || p.All().Score() > out.All().Score() || p.All().Score() == out.All().Score() &&
			p.Chosen > out.Chosen {
			out = p
		}
	}
	return out
}

// usual reports whether the agents open at least as often with the move whose replies were tested as with any
// other move.
func (s Stage) usual() bool {
	best := s.best()
	return !slices.ContainsFunc(s.FirstMoves, func(p Probe) bool { return p.Chosen > best.Chosen })
}

// holds reports whether a kind of search, which plays both sides, never wins for a side in the games of a probe.
func (p Probe) holds(against Claim) bool {
	for _, kind := range []string{AlphaBeta, TreeSearch} {
		t := p.By[kind]
		wins := map[Claim]int64{First: t.First, Second: t.Second}[against]
		if t.Games() > 0 && wins == 0 {
			return true
		}
	}
	return false
}

// turned returns a forced opening that contradicts a claim; empty if there is none.
func (s Stage) turned(c Claim) string {
	worst := func(ps []Probe, bad func(score float64) bool) string {
		for _, p := range ps {
			if bad(p.All().Score()) || c != Even && p.holds(c) {
				return p.Moves
			}
		}
		return ""
	}
	switch c {
	case First:
		if s.Side == "second" {
			return worst(s.Replies, func(x float64) bool { return x < loose })
		}
	case Second:
		return worst(s.FirstMoves, func(x float64) bool { return x > 1-loose })
	case Even:
		if m := worst(s.FirstMoves, func(x float64) bool { return x >= loose }); m != "" {
			return m
		}
		if s.Side == "second" && s.usual() { // an answer to a move that nobody plays turns nothing
			return worst(s.Replies, func(x float64) bool { return x <= 1-loose })
		}
	}
	return ""
}

// stands returns the claim that a single stage supports.
func (s Stage) stands(share float64) Claim {
	c := s.Free.says(share)
	if c != Unknown && s.turned(c) != "" {
		return Unknown
	}
	return c
}

// Settled reports whether the last stages are so similar that further stages would hardly change the result.
func Settled(stages []Stage) bool {
	n := len(stages)
	if n < leastStages {
		return false
	}
	c := stages[n-1].stands(firm)
	return c != Unknown && stages[n-2].stands(firm) == c && stages[n-3].stands(loose) == c
}

// Judge returns the finding of an inquiry. It claims an advantage under three conditions: both kinds of search agree in
// the last two stages, each against itself and against the other; the advantage does not shrink with strength; no
// forced opening reverses it.
func Judge(stages []Stage) Finding {
	n := len(stages)
	out := Finding{Claim: Unknown}
	if n == 0 {
		out.Against, out.Settle = "the study has no games for this question", "a run of spar balance"
		return out
	}
	last := stages[n-1]
	if best := last.best(); last.Free.says(firm) != First && surely(best, stages[max(0, n-2):]) {
		out.Forced = &best
	}
	more := fmt.Sprintf("a deeper search of %d positions per move (a higher --effort)", growth*last.Nodes)
	if n < leastStages {
		out.Settle = more
		out.Against = fmt.Sprintf("the deepest search, of %d positions per move, is too shallow to judge",
			last.Nodes)
		return out
	}
	before := stages[n-2]
	c := last.Free.says(firm)
	was := before.Free.says(loose)
	now := last.forcing()
	then := before.forcing()
	switch {
	case c != First && now && then:
		best := last.best()
		out.Claim, out.Forced = First, &best // the move wins by force, whether the agents find it or not
		return out
	case c == Unknown:
		out.Against, out.Settle = last.disagreement(), more
	case was != c:
		out.Against = fmt.Sprintf("weaker play disagrees (%s)", before.disagreement())
		out.Settle = more
	default:
		for _, s := range []Stage{last, before} {
			if m := s.turned(c); m != "" {
				out.Against = fmt.Sprintf("the result differs in games that begin with %s", m)
				out.Settle = more
				return out
			}
		}
		out.Claim = c
	}
	return out
}

// disagreement formats the scores of the kinds of play.
func (s Stage) disagreement() string {
	text := fmt.Sprintf("with %d positions per move the first player scores", s.Nodes)
	for _, kind := range []string{AlphaBeta, TreeSearch, Across} {
		if t := s.Free.By[kind]; t.Games() > 0 {
			text += fmt.Sprintf(" %.0f %% in %d games of %s,", 100*t.Score(), t.Games(), kind)
		}
	}
	return strings.TrimSuffix(text, ",")
}
