package balance

import (
	"database/sql"
	"slices"

	"spar/arena/oracle"
	"spar/arena/store"

	"spar/ratings"
)

// clarity computes how easy good moves are to find.
func (m measurer) clarity(all []*arc) *Clarity {
	out := &Clarity{Near: oracle.Near, Phases: []PhaseClear{}}
	for _, phase := range []struct {
		name string
		in   func(share float64) bool
	}{
		{"", func(float64) bool { return true }},
		{"opening", func(x float64) bool { return x < 1.0/3 }},
		{"middle", func(x float64) bool { return x >= 1.0/3 && x < 2.0/3 }},
		{"end", func(x float64) bool { return x >= 2.0/3 }},
	} {
		var shares []float64
		mean := func(field func(*store.PositionValue) sql.NullFloat64, unit string, each func(float64)) ratings.Estimate {
			var rows [][]float64
			for _, a := range all {
				row := []float64{0, 0}
				for i := range a.values {
					if x := field(&a.values[i]); x.Valid && a.values[i].Legal > 1 && phase.in(a.at(i)) {
						row[0], row[1] = row[0]+x.Float64, row[1]+1
						each(x.Float64)
					}
				}
				if row[1] > 0 {
					rows = append(rows, row)
				}
			}
			return m.ratio(fold(rows), 0, 1, "games", unit)
		}
		ignore := func(float64) {}
		p := PhaseClear{
			Phase: phase.name,
			Narrow: mean(func(v *store.PositionValue) sql.NullFloat64 { return v.Near }, "share",
				func(x float64) { shares = append(shares, x) }),
			Variance: mean(func(v *store.PositionValue) sql.NullFloat64 { return v.Variance }, "squared score", ignore),
			Shallow:  mean(func(v *store.PositionValue) sql.NullFloat64 { return v.Shallow }, "share", ignore),
		}
		if !p.Narrow.Known() {
			continue
		}
		slices.Sort(shares)
		for i, q := range []float64{0.05, 0.25, 0.5, 0.75, 0.95} {
			p.Box[i] = quantile7(shares, q)
		}
		if phase.name == "" {
			out.Positions = int64(len(shares))
			out.Narrow, out.Variance, out.Shallow = p.Narrow, p.Variance, p.Shallow
			continue
		}
		out.Phases = append(out.Phases, p)
	}
	if out.Positions == 0 {
		return nil
	}
	return out
}
