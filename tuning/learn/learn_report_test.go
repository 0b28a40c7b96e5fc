package learn

import (
	"math"
	"testing"

	"spar/engines/enginetest"
)

// A report says of the games since the one before what they were like: how many had a winner, what the first player scored, how long they
// took. The games of the first batch are those that a net of nothing plays.
func TestReportOfABatch(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	tr, err := New(t.Context(), g, Options{Games: batch, Seed: 9})
	if err != nil {
		t.Fatal(err)
	}
	net, err := tr.Net()
	if err != nil {
		t.Fatal(err)
	}
	lessons, err := tr.play(t.Context(), net, batch)
	if err != nil {
		t.Fatal(err)
	}
	want := Report{Games: batch, Total: batch}
	for _, l := range lessons {
		want.First += l.Result / batch
		want.Plies += float64(len(l.Moves)) / batch
		if l.Result == 0.5 {
			want.Draws += 1.0 / batch
		} else {
			want.Decided++
		}
	}
	var got Report
	if err := tr.Run(t.Context(), func(r Report) { got = r }, nil); err != nil {
		t.Fatal(err)
	}
	near := func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }
	if got.Games != want.Games || got.Total != want.Total || got.Decided != want.Decided || !near(got.First, want.First) || !near(got.Draws, want.Draws) || !near(got.Plies, want.Plies) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if want.Draws == 0 || want.Draws > 0.9 || want.First == 0.5 {
		t.Errorf("games that decide nothing: %+v", want)
	}
}

// How much is learned for a study grows with the effort, ten times and more a step of games.
func TestEffortOfLearning(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		effort  string
		minutes float64
		games   int64
	}{{"quick", 0.1, 10_000}, {"normal", 1, 200_000}, {"thorough", 5, 1_000_000}} {
		if m, n := MinutesOf(c.effort), GamesOf(c.effort); m != c.minutes || n != c.games {
			t.Errorf("%s: %g minutes, %d games", c.effort, m, n)
		}
	}
}
