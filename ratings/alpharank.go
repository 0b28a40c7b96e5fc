package ratings

import "fmt"

// AlphaRank returns the stationary probability of each player, in the order of Table.Players, in the limit of
// strong selection: the chain proposes a uniform opponent and moves to one with the better score with probability
// 1-eps, to a worse one with eps, to an equal one (or one never met) with ½ (Omidshafiei et al. 2019, arXiv
// 1903.01373). eps must be in (0, 0.5). Only the signs of the match-ups count, so the result is sensitive to
// match-ups that are nearly even.
func (t *Table) AlphaRank(eps float64) ([]float64, error) {
	if !(eps > 0 && eps < 0.5) {
		return nil, fmt.Errorf("ratings: %w: eps %v", ErrOptions, eps)
	}
	p := t.payoff()
	n := len(p.names)
	if n == 0 {
		return nil, nil
	}
	chain := make([][]float64, n)
	for i := range n {
		chain[i] = make([]float64, n)
		for j := range n {
			switch s := p.score[j][i]; {
			case i == j:
			case p.games[i][j] == 0 || abs(s-0.5) < 1e-12:
				chain[i][j] = 0.5
			case s > 0.5:
				chain[i][j] = 1 - eps
			default:
				chain[i][j] = eps
			}
		}
	}
	return stationary(chain), nil
}

// stationary solves for the stationary distribution of a Markov chain that is given by its off-diagonal rates. It
// uses no subtractions (Grassmann, Taksar & Heyman 1985, Oper. Res. 33:1107). It overwrites the rates.
func stationary(q [][]float64) []float64 {
	n := len(q)
	for k := n - 1; k > 0; k-- {
		out := 0.0
		for j := range k {
			out += q[k][j]
		}
		if out <= 0 {
			continue
		}
		for i := range k {
			q[i][k] /= out
			for j := range k {
				if i != j {
					q[i][j] += q[i][k] * q[k][j]
				}
			}
		}
	}
	x := make([]float64, n)
	x[0] = 1
	total := 1.0
	for k := 1; k < n; k++ {
		for i := range k {
			x[k] += x[i] * q[i][k]
		}
		total += x[k]
	}
	for k := range x {
		x[k] /= total
	}
	return x
}
