package tuning

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"spar/agents"
	"spar/agents/eval"
	"spar/arena/evidence"
	"spar/arena/store"
	"spar/configs/strict"
	"spar/engines"
	"spar/tuning/fit"
)

// StudyOptions select the games of a study to learn from. Zero fields have the defaults named.
type StudyOptions struct {
	Rules     string    `flag:"rules,r" help:"name of the rules in the study; required if it has several"`
	Event     string    `flag:"event" help:"games of this event only"`
	LateFrom  int       `flag:"late-from" help:"learn a second set of weights from this ply on; 0 = one set"`
	Ridges    []float64 `flag:"ridge" help:"candidates for the penalty (default 0, 1e-4, 1e-3, 1e-2)"`
	Positions int       `flag:"positions" help:"approximate maximum number of positions, spread over the games; 0 = 60,000"`
	Seed      uint64    `flag:"seed=1" help:"seed of the folds"`
}

// StudyFit is an evaluation learned from stored games.
type StudyFit struct {
	Rules string `json:"rules" help:"rules learnt"`
	Games int    `json:"games" help:"games used"`
	// names of the sets of weights, in the order of the model's phases
	Sets []string `json:"sets" help:"names of the sets of weights"`
	// positions skipped because there was only one legal move
	Forced int `json:"forced" help:"positions skipped because there was only one legal move"`
	// positions skipped because an opening prescribed the move
	Opening  int         `json:"opening" help:"positions skipped because an opening prescribed the move"`
	Model    *fit.Model  `json:"model" help:"the regression: names, phases, rms, weights[] with se, ridges[], loss, held, null, condition, redundant_combinations, slope"`
	Agent    agents.Spec `json:"agent" help:"the agent with these weights"`
	Warnings []string    `json:"warnings" help:"warnings about the result"`
}

const studyPositions = 60_000

// logit is the factor that brings the learned values to the size of other agents' weights. It is the agent's
// scale.
const logit = 100

// FitStudy learns the weights of all features from the games of a study, by logistic regression of the results. It
// takes the positions after each move, from the view of the side that made it, because an agent evaluates them
// like this when it chooses. It skips the moves of openings, forced moves and final positions.
func FitStudy(ctx context.Context, db *store.DB, o StudyOptions) (*StudyFit, error) {
	if err := o.pick(ctx, db); err != nil {
		return nil, err
	}
	out := &StudyFit{Rules: o.Rules, Warnings: []string{}}
	r := &studyReader{o: o, out: out}
	plies := 0
	for row, err := range db.Games(ctx, store.Filter{Rules: o.Rules, Event: o.Event}) {
		if err != nil {
			return nil, err
		}
		if !row.Marks.Counts(evidence.Learning) {
			continue
		}
		out.Games++
		plies += row.Plies
	}
	if out.Games < leastFitGames {
		return nil, fmt.Errorf("%w: %d games of %s in %s are too few to learn from; it takes %d or more", fit.ErrData,
			out.Games, o.Rules, db.Path(), leastFitGames)
	}
	limit := o.Positions
	if limit == 0 {
		limit = studyPositions
	}
	r.every = max(1, int(math.Ceil(float64(plies)/float64(limit))))
	for row, err := range db.Games(ctx, store.Filter{Rules: o.Rules, Event: o.Event}) {
		if err != nil {
			return nil, err
		}
		if !row.Marks.Counts(evidence.Learning) {
			continue
		}
		if err := r.read(row); err != nil {
			return nil, fmt.Errorf("game %d of %s: %w", row.ID, db.Path(), err)
		}
	}
	return out, r.fit()
}

// leastFitGames is the minimum number of games: with fewer the weights are noise.
const leastFitGames = 50

// pick chooses the rules whose games to learn from.
func (o *StudyOptions) pick(ctx context.Context, db *store.DB) error {
	names, err := db.Names(ctx, "rules")
	if err != nil {
		return err
	}
	switch {
	case o.Rules == "" && len(names) == 1:
		o.Rules = names[0]
	case o.Rules == "":
		return fmt.Errorf("%w: %s has games of several rules (%s): choose one with --rules", fit.ErrData, db.Path(),
			strings.Join(names, ", "))
	case !slices.Contains(names, o.Rules):
		return fmt.Errorf("%w: %s has no games of %q%s", fit.ErrData, db.Path(), o.Rules, strict.Suggest(o.Rules, names))
	}
	events, err := db.Names(ctx, "events")
	if err == nil && o.Event != "" && !slices.Contains(events, o.Event) {
		err = fmt.Errorf("%w: %s has no event %q%s", fit.ErrData, db.Path(), o.Event, strict.Suggest(o.Event, events))
	}
	return err
}

