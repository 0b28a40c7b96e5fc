package tuning

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"spar/arena"
	"spar/arena/store"
	"spar/configs/strict"
	"spar/ratings"
	"spar/tuning/optimise"
)

// Slice is the tuned agent with one number changed to several values, each in a match against the tuned agent. For
// a knob whose values are words, a slice has the other words.
//
// A good number scores best near 0. A number without effect has a flat slice. A number that rises to one side is
// not yet at its best value.
type Slice struct {
	Path   string       `json:"path"`
	Points []SlicePoint `json:"points"`
}

// SlicePoint is the match of a changed agent against the tuned one.
type SlicePoint struct {
	Spot
	Match Match `json:"match"` // from the view of the changed agent
}

// Spot is one value of a number or a knob on an axis of a plot.
type Spot struct {
	Value float64 `json:"value"` // value of the number
	// distance from the tuned value in perturbations of the search; for a word, the difference of its index in the
	// list to that of the chosen one
	Step  float64 `json:"step"`
	Word  string  `json:"word,omitempty"` // the word, for a knob whose values are words
	param int
}

// Plane shows two knobs changed together, in all combinations of their values. It shows whether their joint effect
// differs from the sum of the single effects.
type Plane struct {
	Paths [2]string      `json:"paths"`
	Axes  [2][]Spot      `json:"axes"` // the two axes; step 0 is the tuned agent
	Cells [][]*PlaneCell `json:"cells"`
	// Interaction is the effect of both changes less the sum of the single effects, in points per game. It is half
	// the difference between the diagonals of the square of single steps. It is nil for words and if a match of
	// the square is missing.
	Interaction *ratings.Estimate `json:"interaction,omitempty"`
}

// PlaneCell is the match of an agent with both knobs changed against the tuned agent. Match is nil in the tuned
// agent's own cell.
type PlaneCell struct {
	Match Match `json:"match"`
}

// sliceSteps are the changes in a slice, in perturbations of the search.
func sliceSteps() []float64 { return []float64{-2, -1, 1, 2} }

