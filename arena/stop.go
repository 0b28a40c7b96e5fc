package arena

import (
	"fmt"

	"spar/ratings"
)

// Stop says when a tournament ends before all its pairs are played.
type Stop struct {
	SPRT    *SPRT   `yaml:"sprt" json:"sprt,omitempty" jsonschema_description:"Sequential test of the first agent against the second (format match)."`
	Width   float64 `yaml:"width" json:"width,omitempty" jsonschema:"minimum=0" jsonschema_description:"Stop when the 95 % interval of every rating is narrower than this many Elo; 0 = off."`
	Minutes float64 `yaml:"minutes" json:"-" jsonschema:"minimum=0" jsonschema_description:"Stop after this time; pairs begun are finished. 0 = off. Which games are played then depends on the machine."`
}

// SPRT is a generalised sequential probability ratio test on the results of pairs.
type SPRT struct {
	Elo0  float64 `yaml:"elo0" json:"elo0" jsonschema:"required" jsonschema_description:"Difference under the null hypothesis, in the model's Elo."`
	Elo1  float64 `yaml:"elo1" json:"elo1" jsonschema:"required" jsonschema_description:"Difference under the alternative; more than elo0."`
	Alpha float64 `yaml:"alpha" json:"alpha" jsonschema:"minimum=0.0001,maximum=0.5" jsonschema_description:"Probability of accepting the alternative when the null hypothesis is true; 0.05 when left out."`
	Beta  float64 `yaml:"beta" json:"beta" jsonschema:"minimum=0.0001,maximum=0.5" jsonschema_description:"Probability of accepting the null hypothesis when the alternative is true; 0.05 when left out."`
	Model string  `yaml:"model" json:"model,omitempty" jsonschema:"enum=logistic,enum=normalized" jsonschema_description:"Unit of the bounds: logistic (the default) or normalized Elo."`
}

func (s Stop) adaptive() bool { return s.SPRT != nil || s.Width > 0 }

// Test is the test with its defaults filled in, or what is wrong with it.
func (s *SPRT) Test() (ratings.SPRT, error) {
	t := ratings.SPRT{Elo0: s.Elo0, Elo1: s.Elo1, Alpha: s.Alpha, Beta: s.Beta}
	if t.Alpha == 0 {
		t.Alpha = 0.05
	}
	if t.Beta == 0 {
		t.Beta = 0.05
	}
	if s.Model == "normalized" {
		t.Model = ratings.BoundsNormalized
	}
	_, err := ratings.NewTracker(t, true) // checks the options
	return t, err
}

// stopRule decides after each stage whether a tournament may end.
type stopRule struct {
	tracker *ratings.Tracker
	seen    int64 // pairs that the tracker has been told
}

func (r *stopRule) done(s *Scheduler) (string, bool) {
	if s.t.Stop.SPRT != nil {
		if why, ok := r.sprt(s); ok {
			return why, true
		}
	}
	if s.t.Stop.Width > 0 {
		return widthReached(s)
	}
	return "", false
}

// sprt feeds the finished pairs, in order, to the test.
func (r *stopRule) sprt(s *Scheduler) (string, bool) {
	if r.tracker == nil {
		test, err := s.t.Stop.SPRT.Test()
		if err != nil {
			return err.Error(), true // refused when the plan was read
		}
		if r.tracker, err = ratings.NewTracker(test, true); err != nil {
			return err.Error(), true
		}
	}
	for ; 2*r.seen+1 < int64(len(s.jobs)); r.seen++ {
		a, _, ok := s.pairPoints(r.seen)
		if !ok {
			break
		}
		state, err := r.tracker.Add(int(2 * a))
		if err != nil {
			return err.Error(), true
		}
		if state != ratings.StateContinue {
			r.seen++
			break
		}
	}
	v, err := r.tracker.Result()
	if err != nil || v.State == ratings.StateContinue {
		return "", false
	}
	return fmt.Sprintf("sequential test: %v after %d pairs, LLR %.2f (bounds %.2f, %.2f); Elo %+.1f, 95 %% %s (median-unbiased)",
		v.State, r.seen, v.LLR, v.Lower, v.Upper, v.Elo, bounds(v.Interval)), true
}

// bounds writes an interval.
func bounds(v ratings.Interval) string {
	side := func(x float64, open bool) string {
		if open {
			return "unbounded"
		}
		return fmt.Sprintf("%+.1f", x)
	}
	return side(v.Lo, v.LoOpen) + " to " + side(v.Hi, v.HiOpen)
}

// widthReached rates what has been played.
func widthReached(s *Scheduler) (string, bool) {
	var b ratings.Builder
	for n, j := range s.jobs {
		first := s.results[n].Score(0)
		if s.results[n] == 0 {
			continue
		}
		err := b.Add(ratings.Game{
			First: s.t.Players[j.First].Name, Second: s.t.Players[j.Second].Name, Result: ratings.Outcome(2 * first),
			Stratum: s.t.Labels[j.Rules], Pair: fmt.Sprint(j.Pair),
		})
		if err != nil {
			return "", false
		}
	}
	fit, err := b.Table().Fit(ratings.Options{PerStratum: true})
	if err != nil {
		return "", false
	}
	widest := 0.0
	for _, p := range fit.Players {
		if p.Status != ratings.StatusOK || p.Interval.LoOpen || p.Interval.HiOpen {
			return "", false
		}
		widest = max(widest, p.Interval.Hi-p.Interval.Lo)
	}
	if widest == 0 || widest > s.t.Stop.Width {
		return "", false
	}
	return fmt.Sprintf("every 95 %% interval is narrower than %.0f Elo (widest %.0f)", s.t.Stop.Width, widest), true
}
