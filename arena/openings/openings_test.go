package openings_test

import (
	"context"
	"strings"
	"testing"

	"spar/arena/openings"
	"spar/configs/must"
	"spar/engines"
	"spar/engines/solve"
)

// drawn are the first openings of a book.
func drawn(t *testing.T, rules string, o openings.Options, n int64) (*engines.Game, []string) {
	t.Helper()
	g := must.Get(engines.Named(rules))(t)
	b := openings.NewBook(g, o, 1)
	var out []string
	for i := range b.Distinct(n) {
		out = append(out, b.Text(i))
	}
	return g, out
}

// In a solved game the openings called balanced are draws, by the table; of random ones many are not.
func TestBalancedOpeningsAreDraws(t *testing.T) {
	t.Parallel()
	share := map[string]float64{}
	for _, draw := range []string{"any", "balanced"} {
		g, texts := drawn(t, "classic", openings.Options{Plies: 3, Draw: draw}, 100)
		table := must.Get(solve.Small(context.Background(), g))(t)
		for _, text := range texts {
			p := g.NewPosition()
			must.Do(t, p.PlayText(strings.Fields(text)))
			if v, ok := table.Lookup(&p.State); ok && v.Outcome == solve.Draw {
				share[draw] += 1 / float64(len(texts))
			}
		}
	}
	if share["balanced"] < 0.999 || share["any"] > 0.7 {
		t.Errorf("share of draws: %v", share)
	}
}

// The openings of a seed do not change with the program: studies that are continued rely on it. They change only on
// purpose.
func TestBalancedOpeningsStay(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ rules, want string }{
		{"classic", "a2 a3 b2 | b3 c1 a1"},
		{"vanishing", "a2 c3 a3 | a3 c3 c1"},
		{"checkerboard", "f7 b7 h1 h3 a6 c6 f3 a3 | b6 f8 a1 g4 b7 f6 h5 c4"},
		{"connect4", "c6 a6 f6 e6 d6 f5 g6 d5 | d6 a6 b6 a5 c6 e6 f6 c5"},
		{"ctor", "d5 i4 j5 j8 e4 a1 d9 f9 | a9 c3 a6 f3 a7 g9 d10 h4"},
		{"infiltration", "e6 f1 a7 b4 c6 a1 c8 d4 | e6 c4 a7 h1 e7 d4 f8 e2"},
	} {
		if _, got := drawn(t, c.rules, openings.Options{Draw: "balanced"}, 2); strings.Join(got, " | ") != c.want {
			t.Errorf("%s: %q", c.rules, strings.Join(got, " | "))
		}
	}
}
