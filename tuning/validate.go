package tuning

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"spar/agents"
	"spar/arena/store"
	"spar/ratings"
)

// Examination is the result of a validation: what a candidate is worth on games that the training never saw.
type Examination struct {
	Name      string `json:"name"`
	Candidate string `json:"candidate"`
	// Look counts the candidates of this tuning that were examined in this study, this one included. Of several, the best looks
	// better than it is; each therefore plays games of its own, and the earlier ones are listed.
	Look      int          `json:"look"`
	Earlier   []string     `json:"earlier"`
	SPRT      Test         `json:"sprt"` // against the start
	Path      []PathPoint  `json:"path"` // of the sequential test
	Direct    Match        `json:"direct"`
	Pool      []PoolRow    `json:"pool"`
	Ratings   []PoolRating `json:"ratings"`
	Worst     string       `json:"worst"`     // the opponent against whom the candidate scores least, of the pool
	WorstWas  string       `json:"worst_was"` // ... against whom the start scored least
	Condition string       `json:"condition"` // what the deeper agents are
	Deeper    Match        `json:"deeper"`    // candidate against start, both searching one level deeper
	Training  *Check       `json:"training"`  // last check of the training; nil for a candidate that is not the training's
	Optimism  *Estimate    `json:"optimism"`  // training minus held-out Elo
	Games     int64        `json:"games"`     // of the whole examination
	Openings  int64        `json:"openings"`  // different ones among them
	Warnings  []string     `json:"warnings"`
}

// PathPoint is where a sequential test stood after some pairs.
type PathPoint struct {
	Pairs float64 `json:"pairs"`
	LLR   float64 `json:"llr"`
}

// Estimate is a value and its standard error, in Elo.
type Estimate struct {
	Elo float64 `json:"elo"`
	SE  float64 `json:"se"`
}

// PoolRow is one opponent of the pool, from the side of the candidate and of the start.
type PoolRow struct {
	Opponent string `json:"opponent"`
	Tuned    Match  `json:"tuned"`
	Start    Match  `json:"start"`
}

// PoolRating is one agent's rating by maximum likelihood over all games of the examination at the agents' own depth.
type PoolRating struct {
	Agent    string           `json:"agent"`
	Elo      float64          `json:"elo"`
	Interval ratings.Interval `json:"-"`
	Lo       *float64         `json:"lo"` // of the 95 % interval; nil where it is open
	Hi       *float64         `json:"hi"`
	Status   ratings.Status   `json:"status"`
	Games    int64            `json:"games"`
}

// examiner is an examination under way.
type examiner struct {
	t           *Tuning
	h           *hall
	tuned       agents.Spec
	start       agents.Spec
	pool        []agents.Spec
	out         *Examination
	progress    Progress
	builder     ratings.Builder
	pairs       int64 // told to the builder
	openingBase int64
}

// Validate examines a candidate: a sequential test against the start, matches of both against a pool, and a match one level
// deeper, all on openings and random numbers that the training did not use. It is one look: another candidate of the same
// tuning plays other games and is told to be another.
func (t *Tuning) Validate(ctx context.Context, db *store.DB, candidate agents.Spec, training *Check, progress Progress) (*Examination, error) {
	unlock, err := db.Lock()
	if err != nil {
		return nil, err
	}
	defer unlock()
	return trusted(ctx, t, func() (*Examination, error) { return t.examine(ctx, db, candidate, training, true, progress) })
}

// RecallValidation returns an examination whose games are all stored, without playing. The error is ErrMissing if some are not.
func (t *Tuning) RecallValidation(ctx context.Context, db *store.DB, candidate agents.Spec, training *Check) (*Examination, error) {
	return t.examine(ctx, db, candidate, training, false, silent{})
}

