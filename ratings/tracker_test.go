package ratings

import (
	"math"
	"testing"
)

// track feeds a tracker and returns it with its verdict after each item.
func track(t *testing.T, test SPRT, pentanomial bool, items ...int) (*Tracker, []State) {
	t.Helper()
	tr, err := NewTracker(test, pentanomial)
	if err != nil {
		t.Fatal(err)
	}
	var states []State
	for _, i := range items {
		s, err := tr.Add(i)
		if err != nil {
			t.Fatal(err)
		}
		states = append(states, s)
	}
	return tr, states
}

// correctedBounds are Wald's bounds with the small-sample factor 1 + 2/n, less (above) or plus (below) the mean excess of
// Siegmund: the mean square of the steps between successive records over twice their mean. LLR itself is compared with
// references elsewhere.
func correctedBounds(t *testing.T, test SPRT, categories int, items []int) (lower, upper float64) {
	t.Helper()
	counts := make([]float64, categories)
	var up, down []float64 // steps
	top, bottom := 0.0, 0.0
	for _, i := range items {
		counts[i]++
		llr, err := LLR(counts, test.Model, test.Elo0, test.Elo1)
		if err != nil {
			t.Fatal(err)
		}
		if llr > top {
			up, top = append(up, llr-top), llr
		}
		if llr < bottom {
			down, bottom = append(down, bottom-llr), llr
		}
	}
	excess := func(steps []float64) float64 {
		if len(steps) == 0 {
			return 0
		}
		sum, squares := 0.0, 0.0
		for _, s := range steps {
			sum, squares = sum+s, squares+s*s
		}
		n := float64(len(steps))
		return (squares / n) / (2 * sum / n)
	}
	raise := 1 + 2/float64(len(items))
	return math.Log(0.05/0.95)*raise + excess(down), math.Log(0.95/0.05)*raise - excess(up)
}

// The bounds in force are Wald's, raised for small samples and brought nearer by the mean overshoot on their own side.
func TestTrackerCorrectsForOvershoot(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		test  SPRT
		pairs bool
		items []int
	}{
		{"rising", SPRT{Elo0: 0, Elo1: 50}, false, []int{2, 1, 2, 0, 2, 2, 1, 2}},
		{"falling", SPRT{Elo0: 0, Elo1: 50}, false, []int{0, 1, 0, 2, 0, 0, 1, 0}},
		{"pairs", SPRT{Elo0: -20, Elo1: 30}, true, []int{2, 4, 1, 3, 3, 0, 2, 4, 4}},
		{"normalized", SPRT{Model: BoundsNormalized, Elo0: -20, Elo1: 30}, true, []int{2, 4, 1, 3, 3, 0, 2, 1, 1}},
	} {
		tr, states := track(t, c.test, c.pairs, c.items...)
		if last := states[len(states)-1]; last != StateContinue {
			t.Fatalf("%s: %s after %d items; the case is meant to go on", c.name, last, len(c.items))
		}
		lower, upper := tr.Bounds()
		wantLower, wantUpper := correctedBounds(t, c.test, len(tr.Counts()), c.items)
		near(t, c.name+" lower", lower, wantLower, 1e-12, 0)
		near(t, c.name+" upper", upper, wantUpper, 1e-12, 0)
	}
	// Before the first item there is no excess, and n counts as 1.
	tr, _ := track(t, SPRT{Elo1: 5}, true)
	lower, upper := tr.Bounds()
	near(t, "upper at the start", upper, 3*math.Log(19), 1e-12, 0)
	near(t, "lower at the start", lower, -3*math.Log(19), 1e-12, 0)
}

// Steps so large that the excess exceeds the bound bring it to 0, never past it.
func TestTrackerBoundsNeverCross(t *testing.T) {
	t.Parallel()
	for _, category := range []int{0, 2} {
		tr, _ := track(t, SPRT{Elo0: -1900, Elo1: 1900, Alpha: 0.4, Beta: 0.4}, false, category)
		if lower, upper := tr.Bounds(); lower > 0 || upper < 0 || lower < 0 && upper > 0 {
			t.Errorf("bounds %g and %g after one result of category %d: one of them should be 0", lower, upper, category)
		}
	}
}

// The correction decides: the test stops at the first item whose ratio reaches the corrected bound, before Wald's own bound is
// reached, and the verdict then stays whatever comes after, while everything is counted.
func TestTrackerStopsAtTheCorrectedBound(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		category int
		state    State
	}{{2, StateAcceptH1}, {0, StateAcceptH0}} {
		// Bounds symmetric about 0, so that wins and losses are mirror images.
		test := SPRT{Elo0: -60, Elo1: 60}
		var items []int
		stop, first := 0, 0
		for i := range 200 {
			// Every third a draw, so that the scores vary.
			item := c.category
			if i%3 == 2 {
				item = 1
			}
			items = append(items, item)
			if stop > 0 {
				continue
			}
			counts := make([]float64, 3)
			for _, k := range items {
				counts[k]++
			}
			llr, err := LLR(counts, test.Model, test.Elo0, test.Elo1)
			if err != nil {
				t.Fatal(err)
			}
			lower, upper := correctedBounds(t, test, 3, items)
			if llr >= upper || llr <= lower {
				stop, first = i+1, i+1
				if raise := 1 + 2/float64(stop); math.Abs(llr) > math.Log(19)*raise {
					t.Fatalf("the case does not tell the corrected bound from the plain one: LLR %g at %d", llr, stop)
				}
			}
		}
		tr, states := track(t, test, false, items...)
		for i, s := range states {
			want := StateContinue
			if i+1 >= first {
				want = c.state
			}
			if s != want {
				t.Fatalf("%s after %d items, want %s", s, i+1, want)
			}
		}
		other := 2 - c.category
		for range 3000 {
			if _, err := tr.Add(other); err != nil {
				t.Fatal(err)
			}
		}
		r, err := tr.Result()
		if err != nil {
			t.Fatal(err)
		}
		if r.State != c.state || r.Elo.N != 3200 || tr.Counts()[other] != 3000 {
			t.Errorf("after 3000 results the other way: %s, n %d, counts %v; want %s for good, n 3200", r.State, r.Elo.N, tr.Counts(), c.state)
		}
	}
}

