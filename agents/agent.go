// Package agents makes players from YAML files: random and one-ply players, searches, levels of the original
// programs, perfect play, and programs that speak the Universal Game Interface.
//
// # Terms
//
//   - Spec: an agent as its file states it, a type and the knobs of that type. A knob is a key path of the file, like
//     mcts.exploration.
//   - Kind: the description of an agent type (see the type kind); every question that depends on the type reads it.
//   - Evaluation: gives a position a value. It is named features times weights (package eval) or a learned net (package
//     patterns).
//   - Budget: the limits of one decision, in plies, nodes, simulations or seconds.
//   - Mixture: knobs that weaken, vary or restrict an agent of any type.
//   - Idle knob: one that has no effect under some rules.
//
// # Flow of data
//
// [ParseSpec] and [LoadSpec] read a file into a [Spec]. [NewContext] turns it into an [Agent] for one game, with
// the weights or the net of [Spec.For] where the file names none. The arena calls Agent.NewGame with the seed of a
// random stream, then Agent.Choose for each decision; a [Decision] has the move, its score and the expected
// continuation. A program brings agents of its own with a [Registry].
package agents

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"time"

	"spar/agents/pace"
	"spar/engines"
)

// Agent chooses moves in one game at a time. Only one goroutine uses it; the arena makes one for each seat.
type Agent interface {
	// NewGame forgets all earlier games. The new game depends only on its own random stream, which starts with the
	// given seed. Choose gets the same stream; an external program gets only the seed.
	NewGame(Seed)
	// Choose returns a legal move for the side to move, in a position that is not over. Rng is the seat's random
	// stream. When the context or the time of the budget ends, Choose returns the best move so far, which may be the
	// first legal move. A search in this process stops after a few hundred more positions (see package pace), an
	// external program after its answer. Levels of the original programs and agents that search one ply always finish
	// their decision.
	Choose(ctx context.Context, p *engines.Position, budget Budget, rng *rand.Rand) (Decision, error)
}

// Timed reports whether an agent's decisions depend on the scheduling of its threads. If so, no budget makes them
// repeatable, and a replay does not reproduce the agent's games.
func Timed(a Agent) bool {
	t, ok := a.(interface{ Timed() bool })
	return ok && t.Timed()
}

// Seed starts a random stream.
type Seed [2]uint64

// Stream returns the random stream from its start.
func (s Seed) Stream() *rand.Rand { return rand.New(rand.NewPCG(s[0], s[1])) }

// StreamSeed derives the seed of a random stream from the seed of the run, a number for its purpose (kind) and an
// index.
func StreamSeed(seed int64, kind, index uint64) Seed {
	return Seed{engines.Mix(uint64(seed) ^ engines.Mix(kind)), engines.Mix(index)}
}

// SeatSeed returns the seed of a side's random stream, with kinds 2 and 3 of StreamSeed. Stream is the number of the
// game's stream.
func SeatSeed(seed int64, side int, stream uint64) Seed {
	return StreamSeed(seed, uint64(side)+2, stream)
}

// Fault is a failure of an agent, as opposed to one of this process.
type Fault struct {
	Kind string // timeout, crash, garbage, build, left or resign
	Err  error
}

func (f *Fault) Error() string { return f.Err.Error() }
func (f *Fault) Unwrap() error { return f.Err }

// Preparer is an agent that needs time before a game, for example to start a process. This time is not charged to any
// budget. The arena calls Prepare after NewGame and before the first Choose. If Prepare was not called, Choose prepares
// the agent. Both return the same errors.
type Preparer interface{ Prepare(context.Context) error }

// Sleeper is an agent that can end its process and start it again for the next decision.
type Sleeper interface{ Sleep() }

// Closer is an agent that holds resources, like a process.
type Closer interface{ Close() error }