func (t *Tuning) examine(ctx context.Context, db *store.DB, candidate agents.Spec, training *Check, play bool, progress Progress) (*Examination, error) {
	x := &examiner{t: t, tuned: candidate, start: t.Start, progress: progress}
	x.out = &Examination{Name: t.Name, Candidate: candidate.Name, Training: training, Earlier: []string{}, Warnings: []string{}}
	if x.start.Name == x.tuned.Name {
		x.start.Name += " (start)"
	}
	for _, name := range t.pool {
		s, err := agents.LoadSpec(name)
		if err != nil {
			return nil, err
		}
		s = s.WithDefaults() // the hand-made weights, so that the pool stays the same whatever a tuning makes the default
		if s.Name == x.start.Name || s.Name == x.tuned.Name {
			continue
		}
		x.pool = append(x.pool, s)
	}
	plan, err := x.plan()
	if err != nil {
		return nil, err
	}
	if err := x.look(ctx, db, plan); err != nil {
		return nil, err
	}
	name := fmt.Sprintf("%s validation %d", t.Name, x.out.Look)
	if x.h, err = t.newHall(ctx, db, name, "validation", plan, play); err != nil {
		return nil, err
	}
	defer x.h.close()
	purpose := fmt.Sprintf("final %d", x.out.Look)
	x.h.seed, x.h.book = int64(seedOf(t.Seed, purpose)>>1), t.openings(seedOf(t.Seed, purpose), true)
	x.rename()
	progress.Begin(x.total())
	defer progress.End()
	x.h.games = func(done int64) { progress.Step(int(done), x.h.played, nil) }
	if err := x.all(ctx); err != nil {
		return nil, stopped(ctx, err, x.total(), x.h)
	}
	return x.out, x.conclude()
}

// plan is what decides the games of the examination.
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

