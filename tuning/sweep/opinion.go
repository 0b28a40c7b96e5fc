package sweep

import (
	"context"
	"fmt"
	"path/filepath"

	"spar/agents"
	"spar/arena/campaign"
	"spar/tuning/learn"
)

// tiers are random play and the searching agents, weakest first, with the evaluation that was learned, if one was.
func (s *Sweep) tiers() []agents.Spec {
	out := campaign.Tiers(s.budgets())
	if s.learned.Net != nil {
		for i := range out[1:] {
			out[1+i].Evaluation = s.learned
		}
	}
	return out
}

// learning is how the evaluation is learned.
func (s *Sweep) learning() learn.Options { return learn.Options{Games: int64(s.Learn), Seed: s.Seed} }

// learn has the agents of all variants learn one evaluation, under the rules as they are: variants stay compared by
// equal means. It lies in a folder, under a name that says by what it was learned, and is taken from there by the next
// run.
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
