package puzzles

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"spar/agents"
	"spar/engines/bulk"
	"spar/ratings"
)

// level is the confidence level of all intervals.
const level = 0.95

// Score is an agent's result on a suite.
type Score struct {
	Agent   string    `json:"agent" help:"name"`
	Puzzles int64     `json:"puzzles" help:"puzzles in the suite"`
	Solved  int64     `json:"solved" help:"puzzles that the agent solved"`
	Share   float64   `json:"share" help:"share of puzzles solved"`
	Lo      float64   `json:"lo" help:"lower end of its interval, 95 %"` // ends of the Wilson interval, 95 %
	Hi      float64   `json:"hi" help:"upper end"`
	ByRules []Part    `json:"by_rules"`
	Failed  []Failure `json:"failed"`
}

// Part is the score under one set of rules.
type Part struct {
	// label of the rules, with overrides
	Rules   string  `json:"rules" help:"name of the rules, with overrides in brackets"`
	Puzzles int64   `json:"puzzles" help:"puzzles in the suite"`
	Solved  int64   `json:"solved" help:"puzzles that the agent solved"`
	Share   float64 `json:"share" help:"share of puzzles solved"`
	Lo      float64 `json:"lo" help:"lower end of its interval, 95 %"`
	Hi      float64 `json:"hi" help:"upper end"`
}

// Failure is a puzzle that the agent did not solve.
type Failure struct {
	ID     string `json:"id" help:"id of an unsolved puzzle"`
	Move   string `json:"move" help:"the solution"` // the correct move
	Played string `json:"played" help:"move of the agent"`
}

// Rate lets an agent solve a suite. The answer to a puzzle depends only on the puzzle and the seed, unless the
// agent's budget limits time.
func Rate(ctx context.Context, spec agents.Spec, suite []Puzzle, games *bulk.Games, seed int64) (s Score, err error) {
	s = Score{Agent: spec.Name, ByRules: []Part{}, Failed: []Failure{}}
	players := map[string]agents.Agent{} // by hash of the rules
	defer func() {
		for _, a := range players {
			if a, ok := a.(agents.Closer); ok {
				err = errors.Join(err, a.Close())
			}
		}
	}()
	for i := range suite {
		p := &suite[i]
		at, err := p.at(games)
		if err != nil {
			return s, err
		}
		g := at.Game()
		player := players[g.RulesHash()]
		if player == nil {
			if player, err = agents.NewContext(ctx, spec, g); err != nil {
				return s, err
			}
			players[g.RulesHash()] = player
		}
		begin := agents.Seed{uint64(seed), key(&at.State)}
		player.NewGame(begin)
		d, err := player.Choose(ctx, at, spec.Budget, rand.New(rand.NewPCG(begin[0], begin[1])))
		if err != nil {
			return s, fmt.Errorf("puzzle %s (%s): %w", p.ID, p.Label(), err)
		}
		if err := ctx.Err(); err != nil {
			return s, err
		}
		part := s.part(p.Label())
		part.Puzzles++
		if want, err := at.ParseMove(p.Move); err != nil {
			return s, fmt.Errorf("puzzle %s (%s): %w", p.ID, p.Label(), err)
		} else if d.Move == want {
			part.Solved++
		} else {
			s.Failed = append(s.Failed, Failure{p.ID, p.Move, g.MoveText(d.Move)})
		}
	}
	for i := range s.ByRules {
		part := &s.ByRules[i]
		s.Puzzles, s.Solved = s.Puzzles+part.Puzzles, s.Solved+part.Solved
		part.Share, part.Lo, part.Hi = share(part.Solved, part.Puzzles)
	}
	s.Share, s.Lo, s.Hi = share(s.Solved, s.Puzzles)
	return s, nil
}

func share(k, n int64) (value, lo, hi float64) {
	w := ratings.Wilson(k, n, level)
	return w.Value, w.Interval.Lo, w.Interval.Hi
}

func (s *Score) part(rules string) *Part {
	at := slices.IndexFunc(s.ByRules, func(p Part) bool { return p.Rules == rules })
	if at < 0 {
		at = len(s.ByRules)
		s.ByRules = append(s.ByRules, Part{Rules: rules})
	}
	return &s.ByRules[at]
}
