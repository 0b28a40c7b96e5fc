package ratings

import (
	"math"
	"math/rand/v2"
	"testing"

	"spar/configs/must"
)

// What is ahead of a test is about what simulated tests take from there on, if one of the hypotheses is true.
func TestAhead(t *testing.T) {
	t.Parallel()
	s := SPRT{Elo0: 0, Elo1: 60, Alpha: 0.05, Beta: 0.05}
	start := []float64{2, 5, 10, 5, 2}
	h0, h1 := must.Get2(s.Ahead(start))(t)
	if math.Abs(h0-h1) < 1 && h0 < 10 {
		t.Fatalf("%v and %v pairs ahead", h0, h1)
	}
	// Pairs of which each score is as likely as in start, shifted to H1 by giving some draws to the candidate.
	rng := rand.New(rand.NewPCG(1, 2))
	shift := ExpectedScore(60) - 0.5
	total, runs := 0.0, 150
	for range runs {
		counts := append([]float64(nil), start...)
		for n := 1.0; ; n++ {
			at, x := 0, rng.Float64()*24
			for x >= start[at] {
				x -= start[at]
				at++
			}
			if at < 4 && rng.Float64() < shift*4*24/22 {
				at++
			}
			counts[at]++
			llr := must.Get(LLR(counts, s.Model, s.Elo0, s.Elo1))(t)
			if lower, upper := s.Bounds(); llr <= lower || llr >= upper || n > 5000 {
				total += n
				break
			}
		}
	}
	if mean := total / float64(runs); mean < 0.6*h1 || mean > 1.7*h1 {
		t.Errorf("simulated tests take %.0f more pairs if H1 is true, Ahead says %.0f", mean, h1)
	}
	if a, b, err := s.Ahead([]float64{0, 0, 0, 0, 0}); err != nil || !math.IsInf(a, 1) || !math.IsInf(b, 1) {
		t.Errorf("nothing played: %v, %v, %v", a, b, err)
	}
}
