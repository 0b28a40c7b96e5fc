package twice_test

import (
	"testing"

	"pgregory.net/rapid"

	"spar/engines"
	"spar/engines/people"
	"spar/engines/rules"
	"spar/engines/solve/lines"
	"spar/engines/solve/twice"
)

// Every method settles a game of the suite, small boards with a second prover; without time nothing false is said, and
// other rules are refused.
func TestSettle(t *testing.T) {
	t.Parallel()
	games, err := people.Suite()
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]lines.Value{
		"10x10-win2": lines.First, "10x10-lose10": lines.Draw, "10x10-win7": lines.Draw, "3x3-win3": lines.Draw,
		"4x4-win3-two-second": lines.Second, "5x5-win4v3": lines.Second, "3x3-lose3": lines.Draw,
		"7x7-win4-two-first": lines.First,
	}
	for i := range games {
		want, ok := values[games[i].ID]
		if !ok {
			continue
		}
		g, err := games[i].Compile()
		if err != nil {
			t.Fatal(err)
		}
		got, err := twice.Settle(t.Context(), g, twice.Options{Memory: 8e6, Seconds: 60})
		if err != nil || got.Value != want || got.Method == "" || got.Second == "" && g.Cells() <= twice.CheckedCells {
			t.Errorf("%s: %+v, %v, want %s", games[i].ID, got, err, want)
		}
		if got, err := twice.Settle(t.Context(), g, twice.Options{Memory: 8e6, Seconds: 1e-9}); err != nil ||
			got.Value != want && got.Value != lines.Unknown {
			t.Errorf("%s without time: %+v, %v", games[i].ID, got, err)
		}
	}
	g, err := engines.Named("connect4")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := twice.Settle(t.Context(), g, twice.Options{Memory: 8e6, Seconds: 60}); err == nil {
		t.Errorf("connect4 is taken for a line game: %+v", got)
	}
}

// The provers do not disagree about line games of boards on which threats and zones matter.
func TestProversAgree(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := rules.DefaultRules()
		r.Name = "line game"
		r.Board.Columns = rapid.IntRange(3, 6).Draw(t, "columns")
		r.Board.Rows = rapid.IntRange(2, twice.CheckedCells/r.Board.Columns).Draw(t, "rows")
		r.Win.Line = rapid.IntRange(3, 4).Draw(t, "line")
		directions := [][]string{nil, {"columns", "diagonals"}, {"diagonals"}, {"rows", "columns"}}
		r.Win.Directions = rapid.SampledFrom(directions).Draw(t, "directions")
		r.Win.Misere = rapid.IntRange(1, 4).Draw(t, "misere") == 1
		r.Turn.FirstTurn = rapid.IntRange(1, 2).Draw(t, "first turn")
		own, turn := r.Win, rapid.IntRange(1, 2).Draw(t, "second player's first turn")
		own.Line = rapid.IntRange(3, 5).Draw(t, "second player's line")
		own.Directions = rapid.SampledFrom(directions).Draw(t, "second player's directions")
		r.Second = &rules.SecondPlayer{Win: &own, FirstTurn: &turn}
		g, err := engines.Compile(r)
		if err != nil {
			t.Skip(err)
		}
		if _, err := twice.Settle(t.Context(), g, twice.Options{Memory: 4e6, Seconds: 0.01}); err != nil {
			t.Fatalf("%v\n%s", err, r.Canonical())
		}
	})
}
