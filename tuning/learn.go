package tuning

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"spar/agents"
	"spar/agents/eval"
	"spar/engines"
	"spar/tuning/fit"
)

// learnBatch is how many games TD plays with the same weights, at the same time. The result depends on it, so it does
// not depend on the machine.
const learnBatch = 8

// epsilon returns the fraction of random moves in games to learn from.
func (t *Tuning) epsilon() float64 {
	switch {
	case t.Learn.Epsilon != nil:
		return *t.Learn.Epsilon
	case t.learns() == methodFit:
		return 0.15
	}
	return 0.1
}

// learnFeature is a regressor of the learning stage: a feature of a set of weights, or a feature and its mirror
// image.
type learnFeature struct {
	param  int
	set    int
	index  []int // index of the feature
	factor []float64
}

// regressors lists the weights among the parameters.
func (t *Tuning) regressors() []learnFeature {
	names := eval.Names()
	var out []learnFeature
	for i := range t.Params {
		if !t.Params[i].isWeight() {
			continue
		}
		f := learnFeature{param: i}
		for _, target := range t.Params[i].Targets {
			set, feature, _ := setOf(target.Path)
			f.set = set
			f.index = append(f.index, slices.Index(names, feature))
			f.factor = append(f.factor, target.Factor)
		}
		out = append(out, f)
	}
	return out
}

// of computes the regressor from the features of a position.
func (f *learnFeature) of(v *eval.Vector) float64 {
	sum := 0.0
	for k, i := range f.index {
		sum += f.factor[k] * v[i]
	}
	return sum
}

// lesson is a game to learn from: the regressors of each position after a move, from the first player's view.
type lesson struct {
	xs     [][]float64
	result float64 // result of the first player: 1, 0.5 or 0
}

// read replays a game, and skips the positions of the opening and the final one. It evaluates a position for the side
// that has just moved, as the agent does when it chooses, and then changes the sign for the second player.
func (t *Tuning) read(g game, fs []learnFeature, e *eval.Evaluator, sets func(*engines.State) int) (lesson, error) {
	out := lesson{result: g.score}
	p := t.Game.NewPosition()
	for i, text := range strings.Fields(g.moves) {
		m, err := p.ParseMove(text)
		if err != nil {
			return out, fmt.Errorf("move %d: %w", i+1, err)
		}
		side := p.Side()
		p.Play(m)
		if i < g.opening || p.Over() {
			continue
		}
		v, set := e.Features(&p.State, side), sets(&p.State)
		sign := 1.0
		if side == engines.Second {
			sign = -1
		}
		x := make([]float64, len(fs))
		for k := range fs {
			if fs[k].set == set {
				x[k] = sign * fs[k].of(&v)
			}
		}
		out.xs = append(out.xs, x)
	}
	return out, nil
}

// learner learns weights from self-play.
type learner struct {
	t     *Tuning
	fs    []learnFeature
	eval  *eval.Evaluator
	sets  func(*engines.State) int
	scale []float64 // root mean square of each regressor in the sample games, 1 where it is 0
}

func (t *Tuning) newLearner() *learner {
	l := &learner{
		t:    t,
		fs:   t.regressors(),
		eval: eval.New(t.Game, t.Start.Params),
		sets: setChooser(&t.Start.Params),
	}
	for _, f := range l.fs {
		sum := 0.0
		for k, i := range f.index {
			sum = math.Hypot(sum, f.factor[k]*t.Probe.Sets[f.set].RMS[i])
		}
		l.scale = append(l.scale, cmp.Or(sum, 1))
	}
	return l
}

// spec returns the starting agent with the learner's weights and a fraction of random moves. The weights are scaled
// to the length of the starting agent's weights.
func (l *learner) spec(name string, w []float64, epsilon float64) (agents.Spec, error) {
	x, err := l.values(w)
	if err != nil {
		return agents.Spec{}, err
	}
	s, err := l.t.apply(name, x)
	s.Mixture.Epsilon = epsilon
	return s, err
}

// values converts weights of standardised regressors to the numbers of the tuning. It scales them to the common length
// of the starting agent's weights, because learning does not determine the length. The unit of each weight is its
// Scale.
func (l *learner) values(w []float64) ([]float64, error) {
	x := make([]float64, len(l.t.Params))
	for i := range x {
		x[i] = l.t.Params[i].Start
	}
	before, after := 0.0, 0.0
	for k, f := range l.fs {
		p := l.t.Params[f.param]
		x[f.param] = w[k] / l.scale[k]
		before += (p.Start / p.Scale) * (p.Start / p.Scale)
		after += (x[f.param] / p.Scale) * (x[f.param] / p.Scale)
	}
	if after == 0 {
		return nil, fmt.Errorf("learning from %d games left all weights at 0", l.t.learnGames())
	}
	for _, f := range l.fs {
		p := l.t.Params[f.param]
		x[f.param] *= math.Sqrt(before / after)
		if p.Min != nil {
			x[f.param] = max(x[f.param], *p.Min)
		}
		if p.Max != nil {
			x[f.param] = min(x[f.param], *p.Max)
		}
	}
	return x, nil
}

