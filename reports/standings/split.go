package standings

import (
	"fmt"

	"spar/ratings"
)

// Pairs in which the seat decides, whoever has it, say nothing about the agents.

// splitText returns the message that the seat decides most pairs of a game; empty if that is not significant. The
// name of the game may be empty.
func splitText(game string, share ratings.Estimate) (string, bool) {
	if game != "" {
		game += ": "
	}
	return fmt.Sprintf("%sin %.0f %% of %d pairs (%.0f to %.0f) the same seat won both games, so these pairs say nothing "+
		"about the agents' strength; use balanced openings or more opening plies",
		game, 100*share.Value, share.N, 100*share.Interval.Lo, 100*share.Interval.Hi), share.N > 0 && share.Interval.Lo > 0.5
}

// noteSplit adds notes about games in which the seat decides most pairs.
func (p *Pool) noteSplit() {
	for _, s := range p.Table.Strata() {
		if ratings.IsForfeited(s) {
			continue // lost by a fault in either seat: no opening changes that
		}
		if text, most := splitText(s, p.Table.Split(s, p.Fit.Level)); most {
			p.notes = append(p.notes, text)
		}
	}
}

// splits counts the pairs of one game during a run, and how many of them the seat decided.
type splits struct {
	share ratings.ClusteredMean
	pairs int64
	next  int64 // number of pairs at the next interim analysis
}

// firstLook is the number of pairs at the first interim analysis of whether the seat decides pairs. Each further
// analysis is at twice as many. There are so few that each can use the full confidence level.
const firstLook = 20

// note counts a pair. It returns a message once most pairs are split.
func (x *splits) note(game string, same bool, opening uint64) string {
	split := 0.0
	if same {
		split = 1
	}
	x.share.Add(split, 1, opening)
	if x.pairs++; x.pairs < max(x.next, firstLook) {
		return ""
	}
	x.next = 2 * x.pairs
	text, most := splitText(game, x.share.Mean(splitLevel, "pairs"))
	if !most {
		return ""
	}
	x.next = 1 << 62 // said once
	return text
}

// splitLevel is the confidence level of each interim analysis.
const splitLevel = 0.99
