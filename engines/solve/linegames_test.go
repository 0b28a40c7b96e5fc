package solve

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"spar/configs/must"
	"spar/engines"
	"spar/engines/rules"
	"spar/engines/solve/lines"
)

// The provers of line games agree with the alpha-beta search, which shares no code with them, on boards on which threats
// and zones matter; pairs of cells that prove a draw are disjoint, and each line contains one.
func TestLineProversAgree(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := rules.DefaultRules()
		r.Name = "line game"
		r.Board.Columns = rapid.IntRange(3, 6).Draw(t, "columns")
		r.Board.Rows = rapid.IntRange(2, 25/r.Board.Columns).Draw(t, "rows")
		r.Win.Line = rapid.IntRange(2, 4).Draw(t, "line")
		directions := [][]string{nil, {"columns", "diagonals"}, {"diagonals"}, {"rows", "columns"}}
		r.Win.Directions = rapid.SampledFrom(directions).Draw(t, "directions")
		r.Win.Misere = rapid.IntRange(1, 4).Draw(t, "misere") == 1
		r.Turn.FirstTurn = rapid.IntRange(1, 2).Draw(t, "first turn")
		own := r.Win
		turn := rapid.IntRange(1, 2).Draw(t, "second player's first turn")
		own.Line = rapid.IntRange(3, 5).Draw(t, "second player's line")
		own.Directions = rapid.SampledFrom(directions).Draw(t, "second player's directions")
		r.Second = &rules.SecondPlayer{Win: &own, FirstTurn: &turn}
		g, err := engines.Compile(r)
		if err != nil {
			t.Skip(err)
		}
		s, o := g.NewState(), ProofOptions{Memory: 4e6, Nodes: 20_000, Workers: 1}
		played := r.Turn.FirstTurn == 1 && rapid.Bool().Draw(t, "after a move")
		if played {
			s.Play(engines.PlaceMove(engines.Cell(rapid.IntRange(0, g.Cells()-1).Draw(t, "move"))))
		}
		l := lineGame(&s)
		if l == nil {
			t.Fatalf("not a line game\n%s", r.Canonical())
		}
		ours := proveLines(t.Context(), l, o.Nodes, o.Memory)
		theirs, err := newField(g).prove(&budget{ctx: t.Context(), limit: o.Nodes}, &s, o)
		if err != nil || ours.AtLeast > theirs.AtMost || ours.AtMost < theirs.AtLeast {
			t.Fatalf("%+v, by alpha-beta %+v, %v\n%s", ours, theirs, err, r.Canonical())
		}
		if played { // pairs are of cells of the smaller game
			return
		}
		p := lines.Prove(t.Context(), l, lines.Options{Nodes: 2000, Memory: 4e6})
		for side, answer := range p.Wins {
			if answer.Method != lines.Pairing {
				continue
			}
			if r.Win.Misere {
				side = 1 - side
			}
			var used engines.Bits
			var sets []engines.Bits
			for _, pair := range answer.Pairs {
				set := engines.Bits{}.With(engines.Cell(pair[0])).With(engines.Cell(pair[1]))
				if !used.And(set).Empty() {
					t.Fatalf("pairs %v are not disjoint", answer.Pairs)
				}
				used, sets = used.Or(set), append(sets, set)
			}
			for _, w := range g.Windows(side) {
				if !slices.ContainsFunc(sets, w.Cells.Contains) {
					t.Fatalf("the line %v of side %d has none of the pairs %v", w.Cells.Cells(nil), side, answer.Pairs)
				}
			}
		}
	})
}

// Values of line games that are known from publications or follow by hand, most of them too large for a table. With too
// little to search, nothing false is said.
func TestLineGamesAreProved(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		set  []string
		want Outcome
	}{
		{[]string{"board.columns=10", "board.rows=10", "win.line=7"}, Draw},
		{[]string{"board.columns=10", "board.rows=10", "win.line=2"}, Win},
		{[]string{"board.columns=7", "board.rows=7", "win.line=4", "turn.first_turn=2"}, Win},
		{[]string{"board.columns=4", "board.rows=4", "win.line=3", "second.first_turn=2"}, Loss},
	} {
		g := must.Get(engines.Named("classic", c.set...))(t)
		s := g.NewState()
		p, err := Prove(t.Context(), &s, ProofOptions{Memory: 64e6})
		if err != nil || p.AtLeast != c.want || !p.Known() {
			t.Errorf("%v: %+v, %v, want %v", c.set, p, err, c.want)
		}
		if p, err := Prove(t.Context(), &s, ProofOptions{Nodes: 1}); err != nil || p.AtLeast > c.want || p.AtMost < c.want {
			t.Errorf("%v with one node: %+v, %v", c.set, p, err)
		}
	}
}
