package pages_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"spar/arena/store/storetest"
	"spar/configs/must"
	"spar/reports/pages"
	"spar/reports/table"
	"spar/tuning"
)

const small = `
name: small
rules: vanishing
agent: handmade
parameters: ["weights.*"]
method: pipeline
learn: {method: regression, share: 0.5}
games: 400
openings: {plies: 3}
checks: {points: 2, pairs: 20}
validation: {pairs: 30, max_pairs: 40, pool: [random]}
seed: 7
`

// data makes a tuning with everything that a report can show.
func data(t *testing.T) pages.Tuned {
	t.Helper()
	x := must.Get(tuning.Load("small.yaml", []byte(small), "database="+filepath.Join(t.TempDir(), "study.db")))(t)
	ctx := context.Background()
	db := storetest.Open(t, x.Database)
	d := pages.Tuned{Tuning: x}
	d.Result = must.Get(x.Run(ctx, db, nil))(t)
	d.Examination = must.Get(x.Validate(ctx, db, d.Result.Tuned, nil, nil))(t)
	return d
}

// The verdict rests on the examination: a gain is only a gain when its interval is above 0.
func TestTuningVerdict(t *testing.T) {
	t.Parallel()
	d := data(t)
	x := *d.Examination
	x.Warnings = nil
	set := func(m *tuning.Match, elo, lo, hi float64) {
		m.Elo.Value, m.Elo.Interval.Lo, m.Elo.Interval.Hi, m.Elo.Interval.LoOpen, m.Elo.Interval.HiOpen = elo, lo, hi, false,
			false
	}
	for _, c := range []struct {
		direct, deeper [3]float64
		warning        bool
		want           table.Status
	}{
		{[3]float64{50, 20, 80}, [3]float64{30, 10, 50}, false, table.Good},
		{[3]float64{50, 20, 80}, [3]float64{30, 10, 50}, true, table.Middling},
		{[3]float64{50, 20, 80}, [3]float64{30, -10, 70}, false, table.Middling},
		{[3]float64{50, 20, 80}, [3]float64{-30, -50, -10}, false, table.Middling},
		{[3]float64{20, -10, 50}, [3]float64{30, 10, 50}, false, table.Undecided},
		{[3]float64{-50, -80, -20}, [3]float64{30, 10, 50}, false, table.Poor},
	} {
		y := x
		set(&y.Direct, c.direct[0], c.direct[1], c.direct[2])
		set(&y.Deeper, c.deeper[0], c.deeper[1], c.deeper[2])
		if c.warning {
			y.Warnings = []string{"something"}
		}
		e := d
		e.Examination = &y
		v := pages.Tuning(e).Verdict
		if got := v.Status; got != c.want {
			t.Errorf("%v, deeper %v, warning %t: %v, want %v", c.direct, c.deeper, c.warning, got, c.want)
		}
		if worse := c.direct[1] > 0 && c.deeper[2] < 0; strings.Contains(v.Headline, "worse one level deeper") != worse {
			t.Errorf("%v, deeper %v: %s", c.direct, c.deeper, v.Headline)
		}
	}
	r, m := *d.Result, *d.Result.Model
	m.Slope, r.Model, d.Result = 0, &m, &r
	for _, s := range pages.Tuning(d).Sections {
		if strings.Contains(s.Lead, "slope") {
			t.Errorf("no slope fits best, but: %s", s.Lead)
		}
	}
}
