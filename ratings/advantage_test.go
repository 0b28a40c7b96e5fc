package ratings

import (
	"encoding/json"
	"math"
	"testing"
)

func TestWilson(t *testing.T) {
	t.Parallel()
	// Values of the closed form worked out separately to six digits; the exact
	// ones are (α/2)^(1/n) where all or none succeed.
	tests := []struct {
		k, n   int64
		lo, hi float64
	}{
		{0, 10, 0, 0.277533},
		{10, 10, 0.722467, 1},
		{50, 100, 0.403832, 0.596168},
		{0, 0, 0, 1},
	}
	for _, tt := range tests {
		s := Wilson(tt.k, tt.n, 0.95)
		near(t, "lo", s.Interval.Lo, tt.lo, 1e-6, 0)
		near(t, "hi", s.Interval.Hi, tt.hi, 1e-6, 0)
	}
	near(t, "exact, all won", ClopperPearson(10, 10, 0.95).Interval.Lo, math.Pow(0.025, 0.1), 1e-9, 0)
	near(t, "exact, none won", ClopperPearson(0, 10, 0.95).Interval.Hi, 1-math.Pow(0.025, 0.1), 1e-9, 0)
}

func TestFirstShares(t *testing.T) {
	t.Parallel()
	table := load(t, "h_paired_openings.pairs")
	s, err := table.FirstShares(0.95)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "decisive", s[0].Decisive.Value, 456.0/755, 1e-12, 0)
	near(t, "score", s[0].Score.Value, 0.5785, 1e-12, 0)
	near(t, "pair score", s[0].PairScore.Value, 0.5785, 1e-12, 0)
	// Shared openings make the first player's two results alike: the error over
	// pairs is larger.
	if !(s[0].PairScore.SE > s[0].Score.SE) || s[0].PairScore.N != 500 {
		t.Errorf("%+v", s[0])
	}
	p := table.Pairs("P01", "P02")
	if p.Pairs != 500 || p.Correlation >= 0 || p.DesignEffect >= 1 {
		t.Errorf("%+v", p)
	}
	q := table.Pairs("P02", "P01")
	near(t, "decided", p.Decided*q.Decided, 1, 1e-12, 0)
}

func TestMatchDegenerate(t *testing.T) {
	t.Parallel()
	for _, counts := range [][]float64{{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {0, 20, 0}, {0, 0, 4250}, {0, 0, 0, 0, 5}, {0, 0, 9, 0, 0}, {1e9, 0, 0}, {1, 98, 1}} {
		m, err := AnalyzeMatch(counts, 0.95)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := json.Marshal(m); err != nil {
			t.Errorf("%v: %v", counts, err)
		}
		if !m.Elo.Interval.Contains(m.Elo.Value) {
			t.Errorf("%v: %v outside %+v", counts, m.Elo.Value, m.Elo.Interval)
		}
	}
	m, err := AnalyzeMatch([]float64{332, 433, 498, 333, 334}, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "score", m.Score.Value, (433*0.25+498*0.5+333*0.75+334)/1930, 1e-12, 0)
	for _, bad := range [][]float64{{1, 2}, {-1, 0, 0}, {math.NaN(), 0, 0}, nil} {
		if _, err := AnalyzeMatch(bad, 0.95); err == nil {
			t.Errorf("%v was taken", bad)
		}
	}
}

func TestPlan(t *testing.T) {
	t.Parallel()
	p := Plan{Elo: 20, DrawRate: 0.3}
	games, err := p.GamesNeeded()
	if err != nil {
		t.Fatal(err)
	}
	// (1.96+0.8416)²·(0.25-0.075)/0.02875² = 1,661 by hand, within the change
	// of the variance at 20 Elo.
	if games < 1640 || games > 1680 {
		t.Errorf("%d games", games)
	}
	power, err := p.PowerOf(games)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "power", power, 0.8, 2e-3, 0)
	elo, half, err := p.Detectable(games)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "detectable", elo, 20, 0.05, 0)
	near(t, "half-width", half, 14, 0.5, 0)
	q := p
	q.PairCorrelation = -0.4
	fewer, err := q.GamesNeeded()
	if err != nil || math.Abs(float64(fewer)/float64(games)-0.6) > 0.01 {
		t.Errorf("%d games with correlation -0.4, %v", fewer, err)
	}
	e, err := SPRT{Elo0: 0, Elo1: 50}.Expect(Plan{DrawRate: 0.3})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "wrong verdicts", e.AcceptH1, 0.05, 1e-3, 0)
	if e.Games < 150 || e.Games > 220 {
		t.Errorf("expected length %v", e.Games)
	}
	for _, bad := range []Plan{{}, {Elo: math.NaN()}, {Elo: 10, Alpha: 2}, {Elo: 10, DrawRate: 1}, {Elo: 10, Power: 0.01}} {
		if _, err := bad.GamesNeeded(); err == nil {
			t.Errorf("%+v was taken", bad)
		}
	}
}

// With one trial a cluster the interval is Wilson's. Clusters of four equal trials count as one trial each: 30 of 100 clusters
// give the interval of 30 of 100, but for the factor 100/99 of the variance.
func TestClusteredShare(t *testing.T) {
	t.Parallel()
	var single, fours, sure ClusteredShare
	for i := range 100 {
		hit := int64(0)
		if i < 30 {
			hit = 1
		}
		single.Add(hit, 1)
		fours.Add(4*hit, 4)
		sure.Add(4, 4)
	}
	want := Wilson(30, 100, 0.95).Interval
	for name, c := range map[string]*ClusteredShare{"single": &single, "fours": &fours} {
		got := c.Share(0.95)
		if math.Abs(got.Value-0.3) > 1e-12 || math.Abs(got.Interval.Lo-want.Lo) > 1e-3 || math.Abs(got.Interval.Hi-want.Hi) > 1e-3 {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
	if got, want := sure.Share(0.95).Interval, Wilson(100, 100, 0.95).Interval; got != want {
		t.Errorf("all succeeded: %+v, want %+v", got, want)
	}
	var none ClusteredShare
	if s := none.Share(0.95); s.N != 0 || s.Interval != (Interval{Lo: 0, Hi: 1}) {
		t.Errorf("nothing counted: %+v", s)
	}
}
