package ratings

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Bootstrap is a check of the analytic errors: percentile intervals and standard
// deviations from refits of resampled tables.
type Bootstrap struct {
	Replicates int
	// Failed counts the replicates in which some estimate did not exist; they
	// are left out of everything below, which is then too narrow.
	Failed     int
	Unit       string // what was resampled: "pairs" or "games"
	Players    []BootstrapRow
	Advantages []BootstrapRow
}

// BootstrapRow is the spread of one estimate in score-Elo.
type BootstrapRow struct {
	Name     string
	SE       float64
	Interval Interval
}

// Bootstrap resamples the unit behind the fit's errors (pairs when they are
// clustered, games otherwise) with replacement and refits, replicates times in
// [1, 100000], seeded. Ratings are relative to the group's mean; a fit in which a
// prior was needed is refused with ErrOptions.
func (f *Fit) Bootstrap(replicates int, seed uint64) (Bootstrap, error) {
	if replicates < 1 || replicates > 100000 {
		return Bootstrap{}, fmt.Errorf("ratings: %w: %d replicates", ErrOptions, replicates)
	}
	if f.exist.nComp != f.exist.nWeak || f.Errors == ErrorPosterior {
		return Bootstrap{}, fmt.Errorf("ratings: %w: the fit rests on a prior, which a bootstrap cannot check", ErrOptions)
	}
	rng := rand.New(rand.NewPCG(seed, 0x626f6f74))
	n, k := len(f.Players), len(f.Advantages)
	out := Bootstrap{Replicates: replicates, Unit: "games"}
	if f.Errors == ErrorPair {
		out.Unit = "pairs"
	}
	units := f.table.units(f.Errors == ErrorPair)
	draws := make([][]float64, n+k)
	for range replicates {
		theta, ok := f.refit(f.table.resample(units, rng))
		if !ok {
			out.Failed++
			continue
		}
		for c, x := range theta[:n+k] {
			draws[c] = append(draws[c], x*f.Scale/eloUnit)
		}
	}
	row := func(c int, name string, at float64) BootstrapRow {
		r := BootstrapRow{Name: name, Interval: Interval{LoOpen: true, HiOpen: true}}
		x := draws[c]
		if len(x) < 2 {
			return r
		}
		slices.Sort(x)
		mean, sum := 0.0, 0.0
		for _, v := range x {
			mean += v / float64(len(x))
		}
		for _, v := range x {
			sum += (v - mean) * (v - mean)
		}
		r.SE = math.Sqrt(sum / float64(len(x)-1))
		tail := (1 - f.Level) / 2 * float64(len(x)-1)
		r.Interval = Interval{Lo: x[int(tail)] + at, Hi: x[len(x)-1-int(tail)] + at}
		return r
	}
	for i, p := range f.Players {
		out.Players = append(out.Players, row(i, p.Name, p.Elo-f.theta[i]*f.Scale/eloUnit))
	}
	for s, a := range f.Advantages {
		out.Advantages = append(out.Advantages, row(n+s, a.Stratum, 0))
	}
	return out, nil
}

// units lists the kinds of clusters, or with clustered false the kinds of games.
func (t *Table) units(clustered bool) []cell {
	var out []cell
	add := func(p, o int, n int64) {
		if n > 0 {
			x := term{pairing: p}
			x.n[o] = 1
			out = append(out, cell{[]term{x}, n})
		}
	}
	if !clustered {
		for p, x := range t.pairings {
			for o, n := range [3]int64{x.Losses, x.Draws, x.Wins} {
				add(p, o, n)
			}
		}
		return out
	}
	for p, x := range t.singles {
		for o, n := range x {
			add(p, o, n)
		}
	}
	for _, x := range t.swaps {
		for r, row := range x.n {
			for o, n := range row {
				if n > 0 {
					a, b := term{pairing: x.p}, term{pairing: x.q}
					a.n[r], b.n[o] = 1, 1
					out = append(out, cell{[]term{a, b}, n})
				}
			}
		}
	}
	return append(out, t.cells...)
}

// resample draws a table of as many units; the multinomial is made of one
// binomial a kind, so the cost does not depend on the number of games.
func (t *Table) resample(units []cell, rng *rand.Rand) *Table {
	out := &Table{players: t.players, strata: t.strata, pairings: slices.Clone(t.pairings)}
	for i := range out.pairings {
		p := &out.pairings[i]
		p.Wins, p.Draws, p.Losses = 0, 0, 0
	}
	left := int64(0)
	for _, u := range units {
		left += u.count
	}
	toDraw := left
	for _, u := range units {
		n := toDraw
		if u.count < left {
			n = int64(distuv.Binomial{N: float64(toDraw), P: float64(u.count) / float64(left), Src: rng}.Rand())
			n = min(max(n, 0), toDraw)
		}
		left -= u.count
		toDraw -= n
		for _, m := range u.terms {
			p := &out.pairings[m.pairing]
			p.Losses += n * m.n[SecondWins]
			p.Draws += n * m.n[Draw]
			p.Wins += n * m.n[FirstWins]
		}
		if toDraw == 0 {
			break
		}
	}
	kept := out.pairings[:0]
	for _, p := range out.pairings {
		out.games += p.Games()
		if p.Games() > 0 {
			kept = append(kept, p)
		}
	}
	out.pairings = kept
	return out
}

// refit maximises the likelihood of another table of the same players; ok is
// false when no finite maximum exists for all that the fit estimated.
func (f *Fit) refit(t *Table) (theta []float64, ok bool) {
	adv := f.exist.adv
	e := newExistence(t, f.strataOf, len(f.Advantages), adv)
	if e.nComp != f.exist.nComp {
		return nil, false
	}
	p := newProblem(t, f.Model, f.strataOf, e.k, e.active, adv, e.comp, e.nComp)
	for c := range p.n + p.k {
		if p.fixed[c] != f.problem.fixed[c] || (adv && c >= p.n && !p.fixed[c] && !e.ident[c-p.n]) {
			return nil, false
		}
	}
	start := p.start()
	copy(start[:p.n+p.k], f.sol.theta)
	sol, err := p.solve(start, true)
	if err != nil {
		return nil, false
	}
	return sol.theta, true
}