// Exchanging wins and losses and turning the hypotheses round turns the whole result round.
func TestSPRTIsSymmetric(t *testing.T) {
	t.Parallel()
	items := []int{2, 4, 1, 3, 3, 0, 2, 4, 4, 3, 4}
	mirrored := make([]int, len(items))
	for i, k := range items {
		mirrored[i] = 4 - k
	}
	a, _ := track(t, SPRT{Elo0: -10, Elo1: 40, Alpha: 0.02, Beta: 0.1}, true, items...)
	b, _ := track(t, SPRT{Elo0: -40, Elo1: 10, Alpha: 0.1, Beta: 0.02}, true, mirrored...)
	x, err := a.Result()
	if err != nil {
		t.Fatal(err)
	}
	y, err := b.Result()
	if err != nil {
		t.Fatal(err)
	}
	near(t, "LLR", y.LLR, -x.LLR, 1e-9, 0)
	near(t, "lower", y.Lower, -x.Upper, 1e-9, 0)
	near(t, "upper", y.Upper, -x.Lower, 1e-9, 0)
	near(t, "score", y.Score, 1-x.Score, 1e-12, 0)
	near(t, "Elo", y.Elo.Value, -x.Elo.Value, 1e-3, 0)
	near(t, "plain Elo", y.PlainElo, -x.PlainElo, 1e-9, 0)
	near(t, "LOS", y.LOS, 1-x.LOS, 1e-6, 0)
}

// Without items there is no evidence: even odds, an interval open on both sides, no verdict.
func TestSPRTWithoutItems(t *testing.T) {
	t.Parallel()
	r, err := SPRT{Elo1: 5}.Evaluate(make([]float64, 5))
	if err != nil {
		t.Fatal(err)
	}
	if r.Elo.N != 0 || r.Score != 0.5 || r.LOS != 0.5 || r.Elo.Value != 0 || !r.Elo.Interval.LoOpen || !r.Elo.Interval.HiOpen || r.State != StateContinue || r.Elo.Unit != "pairs" {
		t.Errorf("%+v", r)
	}
}

// One item is a score already.
func TestSPRTOfOneItem(t *testing.T) {
	t.Parallel()
	for i, want := range []float64{0, 0.25, 0.5, 0.75, 1} {
		counts := make([]float64, 5)
		counts[i] = 1
		r, err := SPRT{Elo1: 5}.Evaluate(counts)
		if err != nil || r.Elo.N != 1 || r.Score != want || r.PlainElo != EloOfScore(want) {
			t.Errorf("%v: %+v, %v; want the score %g", counts, r, err, want)
		}
	}
}

// Wald's bounds are ln(β/(1-α)) and ln((1-β)/α); 0 stands for 0.05, and rates that leave no room are refused.
func TestSPRTOptions(t *testing.T) {
	t.Parallel()
	lower, upper := SPRT{Elo1: 5, Alpha: 0.1, Beta: 0.2}.Bounds()
	near(t, "lower", lower, math.Log(0.2/0.9), 1e-15, 0)
	near(t, "upper", upper, math.Log(0.8/0.1), 1e-15, 0)
	lower, upper = SPRT{Elo1: 5}.Bounds()
	near(t, "lower by default", lower, -math.Log(19), 1e-12, 0)
	near(t, "upper by default", upper, math.Log(19), 1e-12, 0)
	for name, s := range map[string]SPRT{
		"alpha below 0":          {Elo1: 5, Alpha: -0.1},
		"beta below 0":           {Elo1: 5, Beta: -0.1},
		"no room between":        {Elo1: 5, Alpha: 0.5, Beta: 0.5},
		"alpha is no number":     {Elo1: 5, Alpha: math.NaN()},
		"one hypothesis":         {},
		"hypotheses exchanged":   {Elo0: 5},
		"hypothesis too far":     {Elo1: 2001},
		"hypothesis too far out": {Elo0: -2001},
		"unknown unit":           {Model: 7, Elo1: 5},
	} {
		if _, err := NewTracker(s, true); err == nil {
			t.Errorf("%s: %+v was taken", name, s)
		}
		if lower, upper := s.Bounds(); lower != 0 || upper != 0 {
			t.Errorf("%s: bounds %g and %g", name, lower, upper)
		}
	}
	if _, err := NewTracker(SPRT{Elo0: -2000, Elo1: 2000, Alpha: 0.5, Beta: 0.49}, true); err != nil {
		t.Errorf("the widest hypotheses: %v", err)
	}
	tr, _ := track(t, SPRT{Elo1: 5}, false)
	for _, category := range []int{-1, 3} {
		if _, err := tr.Add(category); err == nil {
			t.Errorf("category %d of 3 was taken", category)
		}
	}
	if n := tr.Counts(); n[0]+n[1]+n[2] != 0 {
		t.Errorf("refused items were counted: %v", n)
	}
}
