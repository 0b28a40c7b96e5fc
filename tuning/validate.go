package tuning

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"spar/agents"
	"spar/arena/store"
	"spar/engines"
	"spar/ratings"
)

// Examination is the result of a validation: the strength of a candidate in games that are not part of the training.
type Examination struct {
	Name      string `json:"name" help:"name of the tuning"`
	Candidate string `json:"candidate" help:"agent examined"`
	// Look is the number of candidates of this tuning that have been validated in this study, including this one.
	// The best of several candidates seems better than it is. Therefore each candidate plays its own games, and
	// Earlier lists the earlier validations.
	Look    int      `json:"look" help:"number of this validation, counted over all candidates of the tuning"`
	Earlier []string `json:"earlier" help:"candidates validated before"`
	// sequential test against the starting agent
	SPRT   Test      `json:"sprt" help:"sequential test against the starting agent: model, elo0, elo1, state, pairs, llr, lower, upper, elo (an estimate)"`
	Direct Match     `json:"direct" help:"match against the starting agent: score and elo, each an estimate"`
	Pool   []PoolRow `json:"pool"`
	// the opponent in the pool against which the candidate scores lowest
	Worst string `json:"worst" help:"opponent against whom the candidate scores least"`
	// the opponent in the pool against which the starting agent scores lowest
	WorstWas string `json:"worst_was" help:"opponent against which the starting agent scores lowest"`
	// description of the agents that search one level deeper
	Condition string `json:"condition" help:"how the deeper agents differ"`
	// candidate against the starting agent, when both search one level deeper
	Deeper Match `json:"deeper" help:"match one level deeper; fields as in direct"`
	// last check of the training; nil if the candidate is not the training's result
	Training *Check            `json:"training" help:"last check of the training: games, match, pairs; null for other candidates"`
	Optimism *ratings.Estimate `json:"optimism" help:"Elo in the last check minus Elo in the validation, an estimate; null without a check, or if one side won every game of either"`
	// games of the whole validation
	Games int64 `json:"games" help:"games of the validation"`
	// distinct openings of the validation's games
	Openings int64    `json:"openings" help:"distinct openings"`
	Warnings []string `json:"warnings" help:"warnings about the result"`
}

// PoolRow is an opponent in the pool, with its matches against the candidate and against the starting agent.
type PoolRow struct {
	Opponent string `json:"opponent" help:"agent of the pool"`
	Tuned    Match  `json:"tuned" help:"match of the candidate against it; fields as in direct"`
	Start    Match  `json:"start" help:"match of the starting agent against it"`
}

// examiner is a validation in progress.
type examiner struct {
	t           *Tuning
	m           *matchRunner
	tuned       agents.Spec
	start       agents.Spec
	pool        []agents.Spec
	out         *Examination
	openingBase int64 // index of the first opening of the matches after the sequential test
}

// Validate validates a candidate on openings and random numbers that the training did not use: a sequential test
// against the starting agent, matches of both against a pool, and a match with both searching one level deeper. Another
// candidate of the same tuning plays other games.
func (t *Tuning) Validate(ctx context.Context, db *store.DB, candidate agents.Spec, training *Check,
	progress Progress,
) (*Examination, error) {
	unlock, err := db.Lock()
	if err != nil {
		return nil, err
	}
	defer unlock()
	return untilTrusted(ctx, t, func() (*Examination, error) {
		return t.examine(ctx, db, candidate, training, true, progress)
	})
}

// RecallValidation returns a validation whose games are all stored. It plays nothing. The error is ErrMissing if
// games are missing.
func (t *Tuning) RecallValidation(ctx context.Context, db *store.DB, candidate agents.Spec,
	training *Check,
) (*Examination, error) {
	return t.examine(ctx, db, candidate, training, false, nil)
}

