package learn

import (
	"errors"
	"math"
	"testing"

	"spar/agents/eval"
	"spar/configs/must"
	"spar/engines/enginetest"
)

// The slope of numbers is that of the results drawn from it, whatever the numbers' scale, and 0 where they say nothing.
func TestSlope(t *testing.T) {
	t.Parallel()
	for _, want := range []float64{0.002, 0.3, 7} {
		var xs, ys []float64
		for i := -2000; i <= 2000; i++ {
			x := float64(i) / 1000 / want
			xs, ys = append(xs, x), append(ys, 1/(1+math.Exp(-want*x))) // the mean of what would be drawn
		}
		if got := slope(xs, ys); math.Abs(got/want-1) > 0.01 {
			t.Errorf("slope %v, want %v", got, want)
		}
	}
	if got := slope([]float64{0, 0}, []float64{1, 0}); got != 0 {
		t.Errorf("numbers that are all 0 have slope %v", got)
	}
	if got := slope([]float64{2, -2, 3}, []float64{0, 1, 0}); !(got < 0) {
		t.Errorf("numbers that foretell the contrary have slope %v", got)
	}
}

// A training on the linear evaluation begins with its weights at the scale that suits the results of its games, and
// changes only the tables.
func TestCalibratedBase(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "connect4")
	tr := must.Get(New(t.Context(), g, Options{Base: LinearBase, Games: 1, Seed: 4}))(t)
	p := tr.layout.Architecture().Linear
	if p == nil || p.Scale < 20 || p.Scale > 500 {
		t.Fatalf("calibrated to %+v", p)
	}
	if len(p.Weights) == 0 || p.Weights["own_waiting"] != 40 {
		t.Errorf("weights %v, want those of searches", p.Weights)
	}
	for i, x := range tr.trainer.Numbers {
		if x != 0 {
			t.Fatalf("number %d is %v before the first game", i, x)
		}
	}
	// Far from its scale the evaluation foretells games that it has not seen worse.
	net := must.Get(tr.Net())(t)
	tr.done = 100_000
	lessons := must.Get(tr.play(t.Context(), net, 128))(t)
	loss := func(scale float64) (sum float64) {
		e := eval.New(g, eval.Params{Weights: p.Weights, Scale: scale})
		for _, lesson := range lessons {
			s := g.NewState()
			for i, m := range lesson.Moves {
				if !lesson.Random[i] {
					score := e.Score(e.Value(&s, 0))
					sum -= lesson.Result*math.Log(score) + (1-lesson.Result)*math.Log(1-score)
				}
				s.Play(m)
			}
		}
		return sum
	}
	if own := loss(p.Scale); own > loss(p.Scale/3) || own > loss(3*p.Scale) {
		t.Errorf("at scale %v the loss is %v, at a third %v, at three times %v", p.Scale, own, loss(p.Scale/3),
			loss(3*p.Scale))
	}
}

// Where the linear evaluation foretells nothing a training on it does not begin.
func TestUselessBase(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic", "draw.max_plies=3") // all games are drawn
	if _, err := New(t.Context(), g, Options{Base: LinearBase}); !errors.Is(err, ErrNoSignal) {
		t.Errorf("%v", err)
	}
}
