package tuning

import (
	"context"
	"fmt"
	"math"
	"slices"

	"spar/agents"
	"spar/arena/store"
	"spar/engines"
	"spar/ratings"
	"spar/tuning/fit"
	"spar/tuning/optimise"
)

// Point is one entry in the history of a search.
type Point struct {
	Games int `json:"games"`
	// td, regression: mean score of the first player; spsa: of the plus side; since the previous point
	Score   float64   `json:"score"`
	Current []float64 `json:"current"`
	Mean    []float64 `json:"mean"` // the result if the run ended here
}

// Check is a match of the intermediate result against the starting agent, and its score against the pool of the checks.
// Its openings are those of the training, so its games are not independent of the training.
type Check struct {
	Games int              `json:"games"` // training games before the check
	Match Match            `json:"match"` // from the view of the tuned side
	Pairs [5]float64       `json:"pairs"` // number of pairs in which the tuned side scored 0, 1/2, 1, 3/2 and 2 points
	Pool  ratings.Estimate `json:"pool" help:"mean score against the agents of checks.pool, an estimate; null without a pool"`
}

// Change gives the value of a tuned parameter before and after tuning.
type Change struct {
	Path   string  `json:"path" help:"path of the number"`
	Before float64 `json:"before" help:"value before tuning"`
	After  float64 `json:"after" help:"value in the tuned agent"`
	// Noise is one standard deviation of the change that chance alone would cause if the parameter had no effect; 0 =
	// unknown.
	Noise float64 `json:"noise,omitempty" help:"distance that chance alone would explain"`
	Scale float64 `json:"scale" help:"a change that matters"` // a change that matters, in the unit of the parameter
}

// Result is the result of a tuning.
type Result struct {
	Name    string   `json:"name" help:"name of the tuning"`
	Method  string   `json:"method" help:"pipeline, spsa, td or regression"`
	Games   int      `json:"games" help:"number of training games"`
	Played  int64    `json:"played" help:"games that this run played"`
	Changes []Change `json:"changes"`
	Course  []Point  `json:"course" help:"points of the search: games, score, current, mean"`
	Checks  []Check  `json:"checks" help:"intermediate results against the starting agent: games, match (score and elo, each an estimate), pairs; pool"`
	// the starting agent's score against the pool of the checks
	StartPool ratings.Estimate `json:"start_pool" help:"mean score of the starting agent against the agents of checks.pool, an estimate; null without a pool"`
	// distance that the parameters moved in the second half of the search, relative to chance; see
	// optimise.SPSA.Movement
	Movement *float64 `json:"movement,omitempty" help:"how far the parameters moved in the second half of the search, relative to chance: well below 1 if it converged, 1 or more if not; absent for td and regression, and if every match was even"`
	// number of games of the learning stage
	FirstPart int `json:"first_part,omitempty" help:"games of the learning stage"`
	// model of a regression; empty for other methods
	Model    *fit.Model  `json:"model,omitempty" help:"the regression: rms, weights[], ridges[], loss, held, null, slope"`
	Tuned    agents.Spec `json:"tuned" help:"the tuned agent"`
	Warnings []string    `json:"warnings" help:"warnings about the result"`
}

// Fit returns an error if an agent of the training cannot play the game.
func (t *Tuning) Fit(ctx context.Context) error {
	return agents.Fit(ctx, []*engines.Game{t.Game}, append(slices.Clone(t.checkers), t.Start)...)
}

// Run runs the tuning, or what is left of it. When ctx ends, Run stores the games played and returns an
// arena.StoppedError.
func (t *Tuning) Run(ctx context.Context, db *store.DB, progress Progress) (*Result, error) {
	unlock, err := db.Lock()
	if err != nil {
		return nil, err
	}
	defer unlock()
	return untilTrusted(ctx, t, func() (*Result, error) { return t.run(ctx, db, true, progress) })
}

// Recall returns the result of a tuning whose games are all stored. It plays nothing. The error is ErrMissing if
// games are missing.
func (t *Tuning) Recall(ctx context.Context, db *store.DB) (*Result, error) {
	return t.run(ctx, db, false, nil)
}

// runner is a run in progress.
type runner struct {
	t        *Tuning
	train    *matchRunner
	check    *matchRunner
	reporter reporter
	result   *Result
	checked  int // number of checks played
}

func (t *Tuning) run(ctx context.Context, db *store.DB, play bool, progress Progress) (*Result, error) {
	r := &runner{t: t, reporter: progress.begin(t.Games), result: &Result{
		Name: t.Name, Method: t.Method,
		Warnings: []string{},
	}}
	plan, err := t.Canonical()
	if err != nil {
		return nil, err
	}
	whole := t.Games + t.checkGames()
	if r.train, err = t.newMatchRunner(ctx, db, t.Name, purposeTraining, plan, play); err != nil {
		return nil, stopped(ctx, err, whole)
	}
	defer r.train.close()
	if r.check, err = t.newMatchRunner(ctx, db, t.Name+" checks", purposeCheck, plan, play); err != nil {
		return nil, stopped(ctx, err, whole, r.train)
	}
	defer r.check.close()
	x, noise, err := r.stages(ctx)
	if err != nil {
		return nil, stopped(ctx, err, whole, r.train, r.check)
	}
	return r.finish(x, noise)
}

