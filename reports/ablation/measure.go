package ablation

import (
	"context"
	"errors"
	"math"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"

	"spar/arena/store"
	"spar/ratings"
	"spar/reports/standings"
	"spar/reports/trial"
)

// Result is the result of an ablation.
type Result struct {
	DB string `json:"db" help:"the study's file"`
	// name of the unchanged agent
	Agent string `json:"agent" help:"the unchanged agent"`
	// number of comparisons for which the intervals and p-values are corrected
	Tests int `json:"tests" help:"number of comparisons for which intervals and p-values are corrected"`
	// joint confidence level of all intervals together
	Level   float64   `json:"level" help:"joint confidence level of all intervals"`
	Effects []*Effect `json:"effects"`
	Idle    []Idle    `json:"idle"`
}

// Effect is the effect of changing one or two knobs of the agent.
type Effect struct {
	// name of the rules, or "all" for the games of all rules together
	Rules    string    `json:"rules" help:"name of the rules; all for several rules pooled"`
	Settings []Setting `json:"settings"`
	// Elo of the changed agent against the unchanged one
	Elo      float64  `json:"elo" help:"Elo above the unchanged agent"`
	Lo       *float64 `json:"lo" help:"lower end of its interval"`
	Hi       *float64 `json:"hi" help:"upper end"`
	P        float64  `json:"p" help:"two-sided p-value, adjusted by Holm"` // two-sided p-value, adjusted by Holm's method
	Score    float64  `json:"score" help:"mean score, 0 to 1"`
	Pairs    int      `json:"pairs" help:"pairs that count"`
	Distinct int      `json:"distinct_pairs" help:"distinct pairs"`
	Drawn    float64  `json:"draw_ratio" help:"fraction of drawn games"`
	Verdict  string   `json:"verdict" help:"stronger, weaker or undecided"` // stronger, weaker or undecided
	// time of a decision, relative to the unchanged agent's
	Time  *Times `json:"time"`
	Nodes *Ratio `json:"nodes"`
	// More is set for two knobs: the Elo of both changes together minus the sum of the single changes. Its error
	// assumes that the matches are independent.
	More *Interaction `json:"interaction,omitempty"`

	match ratings.Match
}

// Ratio is a cost of a decision of the changed agent, divided by that of the unchanged agent in the same games.
type Ratio struct {
	Variant float64 `json:"variant" help:"mean nodes of a decision by the variant"`
	Agent   float64 `json:"agent" help:"the unchanged agent"`
	Ratio   float64 `json:"ratio" help:"ratio of the two"`
}

// Times is a Ratio of thinking times, with the times in milliseconds.
type Times struct {
	Variant float64 `json:"variant_ms" help:"mean milliseconds of a decision by the variant"`
	Agent   float64 `json:"agent_ms" help:"milliseconds of the unchanged agent, in the same games"`
	Ratio   float64 `json:"ratio" help:"ratio of the two"`
}

// Interaction is the effect of two changes together minus the sum of their single effects.
type Interaction struct {
	Elo float64 `json:"elo" help:"Elo of both changes together minus the sum of each alone"`
	Lo  float64 `json:"lo" help:"lower end of its interval"`
	Hi  float64 `json:"hi" help:"upper end"`
}

// Words returns the changed knobs as text.
func (e *Effect) Words() string { return (&Variant{Settings: e.Settings}).Words() }

// familyLevel is the joint confidence level of all intervals of a result.
const familyLevel = 0.95

// AllRules is the name of rows for the games of all rules together.
const AllRules = "all"