// axis lists the values of a number within its bounds, or of a knob whose values are words. The tuned agent has step 0.
func (t *Tuning) axis(path string, r *Result, x []float64) ([]Spot, error) {
	var out []Spot
	var known []string
	for i, p := range t.Params {
		known = append(known, p.Path)
		switch {
		case p.Category == path:
			out = append(out, Spot{Value: x[i], Word: p.Word, param: i})
		case p.Path == path && p.Category == "":
			for _, step := range append(sliceSteps(), 0) {
				value := x[i] + step*optimise.DefaultCEnd*r.Changes[i].Scale
				if p.Integer {
					value = math.Round(value)
				}
				inside := (p.Min == nil || value >= *p.Min) && (p.Max == nil || value <= *p.Max)
				if step == 0 || inside && value != x[i] && !slices.ContainsFunc(out,
					func(s Spot) bool { return s.Value == value }) {
					out = append(out, Spot{Value: value, Step: step, param: i})
				}
			}
			slices.SortFunc(out, func(a, b Spot) int { return int(math.Copysign(1, a.Step-b.Step)) })
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s is not a number of the tuning %s%s", path, t.Name, strict.Suggest(path, known))
	}
	if word, ok := t.chosen(x)[path]; ok {
		at := slices.IndexFunc(out, func(s Spot) bool { return s.Word == word })
		for k := range out {
			out[k].Step = float64(k - at)
		}
	}
	return out, nil
}

// move sets a value.
func (s Spot) move(x []float64) {
	if x[s.param] = s.Value; s.Word == "" || s.Step == 0 {
		return
	}
	x[s.param] = 2 * mostAppeal // more than any other word
}

// Landscape plays matches of changed agents against the tuned agent, with the openings of the training. A changed
// agent has one number lower or higher by one or two perturbations, or one knob with another word.
func (t *Tuning) Landscape(ctx context.Context, db *store.DB, r *Result, pairs int, progress Progress) ([]Slice,
	error,
) {
	var out []Slice
	x := answer(r)
	err := t.looking(ctx, db, fmt.Sprintf("%s landscape %d", t.Name, pairs), 2*pairs*len(sliceSteps())*len(t.Params),
		progress, func(m *matchRunner) error {
			for _, p := range t.Params {
				path := p.Path
				if p.Category != "" {
					path = p.Category
				}
				if slices.ContainsFunc(out, func(s Slice) bool { return s.Path == path }) {
					continue
				}
				axis, err := t.axis(path, r, x)
				if err != nil {
					return err
				}
				s := Slice{Path: path}
				for _, spot := range axis {
					if spot.Step == 0 {
						continue
					}
					got, err := t.at(ctx, m, x, pairs, spot)
					if err != nil {
						return err
					}
					s.Points = append(s.Points, SlicePoint{spot, got})
				}
				out = append(out, s)
			}
			return nil
		})
	return out, err
}

// CheckTogether returns an error for knobs that Together cannot change.
func (t *Tuning) CheckTogether(r *Result, paths [2]string) error {
	_, err := t.plane(r, paths)
	return err
}

// plane returns the cells for two knobs, without results.
func (t *Tuning) plane(r *Result, paths [2]string) (*Plane, error) {
	p := &Plane{Paths: paths}
	if paths[0] == paths[1] {
		return nil, fmt.Errorf("%s is a duplicate: give two different numbers", paths[0])
	}
	for k := range paths {
		var err error
		if p.Axes[k], err = t.axis(paths[k], r, answer(r)); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// Together is Landscape for two knobs that are changed together.
func (t *Tuning) Together(ctx context.Context, db *store.DB, r *Result, paths [2]string, pairs int,
	progress Progress,
) (*Plane, error) {
	p, err := t.plane(r, paths)
	if err != nil {
		return nil, err
	}
	x := answer(r)
	cells := len(p.Axes[0])*len(p.Axes[1]) - 1
	name := fmt.Sprintf("%s together %s %d", t.Name, strings.Join(paths[:], " "), pairs)
	err = t.looking(ctx, db, name, 2*pairs*cells, progress, func(m *matchRunner) error {
		for _, a := range p.Axes[0] {
			var row []*PlaneCell
			for _, b := range p.Axes[1] {
				if a.Step == 0 && b.Step == 0 {
					row = append(row, nil)
					continue
				}
				got, err := t.at(ctx, m, x, pairs, a, b)
				if err != nil {
					return err
				}
				row = append(row, &PlaneCell{got})
			}
			p.Cells = append(p.Cells, row)
		}
		return nil
	})
	p.Interaction = p.interaction()
	return p, err
}

// interaction compares the diagonals of the square of single steps.
func (p *Plane) interaction() *ratings.Estimate {
	sum, variance, pairs := 0.0, 0.0, int64(0)
	for _, a := range []float64{-1, 1} {
		for _, b := range []float64{-1, 1} {
			at := func(k int, step float64) int {
				return slices.IndexFunc(p.Axes[k], func(s Spot) bool { return s.Step == step && s.Word == "" })
			}
			i, j := at(0, a), at(1, b)
			if i < 0 || j < 0 || i >= len(p.Cells) {
				return nil
			}
			m := p.Cells[i][j].Match
			sum += a * b * m.Score.Value
			variance += m.Score.SE * m.Score.SE
			pairs += m.Score.N
		}
	}
	e := normalEstimate(sum/2, math.Sqrt(variance)/2, pairs, ratings.ScalePlain)
	return &e
}

// answer returns the numbers of the tuned agent.
func answer(r *Result) []float64 {
	x := make([]float64, len(r.Changes))
	for i, c := range r.Changes {
		x[i] = c.After
	}
	return x
}

// looking opens a match runner for the games of a landscape.
func (t *Tuning) looking(ctx context.Context, db *store.DB, name string, whole int, progress Progress,
	look func(*matchRunner) error,
) error {
	unlock, err := db.Lock()
	if err != nil {
		return err
	}
	defer unlock()
	plan, err := t.Canonical()
	if err != nil {
		return err
	}
	m, err := t.newMatchRunner(ctx, db, name, purposeLandscape, plan, true)
	if err != nil {
		return err
	}
	defer m.close()
	reporter := progress.begin(whole)
	m.show = func(done int64) { reporter.report(int(done), m.played, nil, nil) }
	switch err := look(m); {
	case errors.As(err, new(*arena.Distrust)):
		return fmt.Errorf("%w; run the command again to repeat its games", err)
	case err != nil:
		return stopped(ctx, err, whole, m)
	}
	return nil
}

// at returns the match of the tuned agent with some changes against the tuned agent.
func (t *Tuning) at(ctx context.Context, m *matchRunner, x []float64, pairs int, spots ...Spot) (Match, error) {
	moved, label := slices.Clone(x), ""
	for _, s := range spots {
		s.move(moved)
		where := fmt.Sprintf("%+g", s.Step)
		if s.Word != "" {
			where = s.Word
		}
		if path := t.Params[s.param]; path.Category != "" {
			label += fmt.Sprintf(" %s %s", path.Category, where)
		} else {
			label += fmt.Sprintf(" %s %s", path.Path, where)
		}
	}
	a, err := t.apply(t.Name+label, moved)
	if err != nil {
		return Match{}, err
	}
	b, err := t.apply(t.Name+" tuned", x)
	if err != nil {
		return Match{}, err
	}
	o, err := m.play(ctx, match{a: a, b: b, pairs: pairs})
	if err != nil {
		return Match{}, err
	}
	return analyse(o[0].counts)
}