// stages runs the method. It returns the result, and how far chance alone would move each parameter.
func (r *runner) stages(ctx context.Context) ([]float64, []float64, error) {
	t := r.t
	from, games := t.Start, t.learnGames()
	if games > 0 {
		l := t.newLearner()
		record := func(done int, score float64, x []float64) {
			r.point(Point{Games: done, Score: score, Current: x, Mean: x})
		}
		var x []float64
		var err error
		if t.learns() == methodFit {
			x, r.result.Model, err = l.regression(ctx, r.train, games, record)
		} else {
			x, err = l.td(ctx, r.train, games, record)
		}
		if err != nil {
			return nil, nil, err
		}
		if from, err = t.apply(t.Name, x); err != nil {
			return nil, nil, err
		}
		r.result.FirstPart, r.result.Games = games, games
		if games >= t.Games-1 { // pairs leave an odd game over
			return x, make([]float64, len(x)), r.checks(ctx, games, x, true)
		}
	}
	return r.search(ctx, from, games)
}

// search runs the optimiser on a spec, after the games of the earlier stage.
func (r *runner) search(ctx context.Context, from agents.Spec, before int) ([]float64, []float64, error) {
	t := r.t
	o, err := t.newOptimiser(from, t.Games-before)
	if err != nil {
		return nil, nil, err
	}
	cost := float64(t.Games-before) / float64((t.Games-before)/2*2)
	told := len(o.History())
	for asked := o.Ask(); asked != nil; asked = o.Ask() {
		scores, err := r.compare(ctx, asked, before)
		if err != nil {
			return nil, nil, err
		}
		o.Tell(scores)
		games := before + int(math.Round(float64(o.Games())*cost))
		if h := o.History(); len(h) != told {
			told = len(h)
			r.result.Games = games
		}
		r.reporter.report(games, r.train.played, o.Current(), nil)
		if err := r.checks(ctx, games, o.Mean(), o.Ask() == nil); err != nil {
			return nil, nil, err
		}
	}
	for _, p := range o.History() {
		games := before + int(math.Round(float64(p.Games)*cost))
		r.result.Course = append(r.result.Course, Point{
			Games:   games,
			Score:   p.Score,
			Current: p.Current,
			Mean:    p.Mean,
		})
	}
	switch movement := o.Movement(); {
	case math.IsNaN(movement):
		r.result.Warnings = append(r.result.Warnings, "in the second half of the search every match was even, so it cannot "+
			"show whether the search converged: use openings: balanced, or a larger spsa.c_end")
	case movement >= 1:
		r.result.Warnings = append(r.result.Warnings, fmt.Sprintf("the search had not converged: in its second half the tuned "+
			"parameters moved %.1f times as far as chance alone would move them; "+
			"play more games, like --set games=%d, or use method pipeline", movement, 2*t.Games))
		fallthrough
	default:
		r.result.Movement = &movement
	}
	noise := o.Drift()
	if scales, err := t.scales(from); err == nil {
		for i, s := range scales {
			noise[i] *= s
		}
	}
	return o.Mean(), noise, nil
}

// scales returns the scale of each parameter: one unit of the search, in the parameter's own unit.
func (t *Tuning) scales(from agents.Spec) ([]float64, error) {
	p, err := t.problem(from, t.Games)
	if err != nil {
		return nil, err
	}
	return optimise.Scales(p)
}

// deep reports whether a candidate is played with a search one level deeper. These candidates are spread evenly
// over the run.
func (t *Tuning) deep(id int) bool {
	return math.Floor(float64(id+1)*t.Deeper+1e-9) > math.Floor(float64(id)*t.Deeper+1e-9)
}

// compare plays the comparisons that an optimiser requests, and returns the scores of the plus sides.
func (r *runner) compare(ctx context.Context, asked []optimise.Candidate, before int) ([]float64, error) {
	t := r.t
	var todo []match
	for _, c := range asked {
		plus, err := t.apply(fmt.Sprintf("%s %d+", t.Name, c.ID), c.Plus)
		if err != nil {
			return nil, err
		}
		minus, err := t.apply(fmt.Sprintf("%s %d-", t.Name, c.ID), c.Minus)
		if err != nil {
			return nil, err
		}
		if t.deep(c.ID) {
			plus, _ = plus.Deeper()
			minus, _ = minus.Deeper()
		}
		todo = append(todo, match{
			a:       plus,
			b:       minus,
			opening: int64(before + c.Opening),
			pairs:   c.Pairs,
		})
	}
	results, err := r.train.play(ctx, todo...)
	if err != nil {
		return nil, err
	}
	scores := make([]float64, len(asked))
	for i, o := range results {
		scores[i] = o.score
	}
	return scores, nil
}

