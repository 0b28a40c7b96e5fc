package ratings

import (
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// ring is a table in which each player beats the next, the last the first: in both seats he wins won of each hundred
// games and loses the others.
func ring(t *testing.T, names string, won int64) *Table {
	t.Helper()
	return build(t, func(b *Builder) error {
		var errs []error
		for i := range names {
			x, y := names[i:i+1], string(names[(i+1)%len(names)])
			errs = append(errs, b.AddCount(x, y, "", won, 0, 100-won), b.AddCount(y, x, "", 100-won, 0, won))
		}
		return errors.Join(errs...)
	})
}

// Three in a ring, by hand. No rating explains anything: the potential is 0 and all is cyclic, around one triangle. A
// flow is the logit of (s+¼)/(n+½) points; its noise is that of the scores of both seats by the slope of the logit
// there; of the three dimensions one is cyclic, so that a third of the noise is expected there.
func TestRingOfThree(t *testing.T) {
	t.Parallel()
	table := ring(t, "abc", 64)
	h := table.Hodge()
	s := 128.25 / 200.5
	y := 400 * math.Log10(s/(1-s))
	near(t, "total", h.Total, 3*200*y*y, 0, 1e-9)
	near(t, "gradient", h.Gradient, 0, 1e-6, 0)
	near(t, "cyclic", h.Cyclic, h.Total, 0, 1e-9)
	near(t, "curl", h.Curl, h.Total, 0, 1e-9)
	near(t, "harmonic", h.Harmonic, 0, 1e-3, 0)
	near(t, "share", h.CyclicShare, 1, 1e-9, 0)
	seat := 64.25 / 100.5
	slope := math.Ln10 / 400 * s * (1 - s)
	noise := 200 * (2 * seat * (1 - seat) / 100 / 4) / (slope * slope) // of one match-up, times its games
	near(t, "noise", h.NoiseShare, noise/h.Total, 1e-9, 0)
	near(t, "corrected", h.Corrected, min(1, (h.Total-noise)/(h.Total-3*noise)), 1e-9, 0)
	for i, want := range map[int]float64{0: y, 1: -y, 2: y} { // a-b, a-c, b-c
		near(t, "pair", h.Pairs[i].Elo, want, 1e-9, 0)
	}
	for i := range 3 {
		near(t, "potential", h.Ratings[i], 0, 1e-9, 0)
	}
	wins, cyclic, triads := table.Copeland()
	if fmt.Sprint(wins) != "[0 0 0]" || cyclic != 1 || triads != 1 {
		t.Errorf("Copeland %v, %d of %d triads cyclic", wins, cyclic, triads)
	}
	n := table.NashAverage()
	rank, err := table.AlphaRank(0.01)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		near(t, "mass", n.Mass[i], 1.0/3, 1e-5, 0)
		near(t, "skill", n.Skill[i], 0, 1e-3, 0)
		near(t, "α-rank", rank[i], 1.0/3, 1e-12, 0)
	}
}

// Four in a ring have no triangle: what flows around is harmonic. There is no triad that met.
func TestRingOfFour(t *testing.T) {
	t.Parallel()
	table := ring(t, "abcd", 64)
	h := table.Hodge()
	near(t, "cyclic", h.Cyclic, h.Total, 0, 1e-9)
	near(t, "curl", h.Curl, 0, 0, 0)
	near(t, "harmonic", h.Harmonic, h.Total, 0, 1e-9)
	if wins, cyclic, triads := table.Copeland(); fmt.Sprint(wins) != "[0 0 0 0]" || cyclic != 0 || triads != 0 {
		t.Errorf("Copeland %v, %d of %d triads cyclic", wins, cyclic, triads)
	}
}

