package standings_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"spar/ratings"
	"spar/reports/standings"
)

// The last screen of a run: who leads and what moving first is worth, in words that follow from the results.
func TestBrief(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name         string
		pairs        int
		upset        int // of ten pairs, so many in which the weaker agent scores as well
		first        int // of ten pairs, so many that the first player wins in both games
		want, unlike string
	}{
		{"one is better", 100, 0, 0, "strong is the strongest; whether moving first helps is open: the first player scores 50 %", "share the lead"},
		{"alike", 100, 10, 0, "too few games to tell the agents apart", "is the strongest"},
		{"the seat decides", 100, 0, 10, "moving first helps: the first player scores 100 %", "is the strongest"},
		{"two games", 1, 0, 0, "whether moving first helps is open", "moving first helps:"},
	} {
		b := &ratings.Builder{}
		add := func(first, second, winner, pair string) {
			r := ratings.FirstWins
			if winner == second {
				r = ratings.SecondWins
			}
			if err := b.Add(ratings.Game{First: first, Second: second, Result: r, Stratum: "classic", Pair: pair}); err != nil {
				t.Fatal(err)
			}
		}
		for i := range c.pairs {
			pair := fmt.Sprint(i)
			one, two := "strong", "strong"
			switch {
			case i%10 < c.first:
				two = "weak" // the first player each time
			case i%10 < c.upset:
				one, two = "weak", "strong"
			}
			add("strong", "weak", one, pair)
			add("weak", "strong", two, pair)
		}
		p := &standings.Pool{Title: "classic", Rules: "classic", Table: b.Table(), Played: int64(2 * c.pairs)}
		if err := p.Rate(ratings.Options{PerStratum: true}); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := standings.Brief(&out, []*standings.Pool{p}); err != nil {
			t.Fatal(err)
		}
		if s := out.String(); !strings.Contains(s, c.want) || strings.Contains(s, c.unlike) || strings.Contains(s, "chi") {
			t.Errorf("%s: want %q, not %q:\n%s", c.name, c.want, c.unlike, s)
		}
	}
}

// One game is enough for a share of the points, and a study without notes speaks of none.
func TestBriefOfOneGame(t *testing.T) {
	t.Parallel()
	b := &ratings.Builder{}
	if err := b.Add(ratings.Game{First: "one", Second: "two", Result: ratings.FirstWins, Stratum: "classic"}); err != nil {
		t.Fatal(err)
	}
	p := &standings.Pool{Title: "classic", Rules: "classic", Table: b.Table(), Played: 1}
	if err := p.Rate(ratings.Options{PerStratum: true}); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := standings.Brief(&out, []*standings.Pool{p}); err != nil {
		t.Fatal(err)
	}
	if s := out.String(); !strings.Contains(s, "100 %") || !strings.Contains(s, " 0 %") || strings.Contains(s, "\n0 notes") {
		t.Error(s)
	}
}

// Of a study without games nothing is said.
func TestBriefOfNothing(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if err := standings.Brief(&out, nil); err != nil || out.Len() > 0 {
		t.Errorf("%q, %v", &out, err)
	}
}