// start returns the starting agent's weights for standardised regressors, with a root mean square of 0.3.
func (l *learner) start() []float64 {
	w, sum := make([]float64, len(l.fs)), 0.0
	for k, f := range l.fs {
		w[k] = l.t.Params[f.param].Start * l.scale[k]
		sum += w[k] * w[k]
	}
	if sum > 0 {
		for k := range w {
			w[k] *= 0.3 / math.Sqrt(sum/float64(len(w)))
		}
	}
	return w
}

// td learns by temporal differences, batch by batch. After each batch it calls tell with the number of games so
// far and the values.
func (l *learner) td(ctx context.Context, m *matchRunner, games int,
	tell func(games int, score float64, x []float64),
) ([]float64, error) {
	lambda, alpha := fit.TDLambda, cmp.Or(l.t.Learn.Alpha, fit.TDAlpha)
	if l.t.Learn.Lambda != nil {
		lambda = *l.t.Learn.Lambda
	}
	w := l.start()
	tail, counted := make([]float64, len(w)), 0.0
	for g := 0; g < games; {
		n := min(learnBatch, games-g)
		lessons, score, err := l.games(ctx, m, fmt.Sprintf("%s td %d", l.t.Name, g), w, g, n)
		if err != nil {
			return nil, err
		}
		for i, lesson := range lessons {
			xs := make([][]float64, len(lesson.xs))
			for k, x := range lesson.xs {
				xs[k] = make([]float64, len(x))
				for j := range x {
					xs[k][j] = x[j] / l.scale[j]
				}
			}
			if w, err = fit.TDUpdate(w, xs, lesson.result, lambda, fit.TDRate(alpha, g+i, games)); err != nil {
				return nil, err
			}
		}
		g += n
		if 4*g > 3*games { // average over the last quarter, so that the last games do not decide
			for i := range w {
				tail[i] += w[i]
			}
			counted++
		}
		if x, err := l.values(w); err == nil {
			tell(g, score, x)
		}
	}
	for i := range tail {
		tail[i] /= counted
	}
	return l.values(tail)
}

// regression plays all games with the starting agent's weights and fits their results.
func (l *learner) regression(ctx context.Context, m *matchRunner, games int,
	tell func(games int, score float64, x []float64),
) ([]float64, *fit.Model, error) {
	var samples []fit.Sample
	points := 0.0
	const batch = 64
	for g := 0; g < games; {
		n := min(batch, games-g)
		lessons, score, err := l.games(ctx, m, l.t.Name+" regression", l.start(), g, n)
		if err != nil {
			return nil, nil, err
		}
		for i, lesson := range lessons {
			for _, x := range lesson.xs {
				samples = append(samples, fit.Sample{Game: int64(g + i), Result: lesson.result, Features: x})
			}
		}
		points += score * float64(n)
		g += n
	}
	names := make([]string, len(l.fs))
	for k, f := range l.fs {
		names[k] = l.t.Params[f.param].Name
	}
	model, err := fit.Fit(samples, fit.Options{Names: names, Seed: seedOf(l.t.Seed, "folds")})
	if err != nil {
		return nil, nil, err
	}
	w := make([]float64, len(l.fs))
	for k := range w {
		w[k] = model.Weights[k].Value * l.scale[k]
	}
	x, err := l.values(w)
	if err == nil {
		tell(games, points/float64(games), x)
	}
	return x, model, err
}

// games plays n games of self-play, from opening g on, and returns their lessons. Score is the mean score of the
// first player.
func (l *learner) games(ctx context.Context, m *matchRunner, name string, w []float64, g, n int) ([]lesson, float64,
	error,
) {
	s, err := l.spec(name, w, l.t.epsilon())
	if err != nil {
		return nil, 0, err
	}
	out, err := m.play(ctx, match{
		a:       s,
		b:       s,
		opening: int64(g),
		pairs:   n,
		single:  true,
	})
	if err != nil {
		return nil, 0, err
	}
	var lessons []lesson
	for i, game := range out[0].games {
		lesson, err := l.t.read(game, l.fs, l.eval, l.sets)
		if err != nil {
			return nil, 0, fmt.Errorf("game %d of the training: %w", g+i, err)
		}
		lessons = append(lessons, lesson)
	}
	return lessons, out[0].score, nil
}
