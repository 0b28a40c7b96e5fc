package balance

import (
	"math"
	"strings"
	"testing"

	"spar/ratings"
)

func TestParseTarget(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text    string
		measure string
		lo, hi  float64
	}{
		{"fpa<=0.05", "fpa", math.Inf(-1), 0.05},
		{"fpa < 5%", "fpa", math.Inf(-1), 0.05},
		{" completion >= 99 % ", "completion", 0.99, math.Inf(1)},
		{"completion>=0.99", "completion", 0.99, math.Inf(1)},
		{"score in [0.48,0.52]", "score", 0.48, 0.52},
		{"score in 48%..52%", "score", 0.48, 0.52},
		{"length in 10 to 40", "length", 10, 40},
		{"elo>=-20", "elo", -20, math.Inf(1)},
	} {
		got, err := ParseTarget(c.text)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if got.Measure != c.measure || got.Lo != c.lo || got.Hi != c.hi {
			t.Errorf("%q: %+v, want %s from %g to %g", c.text, got, c.measure, c.lo, c.hi)
		}
	}
}

func TestParseTargetRefuses(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                   "is not a target",
		"fpa":                "is not a target",
		"fpa<=":              "is not a target",
		"fpa<=five":          "is not a target",
		"fqa<=0.05":          "did you mean fpa?",
		"compltion>=0.9":     "did you mean completion?",
		"score=0.5":          "equals nothing exactly",
		"score in [0.6,0.4]": "is more than",
		"completion>=99":     "never 99",
		"fpa in [0.48,0.52]": "the score itself is called score",
	} {
		if _, err := ParseTarget(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", text, err, want)
		}
	}
}

// The distance from a half: an interval that holds a half begins at 0, one below it is turned round.
func TestFPA(t *testing.T) {
	t.Parallel()
	number := func(v, lo, hi float64) ratings.Estimate {
		return ratings.Estimate{Value: v, Interval: ratings.Interval{Lo: lo, Hi: hi}, N: 64}
	}
	for _, c := range []struct{ score, want ratings.Estimate }{
		{number(0.5, 0.4375, 0.5625), number(0, 0, 0.0625)},
		{number(0.25, 0.125, 0.375), number(0.25, 0.125, 0.375)},
		{number(0.75, 0.625, 0.875), number(0.25, 0.125, 0.375)},
		{number(0.5625, 0.4375, 0.6875), number(0.0625, 0, 0.1875)},
	} {
		if got := FPA(c.score); got != c.want {
			t.Errorf("FPA(%v) = %v, want %v", c.score, got, c.want)
		}
	}
}
