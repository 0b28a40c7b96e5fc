package target

import (
	"math"
	"testing"

	"spar/configs/must"
)

func TestParse(t *testing.T) {
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
		got, err := Parse(c.text)
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
		"score=0.5":          "never equals a value exactly",
		"score in [0.6,0.4]": "is more than",
		"completion>=99":     "so 99 is impossible",
		"fpa in [0.48,0.52]": "for a target on the score itself",
	} {
		must.Refuse(Parse(text))(t, want)
	}
}