// point reports progress of the learning stage, and records about fifty points of it.
func (r *runner) point(p Point) {
	r.reporter.report(p.Games, r.train.played, p.Current, nil)
	every := max(1, r.t.learnGames()/50)
	if n := len(r.result.Course); n == 0 || p.Games-r.result.Course[n-1].Games >= every {
		r.result.Course = append(r.result.Course, p)
	}
}

// checks plays the checks that are due after the given number of games of the training.
func (r *runner) checks(ctx context.Context, games int, x []float64, last bool) error {
	points := *r.t.Checks.Points
	due := points * games / r.t.Games
	if last {
		due = points
	}
	if due <= r.checked {
		return nil
	}
	tuned, err := r.t.apply(fmt.Sprintf("%s after %d", r.t.Name, games), x)
	if err != nil {
		return err
	}
	start := r.t.Start
	start.Name = r.t.Name + " start"
	if r.checked == 0 {
		if r.result.StartPool, err = r.pool(ctx, start); err != nil {
			return err
		}
	}
	r.checked = due
	out, err := r.check.play(ctx, match{a: tuned, b: start, pairs: r.t.Checks.Pairs})
	if err != nil {
		return err
	}
	c := Check{Games: games, Pairs: out[0].counts}
	if c.Match, err = analyse(c.Pairs); err != nil {
		return err
	}
	if c.Pool, err = r.pool(ctx, tuned); err != nil {
		return err
	}
	r.result.Checks = append(r.result.Checks, c)
	r.reporter.report(games, r.train.played, x, &c)
	return nil
}

// pool plays an agent against the pool of the checks and returns its mean score over the opponents.
func (r *runner) pool(ctx context.Context, s agents.Spec) (ratings.Estimate, error) {
	var todo []match
	for _, rival := range r.t.checkers {
		rival.Name = r.t.Name + " pool " + rival.Name
		todo = append(todo, match{a: s, b: rival, pairs: r.t.poolPairs()})
	}
	out, err := r.check.play(ctx, todo...)
	if err != nil || len(out) == 0 {
		return ratings.Estimate{}, err
	}
	return average(out)
}

// average returns the mean score over matches. Each side of its interval is the square root of the sum of squares of
// the sides (MOVER), so that a match in which one side won every game does not seem certain.
func average(matches []matchResult) (ratings.Estimate, error) {
	n := float64(len(matches))
	e := ratings.Estimate{Level: level, Unit: "pairs", Method: "combined", Scale: ratings.ScaleShare}
	down, up := 0.0, 0.0
	for _, o := range matches {
		m, err := analyse(o.counts)
		if err != nil {
			return e, err
		}
		s := m.Score
		e.Value += s.Value / n
		e.N += s.N
		down, up = math.Hypot(down, (s.Value-s.Lo)/n), math.Hypot(up, (s.Hi-s.Value)/n)
	}
	e.Lo, e.Hi = e.Value-down, e.Value+up
	return e, nil
}

// finish assembles the result of a run from its answer.
func (r *runner) finish(x, noise []float64) (*Result, error) {
	t, out := r.t, r.result
	out.Played = r.train.played + r.check.played
	for i := range x {
		x[i] = rounded(x[i])
	}
	tuned, err := t.apply(t.Name+"-tuned", x)
	if err != nil {
		return nil, err
	}
	scales, err := t.scales(t.Start)
	if err != nil {
		return nil, err
	}
	for i := range t.Params {
		p := &t.Params[i]
		for _, target := range p.Targets {
			if err := put(&tuned, target.Path, rounded(x[i]*target.Factor)); err != nil {
				return nil, err
			}
		}
		out.Changes = append(out.Changes, Change{
			Path: p.Name, Before: p.Start, After: x[i], Noise: noise[i],
			Scale: scales[i],
		})
	}
	tuned.Description = fmt.Sprintf("%s tuned for %s by %s over %d games (seed %d).",
		t.Start.Name, t.Label, t.Method, out.Games, t.Seed)
	out.Tuned = tuned
	last := out.LastCheck()
	if last != nil && !last.Match.Elo.LoOpen && last.Match.Elo.Lo <= 0 {
		out.Warnings = append(out.Warnings,
			"the tuned agent is not significantly better than the starting agent, even on the training openings: validate "+
				"it before use")
	}
	if out.Model != nil {
		out.Warnings = append(out.Warnings, out.Model.Warnings...)
	}
	return out, nil
}

// LastCheck returns the check of the final answer; nil if there are no checks.
func (r *Result) LastCheck() *Check {
	if n := len(r.Checks); n > 0 {
		return &r.Checks[n-1]
	}
	return nil
}

// rounded rounds to four digits: more would be noise.
func rounded(x float64) float64 {
	if x == 0 || math.IsInf(x, 0) || math.IsNaN(x) {
		return 0
	}
	unit := math.Pow(10, 3-math.Floor(math.Log10(math.Abs(x))))
	return math.Round(x*unit) / unit
}
