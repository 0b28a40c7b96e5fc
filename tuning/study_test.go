package tuning

import (
	"math"
	"slices"
	"strings"
	"testing"

	"spar/agents/eval"
	"spar/tuning/fit"
)

// Each set of weights that positions of the study reach is learned from those alone, in hundredths of a logit: where
// the first feature is there 8 of 10 games are won under the one set, 2 of 10 under the next, and 5 of 10 under the
// last. Sets that none reaches are left out; without a late one there is no ply that it begins from.
func TestSetsOfAStudy(t *testing.T) {
	t.Parallel()
	shares := []int{8, 2, 5}
	for _, c := range []struct {
		reached []int
		want    string
		late    int
	}{
		{[]int{0}, "weights", 0},
		{[]int{0, 1}, "weights late_weights", 4},
		{[]int{0, 2}, "weights movement_weights", 0},
		{[]int{1, 2}, "late_weights movement_weights", 4},
		{[]int{2, 1, 0}, "weights late_weights movement_weights", 4},
	} {
		r := &studyReader{out: &StudyFit{Rules: "a game", Games: 10}, o: StudyOptions{LateFrom: 4, Ridges: []float64{0}}}
		game := int64(0)
		for _, set := range c.reached {
			for i := range 10 {
				f := make([]float64, len(eval.Names()))
				f[0] = 1
				won := 0.0
				if i < shares[set] {
					won = 1
				}
				r.samples = append(r.samples, fit.Sample{Game: game, Result: won, Features: f})
				r.set = append(r.set, set)
				game++
			}
		}
		if err := r.fit(); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(r.out.Sets, " "); got != c.want || r.out.Agent.LateFrom != c.late ||
			r.out.Agent.Weights == nil || r.out.Model.Phases != len(c.reached) {
			t.Errorf("%v: %s, from ply %d, %+v", c.reached, got, r.out.Agent.LateFrom, r.out.Agent.Params)
		}
		for set, name := range weightSets() {
			w := *weightsOf(&r.out.Agent, set)
			if !slices.Contains(c.reached, set) {
				if len(w) != 0 {
					t.Errorf("%v: %s %v", c.reached, name, w)
				}
				continue
			}
			p := float64(shares[set]) / 10
			if want := 100 * math.Log(p/(1-p)); math.Abs(w[eval.Names()[0]]-want) > 0.1 {
				t.Errorf("%v: %s %v, want %.4g", c.reached, name, w, want)
			}
		}
	}
}
