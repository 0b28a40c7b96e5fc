package accuracy

import (
	"math"
	"strings"
	"testing"

	"spar/engines/solve"
)

// The worst mistakes are kept: those that lose most first, of equal ones those of the longest way to the end, then those that came first.
func TestWorstMistakes(t *testing.T) {
	t.Parallel()
	a := newTally("x", "classic")
	for _, m := range []Mistake{{"a", "", "", 0.5, 3}, {"b", "", "", 1, 2}, {"c", "", "", 0.5, 3}, {"d", "", "", 0.5, 7}, {"e", "", "", 1, 5}, {"f", "", "", 0.5, 3}} {
		a.mistake(m)
	}
	order := ""
	for _, m := range a.Mistakes[:min(6, len(a.Mistakes))] {
		order += m.Position
	}
	if want := "ebdacf"[:min(6, worst)]; order != want {
		t.Errorf("%s, want %s", order, want)
	}
	if len(a.Mistakes) < worst && !a.isWorse(verdict{loss: 0.1}) {
		t.Error("there is room for any mistake")
	}
	a.Mistakes = nil
	for range worst + 3 {
		a.mistake(Mistake{Loss: 0.5, DTW: 4})
	}
	if len(a.Mistakes) != worst {
		t.Errorf("%d mistakes are kept", len(a.Mistakes))
	}
	a.mistake(Mistake{Position: "late", Loss: 0.5, DTW: 4})
	if a.Mistakes[worst-1].Position != "" {
		t.Error("a mistake like the last one takes its place")
	}
	for _, c := range []struct {
		loss float64
		dtw  int
		want bool
	}{{1, 1, true}, {0.5, 5, true}, {0.5, 4, false}, {0.5, 3, false}, {0.25, 9, false}} {
		if got := a.isWorse(verdict{loss: c.loss, value: solve.Value{DTW: c.dtw}}); got != c.want {
			t.Errorf("a loss of %g in %d is among the worst: %t", c.loss, c.dtw, got)
		}
	}
	a.Mistakes = a.Mistakes[:worst-1]
	if !a.isWorse(verdict{loss: 0.1}) {
		t.Error("there is room for one more")
	}
}

// What was expected of positions is a mean with its interval; of one position alone there is none beside it.
func TestExpectedScores(t *testing.T) {
	t.Parallel()
	a := newTally("x", "classic")
	a.expected[solve.Win], a.expected[solve.Draw], a.expected[solve.Loss] = []float64{0.7}, []float64{0.4, 0.6}, []float64{0, 0.2}
	a.share.Add(0, 1)
	a.lost.Add(1, 2) // of two halves of a point
	r := a.result()
	const z = 1.959963984540054
	off := z * 0.1 // the standard deviation of two is their distance over √2, the error of their mean is that over √2 again
	want := []Expected{{"win", 1, 0.7, 0.7, 0.7}, {"draw", 2, 0.5, 0.5 - off, 0.5 + off}, {"loss", 2, 0.1, 0, 0.1 + off}}
	for i, e := range r.Expected {
		if w := want[i]; e.Value != w.Value || e.Positions != w.Positions || math.Abs(e.Mean-w.Mean) > 1e-9 || math.Abs(e.Lo-w.Lo) > 1e-9 || math.Abs(e.Hi-w.Hi) > 1e-9 {
			t.Errorf("%+v, want %+v", e, w)
		}
	}
	if len(r.Expected) != 3 || r.MeanLoss != 0.5 || r.Decisions != 1 {
		t.Errorf("%+v", r)
	}
	if got := [3]float64{Points(solve.Win), Points(solve.Draw), Points(solve.Loss)}; got != [3]float64{1, 0.5, 0} {
		t.Errorf("%v", got)
	}
	idle := newTally("x", "classic")
	if idle.endGame(); idle.Games != 0 {
		t.Error("a game in which nothing was decided counts")
	}
	var b strings.Builder
	r.Agent, r.Expected = "x", r.Expected[:2]
	r.Mistakes = []Mistake{{Position: "here", Move: "a1", Best: "b2"}}
	Brief(&b, []Result{r})
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	if got := strings.Join(strings.Fields(lines[len(lines)-1]), " "); !strings.HasSuffix(got, " 1 70 % (70 to 70) 50 % (30 to 70) –") {
		t.Errorf("%q", got)
	}
	b.Reset()
	if Text(&b, []Result{r}, ""); !strings.Contains(b.String(), "worst of x in classic: a1 instead of b2 in here\n") {
		t.Error(b.String())
	}
}
