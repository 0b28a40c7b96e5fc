package arena

import (
	"math"

	"spar/engines"
	"spar/engines/solve"
)

// judge ends games that both agents agree on or that a table knows.
type judge struct {
	o     Adjudge
	table *solve.Table
	runs  [3]int // decisions in a row that see the first player lost, the second lost, a draw
}

func newJudge(o Adjudge, table *solve.Table) *judge {
	if o.Moves == 0 {
		o.Moves = 6
	}
	return &judge{o: o, table: table}
}

// look takes a position and the score that the side that has just moved expects.
func (j *judge) look(s *engines.State, side int, score float64) (engines.Result, string) {
	if r := j.exact(s); r != engines.Ongoing {
		return r, "exact"
	}
	if j.o.Resign == 0 && j.o.Draw == 0 {
		return engines.Ongoing, ""
	}
	first := score
	if side == engines.Second {
		first = 1 - score
	}
	count := func(i int, on bool) int {
		if on && !math.IsNaN(score) {
			j.runs[i]++
		} else {
			j.runs[i] = 0
		}
		return j.runs[i]
	}
	lost, won := count(0, first <= j.o.Resign), count(1, first >= 1-j.o.Resign)
	even := count(2, math.Abs(first-0.5) <= j.o.Draw && s.Ply() >= j.o.From)
	switch {
	case j.o.Resign > 0 && lost >= j.o.Moves:
		return engines.SecondWins, "resign"
	case j.o.Resign > 0 && won >= j.o.Moves:
		return engines.FirstWins, "resign"
	case j.o.Draw > 0 && even >= j.o.Moves:
		return engines.Drawn, "agreed_draw"
	}
	return engines.Ongoing, ""
}

// exact is the value of a position in the table, or Ongoing where it is not looked up or not known.
func (j *judge) exact(s *engines.State) engines.Result {
	if j.table == nil || s.Ply() < j.o.Exact {
		return engines.Ongoing
	}
	v, ok := j.table.Lookup(s)
	switch v = v.Under(s.Game().Rules().Draw.MaxPlies, s.Ply()); {
	case !ok:
		return engines.Ongoing
	case v.Outcome == solve.Win:
		return engines.Winner(s.Side())
	case v.Outcome == solve.Loss:
		return engines.Winner(1 - s.Side())
	}
	return engines.Drawn
}
