package optimise

import (
	"errors"
	"math"
	"strings"
	"testing"
)

// pairByPair is the recursion of the comment on Forecast, one pair of games after the other, and the mean square of the average over the
// tail: with S the sum of the distances so far and d the next one, E S'd' = rho E Sd + E d'² and E S'² = E S² + 2 rho E Sd + E d'².
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

// The forecast takes stretches of pairs with gains that stay, and is within a few parts in a hundred of the sums pair by pair.
func TestForecastIsTheRecursion(t *testing.T) {
	t.Parallel()
	options := func(tail float64) SPSAOptions {
		return SPSAOptions{CEnd: DefaultCEnd, REnd: 0.03, Alpha: 0.602, Gamma: 0.101, Stability: 0.1, Directions: 1, Pairs: 1, Tail: tail}
	}
	for name, o := range map[string]Outlook{
		"one number":       {Curvature: []float64{80}, Distance: []float64{1.5}, DrawRate: 0.3, Options: options(0.5)},
		"steep and flat":   {Curvature: []float64{400, 20, 5}, Distance: []float64{1, -2, 0}, DrawRate: 0.1, Options: options(0.5)},
		"at the optimum":   {Curvature: []float64{50, 50}, Distance: []float64{0, 0}, Options: options(0.5)},
		"the whole run":    {Curvature: []float64{60, 200}, Distance: []float64{1, 0.5}, DrawRate: 0.5, Options: options(1)},
		"the last quarter": {Curvature: []float64{60, 200}, Distance: []float64{1, 0.5}, DrawRate: 0.5, Options: options(0.25)},
		"overshooting": {Curvature: []float64{400}, Distance: []float64{0.5}, DrawRate: 0.9, Options: SPSAOptions{
			CEnd: 0.4, REnd: 0.9, ConstantGains: true, Stability: 0.1, Directions: 1, Pairs: 1, Tail: 0.5, Alpha: 0.602, Gamma: 0.101,
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

// What cannot be is refused with its place; a number of no effect, a start at the optimum and games without draws can be.
func TestOutlooksThatCannotBe(t *testing.T) {
	t.Parallel()
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		curvature, distance []float64
		draws               float64
		want                string
	}{
		{[]float64{0, 10}, []float64{1, 0}, 0, ""},
		{[]float64{10}, []float64{-1}, 0.99, ""},
		{nil, nil, 0, "forecast with 0 curvatures and 0 distances"},
		{[]float64{1, 2}, []float64{1}, 0, "forecast with 2 curvatures and 1 distances"},
		{nil, []float64{1}, 0, "forecast with 0 curvatures and 1 distances"},
		{[]float64{-1, 2}, []float64{1, 1}, 0, "forecast parameter 1: curvature -1, distance 1"},
		{[]float64{1, nan}, []float64{1, 1}, 0, "forecast parameter 2: curvature NaN"},
		{[]float64{1, 2}, []float64{1, inf}, 0, "forecast parameter 2: curvature 2, distance +Inf"},
		{[]float64{1}, []float64{1}, 1, "forecast with draw rate 1"},
		{[]float64{1}, []float64{1}, -0.1, "forecast with draw rate -0.1"},
		{[]float64{1}, []float64{1}, nan, "forecast with draw rate NaN"},
	} {
		o := Outlook{Curvature: c.curvature, Distance: c.distance, DrawRate: c.draws}
		_, err := o.Forecast(1000)
		_, best := o.Best(1000)
		for _, err := range []error{err, best} {
			if (err != nil) != (c.want != "") || err != nil && (!errors.Is(err, ErrProblem) || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("%+v: %v, want %q", o, err, c.want)
			}
		}
	}
}

// A target is reached by the fewest games that a run has, or it takes more of them; the games are whole pairs.
func TestGamesForATarget(t *testing.T) {
	t.Parallel()
	o := Guess(4, 100, 0.2)
	for _, target := range []float64{60, 30, 12} {
		p, err := o.GamesFor(target)
		if err != nil || p.Loss > target || p.Games%2 != 0 {
			t.Fatalf("%g Elo: %+v, %v", target, p, err)
		}
		if step := max(2, p.Games/100); p.Games > 2*minSPSAPairs+step {
			if fewer, err := o.Best(p.Games - 2*step); err != nil || fewer.Loss <= target {
				t.Errorf("%g Elo takes %d games, but %d leave %g, %v", target, p.Games, fewer.Games, fewer.Loss, err)
			}
		}
	}
	for _, bad := range []float64{0, -1, math.NaN()} {
		if _, err := o.GamesFor(bad); !errors.Is(err, ErrProblem) || !strings.Contains(err.Error(), "cannot be reached") {
			t.Errorf("%g Elo: %v", bad, err)
		}
	}
	// A run of four directions of three pairs has twelve times as many games at least.
	o.Options.Directions, o.Options.Pairs = 4, 3
	if _, err := (Outlook{}).GamesFor(1000); !errors.Is(err, ErrProblem) {
		t.Errorf("an outlook of nothing: %v", err)
	}
	if p, err := o.GamesFor(1000); err != nil || p.Games != 2*minSPSAPairs*12 {
		t.Errorf("%+v, %v", p, err)
	}
}