// look finds out which examination of this tuning this is.
func (x *examiner) look(ctx context.Context, db *store.DB, plan string) error {
	events, err := db.Events(ctx)
	if err != nil {
		return err
	}
	x.out.Look = 1
	for _, e := range events {
		if e.Purpose != "validation" || !strings.HasPrefix(e.Name, x.t.Name+" validation ") {
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

// rename gives the agents of this look names of their own: a study knows one spec by each name.
func (x *examiner) rename() {
	prefix := fmt.Sprintf("%s validation %d: ", x.t.Name, x.out.Look)
	x.out.Candidate = x.tuned.Name
	x.tuned.Name = prefix + "tuned"
	x.start.Name = prefix + "start"
	for i := range x.pool {
		x.pool[i].Name = prefix + x.pool[i].Name
	}
}

func (x *examiner) short(name string) string {
	_, after, _ := strings.Cut(name, ": ")
	return after
}

// total is the most games there may be.
func (x *examiner) total() int {
	v := x.t.Validation
	return 2 * (v.Most + v.Pairs*(1+2*len(x.pool)) + v.Deeper)
}

func (x *examiner) all(ctx context.Context) error {
	if err := x.sequential(ctx); err != nil {
		return err
	}
	x.h.next = int64(2 * x.t.Validation.Most) // where the rest begins does not depend on when the test ends
	x.openingBase = int64(x.t.Validation.Most)
	var err error
	if x.out.Direct, err = x.match(ctx, x.tuned, x.start, x.t.Validation.Pairs, true); err != nil {
		return err
	}
	for _, rival := range x.pool {
		row := PoolRow{Opponent: x.short(rival.Name)}
		if row.Tuned, err = x.match(ctx, x.tuned, rival, x.t.Validation.Pairs, true); err != nil {
			return err
		}
		if row.Start, err = x.match(ctx, x.start, rival, x.t.Validation.Pairs, true); err != nil {
			return err
		}
		x.out.Pool = append(x.out.Pool, row)
	}
	deepTuned, condition := x.tuned.Deeper()
	deepStart, _ := x.start.Deeper()
	x.out.Condition = condition
	x.out.Deeper, err = x.match(ctx, deepTuned, deepStart, x.t.Validation.Deeper, false)
	return err
}

// sequential plays the candidate against the start until the test stops or the pairs are used up.
func (x *examiner) sequential(ctx context.Context) error {
	v := x.t.Validation
	tracker, err := ratings.NewTracker(ratings.SPRT{Model: ratings.BoundsNormalized, Elo1: v.Elo1}, true)
	if err != nil {
		return err
	}
	const step = 8 // pairs between two points of the test's path
	var failed error
	decided := func(pair int, a, b finished) bool {
		state := ratings.StateContinue
		if !a.repeats && !b.repeats {
			state, failed = tracker.Add(int(2 * (a.score + 1 - b.score)))
		}
		if failed == nil && (pair+1)%step == 0 {
			failed = x.tested(tracker)
		}
		return failed != nil || state != ratings.StateContinue
	}
	out, err := x.h.play(ctx, []encounter{{a: x.tuned, b: x.start, pairs: v.Most, decided: decided}})
	if err = errors.Join(err, failed); err != nil {
		return err
	}
	x.out.Games += int64(len(out[0].games))
	return x.tested(tracker)
}

// tested records where the sequential test stands.
func (x *examiner) tested(tracker *ratings.Tracker) error {
	r, err := tracker.Result()
	if err != nil {
		return fmt.Errorf("sequential test: %w", err)
	}
	x.out.SPRT = Test{r}
	pairs := float64(r.Elo.N)
	if n := len(x.out.Path); n == 0 || x.out.Path[n-1].Pairs < pairs {
		x.out.Path = append(x.out.Path, PathPoint{pairs, r.LLR})
	}
	return nil
}

// match plays pairs and analyses them from a's side. Rated matches count for the pool's ratings.
func (x *examiner) match(ctx context.Context, a, b agents.Spec, pairs int, rated bool) (Match, error) {
	out, err := x.h.play(ctx, []encounter{{a: a, b: b, opening: x.openingBase, pairs: pairs}})
	if err != nil {
		return Match{}, err
	}
	x.out.Games += int64(2 * pairs)
	for k := 0; rated && k < len(out[0].games); k++ {
		if out[0].games[k].repeats {
			continue
		}
		g := ratings.Game{First: x.short(a.Name), Second: x.short(b.Name), Result: ratings.Outcome(2 * out[0].games[k].score), Pair: fmt.Sprint(x.pairs + int64(k/2))}
		if k%2 == 1 {
			g.First, g.Second = g.Second, g.First
		}
		if err := x.builder.Add(g); err != nil {
			return Match{}, err
		}
	}
	x.pairs += int64(pairs)
	return analyse(out[0].counts)
}

// conclude rates the pool, finds the worst pairings and the optimism of the training.
func (x *examiner) conclude() error {
	out := x.out
	fit, err := x.builder.Table().Fit(ratings.Options{})
	if err != nil {
		return fmt.Errorf("ratings of the pool: %w", err)
	}
	for _, p := range fit.Players {
		total := p.Total()
		lo, hi := ends(p.Elo.Interval)
		out.Ratings = append(out.Ratings, PoolRating{Agent: p.Name, Elo: p.Elo.Value, Interval: p.Elo.Interval, Lo: lo, Hi: hi, Status: p.Status, Games: total.Games()})
	}
	slices.SortStableFunc(out.Ratings, func(a, b PoolRating) int { return cmp.Compare(b.Elo, a.Elo) })
	out.comparePool()
	if out.Training != nil {
		t := out.Training.Match
		out.Optimism = &Estimate{Elo: t.Elo.Value - out.Direct.Elo.Value, SE: math.Hypot(eloSE(t), eloSE(out.Direct))}
	}
	need := int64(x.t.Validation.Pairs) + x.openingBase
	out.Openings = x.h.book.distinct(need)
	if out.Openings < int64(x.t.Validation.Pairs) {
		out.Warnings = append(out.Warnings, fmt.Sprintf("only %d different openings are left for the validation: its games repeat, and the intervals are too narrow", out.Openings))
	}
	if len(out.Earlier) > 0 {
		out.Warnings = append(out.Warnings, fmt.Sprintf("this is candidate %d of this tuning: if the best of them is kept, expect it to be worse than it looks by about %.0f Elo", out.Look, curse(out.Look)*eloSE(out.Direct)))
	}
	return nil
}

// comparePool finds the opponents against whom the candidate and the start score least, and warns where the candidate has lost beyond chance.
func (out *Examination) comparePool() {
	worst, was := math.Inf(1), math.Inf(1)
	for _, row := range out.Pool {
		if row.Tuned.Score.Value < worst {
			worst, out.Worst = row.Tuned.Score.Value, row.Opponent
		}
		if row.Start.Score.Value < was {
			was, out.WorstWas = row.Start.Score.Value, row.Opponent
		}
		if d, se := row.Tuned.Score.Value-row.Start.Score.Value, math.Hypot(row.Tuned.Score.SE, row.Start.Score.SE); d < -1.96*se {
			out.Warnings = append(out.Warnings, fmt.Sprintf("against %s the tuned agent scores %.1f %%, the start scored %.1f %%: a loss beyond chance", row.Opponent, 100*row.Tuned.Score.Value, 100*row.Start.Score.Value))
		}
	}
}

// eloSE carries the error of a score over to Elo.
func eloSE(m Match) float64 {
	s := min(max(m.Score.Value, 0.001), 0.999)
	return m.Score.SE * 400 / math.Ln10 / (s * (1 - s))
}

// curse is how many standard errors the best of m equal candidates looks too good on average: the expected maximum of m
// standard normal variables, by Blom's approximation (1958).
func curse(m int) float64 {
	return math.Sqrt2 * math.Erfinv(2*(float64(m)-0.375)/(float64(m)+0.25)-1)
}
