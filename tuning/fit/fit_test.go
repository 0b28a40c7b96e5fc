package fit

import (
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"spar/configs/must"
)

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s is %.6g, want %.6g within %.3g", what, got, want, tolerance)
	}
}

// recorded makes games of 6 to 20 positions whose results follow the model exactly:
// features a, b, c are the same through a game, noise is drawn anew, and the result
// is won with probability 1/(1+exp(-w.f)). A share of draws that
// keeps the expected score replaces decided games.
func recorded(games int, seed uint64, w [3]float64) []Sample {
	rng := rand.New(rand.NewPCG(seed, 77))
	var out []Sample
	for g := range games {
		a := rng.NormFloat64()
		b := 2 * rng.NormFloat64()
		c := 0.25 * rng.NormFloat64()
		p := sigmoid(w[0]*a + w[1]*b + w[2]*c)
		draw := 0.4 * math.Min(p, 1-p)
		z := 0.0
		if u := rng.Float64(); u < p-draw/2 {
			z = 1
		} else if u < p+draw/2 {
			z = 0.5
		}
		n := 6 + rng.IntN(15)
		for range n {
			out = append(out, Sample{
				Game: int64(1000 + 7*g), Result: z,
				Features: []float64{a, b, c, rng.NormFloat64()},
			})
		}
	}
	return out
}

func names() []string { return []string{"a", "b", "c", "noise"} }

func mustFit(t *testing.T, s []Sample, o Options) *Model {
	t.Helper()
	m := must.Get(Fit(s, o))(t)
	return m
}

// Weights are those of the model, on average.
func TestWeights(t *testing.T) {
	t.Parallel()
	truth := [3]float64{0.8, -0.3, 2}
	want := []float64{0.8, -0.3, 2, 0}
	const runs, games = 70, 200
	sum := make([]float64, 4)
	for seed := range uint64(runs) {
		m := mustFit(t, recorded(games, seed, truth), Options{Names: names(), Ridges: []float64{0}})
		for i, w := range m.Weights {
			sum[i] += w.Value / runs
		}
	}
	for i, v := range sum {
		near(t, "mean weight of "+names()[i], v, want[i], 0.04+0.08*math.Abs(want[i]))
	}
}

// With one feature that is always 1 the answer is known: w = ln(m/(1-m)) for mean result m.
func TestInterceptOnly(t *testing.T) {
	t.Parallel()
	var s []Sample
	for g := range 100 {
		z := 0.0
		if g < 70 {
			z = 1
		}
		for range 1 + g%5 { // longer games count no more
			s = append(s, Sample{Game: int64(g), Result: z, Features: []float64{1}})
		}
	}
	m := mustFit(t, s, Options{Names: []string{"one"}, Ridges: []float64{0}})
	near(t, "weight", m.Weights[0].Value, math.Log(0.7/0.3), 1e-6)
	near(t, "loss", m.Loss, -0.7*math.Log(0.7)-0.3*math.Log(0.3), 1e-9)
	near(t, "null loss", m.Null, m.Loss, 1e-9)
	near(t, "loss in the folds' training", m.Ridges[0].Train, m.Loss, 0.01) // of 80 games each
	near(t, "loss held out", m.Ridges[0].Held, m.Loss, 0.03)
	near(t, "its error", m.Ridges[0].HeldSE, math.Sqrt(0.21/99)*math.Log(0.7/0.3), 0.01)
	// A penalty r w² pulls to 0: at the best weight the slopes of both, p(w) - 0.7 and 2r w, cancel.
	for _, r := range []float64{0.01, 0.1, 3} {
		w := mustFit(t, s, Options{Names: []string{"one"}, Ridges: []float64{r}}).Weights[0].Value
		near(t, "slope at the weight", 1/(1+math.Exp(-w))-0.7+2*r*w, 0, 1e-6)
	}
}

// Two features that never stand together are two problems: the weight of each is the logit of its games' mean result,
// ln(m/(1-m)), over the size of the feature.
func TestTwoGroupsOfGames(t *testing.T) {
	t.Parallel()
	var s []Sample
	for g := range 100 {
		x, won := []float64{1, 0}, g < 42 // 42 of 60
		if g >= 60 {
			x, won = []float64{0, 3}, g < 76 // 16 of 40
		}
		z := 0.0
		if won {
			z = 1
		}
		s = append(s, Sample{Game: int64(g), Result: z, Features: x})
	}
	m := mustFit(t, s, Options{Names: []string{"a", "b"}, Ridges: []float64{0}})
	near(t, "weight of a", m.Weights[0].Value, math.Log(0.7/0.3), 1e-6)
	near(t, "weight of b", m.Weights[1].Value, math.Log(0.4/0.6)/3, 1e-6)
}

