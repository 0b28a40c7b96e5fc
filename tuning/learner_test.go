package tuning

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"spar/agents/eval"
	"spar/engines/enginetest"
	"spar/tuning/optimise"
)

// learnerOf is a learner of two weights, w1 that starts at 3 and w2 at 4, whose features have root mean squares of 2
// and 1/2; before them stands a knob, which stays at 7.
func learnerOf(games int) *learner {
	t := &Tuning{Plan: Plan{Method: methodTD, Games: games}, Params: []Param{
		{Parameter: optimise.Parameter{Name: "knob", Start: 7, Scale: 1}},
		{Parameter: optimise.Parameter{Name: "w1", Start: 3, Scale: 1}},
		{Parameter: optimise.Parameter{Name: "w2", Start: 4, Scale: 2}},
	}}
	return &learner{t: t, fs: []learnFeature{{param: 1}, {param: 2}}, scale: []float64{2, 0.5}}
}

// What is learned has the length of the start, in units that matter: here (3/1)² + (4/2)² = 13. Weights of 2 and 1 are
// 2/2 = 1 and 1/0.5 = 2 before that, of which (1/1)² + (2/2)² = 2. Bounds come last, and a knob stays where it is.
func TestLearnedWeightsHaveTheLengthOfTheStart(t *testing.T) {
	t.Parallel()
	f := math.Sqrt(13.0 / 2)
	for _, c := range []struct {
		name   string
		w      []float64
		change func(p []Param)
		want   []float64
	}{
		{"free", []float64{2, 1}, func([]Param) {}, []float64{7, f, 2 * f}},
		{"the other way", []float64{-2, -1}, func([]Param) {}, []float64{7, -f, -2 * f}},
		{"one is 0", []float64{6, 0}, func([]Param) {}, []float64{7, math.Sqrt(13), 0}},
		{"bounds", []float64{2, 1}, func(p []Param) { p[1].Min, p[2].Max = new(3.0), new(5.0) }, []float64{7, 3, 5}},
		{"wide bounds", []float64{2, 1}, func(p []Param) {
			p[1].Min, p[1].Max, p[2].Min, p[2].Max = new(-9.0), new(9.0),
				new(-9.0), new(9.0)
		}, []float64{7, f, 2 * f}},
	} {
		l := learnerOf(240)
		c.change(l.t.Params)
		got, err := l.values(c.w)
		if err != nil || len(got) != 3 {
			t.Fatal(got, err)
		}
		for i := range got {
			if math.Abs(got[i]-c.want[i]) > 1e-12 {
				t.Errorf("%s: %v, want %v", c.name, got, c.want)
			}
		}
	}
	if _, err := learnerOf(240).values([]float64{0, 0}); err == nil {
		t.Errorf("nothing learned: %v", err)
	}
}

// Which set of weights values a position: that of movement once pieces move, where there is one; else the late one from
// its ply on, or once pieces move; else the first. In Tapatan three pieces a side are placed in six plies, then they
// move.
func TestWhichSetValuesAPosition(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "tapatan")
	for _, c := range []struct {
		late, movement bool
		from           int
		want           string // sets after each of 0 to 7 plies
	}{
		{false, false, 0, "00000000"},
		{false, false, 3, "00000000"},
		{true, false, 3, "00011111"},
		{true, false, 9, "00000011"},
		{false, true, 0, "00000022"},
		{true, true, 4, "00001122"},
	} {
		var params eval.Params
		if params.LateFrom = c.from; c.late {
			params.Late = eval.Weights{}
		}
		if c.movement {
			params.Movement = eval.Weights{}
		}
		sets := setChooser(&params)
		p, got := g.NewPosition(), ""
		for range 8 {
			got += fmt.Sprint(sets(&p.State))
			p.Play(p.AppendMoves(nil)[0])
		}
		if got != c.want {
			t.Errorf("late %t from %d, movement %t: %s, want %s", c.late, c.from, c.movement, got, c.want)
		}
	}
}

// A lesson is seen by the first player: what the second sees when it has moved is turned round. Regressors of other
// sets of weights than the one that values a position are 0 there.
func TestLessonIsSeenByTheFirstPlayer(t *testing.T) {
	t.Parallel()
	x := loadInside(t, "rules=classic", "openings={plies: 1}")
	at := func(name string) []int { return []int{slices.Index(eval.Names(), name)} }
	one := []float64{1}
	fs := []learnFeature{
		{0, 0, at("own_centre"), one},
		{1, 0, at("enemy_centre"), one},
		{2, 1, at("own_centre"), one},
		{3, 1, at("enemy_centre"), []float64{-2}},
	}
	params := eval.Params{Late: eval.Weights{}, LateFrom: 3}
	e, sets := eval.New(x.Game, params), setChooser(&params)
	for moves, want := range map[string][][]float64{
		"b2 a1 c1 c3": {{1, 0, 0, 0}, {0, -1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 2}},
		"a1 b2 c1 c3": {{0, 0, 0, 0}, {-1, 0, 0, 0}, {0, 0, 0, -2}, {0, 0, -1, 0}},
	} {
		got, err := x.read(game{moves: moves, score: 0.5}, fs, e, sets)
		// a 0 of either sign is one
		alike := slices.EqualFunc(got.xs, want, slices.Equal)
		if err != nil || got.result != 0.5 || !alike {
			t.Errorf("%s: %v, %v; want %v", moves, got.xs, err, want)
		}
	}
}
