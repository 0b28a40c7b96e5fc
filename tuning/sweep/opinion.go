package sweep

import (
	"context"
	"fmt"
	"path/filepath"

	"spar/agents"
	"spar/arena/campaign"
	"spar/tuning/learn"
)

// tiers returns the agents of the tiers, weakest first: random play, the searching agents, and the learned
// evaluation if there is one.
func (s *Sweep) tiers() []agents.Spec {
	out := campaign.Tiers(s.budgets())
	if s.learned.Net != nil {
		for i := range out[1:] {
			out[1+i].Evaluation = s.learned
		}
	}
	return out
}

// learning returns the options for learning the evaluation.
func (s *Sweep) learning() learn.Options { return learn.Options{Games: int64(s.Learn), Seed: s.Seed} }

// learn learns one evaluation for the agents of all variants, under the base rules, so that all variants have the
// same agents. The net is a file in a folder, with the options in its name. The next run reuses it.
func (s *Sweep) learn(ctx context.Context, o Options) error {
	if s.Learn == 0 || s.learned.Net != nil {
		return nil
	}
	o.Stage("learning an evaluation")
	base, how := s.Variants[0].Game, s.learning()
	how.Workers, how.Assets, how.Pool = o.Workers, o.Assets, o.Pool
	net := fmt.Sprintf("%s-%.8s-%d-%d.net", filepath.Join(o.Nets, s.Name), base.RulesHash(), how.Games, how.Seed)
	path, err := learn.Agent(ctx, base, net, 0, how)
	if err != nil {
		return err
	}
	a, err := agents.LoadSpec(path)
	if err != nil {
		return err
	}
	s.learned = a.Evaluation
	s.learned.Kin = true
	return nil
}
