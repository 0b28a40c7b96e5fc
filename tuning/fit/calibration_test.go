package fit

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

// byPosition is the design of games of one position, with these results.
func byPosition(z ...float64) *design {
	d := &design{n: len(z), games: len(z), k: 1, z: z}
	for i := range z {
		d.game, d.weight, d.size = append(d.game, i), append(d.weight, 1/float64(len(z))), append(d.size, 1)
	}
	return d
}

// Bins hold equally many positions, in the order of their predictions, the last ones what is left; equal predictions are in one, though it
// be longer for it.
func TestBinsOfACalibration(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		v    []float64
		bins int
		want []int
	}{
		{[]float64{1, 2, 3, 4, 5, 6}, 3, []int{2, 2, 2}},
		{[]float64{6, 5, 4, 3, 2, 1}, 2, []int{3, 3}},
		{[]float64{1, 2, 3, 4, 5, 6, 7}, 3, []int{2, 2, 3}},
		{[]float64{1, 2, 3}, 1, []int{3}},
		{[]float64{1, 2, 3}, 5, []int{1, 1, 1}},
		{[]float64{1, 1, 1, 1, 2, 3}, 3, []int{4, 1, 1}},
		{[]float64{1, 2, 2, 2, 2, 3}, 3, []int{5, 1}},
		{[]float64{5, 5, 5, 5}, 2, []int{4}},
	} {
		d := byPosition(make([]float64, len(c.v))...)
		bins, _ := d.calibrate(c.v, c.bins)
		var got []int
		for i, b := range bins {
			if got = append(got, b.Samples); b.Games != b.Samples || i > 0 && b.Low <= bins[i-1].High || b.Low > b.High {
				t.Errorf("%v in %d: bin %+v", c.v, c.bins, b)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v in %d bins: %v, want %v", c.v, c.bins, got, c.want)
		}
	}
}

// A bin by hand: of game 0 two positions, of weight 1/8 each, of games 1 and 2 one of weight 1/4. Predictions are 1/2, and once 3/4. The
// error is that of a weighted mean of three games, sqrt(3/2 sum w²(r-mean)²)/sum w; a game that stands alone has no other to compare it
// with.
func TestBinByHand(t *testing.T) {
	t.Parallel()
	d := &design{n: 4, games: 3, k: 2, z: []float64{1, 1, 0, 0.5}, game: []int{0, 0, 1, 2}, weight: []float64{0.125, 0.125, 0.25, 0.25}}
	v := []float64{0, 0, 0, math.Log(3) / 2}
	b := d.bin([]int{0, 1, 2, 3}, v)
	near(t, "low", b.Low, 0.5, 1e-12)
	near(t, "high", b.High, 0.75, 1e-12)
	near(t, "predicted", b.Predicted, (0.5+0.5+0.75)/3, 1e-12)
	near(t, "observed", b.Observed, 0.5, 1e-12)
	mean := 0.5 - 1.75/3
	r := []float64{0.5 - mean, -0.5 - mean, -0.25 - mean}
	near(t, "error", b.SE, math.Sqrt(1.5*(r[0]*r[0]+r[1]*r[1]+r[2]*r[2]))/3, 1e-12)
	if b.Samples != 4 || b.Games != 3 {
		t.Errorf("%+v", b)
	}
	alone := d.bin([]int{0, 1}, v)
	if alone.Games != 1 || alone.SE != 0 || alone.Predicted != 0.5 || alone.Observed != 1 {
		t.Errorf("%+v", alone)
	}
}

// Predictions of a logit of 1 (or x) that come true in p of the games should have said ln(p/(1-p)): the slope is that many times (over x).
// No scale fits what is right half of the time, or less, nor what is always right.
func TestSlope(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		right, of int
		x, k      float64
		want      float64
		fails     string
	}{
		{6, 10, 1, 1, math.Log(6.0 / 4), ""},
		{9, 10, 1, 1, math.Log(9), ""},
		{9, 10, 2, 1, math.Log(9) / 2, ""},
		{99, 100, 1, 0.5, 2 * math.Log(99), ""},
		{4, 8, 1, 1, 0, "no better than a coin"},
		{4, 10, 1, 1, 0, "no better than a coin"},
		{8, 8, 1e-9, 1, 0, "separate wins from losses"},
		{8, 8, 1, 1, 0, "separate wins from losses"},
		{8, 8, 100, 1, 0, "separate wins from losses"},
		{3, 4, 1e-10, 1, 0, "no scale fits best"}, // ln(3) over so little
	} {
		var z, v []float64
		for i := range c.of {
			for side := range 2 { // as many for either side
				x := c.x * float64(2*side-1)
				won := float64(side)
				if i >= c.right {
					won = 1 - won
				}
				z, v = append(z, won), append(v, x)
			}
		}
		d := byPosition(z...)
		d.k = c.k
		got, err := d.slope(v)
		if (err != nil) != (c.fails != "") || err != nil && (!errors.Is(err, ErrData) || !strings.Contains(err.Error(), c.fails)) {
			t.Errorf("%d of %d: %v, want %q", c.right, c.of, err, c.fails)
		}
		near(t, "slope", got, c.want, 1e-9)
		if _, shown := d.calibrate(v, 2); math.Abs(shown-c.want) > 1e-9 {
			t.Errorf("%d of %d: the calibration has the slope %g", c.right, c.of, shown)
		}
	}
}