// Strictly transitive flows, a-b 1, b-c 1, a-c 2 in logits, leave nothing cyclic: the potential is 1, 0, -1 times the
// unit. With the shrinking (s+¼)/(n+½) such scores are made by hand.
func TestTransitiveTable(t *testing.T) {
	t.Parallel()
	// Of a million games, so that whole numbers meet the logits.
	const n = 1_000_000
	points := func(logit float64) int64 {
		return int64(math.Round(2*n/(1+math.Exp(-logit))/2)) - 0
	}
	one, two := points(0.5), points(1)
	table := build(t, all(
		count("a", "b", one, 0, n-one), count("b", "a", n-one, 0, one),
		count("b", "c", one, 0, n-one), count("c", "b", n-one, 0, one),
		count("a", "c", two, 0, n-two), count("c", "a", n-two, 0, two),
	))
	h := table.Hodge()
	unit := 0.5 * 400 / math.Ln10
	for i, want := range []float64{unit, 0, -unit} {
		near(t, "potential", h.Ratings[i], want, 1e-3, 0)
	}
	near(t, "cyclic share", h.CyclicShare, 0, 1e-9, 0)
	near(t, "energies", h.Gradient+h.Cyclic, h.Total, 0, 1e-9)
	if wins, cyclic, triads := table.Copeland(); fmt.Sprint(wins) != "[2 0 -2]" || cyclic != 0 || triads != 1 {
		t.Errorf("Copeland %v, %d of %d triads cyclic", wins, cyclic, triads)
	}
	m := table.NashAverage()
	near(t, "mass of the best", m.Mass[0], 1, 1e-5, 0)
	near(t, "skill of the second", m.Skill[1], -unit, 1e-2, 0)
	near(t, "skill of the third", m.Skill[2], -2*unit, 1e-2, 0)
}

// The limits of the masses hold the estimate, are the same for the same seed, and narrow with the games; options are
// checked.
func TestNashBootstrap(t *testing.T) {
	t.Parallel()
	width := func(scale int64) float64 {
		table := build(t, func(b *Builder) error {
			return errors.Join(b.AddCount("a", "b", "", 6*scale, 0, 4*scale), b.AddCount("b", "c", "", 6*scale, 0, 4*scale),
				b.AddCount("c", "a", "", 6*scale, 0, 4*scale))
		})
		n, err := table.NashBootstrap(40, 7, 0.9)
		if err != nil {
			t.Fatal(err)
		}
		again, _ := table.NashBootstrap(40, 7, 0.9)
		total := 0.0
		for i := range n.Mass {
			if !(0 <= n.MassLo[i] && n.MassLo[i] <= n.Mass[i] && n.Mass[i] <= n.MassHi[i] && n.MassHi[i] <= 1) ||
				n.Replicates != 40 {
				t.Errorf("%+v", n)
			}
			if n.MassLo[i] != again.MassLo[i] || n.MassHi[i] != again.MassHi[i] {
				t.Error("the same seed gives other limits")
			}
			total += n.MassHi[i] - n.MassLo[i]
		}
		return total
	}
	if few, many := width(10), width(1000); !(many < few/3) {
		t.Errorf("limits %g wide of few games, %g of a hundred times as many", few, many)
	}
}

