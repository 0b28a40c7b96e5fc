package tuning

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"spar/agents/eval"
	"spar/arena/study"
	"spar/engines/enginetest"
	"spar/tuning/fit"
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
		alike := slices.EqualFunc(got.xs, want, func(a, b []float64) bool { return slices.Equal(a, b) })
		if err != nil || got.result != 0.5 || !alike {
			t.Errorf("%s: %v, %v; want %v", moves, got.xs, err, want)
		}
	}
}

// Temporal differences learn from one game after the other, in batches that are played with the same weights, at a rate
// that falls with every game; what is learned is the mean after the batches of the last quarter. Knobs of learning that
// are stated are taken, 0 among them.
func TestLearningGoesByGames(t *testing.T) {
	t.Parallel()
	const games = 40
	for _, learn := range []Learn{{}, {Alpha: 0.2, Lambda: new(0.0)}, {Lambda: new(1.0)}} {
		x := loadInside(t, "method=td")
		x.Learn.Alpha, x.Learn.Lambda = learn.Alpha, learn.Lambda
		l := x.newLearner()
		h := &matchRunner{t: x, purpose: purposeTraining, rules: 1, seed: 7, stored: map[int64]study.Game{}}
		played := []game{
			{moves: "a1 b1 a2 b2 a3", score: 1},
			{moves: "b2 a1 c3 b1 a3 c1", score: 0},
			{moves: "a1 b2 a3 a2 c1 c2", score: 0.5},
		}
		for n := range games {
			g := played[n%7%3]
			h.stored[int64(n)] = study.Game{
				Opening: int64(n), Seed: 7, Moves: g.moves,
				Result: map[float64]string{0: "second", 0.5: "draw", 1: "first"}[g.score],
			}
		}
		alpha, lambda := 0.05, 0.7
		if learn.Alpha != 0 {
			alpha = learn.Alpha
		}
		if learn.Lambda != nil {
			lambda = *learn.Lambda
		}
		w := l.start()
		mean, batches := make([]float64, len(w)), 0.0
		for n := range games {
			lesson, err := x.read(played[n%7%3], l.fs, l.eval, l.sets)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range lesson.xs {
				for k := range f {
					f[k] /= l.scale[k]
				}
			}
			if w, err = fit.TDUpdate(w, lesson.xs, lesson.result, lambda, alpha/(1+9*float64(n)/games)); err != nil {
				t.Fatal(err)
			}
			if n+1 == 32 || n+1 == 40 {
				for k := range w {
					mean[k] += w[k]
				}
				batches++
			}
		}
		for k := range mean {
			mean[k] /= batches
		}
		want, err := l.values(mean)
		if err != nil {
			t.Fatal(err)
		}
		var told []int
		got, err := l.td(t.Context(), h, games, func(n int, score float64, _ []float64) {
			if told = append(told, n); score < 0 || score > 1 {
				t.Errorf("a score of %g", score)
			}
		})
		if err != nil || !slices.Equal(told, []int{8, 16, 24, 32, 40}) {
			t.Fatal(told, err)
		}
		for k := range got {
			if math.Abs(got[k]-want[k]) > 1e-9 {
				t.Errorf("%+v: %s is %g, want %g", learn, x.Params[k].Name, got[k], want[k])
			}
		}
	}
}

// A regression plays as many games as it may, the last batch of 64 being a rest, all with the weights of the start, and
// learns from them what a fit of their positions says; it tells once, at the end.
func TestRegressionOfTheGames(t *testing.T) {
	t.Parallel()
	const games = 70
	x := loadInside(t, "method=regression")
	l := x.newLearner()
	// what is not stored is missing
	h := &matchRunner{t: x, purpose: purposeTraining, rules: 1, seed: 7, stored: map[int64]study.Game{}}
	played := []game{
		{moves: "a1 b1 a2 b2 a3", score: 1},
		{moves: "b2 a1 c3 b1 a3 c1", score: 0},
		{moves: "a1 b2 a3 a2 c1 c2", score: 0.5},
		{moves: "b2 a1 c1 a2 a3", score: 1},
		{moves: "a1 b2 a2 a3 b3 c1", score: 0},
	}
	var samples []fit.Sample
	for n := range games {
		g := played[n%7%5]
		h.stored[int64(n)] = study.Game{
			Opening: int64(n), Seed: 7, Moves: g.moves,
			Result: map[float64]string{0: "second", 0.5: "draw", 1: "first"}[g.score],
		}
		lesson, err := x.read(g, l.fs, l.eval, l.sets)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range lesson.xs {
			samples = append(samples, fit.Sample{Game: int64(n), Result: g.score, Features: f})
		}
	}
	var told []int
	got, m, err := l.regression(t.Context(), h, games, func(n int, score float64, _ []float64) {
		if told = append(told, n); score != 0.5 {
			t.Errorf("a score of %g", score)
		}
	})
	if err != nil || !slices.Equal(told, []int{games}) || h.next != games || m.Games != games ||
		m.Samples != len(samples) {
		t.Fatalf("told %v after %d games, %v", told, h.next, err)
	}
	want, err := fit.Fit(samples, fit.Options{Names: m.Names, Phases: 1, Seed: seedOf(x.Seed, "folds")})
	if err != nil {
		t.Fatal(err)
	}
	first := 0 // the largest; their common length is that of the start
	for k, w := range want.Values()[0] {
		if math.Abs(w) > math.Abs(want.Values()[0][first]) {
			first = k
		}
	}
	for k, w := range want.Values()[0] {
		if ratio := w / want.Values()[0][first]; math.Abs(got[k]-ratio*got[first]) > 1e-9*math.Abs(got[first]) {
			t.Errorf("%s is %g, want %g of %g", m.Names[k], got[k], ratio, got[first])
		}
	}
}
