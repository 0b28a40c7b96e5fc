package review

import (
	"bytes"
	"strings"
	"testing"

	"spar/configs/must"
	"spar/engines"
	"spar/engines/enginetest"
)

// A review as people read it: the ratings of the original program in hundredths where values are exact, expected scores
// otherwise. Columns are ply, move, before, after, loss, rating, class, bar, label and its side, best moves.
func TestText(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	// Every first move draws. At ply 5 b3 wins at once, and c2 lets O win at once by a3.
	exact := must.Get((&Scale{Source: Exact, rate: byTable(solvedTable(t, g))}).review(g, strings.Fields("b2 a1 b1 a2 c2"), engines.First))(t)
	scores := []float64{0.6, 0.5, 0.25, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1}
	evaluator := func(*engines.Position) ([]float64, error) { return scores, nil }
	sampled := must.Get((&Scale{rate: byEvaluator(evaluator)}).review(g, []string{"c1"}, engines.Second))(t)
	for _, c := range []struct {
		game Game
		want []string
	}{
		{Game{Result: "ongoing", Source: Exact, Perspective: "X", Review: exact}, []string{
			"x: ongoing after 5 plies, exact, seen from X",
			"1 Xb2 0.50 0.50 0.00 0.00 best 0.5 0.5 X a1 b1 c1 a2 b2 c2 a3 b3 c3",
			"5 Xc2 1.00 0.00 1.00 -0.98 mistake 0.01 W1 O b3",
		}},
		{Game{Result: "ongoing", Source: "dice", Perspective: "O", Review: sampled}, []string{
			"x: ongoing after 1 ply, scores by dice, seen from O",
			"1 Xc1 0.60 0.25 0.35 -0.50 mistake 0.75 0.75 O a1",
			"arc ▅▇",
		}},
	} {
		var out bytes.Buffer
		must.Do(t, c.game.Text(&out, "x"))
		for _, want := range c.want {
			found := false
			for line := range strings.Lines(out.String()) {
				found = found || strings.Join(strings.Fields(line), " ") == want
			}
			if !found {
				t.Errorf("no line %q in\n%s", want, &out)
			}
		}
	}
}
