package arena

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"spar/agents"
	"spar/agents/pace"
	"spar/arena/study"
	"spar/engines"
	"spar/engines/solve"
)

// gameHash returns a hash that is equal for games with the same rules and moves.
func gameHash(rulesHash string, moves []engines.Move) int64 {
	h := fnv.New64a()
	h.Write([]byte(rulesHash)) // a hash never fails
	for _, m := range moves {
		h.Write([]byte{byte(m), byte(m >> 8)})
	}
	return int64(h.Sum64() >> 1)
}

// Seat is an agent that is ready to play, with the budget for its decisions.
type Seat struct {
	Name   string
	Agent  agents.Agent
	Budget agents.Budget
}

// timed reports whether the seat's decisions depend on time and not only on counts.
func (s Seat) timed() bool { return s.Budget.Timed() || agents.Timed(s.Agent) }

// Conditions are the settings of a game that its rules do not contain.
type Conditions struct {
	Seed      int64
	Stream    uint64 // together with the seed, it determines the random streams of the seats
	Opening   []engines.Move
	Clock     Clock
	Adjudge   Adjudge
	Table     *solve.Table                             // exact values for adjudication; nil = no adjudication
	GameLimit time.Duration                            // time limit of the whole game; 0 = none
	Thoughts  bool                                     // record the agents' data about each ply
	Each      func(*engines.Position, agents.Decision) // called after every ply of an agent; may be nil
}

// Play plays one game. The random streams of the seats depend only on the seed and the stream. An agent that fails,
// panics, exceeds its time or answers with an illegal move forfeits the game. Play returns an error, and no result,
// if ctx ends or if something other than an agent fails (agents.ErrOurs).
func Play(ctx context.Context, g *engines.Game, c Conditions, seats [2]Seat) (Result, error) {
	r := Result{OpeningPlies: len(c.Opening)}
	r.Timed = seats[0].timed() || seats[1].timed() || c.Clock.Seconds > 0 || c.GameLimit > 0
	var rng [2]*rand.Rand
	for side := range rng {
		seed := agents.SeatSeed(c.Seed, side, c.Stream)
		rng[side] = seed.Stream()
		seats[side].Agent.NewGame(seed)
	}
	p := g.NewPosition()
	for _, m := range c.Opening {
		p.Play(m)
	}
	forfeits := func(side int, f *fault) {
		r.Outcome = engines.Winner(1 - side)
		r.Reason = f.reason
		r.Faulty = int8(side + 1)
		// a program may have answered megabytes, which nobody could read back from a study
		r.Detail = fmt.Sprintf("%s at ply %d: %.1000s", seats[side].Name, p.Ply()+1, f.detail)
	}
	for side := range seats { // no clock counts the start of a program
		if f, err := prepare(ctx, seats[side].Agent); err != nil {
			return r, err
		} else if f != nil && r.Outcome == engines.Ongoing {
			forfeits(side, f)
		}
	}
	judge := judge{o: c.Adjudge, table: c.Table}
	judge.o.Moves = cmp.Or(judge.o.Moves, 6)
	var legal []engines.Move
	var clocks [2]time.Duration
	for side := range clocks {
		clocks[side] = pace.Seconds(c.Clock.Seconds)
	}
	for !p.Over() && r.Outcome == engines.Ongoing {
		side := p.Side()
		budget := seats[side].Budget
		if c.Clock.Seconds > 0 {
			budget = onClock(budget, clocks[side], c.Clock)
		}
		thinking, cancel := ctx, func() {}
		if c.GameLimit > 0 {
			thinking, cancel = context.WithTimeout(ctx, c.GameLimit-r.Spent[0]-r.Spent[1])
		}
		began := time.Now()
		d, f, err := choose(thinking, seats[side].Agent, p, budget, rng[side])
		spent := time.Since(began)
		cancel()
		r.Spent[side] += spent
		if err = cmp.Or(ctx.Err(), err); err != nil {
			return r, err
		}
		if f != nil && c.GameLimit > 0 && r.Spent[0]+r.Spent[1] >= c.GameLimit {
			r.Outcome, r.Reason = engines.Drawn, "clock" // the game's time ended while a side was thinking
			break
		}
		r.Nodes[side] += d.Nodes
		if f == nil {
			legal = p.AppendMoves(legal[:0])
			f = checkLegal(g, p, d.Move, legal)
		}
		if c.Clock.Seconds > 0 && f == nil {
			if clocks[side] -= spent; clocks[side] < 0 {
				f = &fault{"forfeit_timeout", fmt.Sprintf("%v over its clock", -clocks[side].Round(time.Millisecond))}
			}
			clocks[side] += pace.Seconds(c.Clock.Increment)
		}
		if f != nil {
			forfeits(side, f)
			break
		}
		p.Play(d.Move)
		if c.Thoughts {
			r.Thoughts = append(r.Thoughts, study.Ply{
				Ply:   p.Ply(),
				Score: known(d.Score),
				Depth: d.Depth,
				Nodes: d.Nodes,
				MS:    float64(spent.Microseconds()) / 1000,
				Legal: len(legal),
				PV:    g.JoinMoves(d.PV),
			})
		}
		if c.Each != nil {
			c.Each(p, d)
		}
		if p.Over() {
			break
		}
		if r.Outcome, r.Reason = judge.look(&p.State, side, d.Score); r.Outcome != engines.Ongoing {
			break
		}
		if c.GameLimit > 0 && r.Spent[0]+r.Spent[1] >= c.GameLimit {
			r.Outcome, r.Reason = engines.Drawn, "clock"
			break
		}
	}
	if r.Outcome == engines.Ongoing {
		r.Outcome, r.Reason = p.Result(), p.Reason().String()
	}
	r.Moves, r.Plies, r.Hash = g.JoinMoves(p.Played()), p.Ply(), gameHash(g.RulesHash(), p.Played())
	return r, nil
}

