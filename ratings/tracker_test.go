package ratings

import (
	"math"
	"testing"

	"spar/configs/must"
)

// track feeds a tracker and returns it with its verdict after each item.
func track(t *testing.T, test SPRT, pentanomial bool, items ...int) (*Tracker, []State) {
	t.Helper()
	tr := must.Get(NewTracker(test, pentanomial))(t)
	var states []State
	for _, i := range items {
		s := must.Get(tr.Add(i))(t)
		states = append(states, s)
	}
	return tr, states
}

// correctedBounds are Wald's bounds with the small-sample factor 1 + 2/n, less (above) or plus (below) the mean excess
// of Siegmund: the mean square of the steps between successive records over twice their mean. LLR itself is compared
// with references elsewhere.
func correctedBounds(t *testing.T, test SPRT, categories int, items []int) (lower, upper float64) {
	t.Helper()
	counts := make([]float64, categories)
	var up, down []float64 // steps
	top, bottom := 0.0, 0.0
	for _, i := range items {
		counts[i]++
		llr := must.Get(LLR(counts, test.Model, test.Elo0, test.Elo1))(t)
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

// The correction decides: the test stops at the first item whose ratio reaches the corrected bound, before Wald's own
// bound is reached, and the verdict then stays whatever comes after, while everything is counted.
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
			llr := must.Get(LLR(counts, test.Model, test.Elo0, test.Elo1))(t)
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
			must.Get(tr.Add(other))(t)
		}
		r := must.Get(tr.Result())(t)
		if r.State != c.state || r.Elo.N != 3200 || tr.Counts()[other] != 3000 {
			t.Errorf("after 3000 results the other way: %s, n %d, counts %v; want %s for good, n 3200", r.State, r.Elo.N,
				tr.Counts(), c.state)
		}
	}
}
