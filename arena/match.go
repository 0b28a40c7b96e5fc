package arena

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strings"
	"time"

	"spar/agents"
	"spar/engines"
)

// Record is a finished game.
type Record struct {
	Job
	Moves        []string
	OpeningPlies int
	Result       engines.Result
	Reason       string // a reason of the rules, or of the arena: forfeit_illegal, forfeit_error, forfeit_panic
	Detail       string
	Plies        int
	Spent        [2]time.Duration
	Nodes        [2]int64
	Decisions    []agents.Decision // one an agent's ply, when asked for
	Timed        bool
	Seed         int64
}

// Hash is the same for games of the same rules with the same moves.
func (r *Record) Hash(rulesHash string) int64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s %s", rulesHash, strings.Join(r.Moves, " "))
	return int64(h.Sum64() >> 1)
}

// stream derives a random stream from the seed of the run and what it is for.
func stream(seed int64, kind, index uint64) *rand.PCG {
	mix := func(x uint64) uint64 { // splitmix64
		x += 0x9e3779b97f4a7c15
		x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
		x = (x ^ x>>27) * 0x94d049bb133111eb
		return x ^ x>>31
	}
	return rand.NewPCG(mix(uint64(seed)^mix(kind)), mix(index))
}

// Kinds of random streams.
const (
	streamOpening = iota + 1
	streamFirst
	streamSecond
)

// Seat is an agent ready to play, with the budget of its decisions.
type Seat struct {
	Name   string
	Agent  agents.Agent
	Budget agents.Budget
}

// Play plays one game from a position. Both seats get random streams that depend only on the seed and the job's number.
// An agent that fails, panics or answers with an illegal move forfeits the game. The error is only for a context that ended:
// then there is no record.
func Play(ctx context.Context, g *engines.Game, job Job, opening []engines.Move, seats [2]Seat, seed int64, each func(*engines.Position, agents.Decision)) (Record, error) {
	r := Record{Job: job, Seed: seed, OpeningPlies: len(opening), Timed: seats[0].Budget.Timed() || seats[1].Budget.Timed()}
	rng := [2]*rand.Rand{
		rand.New(stream(seed, streamFirst, uint64(job.Number))),
		rand.New(stream(seed, streamSecond, uint64(job.Number))),
	}
	p := g.NewPosition()
	for _, m := range opening {
		r.Moves = append(r.Moves, g.MoveText(m))
		p.Play(m)
	}
	for _, s := range seats {
		s.Agent.NewGame()
	}
	var legal []engines.Move
	for !p.Over() {
		side := p.Side()
		began := time.Now()
		d, fault := choose(ctx, seats[side], p, rng[side])
		r.Spent[side] += time.Since(began)
		if ctx.Err() != nil {
			return r, ctx.Err()
		}
		r.Nodes[side] += d.Nodes
		if fault == nil {
			legal = p.AppendMoves(legal[:0])
			fault = checkLegal(g, p, d.Move, legal)
		}
		if fault != nil {
			r.Result, r.Reason = engines.Winner(1-side), fault.reason
			r.Detail = fmt.Sprintf("%s at ply %d: %s", seats[side].Name, p.Ply()+1, fault.detail)
			r.Plies = p.Ply()
			return r, nil
		}
		r.Moves = append(r.Moves, g.MoveText(d.Move))
		p.Play(d.Move)
		if each != nil {
			each(p, d)
		}
	}
	r.Result, r.Reason, r.Plies = p.Result(), p.Reason().String(), p.Ply()
	return r, nil
}

// fault is what an agent did wrong.
type fault struct{ reason, detail string }

func checkLegal(g *engines.Game, p *engines.Position, m engines.Move, legal []engines.Move) *fault {
	for _, l := range legal {
		if l == m {
			return nil
		}
	}
	return &fault{"forfeit_illegal", fmt.Sprintf("illegal move %s in %s", g.MoveText(m), p.Text())}
}

func choose(ctx context.Context, s Seat, p *engines.Position, rng *rand.Rand) (d agents.Decision, f *fault) {
	defer func() {
		if e := recover(); e != nil {
			f = &fault{"forfeit_panic", fmt.Sprintf("panic: %v", e)}
		}
	}()
	d, err := s.Agent.Choose(ctx, p, s.Budget, rng)
	if err != nil && !errors.Is(err, context.Canceled) {
		return d, &fault{"forfeit_error", err.Error()}
	}
	return d, nil
}
