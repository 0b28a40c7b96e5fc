package optimise

import (
	"math"
	"testing"
)

// pairByPair is the recursion of the comment on Forecast, one pair of games after the other, and the mean square of the
// average over the tail: with S the sum of the distances so far and d the next one, E S'd' = rho E Sd + E d'² and E S'²
// = E S² + 2 rho E Sd + E d'².
func pairByPair(o Outlook, games int) (answer, last float64) {
	pairs := games / 2
	c := 800 / math.Log(10)
	g := newGains(o.Options, pairs)
	n := len(o.Curvature)
	m, sd, ss := make([]float64, n), make([]float64, n), make([]float64, n)
	for i, d := range o.Distance {
		m[i] = d * d
	}
	length := 0.0
	for k := 1; k <= pairs; k++ {
		ck, rk := g.at(float64(k))
		sum := 0.0
		for j, e := range o.Curvature {
			sum += math.Pow(4*e*ck, 2) * m[j]
		}
		kappa := math.Pow(1+math.Pi/8*math.Pow(math.Log(10)/400, 2)*sum, -0.5)
		next := make([]float64, n)
		tail := float64(k) > (1-o.Options.Tail)*float64(pairs)
		for i, e := range o.Curvature {
			rho := 1 - 8*kappa*rk*e*ck*ck/c
			others := 0.0
			for j, f := range o.Curvature {
				if j != i {
					others += math.Pow(8*kappa*f*ck/c, 2) * m[j]
				}
			}
			next[i] = rho*rho*m[i] + rk*rk*ck*ck*(2*(1-o.DrawRate)+others)
			if tail {
				ss[i] += 2*rho*sd[i] + next[i]
				sd[i] = rho*sd[i] + next[i]
			}
		}
		if tail {
			length++
		}
		m = next
	}
	for i, e := range o.Curvature {
		last += e * m[i]
		answer += e * ss[i] / (length * length)
	}
	return answer, last
}

// The forecast takes stretches of pairs with gains that stay, and is within a few parts in a hundred of the sums pair
// by pair.
func TestForecastIsTheRecursion(t *testing.T) {
	t.Parallel()
	options := func(tail float64) SPSAOptions {
		return SPSAOptions{
			CEnd: DefaultCEnd, REnd: 0.03, Alpha: 0.602, Gamma: 0.101, Stability: 0.1, Directions: 1, Pairs: 1,
			Tail: tail,
		}
	}
	for name, o := range map[string]Outlook{
		"one number": {Curvature: []float64{80}, Distance: []float64{1.5}, DrawRate: 0.3, Options: options(0.5)},
		"steep and flat": {
			Curvature: []float64{400, 20, 5}, Distance: []float64{1, -2, 0}, DrawRate: 0.1,
			Options: options(0.5),
		},
		"at the optimum": {Curvature: []float64{50, 50}, Distance: []float64{0, 0}, Options: options(0.5)},
		"the whole run":  {Curvature: []float64{60, 200}, Distance: []float64{1, 0.5}, DrawRate: 0.5, Options: options(1)},
		"the last quarter": {
			Curvature: []float64{60, 200}, Distance: []float64{1, 0.5}, DrawRate: 0.5,
			Options: options(0.25),
		},
		"overshooting": {Curvature: []float64{400}, Distance: []float64{0.5}, DrawRate: 0.9, Options: SPSAOptions{
			CEnd: 0.4, REnd: 0.9, ConstantGains: true, Stability: 0.1, Directions: 1, Pairs: 1, Tail: 0.5, Alpha: 0.602,
			Gamma: 0.101,
		}},
		"far away": {Curvature: []float64{150, 150}, Distance: []float64{3, 3}, DrawRate: 0.2, Options: options(0.5)},
	} {
		for _, games := range []int{600, 4000} {
			answer, last := pairByPair(o, games)
			p, err := o.Forecast(games)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%s, %d games: %.3f and %.3f Elo left, pair by pair %.3f and %.3f", name, games, p.Loss, p.Last, answer, last)
			near(t, name+": the answer", p.Loss/answer, 1, 0.03)
			near(t, name+": the last theta", p.Last/last, 1, 0.03)
			start := 0.0
			for i, e := range o.Curvature {
				start += e * o.Distance[i] * o.Distance[i]
			}
			near(t, name+": the start", p.Start, start, 1e-9)
		}
	}
}