// ResultOf determines, from its moves, the result of a game that was played elsewhere, for example by people. Such
// a game counts as timed.
func ResultOf(p *engines.Position) Result {
	g := p.Game()
	return Result{
		Rules:   g.RulesHash(),
		Outcome: p.Result(),
		Reason:  p.Reason().String(),
		Moves:   g.JoinMoves(p.Played()),
		Plies:   p.Ply(),
		Hash:    gameHash(g.RulesHash(), p.Played()),
		Timed:   true,
	}
}

// known returns a pointer to a score, or nil for NaN.
func known(score float64) sql.NullFloat64 {
	if math.IsNaN(score) {
		return sql.NullFloat64{}
	}
	return sql.NullFloat64{Float64: score, Valid: true}
}

// onClock sets the time for a decision to a fraction of the time left on the clock.
func onClock(b agents.Budget, left time.Duration, c Clock) agents.Budget {
	share := left/20 + pace.Seconds(c.Increment*0.75)
	share = min(share, left*3/4)
	if t := b.Time(); t > 0 {
		share = min(share, t)
	}
	b.MoveTime = max(share, time.Millisecond)
	return b
}

// fault is an error caused by an agent.
type fault struct{ reason, detail string }

func checkLegal(g *engines.Game, p *engines.Position, m engines.Move, legal []engines.Move) *fault {
	if slices.Contains(legal, m) {
		return nil
	}
	return &fault{"forfeit_illegal", fmt.Sprintf("illegal move %s in %s", g.MoveText(m), p.Text())}
}

// choose asks an agent for a move. The agent caused the returned fault, but not the returned error.
func choose(ctx context.Context, a agents.Agent, p *engines.Position, b agents.Budget,
	rng *rand.Rand,
) (d agents.Decision, f *fault, err error) {
	defer recovered(&f)
	d, err = a.Choose(ctx, p, b, rng)
	if errors.Is(err, context.Canceled) {
		return d, nil, nil // the caller knows its context
	}
	f, err = blame(err)
	return d, f, err
}

// prepare lets an agent start the processes that it needs.
func prepare(ctx context.Context, a agents.Agent) (f *fault, err error) {
	p, ok := a.(agents.Preparer)
	if !ok {
		return nil, nil
	}
	defer recovered(&f)
	if err = p.Prepare(ctx); ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return blame(err)
}

// recovered converts a panic of an agent to a fault.
func recovered(f **fault) {
	if e := recover(); e != nil {
		*f = &fault{"forfeit_panic", fmt.Sprintf("panic: %v", e)}
	}
}

// blame distinguishes faults of the agent from failures of Spar or the system.
func blame(err error) (*fault, error) {
	var known *agents.Fault
	switch {
	case err == nil:
		return nil, nil
	case errors.Is(err, agents.ErrOurs):
		return nil, err
	case errors.As(err, &known):
		return &fault{"forfeit_" + known.Kind, err.Error()}, nil
	}
	return &fault{"forfeit_error", err.Error()}, nil
}