// What a reader of weights is warned of: fewer games than 200 for 14 weights, directions without curvature, no gain over the mean result,
// more than half of the positions beyond doubt and right, and dead weights.
func TestWarnings(t *testing.T) {
	t.Parallel()
	far := separableMargin + 1.0
	for _, c := range []struct {
		name    string
		m       Model
		margins []float64
		want    string
	}{
		{"nothing", Model{Games: 29, Weights: make([]Weight, 2), Condition: 1e6, Held: 0.5, Null: 0.6}, []float64{far, far, 1, 1}, ""},
		{"as many games as it takes", Model{Games: 200, Weights: make([]Weight, 14), Condition: 2, Null: 1}, []float64{1}, ""},
		{"a game less", Model{Games: 199, Weights: make([]Weight, 14), Condition: 2, Null: 1}, []float64{1}, "199 games for 14 weights; below 200 games"},
		{"nearly redundant", Model{Games: 99, Weights: make([]Weight, 1), Condition: 1.01e6, Null: 1, Redundant: make([]Relation, 3)}, []float64{1}, "3 combinations of weights are redundant"},
		{"redundant", Model{Games: 99, Weights: make([]Weight, 1), Condition: -1, Null: 1, Redundant: make([]Relation, 1)}, []float64{1}, "1 combinations of weights are redundant"},
		{"no better", Model{Games: 99, Weights: make([]Weight, 1), Condition: 2, Held: 0.6, Null: 0.6}, []float64{1}, "no better than the mean result"},
		{"beyond doubt", Model{Games: 99, Weights: make([]Weight, 1), Condition: 2, Null: 1}, []float64{far, far, 1}, "separate wins from losses"},
		{"beyond doubt and wrong", Model{Games: 99, Weights: make([]Weight, 1), Condition: 2, Null: 1}, []float64{-far, -far, -far}, ""},
		{"hardly in doubt", Model{Games: 99, Weights: make([]Weight, 1), Condition: 2, Null: 1}, []float64{separableMargin, separableMargin, separableMargin}, ""},
		{"beyond doubt and drawn", Model{Games: 99, Weights: make([]Weight, 1), Condition: 2, Null: 1}, []float64{far, 1, far, 1, far}, ""},
		{"dead", Model{Games: 99, Weights: []Weight{{Dead: true}, {}, {Dead: true}}, Condition: 2, Null: 1}, []float64{1}, "2 of 3 weights have a feature that is always 0"},
		{"one dead", Model{Games: 99, Weights: []Weight{{}, {Dead: true}}, Condition: 2, Null: 1}, []float64{1}, "1 of 2 weights have a feature that is always 0"},
	} {
		d := byPosition(make([]float64, len(c.margins))...)
		d.features, d.phases, d.lo, d.h, d.k = 1, 1, make([]int, d.n), make([]float64, d.n), 2
		for i, x := range c.margins { // every second game is lost, and its features are turned round
			sign := float64(1 - 2*(i%2))
			if d.x, d.z[i] = append(d.x, sign*x/d.k), (1+sign)/2; strings.HasSuffix(c.name, "drawn") {
				d.z[i] = 0.5
			}
		}
		c.m.warn(d, []float64{1})
		if got := strings.Join(c.m.Warnings, "\n"); (got != "") != (c.want != "") || !strings.Contains(got, c.want) || len(c.m.Warnings) > 1 {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// A lesson of temporal differences is at its limits still one; what leads to no number is refused with its weight.
func TestTDAtItsLimits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		z, lambda, alpha, feature float64
		want                      string
	}{
		{0, 0, 0, 1, ""},
		{1, 1, 1, 1, ""},
		{1, 0.5, 1e308, 1e9, "td made weight 1 +Inf"},
		{0, 0.5, 1e308, 1e9, "td made weight 1 -Inf"},
		{1, 0.5, math.Inf(1), 1, "td with result 1, lambda 0.5, alpha +Inf"},
		{1, -0.1, 1, 1, "lambda -0.1"},
		{-0.1, 0.5, 1, 1, "result -0.1"},
		{1, math.NaN(), 1, 1, "lambda NaN"},
		{1, 0.5, math.NaN(), 1, "alpha NaN"},
	} {
		got, err := TDUpdate([]float64{0, 0}, [][]float64{{1, 0}, {0, c.feature}}, c.z, c.lambda, c.alpha)
		if (err != nil) != (c.want != "") || err != nil && (!errors.Is(err, ErrData) || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%+v: %v, %v", c, got, err)
		}
	}
}