// Decision is a chosen move, with what the agent knows about it.
type Decision struct {
	Move    engines.Move
	Best    []engines.Move // all moves that the agent might have chosen, in the order of the legal moves
	Chances []float64      // probability of each move in Best if mixture.softmax draws the move; otherwise nil
	Score   float64        // expected score of the side to move, 0 to 1; NaN if the agent gives none
	Value   float64        // value of the move on the agent's own scale, for explanations
	Depth   int            // depth of the search, in plies
	Nodes   int64          // number of positions or simulations searched
	PV      []engines.Move // expected continuation, starting with Move
	Exact   bool           // Score is proved: 0, 0.5 or 1
}

// Budget limits one decision. Zero fields set no limit. If several limits are set, the first one reached counts.
type Budget struct {
	// Plies to search.
	Depth int `yaml:"depth" json:"depth,omitempty" jsonschema:"minimum=0,maximum=200"`
	// Positions to search.
	Nodes int64 `yaml:"nodes" json:"nodes,omitempty" jsonschema:"minimum=0"`
	// Simulations of MCTS.
	Iterations int64         `yaml:"iterations" json:"iterations,omitempty" jsonschema:"minimum=0"`
	MoveTime   time.Duration `yaml:"-" json:"-"`
	// Seconds for a move. Games with a time limit cannot be reproduced exactly.
	Seconds float64 `yaml:"seconds" json:"seconds,omitempty" jsonschema:"minimum=0"`
	// What the seconds measure: wall, or cpu (Linux only), the processor time of the agent's thread or of its
	// program, which does not depend on other load. A program that exceeds the limit is warned; at twice the limit it
	// forfeits. Default: wall.
	Clock string `yaml:"clock" json:"clock,omitempty" jsonschema:"enum=wall,enum=cpu"`
}

// Timed reports whether the budget limits time.
func (b Budget) Timed() bool { return b.Seconds > 0 || b.MoveTime > 0 }

// Time returns the time for the move; 0 means no limit.
func (b Budget) Time() time.Duration {
	if b.MoveTime > 0 {
		return b.MoveTime
	}
	return pace.Seconds(b.Seconds)
}

// clockCPU is the Clock of budgets in processor time.
const clockCPU = "cpu"

// OnCPU reports whether the budget limits processor time.
func (b Budget) OnCPU() bool { return b.Timed() && b.Clock == clockCPU }

// Check returns an error if a clock is set without seconds, or if it cannot work on this system or with several
// threads.
func (b Budget) Check(threads int) error {
	switch {
	case b.Clock != "" && b.Seconds <= 0:
		return errors.New("clock has no effect without seconds")
	case b.Clock != clockCPU:
		return nil
	case !pace.HasCPU:
		return errors.New("clock: cpu does not work here: this system cannot measure the processor time of threads; " +
			"leave clock out")
	case threads > 1:
		return fmt.Errorf("clock: cpu measures one thread, but the search has %d; set threads to 1", threads)
	}
	return nil
}

// until returns when a decision under this budget must end. In processor time the goroutine stays on its thread until
// release is called.
func (b Budget) until() (end pace.Deadline, release func()) {
	switch t := b.Time(); {
	case t <= 0:
		return end, func() {}
	case b.Clock == clockCPU:
		runtime.LockOSThread()
		return pace.AfterCPU(t), runtime.UnlockOSThread
	default:
		return pace.After(t), func() {}
	}
}

// Or returns b if it sets any limit, and otherwise other. It never mixes the two.
func (b Budget) Or(other Budget) Budget {
	if b == (Budget{}) {
		return other
	}
	return b
}

// String writes the limits that are set, like "depth 4" or "1000 iterations".
func (b Budget) String() string {
	var parts []string
	if b.Depth > 0 {
		parts = append(parts, fmt.Sprintf("depth %d", b.Depth))
	}
	if b.Nodes > 0 {
		parts = append(parts, fmt.Sprintf("%d nodes", b.Nodes))
	}
	if b.Iterations > 0 {
		parts = append(parts, fmt.Sprintf("%d iterations", b.Iterations))
	}
	if t := b.Time(); t > 0 {
		clock := ""
		if b.Clock == clockCPU {
			clock = " of processor time"
		}
		parts = append(parts, t.String()+clock)
	}
	if len(parts) == 0 {
		return "no limit"
	}
	return strings.Join(parts, ", ")
}
