package standings

import (
	"fmt"
	"strings"

	"spar/arena/evidence"
	"spar/ratings"
)

// Pairs in which the seat decides, whoever has it, say nothing about the agents.

// splitText says that most pairs of a game, which may have no name, are such pairs, where that is beyond doubt at a
// level of confidence.
func splitText(game string, split, pairs int64, level float64) (string, bool) {
	if pairs == 0 {
		return "", false
	}
	share := ratings.Wilson(split, pairs, level)
	if game != "" {
		game += ": "
	}
	return fmt.Sprintf("%sin %.0f %% of %d pairs (%.0f to %.0f) the same seat won both games, so they do not compare "+
		"the agents; balanced openings or more opening plies may help",
		game, 100*share.Value, pairs, 100*share.Interval.Lo, 100*share.Interval.Hi), share.Interval.Lo > 0.5
}

// noteSplit notes the games in which the seat decides most pairs.
func (p *Pool) noteSplit() {
	for _, s := range p.Table.Strata() {
		if strings.HasSuffix(s, evidence.Forfeited) {
			continue // lost by a fault in either seat: no opening changes that
		}
		split, pairs := p.Table.Split(s)
		if text, most := splitText(s, split, pairs, p.Fit.Level); most {
			p.notes = append(p.notes, text)
		}
	}
}

// splits counts the pairs of one game while they are played.
type splits struct {
	split, pairs int64
	next         int64 // pairs at the next look
}

// firstLook is after how many pairs of a game a run looks whether the seat decides them; then after twice as many, and
// so on. The looks are so few that their level can be that of one.
const firstLook = 20

// note counts a pair, and says so once most are split.
func (x *splits) note(game string, same bool) string {
	if x.pairs++; same {
		x.split++
	}
	if x.pairs < max(x.next, firstLook) {
		return ""
	}
	x.next = 2 * x.pairs
	text, most := splitText(game, x.split, x.pairs, splitLevel)
	if !most {
		return ""
	}
	x.next = 1 << 62 // said once
	return text
}

// splitLevel is the confidence of each look.
const splitLevel = 0.99
