package ratings

import (
	"encoding/json"
	"os"
	"testing"

	"spar/configs/must"
)

type sprtCase struct {
	ID      string    `json:"id"`
	Results []float64 `json:"results"`
	Tests   []struct {
		Model     string  `json:"model"`
		Elo0      float64 `json:"elo0"`
		Elo1      float64 `json:"elo1"`
		Alpha     float64 `json:"alpha"`
		Beta      float64 `json:"beta"`
		LLR       float64 `json:"fishtest_llr"`
		Analytics struct {
			Elo float64 `json:"elo_median_unbiased"`
			Lo  float64 `json:"ci_lo"`
			Hi  float64 `json:"ci_hi"`
			LOS float64 `json:"los"`
		} `json:"fishtest_sprt_analytics"`
	} `json:"tests"`
}

// TestReferenceSPRT compares with values kept to eight digits, so 1e-7 relative
// is what they can show; TestLLRExact has the full precision.
func TestReferenceSPRT(t *testing.T) {
	t.Parallel()
	raw := must.Get(os.ReadFile("testdata/sprt.json"))(t)
	var file struct {
		Cases []sprtCase `json:"cases"`
	}
	must.Do(t, json.Unmarshal(raw, &file))
	for _, c := range file.Cases {
		t.Run(c.ID, func(t *testing.T) {
			t.Parallel()
			for _, x := range c.Tests {
				if x.Model != "logistic" && x.Model != "normalized" {
					continue
				}
				test := SPRT{Elo0: x.Elo0, Elo1: x.Elo1, Alpha: x.Alpha, Beta: x.Beta}
				if x.Model == "normalized" {
					test.Model = BoundsNormalized
				}
				r := must.Get(test.Evaluate(c.Results))(t)
				must.Get(json.Marshal(r))(t)
				near(t, x.Model+" LLR", r.LLR, x.LLR, 1e-14, 1e-7)
				near(t, "Elo", r.Elo.Value, x.Analytics.Elo, 2e-3, 1e-4)
				near(t, "LOS", r.LOS, x.Analytics.LOS, 1e-5, 0)
				lo, hi := r.Elo.Interval.Lo, r.Elo.Interval.Hi
				if r.Elo.Interval.LoOpen && lo != 0 || r.Elo.Interval.HiOpen && hi != 0 {
					t.Errorf("%+v: an open side has no number", r.Elo.Interval)
				}
				if r.Elo.Interval.LoOpen {
					lo = -eloRange
				}
				if r.Elo.Interval.HiOpen {
					hi = eloRange
				}
				near(t, "lower bound", lo, x.Analytics.Lo, 2e-3, 1e-4)
				near(t, "upper bound", hi, x.Analytics.Hi, 2e-3, 1e-4)
			}
		})
	}
}

func TestBrownianFormsAgree(t *testing.T) {
	t.Parallel()
	for _, drift := range []float64{-3, -0.5, 0, 1e-7, 0.4, 2} {
		for _, at := range []float64{-2.9, -1, 0, 2, 2.9} {
			b := brownian{-2.94, 2.94, drift, 1.3}
			for _, when := range []float64{2, 5, 12} {
				near(t, "below", b.images(when, at), b.series(when, at), 1e-9, 0)
			}
		}
	}
	b := brownian{-2, 3, 0.7, 1}
	near(t, "ever below", b.below(1e4, 3), b.leavesBelow(), 1e-12, 0)
	for _, drift := range []float64{-1e4, 1e4} { // must not overflow
		b := brownian{-2, 3, drift, 1}
		if p := b.below(0.01, 1); !(p >= 0 && p <= 1) {
			t.Errorf("drift %v: %v", drift, p)
		}
	}
}
