package arena

import (
	"math"
	"strings"

	"spar/engines"
	"spar/engines/solve"
)

// Reasons lists the words for how a game ends without a fault of an agent: by the rules, by adjudication, or by the
// time limit of a game.
func Reasons() []string {
	return append(engines.Reasons(), "resign", "agreed_draw", "exact", "forced_draw", "clock")
}

// Forfeits lists the words for how an agent's failure ends a game. External programs may add others.
func Forfeits() []string {
	return strings.Fields("forfeit_illegal forfeit_timeout forfeit_crash forfeit_garbage " +
		"forfeit_error forfeit_panic forfeit_build forfeit_resign")
}

// judge ends games early: if both agents agree about the result, if a table of exact values has it, or if a proof
// shows a draw.
type judge struct {
	o     Adjudge
	table *solve.Table
	runs  [3]run // latest decisions that agree, for each opinion: the first player loses, the second loses, a draw
}

// run is a number of consecutive decisions with the same opinion.
type run struct {
	moves int
	// sides that made at least one of the decisions; one side can make several in a turn, and an agent may give no
	// score
	sides [2]bool
}

// look examines a position. The score is the one that the side that just moved expects.
func (j *judge) look(s *engines.State, side int, score float64) (engines.Result, string) {
	if r := j.exact(s); r != engines.Ongoing {
		return r, "exact"
	}
	if j.o.ForcedDraw && s.ForcedDraw() {
		return engines.Drawn, "forced_draw"
	}
	if j.o.Resign == 0 && j.o.Draw == 0 {
		return engines.Ongoing, ""
	}
	first := engines.OfFirst(score, side)
	agreed := func(i int, on bool) bool {
		if !on || math.IsNaN(score) {
			j.runs[i] = run{}
			return false
		}
		r := &j.runs[i]
		r.moves, r.sides[side] = r.moves+1, true
		return r.moves >= j.o.Moves && r.sides[0] && r.sides[1] // both have had the same opinion
	}
	lost := agreed(0, first <= j.o.Resign)
	won := agreed(1, first >= 1-j.o.Resign)
	even := agreed(2, math.Abs(first-0.5) <= j.o.Draw && s.Ply() >= j.o.From)
	switch {
	case j.o.Resign > 0 && lost:
		return engines.SecondWins, "resign"
	case j.o.Resign > 0 && won:
		return engines.FirstWins, "resign"
	case j.o.Draw > 0 && even:
		return engines.Drawn, "agreed_draw"
	}
	return engines.Ongoing, ""
}

// exact returns the value of the position in the table, or Ongoing if there is no table or the table does not have it.
func (j *judge) exact(s *engines.State) engines.Result {
	if j.table == nil || s.Ply() < j.o.Exact {
		return engines.Ongoing
	}
	v, ok := j.table.Lookup(s)
	if !ok {
		return engines.Ongoing
	}
	return v.Under(s.Game().Rules().Draw.MaxPlies, s.Ply()).Outcome.Result(s.Side())
}
