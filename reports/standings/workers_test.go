package standings

import (
	"bytes"
	"math"
	"strings"
	"testing"
	"time"

	"spar/arena/store"
	"spar/arena/study"
)

// One worker of two scores 60 of 100 where the other scores 40 of 100: 0.2 a game, over the standard error of two
// shares of half.
func TestWorkersResidual(t *testing.T) {
	t.Parallel()
	joined := time.Unix(1000, 0)
	got := workers([]store.Cell{
		{Worker: "a", Rules: 1, First: 1, Second: 2, Games: 100, Faults: 5, Points: 60, Squares: 60},
		// nobody else has played this
		{Worker: "a", Rules: 1, First: 2, Second: 1, Games: 10, Points: 10, Squares: 10, Superseded: 3},
		{Worker: "b", Rules: 1, First: 1, Second: 2, Games: 100, Points: 40, Squares: 40},
	}, []study.Worker{{
		ID: "b", Slots: 1, Games: 150, Joined: joined, Seen: joined.Add(10 * time.Second),
		Barred: "it cheats",
	}, {ID: "c"}})
	if len(got) != 3 {
		t.Fatalf("%d workers, want a, b and c", len(got))
	}
	a, b := got[0], got[1]
	want := 0.2 / math.Sqrt(0.25*(1./100+1./100))
	if a.Games != 110 || a.Compared != 100 || a.Faults != 5 || a.Superseded != 3 || math.Abs(*a.Residual-want) > 1e-9 ||
		math.Abs(a.Difference-0.2) > 1e-9 {
		t.Errorf("a: %+v, residual %v, want %v", a, *a.Residual, want)
	}
	if c := got[2]; c.FaultShare.Known() || c.Rate != nil {
		t.Errorf("c has played nothing: %+v", c)
	}
	if math.Abs(*b.Residual+want) > 1e-9 || *b.Rate != 15 || got[2].Residual != nil {
		t.Errorf("b: %+v, c: %+v", b, got[2])
	}
	var out bytes.Buffer
	if err := WorkersText(&out, got); err != nil || !strings.Contains(out.String(), "b got no more games: it cheats") ||
		strings.Contains(out.String(), "c got") {
		t.Errorf("%v\n%s", err, &out)
	}
	// worker, at a time, games, games/s, faults, their share by Clopper and Pearson, late, checked, differed, superseded,
	// residual, n
	for _, want := range []string{
		"a – 110 – 5 4.5 % 1.5 to 10.3 0 0 0 3 +2.8 100",
		"b 1 100 15.0 0 0.0 % 0.0 to 3.6 0 0 0 0 −2.8 100", "c – 0 – 0 – 0 0 0 0 – 0",
	} {
		found := false
		for line := range strings.Lines(out.String()) {
			found = found || strings.Join(strings.Fields(line), " ") == want
		}
		if !found {
			t.Errorf("no line %q in\n%s", want, &out)
		}
	}
}
