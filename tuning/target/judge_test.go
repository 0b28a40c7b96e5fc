package target

import (
	"math"
	"strings"
	"testing"

	"spar/configs/must"
	"spar/ratings"
)

func mustParse(t *testing.T, text string) Target {
	t.Helper()
	x := must.Get(Parse(text))(t)
	return x
}

// A target is judged by the whole interval, never by the value: met only if all of it is inside, missed only if all of
// it is outside. The ends belong to the target.
func TestTargetsAreJudgedByTheInterval(t *testing.T) {
	t.Parallel()
	inf := math.Inf(1)
	for _, c := range []struct {
		target        string
		value, lo, hi float64 // infinite: open
		want          Verdict
	}{
		{"score in [0.48, 0.52]", 0.50, 0.47, 0.51, Undecided}, // the value is inside, the interval is not
		{"score in [0.48, 0.52]", 0.50, 0.49, 0.53, Undecided},
		{"score in [0.48, 0.52]", 0.55, 0.51, 0.59, Undecided}, // the value is outside, the interval reaches in
		{"score in [0.48, 0.52]", 0.45, 0.41, 0.48, Undecided}, // the end belongs to the target
		{"score in [0.48, 0.52]", 0.55, 0.52, 0.58, Undecided},
		{"score in [0.48, 0.52]", 0.50, 0.48, 0.52, Met},
		{"score in [0.48, 0.52]", 0.55, 0.53, 0.57, Missed},
		{"score in [0.48, 0.52]", 0.45, 0.43, 0.47, Missed},
		{"fpa<=0.05", 0.02, 0.00, 0.05, Met},
		{"fpa<=0.05", 0.02, 0.00, 0.06, Undecided},
		{"fpa<=0.05", 0.10, 0.05, 0.15, Undecided},
		{"fpa<=0.05", 0.10, 0.06, 0.15, Missed},
		{"completion>=99%", 1.00, 0.98, 1.00, Undecided}, // all games ended, too few to say
		{"completion>=99%", 0.995, 0.99, 1.00, Met},
		{"completion>=99%", 0.97, 0.95, 0.98, Missed},
		{"elo<=20", 10, -inf, 15, Met},
		{"elo<=20", 10, 5, inf, Undecided},
		{"elo<=20", 900, 700, inf, Missed},
		{"elo>=-20", -700, -inf, -500, Missed},
		{"elo>=-20", 10, -inf, 15, Undecided},
		{"elo>=-20", 10, 5, inf, Met},
	} {
		x := ratings.Estimate{Value: c.value, Interval: ratings.Interval{Lo: c.lo, Hi: c.hi}, N: 100}
		if math.IsInf(c.lo, -1) {
			x.Lo, x.LoOpen = 0, true // what stands at an open end means nothing
		}
		if math.IsInf(c.hi, 1) {
			x.Hi, x.HiOpen = 0, true
		}
		target := mustParse(t, c.target)
		if got := target.Judge(x); got != c.want {
			t.Errorf("%s: %g [%g, %g] is %s, want %s", c.target, c.value, c.lo, c.hi, got, c.want)
		}
		all := JudgeAll("x", []Target{target}, map[string]ratings.Estimate{target.Measure: x})
		if len(all) != 1 || all[0].Verdict != c.want || all[0].Rules != "x" || all[0].Target != c.target ||
			all[0].Number != x {
			t.Errorf("%s: judged with others it is %+v, want %s", c.target, all, c.want)
		}
	}
	if got := JudgeAll("x", []Target{mustParse(t, "depth>=3")}, nil); got[0].Verdict != Undecided ||
		!strings.Contains(got[0].String(), "not measurable") {
		t.Errorf("without a number: %v", got)
	}
}
