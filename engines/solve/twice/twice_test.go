package twice_test

import (
	"testing"

	"spar/engines"
	"spar/engines/people"
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
		"4x4-win3-two-second": lines.Second, "5x5-win4v3": lines.Second, "3x3-lose3": lines.Draw, "7x7-win4-two-first": lines.First,
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
		if got, err := twice.Settle(t.Context(), g, twice.Options{Memory: 8e6, Seconds: 1e-9}); err != nil || got.Value != want && got.Value != lines.Unknown {
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
