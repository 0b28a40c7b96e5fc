package arena

import (
	"cmp"
	"fmt"

	"spar/arena/evidence"
	"spar/engines"
	"spar/ratings"
)

// Stop describes when a tournament ends before all pairs are played.
type Stop struct {
	// Sequential test of the first agent against the second (format match).
	SPRT *SPRT `yaml:"sprt" json:"sprt,omitempty"`
	// Stop when the 95 % interval of every rating is narrower than this many Elo; 0 = off.
	Width     float64    `yaml:"width" json:"width,omitempty" jsonschema:"minimum=0"`
	EarlyStop *EarlyStop `yaml:"-" json:"clear,omitempty"`
	// Stop after this many minutes. Pairs in play finish if that takes at most 5 % more time, or one second; Spar
	// discards the other games. 0 = off. With such a limit, the speed of the machine decides which games are played.
	Minutes float64 `yaml:"minutes" json:"-" jsonschema:"minimum=0"`
}

// SPRT is a generalised sequential probability ratio test on the results of pairs.
type SPRT struct {
	// Elo difference under the null hypothesis, in the unit of the model.
	Elo0 float64 `yaml:"elo0" json:"elo0" jsonschema:"required"`
	// Elo difference under the alternative hypothesis; greater than elo0.
	Elo1 float64 `yaml:"elo1" json:"elo1" jsonschema:"required"`
	// Probability of accepting the alternative if the null hypothesis is true. Default: 0.05.
	Alpha float64 `yaml:"alpha" json:"alpha" jsonschema:"minimum=0.0001,maximum=0.5"`
	// Probability of accepting the null hypothesis if the alternative is true. Default: 0.05.
	Beta float64 `yaml:"beta" json:"beta" jsonschema:"minimum=0.0001,maximum=0.5"`
	// Unit of elo0 and elo1: logistic (the default) or normalized Elo.
	Model string `yaml:"model" json:"model,omitempty" jsonschema:"enum=logistic,enum=normalized"`
}

func (s Stop) adaptive() bool { return s.SPRT != nil || s.Width > 0 || s.EarlyStop != nil }

// Test returns the test with its defaults set, or an error that says what is invalid.
func (s *SPRT) Test() (ratings.SPRT, error) {
	t := ratings.SPRT{
		Elo0:  s.Elo0,
		Elo1:  s.Elo1,
		Alpha: cmp.Or(s.Alpha, 0.05),
		Beta:  cmp.Or(s.Beta, 0.05),
	}
	if s.Model == "normalized" {
		t.Model = ratings.BoundsNormalized
	}
	_, err := ratings.NewTracker(t, true) // checks the options
	return t, err
}

// stopRule decides, game by game in the order of their numbers, whether a tournament may end. It uses only the games
// that the standings rate.
type stopRule struct {
	tracker *ratings.Tracker
	half    float64 // half points of the first agent in the first game of the pair
	whole   bool    // the first game of the pair counts
	pairs   int64   // number of pairs passed to the test
	without int64   // number of pairs that do not count
	results ratings.Builder
	looked  int64 // round in which the widths were last checked
	clear   earlyStopRule
}

// judged adds the next game. Its parameter round is the round of the game, from 1. Complete means that the game is
// the last of its round.
func (r *stopRule) judged(s *Schedule, g *slot, round int64, complete bool) (string, bool) {
	counts := g.outcome != engines.Ongoing && !g.void && g.marks.Counts(evidence.Strength)
	if s.t.Stop.SPRT != nil {
		if why, ok := r.sprt(s, g, counts); ok {
			return why, true
		}
	}
	if s.t.Stop.Width == 0 {
		return "", false
	}
	if counts {
		err := r.results.Add(ratings.Game{
			First:   s.t.Players[g.First].Name,
			Second:  s.t.Players[g.Second].Name,
			Result:  ratings.Outcome(2 * g.outcome.Score(engines.First)),
			Stratum: evidence.Stratum(s.t.Labels[g.Rules], g.marks),
			Pair:    fmt.Sprint(g.Pair),
			Opening: s.label(&g.Job),
		})
		if err != nil {
			return "", false // of names that the plan refuses
		}
	}
	if !complete || round > 500 && 100*round < 101*r.looked { // a look at many rounds is dear, and one more changes little
		return "", false
	}
	r.looked = round
	return r.narrow(s)
}

// sprt passes a pair to the test once both of its games are judged.
func (r *stopRule) sprt(s *Schedule, g *slot, counts bool) (string, bool) {
	points := g.outcome.Score(engines.First)
	if g.First != 0 {
		points = g.outcome.Score(engines.Second)
	}
	if g.Number%2 == 0 {
		r.half, r.whole = points, counts
		return "", false
	}
	if !r.whole || !counts {
		r.without++
		return "", false
	}
	if r.tracker == nil {
		test, err := s.t.Stop.SPRT.Test()
		if err != nil {
			return err.Error(), true // refused when the plan was read
		}
		if r.tracker, err = ratings.NewTracker(test, true); err != nil {
			return err.Error(), true
		}
	}
	r.pairs++
	state, err := r.tracker.AddIn(int(2*(r.half+points)), s.label(&g.Job))
	if err != nil {
		return err.Error(), true
	}
	if state == ratings.StateContinue {
		return "", false
	}
	without := ""
	if r.without > 0 {
		without = fmt.Sprintf(" (%d other pairs do not count: they repeat earlier ones or are incomplete)", r.without)
	}
	return fmt.Sprintf("sequential test: %v after %d pairs%s", state, r.pairs, without), true
}

// narrow rates the games so far and reports whether every interval is narrow enough.
func (r *stopRule) narrow(s *Schedule) (string, bool) {
	fit, err := r.results.Table().Fit(ratings.Options{PerStratum: true})
	if err != nil {
		return "", false
	}
	widest := 0.0
	for _, p := range fit.Players {
		if p.Status != ratings.StatusOK || p.Elo.Open() != "" {
			return "", false
		}
		widest = max(widest, p.Elo.Hi-p.Elo.Lo)
	}
	if widest == 0 || widest > s.t.Stop.Width {
		return "", false
	}
	return fmt.Sprintf("every 95 %% interval is narrower than %.0f Elo (widest %.0f)", s.t.Stop.Width, widest), true
}
