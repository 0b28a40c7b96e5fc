package chart

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNumbersAsText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		v    float64
		u    Unit
		d    int
		want string
	}{
		{0.5734, Percent, 1, "57.3 %"},
		{1, Percent, 0, "100 %"},
		{-12.4, Signed, 0, "-12"},
		{12.6, Signed, 0, "+13"},
		{-0.2, Signed, 0, "0"},
		{0, Signed, 1, "0.0"},
		{9999, Integer, 0, "9999"},
		{1234567, Integer, 0, "1 234 567"},
		{-12345.67, Number, 1, "-12 345.7"},
		{10, Log2, 0, "1024"},
		{20, Log2, 0, "1M"},
		{-2, Log2, 0, "1/4"},
		{8.88e-16, Number, 2, "0.00"},
		{-8.88e-16, Signed, 2, "0.00"},
		{-2.5e12, Number, 2, "-2.5e+12"},
		{math.NaN(), Number, 2, "–"},
		{math.Inf(-1), Percent, 2, "–"},
	} {
		if got := Text(c.v, c.u, c.d); got != c.want {
			t.Errorf("Text(%v, %v, %d) = %q, want %q", c.v, c.u, c.d, got, c.want)
		}
	}
}

// With the middle at 0.5 and ends at 0.3 and 0.7 a step is 0.05 wide, so that the middle is step 4 of 0 to 8.
func TestStepsOfADivergingScale(t *testing.T) {
	t.Parallel()
	k := Scale{Lo: 0.3, Hi: 0.7, Mid: 0.5, Diverging: true}
	for v, want := range map[float64]int{0.5: 4, 0.56: 5, 0.44: 3, 0.7: 8, 0.9: 8, 0.3: 0, 0: 0} {
		if got := k.step(v); got != want {
			t.Errorf("step of %v: %d, want %d", v, got, want)
		}
	}
}

func TestTicksAreRoundAndFew(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a      Axis
		lo, hi float64
		n      int
		want   []string
	}{
		{Axis{Unit: Percent}, 0, 1, 4, []string{"0 %", "25 %", "50 %", "75 %", "100 %"}},
		{Axis{Unit: Integer}, 0, 3, 10, []string{"0", "1", "2", "3"}},
		{Axis{Unit: Log2}, 6, 11, 5, []string{"64", "128", "256", "512", "1024", "2048"}},
		{Axis{Unit: Signed}, -120, 90, 4, []string{"-100", "0"}},
		{Axis{}, 0.1, 0.45, 4, []string{"0.1", "0.2", "0.3", "0.4"}},
		{Axis{Names: []string{"a", "b"}}, 0, 9, 1, []string{"a", "b"}},
		{Axis{}, 1e-300, 2e-300, 4, nil},
	} {
		var got []string
		for _, tick := range c.a.ticks(c.lo, c.hi, c.n) {
			got = append(got, tick.Label)
		}
		if c.want == nil && len(got) < 100 {
			continue
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("ticks of %v to %v: %s", c.lo, c.hi, d)
		}
	}
}