func (t *Tuning) examine(ctx context.Context, db *store.DB, candidate agents.Spec, training *Check, play bool,
	progress Progress,
) (*Examination, error) {
	x := &examiner{t: t, tuned: candidate, start: t.Start}
	x.out = &Examination{
		Name: t.Name, Candidate: candidate.Name, Training: training, Earlier: []string{},
		Warnings: []string{},
	}
	if x.start.Name == x.tuned.Name {
		x.start.Name += " (start)"
	}
	for _, name := range t.pool {
		s, err := agents.LoadSpec(name)
		if err != nil {
			return nil, err
		}
		s = s.WithDefaults() // the hand-made weights: the pool must not change when tuned weights become the default
		if s.Name == x.start.Name || s.Name == x.tuned.Name {
			continue
		}
		x.pool = append(x.pool, s)
	}
	if play {
		if err := agents.Fit(ctx, []*engines.Game{t.Game}, append(slices.Clone(x.pool), x.start, x.tuned)...); err != nil {
			return nil, err
		}
	}
	plan, err := x.plan()
	if err != nil {
		return nil, err
	}
	if err := x.look(ctx, db, plan); err != nil {
		return nil, err
	}
	name := fmt.Sprintf("%s validation %d", t.Name, x.out.Look)
	if x.m, err = t.newMatchRunner(ctx, db, name, purposeValidation, plan, play); err != nil {
		return nil, err
	}
	defer x.m.close()
	purpose := fmt.Sprintf("final %d", x.out.Look)
	x.m.seed, x.m.book = int64(seedOf(t.Seed, purpose)>>1), t.openings(seedOf(t.Seed, purpose), true)
	x.rename()
	reporter := progress.begin(x.total())
	x.m.show = func(done int64) { reporter.report(int(done), x.m.played, nil, nil) }
	if err := x.all(ctx); err != nil {
		return nil, stopped(ctx, err, x.total(), x.m)
	}
	x.conclude()
	return x.out, nil
}

// plan returns as text everything that determines the games of the validation.
func (x *examiner) plan() (string, error) {
	tuned := x.tuned
	tuned.Name, tuned.Description = "", ""
	text, err := json.Marshal(struct {
		Tuning     string
		Rules      string
		Validation Validation
		Openings   any
		Seed       int64
		Candidate  agents.Spec
		Start      agents.Spec
		Pool       []agents.Spec
	}{x.t.Name, x.t.Game.RulesHash(), x.t.Validation, x.t.Openings, x.t.Seed, tuned, x.start, x.pool})
	if err != nil {
		return "", fmt.Errorf("validation of %s: %w", x.t.Name, err)
	}
	return string(text), nil
}

// look returns the number of earlier validations of this tuning.
func (x *examiner) look(ctx context.Context, db *store.DB, plan string) error {
	events, err := db.Events(ctx)
	if err != nil {
		return err
	}
	x.out.Look = 1
	for _, e := range events {
		if e.Purpose != purposeValidation || !strings.HasPrefix(e.Name, x.t.Name+" validation ") {
			continue
		}
		if e.Plan == plan {
			return nil
		}
		x.out.Look++
		x.out.Earlier = append(x.out.Earlier, e.Name)
	}
	return nil
}

// rename gives the agents of this validation their own names, because a study has one spec for each name.
func (x *examiner) rename() {
	prefix := fmt.Sprintf("%s validation %d: ", x.t.Name, x.out.Look)
	x.out.Candidate = x.tuned.Name
	x.tuned.Name = prefix + "tuned"
	x.start.Name = prefix + "start"
	for i := range x.pool {
		x.pool[i].Name = prefix + x.pool[i].Name
	}
}

// total returns the maximum number of games.
func (x *examiner) total() int {
	v := x.t.Validation
	return 2 * (v.Most + v.Pairs*(1+2*len(x.pool)) + v.Deeper)
}

func (x *examiner) all(ctx context.Context) error {
	v := &x.t.Validation
	if err := x.sequential(ctx); err != nil {
		return err
	}
	x.m.next = int64(2 * v.Most) // the other games have the same numbers whenever the test ends
	x.openingBase = int64(v.Most)
	var err error
	if x.out.Direct, err = x.match(ctx, x.tuned, x.start, v.Pairs); err != nil {
		return err
	}
	for _, rival := range x.pool {
		var row PoolRow
		_, row.Opponent, _ = strings.Cut(rival.Name, ": ")
		if row.Tuned, err = x.match(ctx, x.tuned, rival, v.Pairs); err != nil {
			return err
		}
		if row.Start, err = x.match(ctx, x.start, rival, v.Pairs); err != nil {
			return err
		}
		x.out.Pool = append(x.out.Pool, row)
	}
	deepTuned, condition := x.tuned.Deeper()
	deepStart, _ := x.start.Deeper()
	x.out.Condition = condition
	x.out.Deeper, err = x.match(ctx, deepTuned, deepStart, v.Deeper)
	return err
}

