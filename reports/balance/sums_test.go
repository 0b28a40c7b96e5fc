package balance

import (
	"math"
	"testing"
)

// Clusters of two games that are equal have the effect 2, those of one the effect 1, those of two opposites less than
// 1, which counts as 1; below ten clusters, and where all games are alike, nothing is known.
func TestDesignEffect(t *testing.T) {
	t.Parallel()
	type cluster [4]float64 // times, games, sum, sum of squares
	for name, c := range map[string]struct {
		clusters []cluster
		want     float64
	}{
		"equal":     {[]cluster{{5, 2, 2, 2}, {5, 2, 0, 0}}, 2},
		"nine":      {[]cluster{{5, 2, 2, 2}, {4, 2, 0, 0}}, 1},
		"single":    {[]cluster{{20, 1, 1, 1}, {20, 1, 0, 0}}, 1},
		"opposites": {[]cluster{{20, 2, 1, 1}}, 1},
		"alike":     {[]cluster{{20, 2, 2, 2}}, 1},
		// The mean is 15/25; the games' squares 15 - 9 = 6; 5 (2-1.2)² + 5 (0.4)² + 5 (1.2)² = 3.2 + 0.8 + 7.2 = 11.2.
		"of two sizes": {[]cluster{{5, 2, 2, 2}, {5, 1, 1, 1}, {5, 2, 0, 0}}, 11.2 / 6},
	} {
		var e effect
		for _, x := range c.clusters {
			for range int(x[0]) {
				e.add(-1, x[1], x[2], x[3])
			}
		}
		d := groupData{paired: true}
		if got := d.design(e); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %g, want %g", name, got, c.want)
		}
		if d.paired = false; d.design(e) != 1 {
			t.Errorf("%s: an effect of games without openings", name)
		}
	}
	// Ten openings of two units of one game each, which end alike: the openings have the effect 2, the units 1.
	var e effect
	for i := range 20 {
		won := float64(i / 2 % 2)
		e.add(i/2, 1, won, won)
	}
	if got := e.value(); math.Abs(got-2) > 1e-12 {
		t.Errorf("openings: %g, want 2", got)
	}
}
