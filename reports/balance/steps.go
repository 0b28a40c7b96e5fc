package balance

import (
	"context"
	"errors"
	"slices"

	"spar/agents/pace"
	"spar/arena/campaign"
	"spar/arena/store"
	"spar/ratings"
	"spar/tuning/variants"
)

// SolvedStep is a change of one knob that gives a game with a known exact value.
type SolvedStep struct {
	Path  string         `json:"path"`
	Value string         `json:"value"`
	Exact campaign.Exact `json:"exact"`
}

// Problems lists what is wrong with the rules, the most serious first: as shown by the exact value or by
// significant results of games.
func (r *Report) Problems() []variants.Problem {
	var out []variants.Problem
	weak := func(l Light) bool { return l.Colour == Poor || l.Colour == Middling || l.Colour == NotGood }
	if weak(r.light("completion")) {
		out = append(out, variants.Endless)
	}
	n := r.light("first_score").Number
	side, _ := r.winner()
	var main Group
	if r.Headline >= 0 && r.Headline < len(r.Groups) {
		main = r.Groups[r.Headline]
	}
	if main.Same() || r.Exact != nil { // it is of the same few games, or of agents that do not find the draw
		n = ratings.Estimate{}
	}
	if side != "" || n.Known() && (n.Lo > 0.55 || n.Hi < 0.45 || r.light("first_score").Colour != Good &&
		(n.Lo > 0.5 || n.Hi < 0.5)) {
		out = append(out, variants.Unfair)
	}
	if weak(r.light("draws")) {
		out = append(out, variants.Drawish)
	}
	idle := map[string]variants.Problem{
		"steps": variants.NoSteps, "jumps": variants.NoJumps, "chains": variants.NoJumps,
		"leaves": variants.NoCaps, "surrounds": variants.NoCatch,
	}
	for _, u := range main.Alive {
		if p, ok := idle[u.Mechanic]; ok && u.PerGame.Known() && u.PerGame.Value == 0 && !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}

// Limits for solving a changed game. Spar tries it only if the original rules needed little.
const (
	stepMemory    = 16_000_000
	stepPositions = 50_000
)

// solveSteps computes the exact values of changes that may fix problems of solved rules. Draws come first. The
// second result is the changes to play: exact draws, and those without a value.
func solveSteps(ctx context.Context, r *Report, base campaign.Rules, workers int) (known []SolvedStep,
	open []campaign.Rules, err error,
) {
	steps := variants.Neighbours(base, r.Problems())
	if r.Exact != nil {
		err = variants.Solve(ctx, steps, stepMemory, stepPositions, workers, nil)
	}
	for _, s := range steps {
		if !s.Exact.Decided() { // a draw for agents who do not find it, too, only games can tell
			open = append(open, s.Rules)
		}
		if s.Exact != nil {
			known = append(known, SolvedStep{s.Changes[0].Path, s.Changes[0].Text(), *s.Exact})
		}
	}
	slices.SortStableFunc(known, func(a, b SolvedStep) int { return evenness(a.Exact) - evenness(b.Exact) })
	return known, open, err
}

// evenness is a sort key for exact values: draws come first.
func evenness(x campaign.Exact) int {
	if x.Winner == "draw" {
		return 0
	}
	return 1
}

// Steps returns the changes of one knob that a study should try: those that may correct a problem shown by its games
// and that are not solved.
func Steps(workers int, blind bool) func(context.Context, *store.DB, *campaign.Campaign, pace.Limit) ([]campaign.Rules,
	error) {
	return func(ctx context.Context, db *store.DB, c *campaign.Campaign, limit pace.Limit) ([]campaign.Rules, error) {
		o := StudyOptions{Options: Options{Workers: workers, Blind: blind}, Time: limit.Part(0.5)}
		r, err := Study(ctx, db, c.Rules.Label, o)
		if errors.Is(err, ErrNoGames) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		within, end := limit.Part(0.8).Soft(ctx)
		defer end()
		_, open, err := solveSteps(within, r, c.Rules, workers)
		if within.Err() != nil && ctx.Err() == nil {
			err = nil // games have to tell of those that are not solved
		}
		return open, err
	}
}
