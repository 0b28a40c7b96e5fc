package lines_test

import (
	"testing"

	"pgregory.net/rapid"

	"spar/configs/must"
	"spar/engines"
	"spar/engines/rules"
	"spar/engines/solve/lines"
)

// Prove finds the values of small line games that trying all moves finds, with what each side can have for itself, and
// does not settle them when it may search few positions, unless correctly.
func TestProveIsRight(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := rules.DefaultRules()
		r.Name = "line game"
		r.Board.Columns, r.Board.Rows = rapid.IntRange(1, 5).Draw(t, "columns"), rapid.IntRange(1, 4).Draw(t, "rows")
		if r.Board.Columns*r.Board.Rows > 10 {
			r.Board.Rows = 10 / r.Board.Columns
		}
		longest := max(2, r.Board.Columns, r.Board.Rows)
		r.Win.Line = rapid.IntRange(2, longest).Draw(t, "line")
		directions := [][]string{nil, {"columns"}, {"diagonals"}, {"rows", "columns"}}
		r.Win.Directions = rapid.SampledFrom(directions).Draw(t, "directions")
		r.Win.Misere = rapid.Bool().Draw(t, "misere")
		r.Turn.FirstTurn = rapid.IntRange(1, 3).Draw(t, "first turn")
		if rapid.Bool().Draw(t, "unequal") {
			own := r.Win
			own.Line = rapid.IntRange(2, longest).Draw(t, "second player's line")
			own.Directions = rapid.SampledFrom(directions).Draw(t, "second player's directions")
			r.Second = &rules.SecondPlayer{Win: &own}
			if turn := rapid.IntRange(1, 3).Draw(t, "second player's first turn"); turn > 1 {
				r.Second.FirstTurn = &turn
			}
		}
		g, err := engines.Compile(r)
		if err != nil {
			t.Skip(err)
		}
		l := must.Get(lines.From(g))(t)
		s := g.NewState()
		want := lines.Value(exhaust(&s, map[place]engines.Result{}).String())
		limit := rapid.SampledFrom([]uint64{0, 3, 30}).Draw(t, "nodes")
		got := lines.Prove(t.Context(), l, lines.Options{Nodes: limit, Memory: 1e6})
		if got.Value != want && (limit == 0 || got.Value != lines.Unknown) {
			t.Fatalf("%+v: %+v, want %s", r, got, want)
		}
	})
}

type place struct {
	first, second engines.Bits
	mover         int
}

// exhaust tries all moves.
func exhaust(s *engines.State, known map[place]engines.Result) engines.Result {
	if s.Over() {
		return s.Result()
	}
	key := place{s.Pieces(0), s.Pieces(1), s.Side()}
	if r, ok := known[key]; ok {
		return r
	}
	best := engines.Winner(1 - s.Side())
	for _, m := range s.AppendMoves(nil) {
		next := *s
		next.Play(m)
		switch r := exhaust(&next, known); r {
		case engines.Winner(s.Side()):
			known[key] = r
			return r
		case engines.Drawn:
			best = r
		}
	}
	known[key] = best
	return best
}