// studyReader turns games into samples.
type studyReader struct {
	o       StudyOptions
	out     *StudyFit
	game    *engines.Game
	eval    *eval.Evaluator
	sets    func(*engines.State) int
	every   int
	at      int
	samples []fit.Sample
	set     []int // index of the set of weights of each sample
}

func (r *studyReader) read(row store.Row) error {
	if r.game == nil {
		g, err := engines.Load(row.RulesName, []byte(row.RulesJSON))
		if err != nil {
			return err
		}
		r.game, r.eval = g, eval.New(g, eval.Params{})
		params := eval.Params{LateFrom: r.o.LateFrom}
		if r.o.LateFrom > 0 {
			params.Late = eval.Weights{}
		}
		if g.Rules().Movement.Steps != "none" {
			params.Movement = eval.Weights{}
		}
		r.sets = setChooser(&params)
	}
	p := r.game.NewPosition()
	var legal []engines.Move
	for i, text := range strings.Fields(row.Moves) {
		m, err := p.ParseMove(text)
		if err != nil {
			return fmt.Errorf("move %d: %w", i+1, err)
		}
		side := p.Side()
		legal = p.AppendMoves(legal[:0])
		p.Play(m)
		switch {
		case i < row.OpeningPlies:
			r.out.Opening++
			continue
		case len(legal) == 1:
			r.out.Forced++
			continue
		case p.Over():
			continue
		}
		if r.at++; r.at%r.every != 0 {
			continue
		}
		v := r.eval.Features(&p.State, side)
		result, _ := engines.ParseResult(row.Result)
		r.samples = append(r.samples, fit.Sample{
			Game: row.ID, Opening: evidence.Opening(row.Rules, row.Moves, row.OpeningPlies), Result: result.Score(side),
			Features: slices.Clone(v[:]),
		})
		r.set = append(r.set, r.sets(&p.State))
	}
	return nil
}

// alive drops the features that are 0 in every position. It returns the names and indices of the others.
func (r *studyReader) alive() (names []string, index []int) {
	for k, name := range eval.Names() {
		for i := range r.samples {
			if r.samples[i].Features[k] != 0 {
				names, index = append(names, name), append(index, k)
				break
			}
		}
	}
	for i := range r.samples {
		kept := make([]float64, len(index))
		for k, at := range index {
			kept[k] = r.samples[i].Features[at]
		}
		r.samples[i].Features = kept
	}
	return names, index
}

// fit runs the regression and makes an agent of it.
func (r *studyReader) fit() error {
	used := slices.Compact(slices.Sorted(slices.Values(r.set)))
	for i := range r.samples {
		r.samples[i].Phase = slices.Index(used, r.set[i])
	}
	names, index := r.alive()
	m, err := fit.Fit(r.samples, fit.Options{Names: names, Phases: len(used), Ridges: r.o.Ridges, Seed: r.o.Seed})
	if err != nil {
		return err
	}
	r.out.Model = m
	r.out.Warnings = append(r.out.Warnings, m.Warnings...)
	s := agents.DefaultSpec()
	s.Type, s.Name, s.Scale, s.LateFrom = "heuristic", "fitted", logit, r.o.LateFrom
	s.Description = fmt.Sprintf("Weights learned by logistic regression from %d games of %s.", r.out.Games, r.out.Rules)
	for i, set := range used {
		r.out.Sets = append(r.out.Sets, weightSets()[set])
		w := eval.Weights{}
		for k := range index {
			w[names[k]] = rounded(logit * m.Values()[i][k])
		}
		*weightsOf(&s, set) = w
	}
	if s.Weights == nil { // nil means the default weights
		s.Weights = eval.Weights{}
	}
	if s.Late == nil {
		s.LateFrom = 0
	}
	r.out.Agent = s
	return nil
}