// Measure computes the result of a plan from the games in the study. Intervals have 95 % joint confidence, by
// Bonferroni.
func (p *Plan) Measure(ctx context.Context, db *store.DB) (*Result, error) {
	r := &Result{
		DB: db.Path(), Agent: p.Base.Name, Level: familyLevel, Effects: []*Effect{},
		Idle: append([]Idle{}, p.Idle...),
	}
	type entry struct {
		e *Effect
		p *trial.Pairs
	}
	var all []entry
	pool := map[string][]*trial.Pairs{}
	var order []*Variant
	for _, part := range p.Parts {
		for _, v := range part.Variants {
			pairs, err := trial.Contest(ctx, db, part.Tournament.Name, v.Name, p.Base.Name)
			if errors.Is(err, trial.ErrNoPairs) {
				continue // not played yet, or every pair repeats another
			}
			if err != nil {
				return nil, err
			}
			all = append(all, entry{&Effect{Rules: part.Rules, Settings: v.Settings}, pairs[0]})
			if pool[v.Words()] == nil {
				order = append(order, v)
			}
			pool[v.Words()] = append(pool[v.Words()], pairs[0])
		}
	}
	for _, v := range order {
		if under := pool[v.Words()]; len(under) > 1 {
			all = append(all, entry{&Effect{Rules: AllRules, Settings: v.Settings}, trial.Pool(under)})
		}
	}
	r.Tests = len(all)
	var ps []float64
	for _, x := range all {
		if err := x.e.measure(x.p, 1-(1-familyLevel)/float64(r.Tests)); err != nil {
			return nil, err
		}
		ps = append(ps, 2*min(x.e.match.LOS, 1-x.e.match.LOS))
		r.Effects = append(r.Effects, x.e)
	}
	for i, adjusted := range ratings.Holm(ps) {
		r.Effects[i].P = adjusted
	}
	r.interact()
	return r, nil
}

func (e *Effect) measure(p *trial.Pairs, level float64) (err error) {
	if e.match, err = ratings.AnalyzeMatch(p.Pentanomial, level); err != nil {
		return err
	}
	e.Elo, e.Score, e.Pairs, e.Distinct, e.Drawn = e.match.Elo.Value, e.match.Score.Value, p.Games/2, p.Distinct, p.Drawn
	e.Lo, e.Hi = standings.Ends(e.match.Elo.Interval)
	e.Verdict = "undecided"
	if e.Lo != nil && *e.Lo > 0 {
		e.Verdict = "stronger"
	} else if e.Hi != nil && *e.Hi < 0 {
		e.Verdict = "weaker"
	}
	e.Time, e.Nodes = (*Times)(ratio(p.Spent, p.Moves, 1000)), ratio(p.Nodes, p.Moves, 1)
	return nil
}

func ratio(spent, moves [2]float64, unit float64) *Ratio {
	if moves[0] == 0 || moves[1] == 0 || spent[1] == 0 {
		return nil
	}
	r := &Ratio{Variant: unit * spent[0] / moves[0], Agent: unit * spent[1] / moves[1]}
	r.Ratio = r.Variant / r.Agent
	return r
}

// interact computes the interaction of two knobs. It needs the results of both changes together and of each alone.
func (r *Result) interact() {
	type place struct{ rules, words string }
	at := map[place]*Effect{}
	for _, e := range r.Effects {
		at[place{e.Rules, e.Words()}] = e
	}
	for _, e := range r.Effects {
		if len(e.Settings) != 2 {
			continue
		}
		a, b := at[place{e.Rules, e.Settings[0].String()}], at[place{e.Rules, e.Settings[1].String()}]
		if a == nil || b == nil {
			continue
		}
		se := math.Sqrt(e.variance() + a.variance() + b.variance())
		if more := e.Elo - a.Elo - b.Elo; !math.IsInf(se, 0) && !math.IsNaN(se) {
			// The level of the other intervals, from the normal distribution.
			z := distuv.UnitNormal.Quantile(1 - (1-familyLevel)/float64(2*r.Tests))
			e.More = &Interaction{more, more - z*se, more + z*se}
		}
	}
}

// variance returns the variance of an Elo difference by the delta method; infinite for a score of 0 or 1.
func (e *Effect) variance() float64 {
	s := e.match.Score.Value
	d := 400 / math.Ln10 / (s * (1 - s)) * e.match.Score.SE
	return d * d
}

// unplayed lists the rules that have no games.
func (p *Plan) unplayed(r *Result) string {
	var out []string
	for _, part := range p.Parts {
		found := len(part.Variants) == 0
		for _, e := range r.Effects {
			found = found || e.Rules == part.Rules
		}
		if !found {
			out = append(out, part.Rules)
		}
	}
	return strings.Join(out, ", ")
}
