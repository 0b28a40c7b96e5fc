package ratings

import (
	"encoding/json"
	"math"
	"testing"

	"spar/configs/must"
)

func TestMatchDegenerate(t *testing.T) {
	t.Parallel()
	for _, counts := range [][]float64{
		{0, 0, 0},
		{0, 0, 1},
		{1, 0, 0},
		{0, 20, 0},
		{0, 0, 4250},
		{0, 0, 0, 0, 5},
		{0, 0, 9, 0, 0},
		{1e9, 0, 0},
		{1, 98, 1},
	} {
		m := must.Get(AnalyzeMatch(counts, 0.95))(t)
		if _, err := json.Marshal(m); err != nil {
			t.Errorf("%v: %v", counts, err)
		}
		if !m.Elo.Interval.Contains(m.Elo.Value) {
			t.Errorf("%v: %v outside %+v", counts, m.Elo.Value, m.Elo.Interval)
		}
	}
	m := must.Get(AnalyzeMatch([]float64{332, 433, 498, 333, 334}, 0.95))(t)
	near(t, "score", m.Score.Value, (433*0.25+498*0.5+333*0.75+334)/1930, 1e-12, 0)
	for _, bad := range [][]float64{{1, 2}, {-1, 0, 0}, {math.NaN(), 0, 0}, nil} {
		if _, err := AnalyzeMatch(bad, 0.95); err == nil {
			t.Errorf("%v was taken", bad)
		}
	}
}

// With one trial a cluster the interval is Wilson's. Clusters of four equal trials count as one trial each: 30 of 100
// clusters give the interval of 30 of 100, but for the factor 100/99 of the variance and Student's t.
func TestClusteredMean(t *testing.T) {
	t.Parallel()
	var single, fours, sure ClusteredMean
	for i := range 100 {
		hit := 0.0
		if i < 30 {
			hit = 1
		}
		single.Add(hit, 1, 0)
		fours.Add(4*hit, 4, 0)
		sure.Add(4, 4, 0)
	}
	want := Wilson(30, 100, 0.95).Interval
	for name, c := range map[string]*ClusteredMean{"single": &single, "fours": &fours} {
		got := c.Mean(0.95, "trials")
		if math.Abs(got.Value-0.3) > 1e-12 || math.Abs(got.Interval.Lo-want.Lo) > 3e-3 ||
			math.Abs(got.Interval.Hi-want.Hi) > 3e-3 {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
	if got, want := sure.Mean(0.95, "trials").Interval, Wilson(100, 100, 0.95).Interval; got != want {
		t.Errorf("all succeeded: %+v, want %+v", got, want)
	}
	var none ClusteredMean
	if s := none.Mean(0.95, "trials"); s.N != 0 || s.Interval != (Interval{Lo: 0, Hi: 1}) {
		t.Errorf("nothing counted: %+v", s)
	}
}