// The fit says in words which groups never met, whom to let play whom, who has no bound and why: testdata/warnings.txt
// has the warnings and suggestions of each table.
func TestWarnings(t *testing.T) {
	t.Parallel()
	level := func(a, b string) func(*Builder) error {
		return all(count(a, b, 3, 1, 2), count(b, a, 3, 1, 2))
	}
	groups := func(b *Builder) error {
		var errs []error
		for i := range 7 {
			errs = append(errs, level(fmt.Sprintf("x%d", i), fmt.Sprintf("y%d", i))(b))
		}
		return errors.Join(errs...)
	}
	idle := func(n int) func(*Builder) error {
		return func(b *Builder) error {
			var errs []error
			for i := range n {
				errs = append(errs, b.AddPlayer(fmt.Sprintf("idle%d", i)))
			}
			return errors.Join(errs...)
		}
	}
	repeated := func(b *Builder) error {
		var errs []error
		for i := range 10 {
			names := []string{"a", "b"}
			g := Game{First: names[i%2], Second: names[1-i%2], Result: Outcome(i / 2 % 3), Hash: uint64(i/2 + 1)}
			errs = append(errs, b.Add(g))
		}
		return errors.Join(errs...)
	}
	var out strings.Builder
	for _, c := range []struct {
		name string
		fill func(*Builder) error
		o    Options
	}{
		{"fine", level("a", "b"), Options{Errors: ErrorDrawAware}},
		{"two groups", all(level("a", "b"), level("c", "d")), Options{}},
		{"the middle of a group", all(count("b", "a", 6, 0, 4), count("a", "b", 4, 0, 6), count("a", "c", 6, 0, 4),
			count("c", "a", 4, 0, 6), level("x", "y")), Options{}},
		{"seven groups", groups, Options{}},
		{"nobody plays", all(level("a", "b"), idle(8)), Options{}},
		{"one does not play", all(level("a", "b"), idle(1)), Options{}},
		{"seats never swapped in four match-ups", all(count("a", "c", 3, 1, 2), count("a", "d", 3, 1, 2),
			count("b", "c", 3, 1, 2), count("b", "d", 2, 1, 3)), Options{}},
		{"seats never swapped in one of two strata", func(b *Builder) error {
			return errors.Join(b.AddCount("a", "b", "x", 3, 1, 2), b.AddCount("b", "a", "x", 3, 1, 2),
				b.AddCount("a", "c", "x", 3, 1, 2), b.AddCount("d", "e", "y", 3, 1, 2))
		}, Options{PerStratum: true}},
		{"draw parameters by stratum", level("a", "b"), Options{
			Model: ModelDavidson, PerStratum: true,
			Errors: ErrorDrawAware,
		}},
		{"draw parameters of two strata", all(level("a", "b"),
			func(b *Builder) error { return b.AddCount("a", "b", "y", 3, 1, 2) }), Options{
			Model:      ModelDavidson,
			PerStratum: true, Errors: ErrorDrawAware,
		}},
		{
			"scores of two strata", all(level("a", "b"), func(b *Builder) error { return b.AddCount("a", "b", "y", 3, 1, 2) }),
			Options{PerStratum: true, Errors: ErrorDrawAware},
		},
		{"draws only", all(count("a", "b", 0, 2, 0), count("b", "a", 0, 2, 0)), Options{}},
		{"no games", all(), Options{}},
		{"one above", all(level("b", "c"), level("c", "d"), count("a", "b", 5, 0, 0), count("b", "a", 0, 0, 5)), Options{}},
		{
			"one below", all(level("b", "c"), level("c", "d"), count("a", "b", 0, 0, 5), count("b", "a", 5, 0, 0)),
			Options{PriorSD: 300},
		},
		{
			"two above two", all(level("a", "b"), level("c", "d"), count("a", "c", 5, 0, 0), count("c", "b", 0, 0, 5)),
			Options{},
		},
		{"four above", all(level("y", "z"), count("a", "y", 5, 0, 0), count("b", "y", 5, 0, 0), count("c", "y", 5, 0, 0),
			count("d", "y", 5, 0, 0)), Options{}},
		{"seats never swapped", all(count("a", "b", 3, 1, 2)), Options{}},
		{"first always wins", all(count("a", "b", 5, 0, 0), count("b", "a", 5, 0, 0)), Options{}},
		{"one win of either seat", all(count("a", "b", 1, 0, 0), count("b", "a", 1, 0, 0)), Options{}},
		{"second always wins", all(count("a", "b", 0, 0, 5), count("b", "a", 0, 0, 5)), Options{}},
		{"prior on request", level("a", "b"), Options{AlwaysPrior: true}},
		{"repeated games", repeated, Options{}},
	} {
		f := mustFit(t, build(t, c.fill), c.o)
		fmt.Fprintf(&out, "# %s\n", c.name)
		for _, w := range f.Warnings {
			fmt.Fprintln(&out, w)
		}
		for _, s := range f.Suggestions {
			fmt.Fprintf(&out, "  %s against %s: %s\n", s.First, s.Second, s.Why)
		}
	}
	const file = "testdata/warnings.txt"
	if *update {
		if err := os.WriteFile(file, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), out.String()); d != "" {
		t.Error(d)
	}
}