// Cross-validation by game sees that few games do not support many weights, where
// positions held out at random would be told by their own game.
func TestRidgeIsChosenByGame(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(8, 8))
	var s []Sample
	list := make([]string, 12)
	for i := range list {
		list[i] = string(rune('a' + i))
	}
	for g := range 60 {
		f := make([]float64, len(list))
		for i := range f {
			f[i] = rng.NormFloat64()
		}
		z := float64(rng.IntN(2)) // nothing to learn
		for range 20 {
			x := make([]float64, len(f))
			for i := range x {
				x[i] = f[i] + 0.2*rng.NormFloat64()
			}
			s = append(s, Sample{Game: int64(g), Result: z, Features: x})
		}
	}
	m := mustFit(t, s, Options{Names: list})
	if m.Ridge != 1e-2 {
		t.Errorf("ridge %v was chosen for pure noise", m.Ridge)
	}
	if len(m.Ridges) != 4 || m.Ridges[0].Ridge != 0 || m.Ridges[3].Ridge != 1e-2 || !m.Ridges[3].Chosen {
		t.Errorf("ridges %+v", m.Ridges)
	}
	if r := m.Ridges[0]; r.Held < r.Train+0.1 || m.Held <= m.Null {
		t.Errorf("overfitting is not seen: %+v, held out %.3f, null %.3f", r, m.Held, m.Null)
	}
	text := strings.Join(m.Warnings, "\n")
	for _, want := range []string{"60 games for 12 weights", "no better than the mean result"} {
		if !strings.Contains(text, want) {
			t.Errorf("no warning %q in %q", want, text)
		}
	}
	// With data enough the ridge is small.
	m = mustFit(t, recorded(2000, 1, [3]float64{0.8, -0.3, 2}), Options{Names: names()})
	near(t, "slope", m.Slope, 1, 0.1)
	if m.Ridge > 1e-3 || m.Held >= m.Null || len(m.Warnings) > 0 {
		t.Errorf("ridge %v, held out %.4f, null %.4f, warnings %q", m.Ridge, m.Held, m.Null, m.Warnings)
	}
}

func TestSeparableData(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 6))
	var s []Sample
	for g := range 200 {
		x := rng.NormFloat64()
		z := 0.0
		if x > 0 {
			z = 1
		}
		s = append(s, Sample{Game: int64(g), Result: z, Features: []float64{x + math.Copysign(0.5, x)}})
	}
	m := mustFit(t, s, Options{Names: []string{"x"}, Ridges: []float64{0}})
	if !strings.Contains(strings.Join(m.Warnings, ""), "separate all wins from all losses") {
		t.Errorf("weight %v with warnings %q", m.Weights[0].Value, m.Warnings)
	}
}

// A feature that is always 0 has the weight 0; one that others make up does no harm.
func TestRedundantAndDeadFeatures(t *testing.T) {
	t.Parallel()
	s := recorded(500, 2, [3]float64{0.8, -0.3, 2})
	for i := range s {
		f := s[i].Features
		s[i].Features = []float64{f[0], f[1], f[0] - 2*f[1], 0}
	}
	list := []string{"a", "b", "a_minus_2b", "nothing"}
	m := mustFit(t, s, Options{Names: list, Ridges: []float64{0}})
	for _, w := range m.Weights {
		if dead := w.Feature == "nothing"; w.Dead != dead || (dead && w.Value != 0) {
			t.Errorf("%+v", w)
		}
	}
	if len(m.Warnings) != 1 {
		t.Errorf("warnings %q", m.Warnings)
	}
	if _, err := json.Marshal(m); err != nil {
		t.Error(err)
	}
}

func TestSameOnAnyNumberOfCores(t *testing.T) { // not parallel: it sets GOMAXPROCS
	s := recorded(800, 11, [3]float64{0.8, -0.3, 2})
	o := Options{Names: names(), Seed: 3}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	a := mustFit(t, s, o)
	runtime.GOMAXPROCS(8)
	if b := mustFit(t, s, o); !reflect.DeepEqual(a, b) {
		t.Error("1 and 8 cores differ")
	}
}

func TestBadData(t *testing.T) {
	t.Parallel()
	good := recorded(40, 1, [3]float64{1, 1, 1})
	with := func(change func(s *Sample)) []Sample {
		s := append([]Sample(nil), good...)
		change(&s[17])
		return s
	}
	var won []Sample
	for _, s := range good {
		s.Result = 1
		won = append(won, s)
	}
	for _, c := range []struct {
		s []Sample
		o Options
	}{
		{nil, Options{Names: names()}},
		{good, Options{}},
		{good, Options{Names: []string{"a"}}},
		{good[:30], Options{Names: names()}},
		{won, Options{Names: names()}},
		{with(func(s *Sample) { s.Result = 0.7 }), Options{Names: names()}},
		{with(func(s *Sample) { s.Features = []float64{1, math.Inf(1), 2, 3} }), Options{Names: names()}},
		{good, Options{Names: names(), Ridges: []float64{-1}}},
	} {
		_, err := Fit(c.s, c.o)
		if !errors.Is(err, ErrData) {
			t.Errorf("options %+v: %v", c.o, err)
		}
	}
	var zero []Sample
	for _, s := range good {
		s.Features = make([]float64, 4)
		zero = append(zero, s)
	}
	if _, err := Fit(zero, Options{Names: names()}); !errors.Is(err, ErrData) {
		t.Errorf("all features 0: %v", err)
	}
}

func BenchmarkFit(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	list := make([]string, 33)
	for i := range list {
		list[i] = string(rune('A' + i))
	}
	var s []Sample
	for g := range 1000 {
		z := float64(rng.IntN(2))
		for range 40 {
			f := make([]float64, len(list))
			for i := range f {
				f[i] = rng.NormFloat64() + 0.05*(z-0.5)
			}
			s = append(s, Sample{Game: int64(g), Result: z, Features: f})
		}
	}
	for b.Loop() {
		must.Get(Fit(s, Options{Names: list}))(b)
	}
}
