package table

import (
	"math"

	"spar/reports/chart"
)

// Axis is the common axis of the small figures after a column of estimates: a dot with its interval.
type Axis struct {
	Min, Max float64    // ends, in the unit of the estimates; equal ones mean the range of the intervals
	Ref      float64    // value with a line
	Zone     [2]float64 // shaded range; empty if both ends are equal
	Unit     chart.Unit
}

// axisWidth is the width of the small figures in units of their drawing.
const axisWidth = 140

// Dot is the small figure of an estimate, in units of its drawing from 0 to axisWidth.
type Dot struct {
	Width, At, Lo, Hi, Ref, From, To float64
}

// fitted returns the axis of column j with its ends.
func (t Table) fitted(j int) Axis {
	a := *t.Columns[j].Axis
	if a.Min != a.Max {
		return a
	}
	a.Min, a.Max = a.Ref, a.Ref
	for _, r := range t.Rows {
		for _, x := range []float64{r[j].lo(), r[j].hi(), r[j].at()} {
			if r[j].kind == cellEstimate && !math.IsInf(x, 0) && !math.IsNaN(x) {
				a.Min, a.Max = min(a.Min, x), max(a.Max, x)
			}
		}
	}
	return a
}

// AxisText names the ends of the axis of column j. It is empty if the column has no axis.
func (t Table) AxisText(j int) string {
	if t.Columns[j].Axis == nil {
		return ""
	}
	a := t.fitted(j)
	return chart.Text(a.Min, a.Unit, 0) + " to " + chart.Text(a.Max, a.Unit, 0)
}

// Dot returns the small figure of a cell of column j, or nil without an axis or an estimate.
func (t Table) Dot(j int, c Cell) *Dot {
	if t.Columns[j].Axis == nil || c.kind != cellEstimate {
		return nil
	}
	a := t.fitted(j)
	at := func(x float64) float64 {
		const edge = 6 // half of a dot
		share := (min(max(x, a.Min), a.Max) - a.Min) / max(a.Max-a.Min, math.SmallestNonzeroFloat64)
		return math.Round(10*(edge+share*(axisWidth-2*edge))) / 10
	}
	return &Dot{axisWidth, at(c.at()), at(c.lo()), at(c.hi()), at(a.Ref), at(a.Zone[0]), at(a.Zone[1])}
}
