package published

import (
	"context"
	"testing"
	"time"

	"spar/engines"
	"spar/engines/solve"
)

// The solver finds the known values, who wins, in how many plies and by how many first moves, as far as they are known.
func TestPublishedValues(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, e := range Table() {
		if seen[e.Name] || e.Source == "" || e.Value.Winner == "" {
			t.Errorf("%+v: the name stands twice, or something is missing", e)
		}
		seen[e.Name] = true
		g, err := engines.Named(e.Rules, e.Set...)
		if err != nil {
			t.Errorf("%s: %v", e.Name, err)
			continue
		}
		if s := g.NewState(); s.Side() != engines.First {
			t.Errorf("%s: the second player begins", e.Name)
		}
		if e.Long {
			continue
		}
		t.Run(e.Name, func(t *testing.T) {
			t.Parallel()
			a, err := e.Check(t.Context(), t.Context(), solve.Options{Workers: 1, Memory: 64e6})
			if err != nil || a.Verdict != Same || a.States == 0 {
				t.Errorf("%v, known %v: %+v, %v", a.Ours, e.Value, a, err)
			}
		})
	}
}

// What differs from a known value is called different, and nothing else is; limits are a verdict, an end of everything
// is an error.
func TestCheck(t *testing.T) {
	t.Parallel()
	past, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancel()
	for _, c := range []struct {
		name    string
		value   Value
		proof   bool
		limited context.Context
		memory  int64
		want    string
	}{
		{"tapatan is won in 9 by the centre", Value{"first", 9, "1/4/4"}, false, t.Context(), 0, Same},
		{"less is known", Value{"first", 0, ""}, false, t.Context(), 0, Same},
		{"another winner", Value{"second", 0, ""}, false, t.Context(), 0, Different},
		{"a draw", Value{"draw", 0, ""}, false, t.Context(), 0, Different},
		{"another length", Value{"first", 7, ""}, false, t.Context(), 0, Different},
		{"other openings", Value{"first", 9, "2/3/4"}, false, t.Context(), 0, Different},
		{"by proof", Value{"first", 0, ""}, true, t.Context(), 1e6, Same},
		{"another winner by proof", Value{"second", 0, ""}, true, t.Context(), 1e6, Different},
		{"no time", Value{"second", 0, ""}, false, past, 0, NotAttempted},
		{"no time for a proof", Value{"second", 0, ""}, true, past, 1e6, NotAttempted},
		{"no memory", Value{"second", 0, ""}, false, t.Context(), 1000, NotAttempted},
	} {
		e := Entry{Name: c.name, Rules: "tapatan", Value: c.value, Proof: c.proof}
		a, err := e.Check(t.Context(), c.limited, solve.Options{Memory: c.memory, Workers: 1})
		if err != nil || a.Verdict != c.want || (a.Ours == nil) != (c.want == NotAttempted) ||
			(a.Why == "") != (a.Ours != nil) {
			t.Errorf("%s: %+v, %v, want %s", c.name, a, err, c.want)
		}
	}
	over, end := context.WithCancel(t.Context())
	end()
	e := Entry{Name: "interrupted", Rules: "tapatan"}
	if a, err := e.Check(over, over, solve.Options{}); err == nil {
		t.Errorf("after the end: %+v", a)
	}
}
