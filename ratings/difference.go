package ratings

import (
	"cmp"
	"fmt"
	"slices"
)

// Difference is the rating of one player minus that of another. Its error uses the joint covariance.
type Difference struct {
	A, B string
	Elo  Estimate
	// LOS is the likelihood of superiority under a flat prior: one minus a one-sided p-value. It
	// is not the probability that a selected winner is better. If the interval is open above, LOS is a lower bound
	// from the profile likelihood; if it is open below, an upper bound. 1/2 means no information.
	LOS float64
	// Comparable is false for players from groups that never met. The value is then 0 and the interval is open.
	Comparable bool
}

// Index returns the index of a player in Fit.Players.
func (f *Fit) Index(name string) (int, bool) {
	return slices.BinarySearchFunc(f.Players, name, func(r PlayerRow, n string) int {
		return cmp.Compare(r.Name, n)
	})
}

// Difference compares two players by name. Its interval is open on each side on which the games do not bound the
// difference.
func (f *Fit) Difference(a, b string) (Difference, error) {
	i, ok := f.Index(a)
	if !ok {
		return Difference{}, fmt.Errorf("ratings: %w: %q", ErrUnknownPlayer, a)
	}
	j, ok := f.Index(b)
	if !ok {
		return Difference{}, fmt.Errorf("ratings: %w: %q", ErrUnknownPlayer, b)
	}
	d := f.difference(i, j)
	d.LOS = f.los(i, j)
	if f.o.Few && i != j {
		d.Elo.Interval = unbounded
		f.annotate(&d.Elo)
	} else if d.Comparable && f.isApart(i, j) {
		elo := func(theta float64) float64 { return theta * f.Scale / eloUnit }
		d.Elo.Interval = f.bounds(i, []int{j}, f.openEnds().of(i, []int{j}), elo)
		f.annotate(&d.Elo)
	}
	return d, nil
}

func (f *Fit) comparable(i, j int) bool {
	return f.Players[i].Group == f.Players[j].Group
}

func (f *Fit) difference(i, j int) Difference {
	d := Difference{A: f.Players[i].Name, B: f.Players[j].Name, Comparable: f.comparable(i, j)}
	a := f.Players[i].Elo
	b := f.Players[j].Elo
	e := &d.Elo
	e.Prior = a.Prior || b.Prior
	switch {
	case i == j:
	case !d.Comparable:
		e.Interval = unbounded
	default:
		e.Value = a.Value - b.Value
		se, df := f.error(i, j, f.Level)
		e.SE = se
		e.Interval = f.interval(e.Value, se, df, e.Prior)
	}
	f.annotate(e)
	return d
}

// los returns the likelihood of superiority of a difference, see Difference.LOS.
func (f *Fit) los(i, j int) float64 {
	if a, ok := f.apart(i, j); ok {
		return a.los()
	}
	if i == j || !f.comparable(i, j) {
		return 0.5
	}
	se, df := f.error(i, j, f.Level)
	if se == 0 {
		return 0.5
	}
	z := (f.Players[i].Elo.Value - f.Players[j].Elo.Value) / se
	p := twoSided(z, df) / 2
	if z < 0 {
		return p
	}
	return 1 - p
}

// LOS returns the matrix of the likelihoods that the row is better than the column (see Difference.LOS), in the order
// of Fit.Players. They are 0.5 on the diagonal and between groups that never met.
func (f *Fit) LOS() [][]float64 {
	n := len(f.Players)
	out := make([][]float64, n)
	for i := range out {
		out[i] = make([]float64, n)
		for j := range out[i] {
			out[i][j] = f.los(i, j)
		}
	}
	return out
}
