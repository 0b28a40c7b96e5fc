package tuning

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"spar/agents/eval"
	"spar/arena/store"
	"spar/arena/study"
	"spar/engines/enginetest"
	"spar/tuning/fit"
)

// Features that are 0 in every position of the study are unknown to its rules, and dropped; one that is not 0 once is kept.
func TestFeaturesOfAStudy(t *testing.T) {
	t.Parallel()
	all := eval.Names()
	row := func(set map[int]float64) fit.Sample {
		f := make([]float64, len(all))
		for k, x := range set {
			f[k] = x
		}
		return fit.Sample{Features: f}
	}
	last := len(all) - 1
	r := &studyReader{samples: []fit.Sample{row(nil), row(map[int]float64{2: -1}), row(map[int]float64{last: 3, 2: 4})}}
	names, index := r.alive()
	if !slices.Equal(names, []string{all[2], all[last]}) || !slices.Equal(index, []int{2, last}) {
		t.Errorf("%v at %v", names, index)
	}
	for i, want := range [][]float64{{0, 0}, {-1, 0}, {4, 3}} {
		if !slices.Equal(r.samples[i].Features, want) {
			t.Errorf("position %d has %v, want %v", i, r.samples[i].Features, want)
		}
	}
}

// Each set of weights that positions of the study reach is learned from those alone, in hundredths of a logit: where the first feature is
// there 8 of 10 games are won under the one set, 2 of 10 under the next, and 5 of 10 under the last. Sets that none reaches are left out;
// without a late one there is no ply that it begins from.
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
		if got := strings.Join(r.out.Sets, " "); got != c.want || r.out.Agent.LateFrom != c.late || r.out.Agent.Weights == nil || r.out.Model.Phases != len(c.reached) {
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

// Which set a position of a study belongs to: with a late set those from its ply on, or once pieces move where they have no set of their
// own; rules with movement have one. In Tapatan pieces move after six plies.
func TestSetsOfPositions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rules string
		from  int
		want  string // of the positions after each ply
	}{
		{"tapatan", 0, "000002222"},
		{"tapatan", 3, "001112222"},
		{"classic", 0, "00000000"},
		{"classic", 5, "00001111"},
		{"classic", 1, "11111111"},
	} {
		g := enginetest.Load(t, c.rules)
		r := &studyReader{out: &StudyFit{}, every: 1, o: StudyOptions{LateFrom: c.from}}
		moves := "a1 b1 a2 b2 b3 a3 c1 c2 c3"
		if c.rules == "tapatan" {
			p := g.NewPosition()
			var texts []string
			for range 9 { // forced moves are left out: none is
				legal := p.AppendMoves(nil)
				m := legal[len(legal)/2]
				texts = append(texts, g.MoveText(m))
				if p.Play(m); p.Over() {
					t.Fatal("the game is over")
				}
			}
			moves = strings.Join(texts, " ")
		}
		if err := r.read(store.Row{Game: study.Game{Moves: moves, Result: "draw"}, RulesName: c.rules, RulesJSON: g.Rules().Canonical()}); err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, set := range r.set {
			got += fmt.Sprint(set)
		}
		if got != c.want || r.out.Opening != 0 {
			t.Errorf("%s, late from %d: %s (%d forced), want %s", c.rules, c.from, got, r.out.Forced, c.want)
		}
	}
}