// sequential plays the candidate against the starting agent until the test stops or no pairs are left.
func (x *examiner) sequential(ctx context.Context) error {
	v := x.t.Validation
	tracker, err := ratings.NewTracker(ratings.SPRT{Model: ratings.BoundsNormalized, Elo1: v.Elo1}, true)
	if err != nil {
		return err
	}
	var failed error
	decided := func(_ int, a, b game) bool {
		state := ratings.StateContinue
		if !a.repeats && !b.repeats {
			state, failed = tracker.Add(int(2 * (a.score + 1 - b.score)))
		}
		return failed != nil || state != ratings.StateContinue
	}
	out, err := x.m.play(ctx, match{
		a:       x.tuned,
		b:       x.start,
		pairs:   v.Most,
		decided: decided,
	})
	if err = errors.Join(err, failed); err != nil {
		return err
	}
	x.out.Games += int64(len(out[0].games))
	r, err := tracker.Result()
	if err != nil {
		return fmt.Errorf("sequential test: %w", err)
	}
	x.out.SPRT = Test{r}
	return nil
}

// match plays pairs and analyses them from a's view.
func (x *examiner) match(ctx context.Context, a, b agents.Spec, pairs int) (Match, error) {
	out, err := x.m.play(ctx, match{a: a, b: b, opening: x.openingBase, pairs: pairs})
	if err != nil {
		return Match{}, err
	}
	x.out.Games += int64(2 * pairs)
	return analyse(out[0].counts)
}

// conclude computes the worst pairings and the optimism of the training.
func (x *examiner) conclude() {
	out := x.out
	direct := out.Direct.Elo
	out.comparePool()
	if out.Training != nil && out.Training.Match.Elo.Open() == "" && direct.Open() == "" {
		t := out.Training.Match
		e := ratings.Normal(t.Elo.Value-direct.Value, math.Hypot(t.Elo.SE, direct.SE), direct.N,
			"pairs", ratings.ScaleElo)
		out.Optimism = &e
	}
	need := int64(x.t.Validation.Pairs) + x.openingBase
	out.Openings = x.m.book.distinct(need)
	if out.Openings < int64(x.t.Validation.Pairs) {
		out.Warnings = append(out.Warnings,
			fmt.Sprintf("the validation has only %d distinct openings: its games repeat, and the intervals are too narrow",
				out.Openings))
	}
	if len(out.Earlier) > 0 && direct.SE > 0 { // none if one side won every game
		out.Warnings = append(out.Warnings,
			fmt.Sprintf("this is candidate %d of this tuning: the best candidate is probably about %.0f Elo weaker than measured",
				out.Look, curse(out.Look)*direct.SE))
	}
}

// comparePool finds the opponents against which the candidate and the starting agent score lowest. It warns of a
// significant loss.
func (out *Examination) comparePool() {
	worst, was := math.Inf(1), math.Inf(1)
	for _, row := range out.Pool {
		tuned, start := row.Tuned.Score, row.Start.Score
		if tuned.Value < worst {
			worst, out.Worst = tuned.Value, row.Opponent
		}
		if start.Value < was {
			was, out.WorstWas = start.Value, row.Opponent
		}
		if tuned.Value-start.Value < -normal*math.Hypot(tuned.SE, start.SE) {
			out.Warnings = append(out.Warnings,
				fmt.Sprintf("against %s the tuned agent scores %.1f %%, significantly less than the starting agent's %.1f %%",
					row.Opponent, 100*tuned.Value, 100*start.Value))
		}
	}
}

// curse returns how many standard errors too strong the best of m equal candidates seems on average. It is the
// expected maximum of m standard normal variables, by Blom's approximation (1958).
func curse(m int) float64 {
	return math.Sqrt2 * math.Erfinv(2*(float64(m)-0.375)/(float64(m)+0.25)-1)
}
