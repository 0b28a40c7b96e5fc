package pages

import (
	"slices"
	"strings"
	"testing"

	"spar/engines/enginetest"
	"spar/engines/explain"
	"spar/reports/balance"
	"spar/reports/chart"
	"spar/reports/page"
)

// A report whose headline is none of its groups has a page without the numbers of one.
func TestHeadlineOfAPage(t *testing.T) {
	t.Parallel()
	r := reportOn(t, "vanishing")
	for at := -1; at <= len(r.Groups); at++ {
		r.Headline = at
		d, err := Balance(r, Options{})
		if err != nil {
			t.Fatal(err)
		}
		next := d.Answers[slices.IndexFunc(d.Answers, func(a page.Answer) bool { return a.Question == "Next?" })]
		if none := at < 0 || at == len(r.Groups); none != (len(d.Glance) == 0) || none != (next.Text == "Play some games.") {
			t.Errorf("headline %d of %d groups: %q, %q", at, len(r.Groups), d.Glance, next.Text)
		}
	}
}

// Long tables are closed at first.
func TestLongTablesAreFolded(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]bool{4: false, 5: true} {
		b := &builder{r: &balance.Report{Groups: make([]balance.Group, n)}}
		b.main = &b.r.Groups[0]
		b.main.Length.All = twoTiers().Groups[0].Length.All
		for i := range b.r.Groups {
			b.r.Groups[i].Length.All = b.main.Length.All
		}
		if got := tableOf(t, b.length(), "Length in plies").Fold; got != want {
			t.Errorf("lengths of %d groups are folded: %t", n, got)
		}
	}
	for n, want := range map[int]bool{12: false, 13: true} {
		r := twoTiers()
		r.Groups[0].Alive = make([]balance.Use, n)
		b := &builder{r: r, main: &r.Groups[0]}
		if got := b.mechanics(); got.Fold != want || len(got.Rows) != n {
			t.Errorf("%d mechanics are folded: %t, of %d rows", n, got.Fold, len(got.Rows))
		}
	}
}

// The size of a game in a few facts: its length, with the time that it takes at 15 seconds a move, to a tenth below ten minutes.
func TestGlance(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	for _, c := range []struct {
		median   float64
		min, max int
		want     string
		short    bool
	}{
		{20, 9, 40, "A game has 20 moves (middle half 18 to 22): about 5.0 minutes at 15 seconds a move.", false},
		{39, 9, 60, "A game has 39 moves (middle half 37 to 41): about 9.8 minutes at 15 seconds a move.", false},
		{40, 9, 60, "A game has 40 moves (middle half 38 to 42): about 10 minutes at 15 seconds a move.", false},
		{20, 20, 20, "A game has 20 moves: about 5.0 minutes at 15 seconds a move.", false},
		{6, 5, 9, "A game has 6 moves (middle half 4 to 8): about 1.5 minutes at 15 seconds a move. That is really short: there is hardly room for a plan.", true},
	} {
		group := balance.Group{}
		group.Length.All = balance.Spread{Median: about(c.median, "plies"), P25: about(c.median-2, "plies"), P75: about(c.median+2, "plies"), Min: c.min, Max: c.max}
		b := &builder{r: &balance.Report{}, game: g, told: explain.Game(g), main: &group}
		got := b.glance()
		if len(got) == 0 || got[0] != c.want || len(got) != 1+len(b.told.Notes) {
			t.Errorf("median %g: %q", c.median, got)
		}
		group.Choice = &balance.Choice{Mean: about(7, "moves")}
		if b.r.Size.Positions = 1234; !strings.Contains(strings.Join(b.glance(), " "), "A player chooses among 7.0 (6.0–8.0) moves; these games met 1234 different positions.") {
			t.Errorf("choices: %q", b.glance())
		}
	}
	if got := (&builder{}).glance(); got != nil {
		t.Errorf("%q", got)
	}
}

// The last positions of up to three typical games, each once.
func TestFinals(t *testing.T) {
	t.Parallel()
	b := &builder{r: &balance.Report{Samples: []balance.Sample{
		{Kind: "longest", Moves: "d"}, {Kind: "shortest", Moves: "c"}, {Kind: "draw", Moves: "a"}, {Kind: "median", Moves: "a"}, {Kind: "comeback", Moves: "x"}, {Kind: "draw", Moves: "b"},
	}}}
	titles := func() string {
		var out []string
		for _, f := range b.finals() {
			out = append(out, f.Title+" "+strings.Join(f.Moves, " "))
		}
		return strings.Join(out, "; ")
	}
	same(t, "three", "A game of median length a; A draw b; The shortest game c", titles())
	b.r.Samples = b.r.Samples[:4]
	same(t, "one game twice", "A game of median length a; The shortest game c; The longest game d", titles())
}

// How a number is written follows from its unit, else from its size.
func TestUnits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		n      balance.Number
		unit   chart.Unit
		digits int
	}{
		{balance.Number{Unit: "share", Value: 0.5}, chart.Percent, 1},
		{balance.Number{Unit: "score", Value: 0.5}, chart.Percent, 1},
		{balance.Number{Unit: "elo per doubling", Value: 500}, chart.Signed, 0},
		{balance.Number{Unit: "plies", Value: 500}, chart.Number, 1},
		{balance.Number{Unit: "moves", Value: 5}, chart.Number, 1},
		{balance.Number{Value: 100}, chart.Number, 0},
		{balance.Number{Value: -100}, chart.Number, 0},
		{balance.Number{Value: 99.9}, chart.Number, 1},
		{balance.Number{Value: 10}, chart.Number, 1},
		{balance.Number{Value: -9.9}, chart.Number, 2},
	} {
		if u, digits := unit(c.n); u != c.unit || digits != c.digits {
			t.Errorf("%+v: %v with %d digits", c.n, u, digits)
		}
	}
}
