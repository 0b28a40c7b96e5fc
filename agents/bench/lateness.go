package bench

import (
	"context"
	"math/rand/v2"

	"spar/agents"
	"spar/engines"
)

// Lateness describes how well an agent keeps to a time limit.
type Lateness struct {
	Rules     string  `json:"rules" help:"name of the rules"`
	Agent     string  `json:"agent" help:"name of the agent"`
	Decisions int     `json:"decisions" help:"decisions measured"`
	Late      int     `json:"late" help:"decisions that ended after the limit by more than 2 % or 1 ms, whichever is more"`
	Worst     float64 `json:"worst_ms" help:"how much later than the limit the latest decision ended; below 0 if all ended before"`
}

// Late lets an agent play games against itself, with a limit in seconds of wall time for each decision, and measures
// when its decisions end. It ends early with ctx. The measurement is about the agent on a machine that does nothing
// else: other programs make decisions late, too.
func Late(
	ctx context.Context, g *engines.Game, spec agents.Spec, clock Clock, limit float64, decisions int,
) (Lateness, error) {
	spec.Budget = agents.Budget{Seconds: limit}
	r := Lateness{Rules: g.Name(), Agent: spec.Name, Worst: -1000 * limit}
	err := as(spec, g, func(a agents.Agent) error {
		rng, p := rand.New(rand.NewPCG(7, 8)), g.NewPosition()
		a.NewGame(agents.Seed{})
		for r.Decisions < decisions && ctx.Err() == nil {
			if p.Over() {
				p = g.NewPosition()
				a.NewGame(agents.Seed{})
			}
			began := clock.Wall()
			d, err := a.Choose(ctx, p, spec.Budget, rng)
			if err != nil {
				return err
			}
			late := clock.Wall() - began - limit
			r.Decisions++
			r.Worst = max(r.Worst, 1000*late)
			if late > max(0.001, 0.02*limit) {
				r.Late++
			}
			p.Play(d.Move)
		}
		return ctx.Err()
	})
	return r, err
}
