// Package bench measures speed: random games and searches.
//
// A rate is work per CPU-second of this process, because other programs share the machine. Each function repeats its
// work until its time or its count is reached and returns the totals; nothing is stored.
package bench

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"spar/agents"
	"spar/agents/pace"
	"spar/configs/strict"
	"spar/engines"
	"spar/engines/playout"
)

// Clock reads the times of this process, in seconds.
type Clock struct {
	CPU  func() float64 // returns the processor time used so far
	Wall func() float64 // returns the time since a fixed moment
}

// ProcessClock returns a clock with the wall and CPU time of this process.
func ProcessClock() Clock {
	began := time.Now()
	return Clock{Wall: func() float64 { return time.Since(began).Seconds() }, CPU: processTime}
}

// lap measures the times since it was created.
func (c Clock) lap() func() (cpu, wall float64) {
	cpu, wall := c.CPU(), c.Wall()
	return func() (float64, float64) { return c.CPU() - cpu, c.Wall() - wall }
}

// Playouts is the speed of uniformly random games, with their results.
type Playouts struct {
	Rules    string  `json:"rules" help:"name of the rules"`
	Playouts int64   `json:"playouts" help:"random games"`
	Moves    int64   `json:"moves" help:"plies of all of them"`
	CPU      float64 `json:"cpu_s" help:"processor time"`
	Wall     float64 `json:"wall_s" help:"time"`
	// fraction of games that the first player won
	First  float64 `json:"first" help:"share of games that the first player won"`
	Second float64 `json:"second" help:"share that the second player won"`
	Draw   float64 `json:"draw" help:"share of drawn games"`
}

// chunk is the number of games between two checks of the clock.
const chunk = 64

// Play plays games with uniformly random legal moves on this goroutine: count games, or for the given seconds of wall
// time if count is 0. If ctx ends, it returns what was played so far. The same seed and count give the same games.
func Play(ctx context.Context, g *engines.Game, clock Clock, seconds float64, count, seed int64) Playouts {
	p := playout.New(g, rand.NewPCG(uint64(seed), 0x62656e6368), true)
	s := g.NewState()
	var results [4]int64
	r := Playouts{Rules: g.Name()}
	lap, began := clock.lap(), clock.Wall()
	for (count == 0 || r.Playouts < count) && ctx.Err() == nil {
		n := int64(chunk)
		if count > 0 {
			n = min(n, count-r.Playouts)
		} else if clock.Wall()-began >= seconds { // the processor time is a system call: not for every chunk
			break
		}
		for range n {
			result, plies := p.Run(&s)
			results[result]++
			r.Moves += int64(plies)
		}
		r.Playouts += n
	}
	r.CPU, r.Wall = lap()
	n := float64(max(1, r.Playouts))
	share := func(of engines.Result) float64 { return float64(results[of]) / n }
	r.First, r.Second, r.Draw = share(engines.FirstWins), share(engines.SecondWins), share(engines.Drawn)
	return r
}

// Searches is the search speed of an agent.
type Searches struct {
	Rules    string  `json:"rules" help:"name of the rules"`
	Agent    string  `json:"agent" help:"name of the agent"`
	Nodes    int64   `json:"nodes" help:"positions or simulations"` // number of nodes; simulations for mcts
	Searches int64   `json:"searches" help:"decisions"`
	CPU      float64 `json:"cpu_s" help:"processor time"`
	Wall     float64 `json:"wall_s" help:"time"`
}

// ErrAllOver is returned if all random games end before a search can start.
const ErrAllOver = strict.Mistake("every random game ended before a search could begin")

// Search measures an agent for the given seconds of wall time. The agent chooses in turn from 16 positions that are
// the given number of random plies from the start (only the start for 0), and forgets everything between searches. If
// ctx ends, Search stops early.
func Search(
	ctx context.Context,
	g *engines.Game,
	spec agents.Spec,
	clock Clock,
	seconds float64,
	plies int,
) (Searches, error) {
	r := Searches{Rules: g.Name(), Agent: spec.Name}
	positions := someway(g, plies, 16)
	if len(positions) == 0 {
		return r, ErrAllOver
	}
	limited, cancel := pace.Within(pace.Seconds(seconds)).Soft(ctx)
	defer cancel()
	err := with(spec, g, func(a agents.Agent) error {
		rng := rand.New(rand.NewPCG(7, 8))
		lap, began := clock.lap(), clock.Wall()
		for ctx.Err() == nil {
			if clock.Wall()-began >= seconds {
				break
			}
			a.NewGame(agents.Seed{})
			d, err := a.Choose(limited, positions[int(r.Searches)%len(positions)], spec.Budget, rng)
			cut := limited.Err() != nil
			if err != nil && !cut {
				return err
			}
			if r.Nodes += d.Nodes; !cut || r.Searches == 0 {
				r.Searches++
			}
		}
		r.CPU, r.Wall = lap()
		return nil
	})
	return r, err
}

// with calls do with a new agent and then closes it. An agent without a stated evaluation gets the linear one, even if
// a learned one is its default, so that rates are comparable between games and builds.
func with(spec agents.Spec, g *engines.Game, do func(agents.Agent) error) error {
	if spec.Evaluation == (agents.EvaluationOptions{}) {
		spec.Evaluation.Kind = agents.Linear
	}
	return as(spec, g, do)
}

// as calls do with a new agent and then closes it.
func as(spec agents.Spec, g *engines.Game, do func(agents.Agent) error) error {
	a, err := agents.New(spec, g)
	if err != nil {
		return err
	}
	err = do(a)
	if c, ok := a.(agents.Closer); ok {
		err = errors.Join(err, c.Close())
	}
	return err
}

// someway returns up to n positions after a number of random plies, always the same ones. With 0 plies it returns only
// the start.
func someway(g *engines.Game, plies, n int) []*engines.Position {
	var out []*engines.Position
	rng := rand.New(rand.NewPCG(2, 3))
	if plies == 0 {
		n = 1
	}
	for tries := 0; len(out) < n && tries < 1000; tries++ {
		p := g.NewPosition()
		for range plies {
			if moves := p.AppendMoves(nil); len(moves) > 0 {
				p.Play(moves[rng.IntN(len(moves))])
			}
		}
		if !p.Over() {
			out = append(out, p)
		}
	}
	return out
}
