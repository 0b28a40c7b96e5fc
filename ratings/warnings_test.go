package ratings

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"spar/configs/must"
)

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
			Options{priorSD: 300},
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
		{"repeated games", repeated, Options{}},
	} {
		f := mustFit(t, build(t, c.fill), c.o)
		fmt.Fprintf(&out, "# %s\n", c.name)
		for _, w := range f.Warnings {
			fmt.Fprintln(&out, w)
		}
	}
	const file = "testdata/warnings.txt"
	if *update {
		must.Do(t, os.WriteFile(file, []byte(out.String()), 0o644))
	}
	want := must.Get(os.ReadFile(file))(t)
	if d := cmp.Diff(string(want), out.String()); d != "" {
		t.Error(d)
	}
}
