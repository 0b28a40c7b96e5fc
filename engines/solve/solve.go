// Package solve finds the exact value of positions.
//
// Solve solves a whole game by retrograde analysis: it finds the value of every position that play can reach. The
// result is a Table. It has a few bytes for each position, answers in less than a microsecond, and can be saved as
// a file. Prove finds the value of a single position, also in larger games, by proof-number search.
//
// # What is solved
//
// Solve identifies a position by what the engine's repetition rule compares: pieces, ages, side to move, hands, phase,
// piece that may continue the turn, placements left, and the ply number while the rules depend on it. Draws by
// repetition and by the ply cap depend on the history too, so Solve ignores these two rules (Endless): play without end
// is a draw. Repetition does not change the value of a position without history, because neither a fastest win nor a
// draw needs it. If draw.repeated lets one side win, play without end is a win for it, of distance 0: that side can
// repeat positions wherever the other cannot force a win. A ply cap makes wins that come too late draws; tables do not
// include this.
//
// Distances are in plies: the winner wins as soon as possible, and the loser loses as late as possible.
package solve

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"strconv"
	"time"

	"spar/engines"
	"spar/engines/rules"
)

// Options are the limits of Solve. The zero value uses all processors and any amount of memory.
type Options struct {
	Workers  int            // number of goroutines; 0 = one for each processor. The result does not depend on it.
	Memory   int64          // maximum memory in bytes, by Solve's own estimate; 0 = no limit
	Progress func(Progress) // called from time to time, from the goroutine that called Solve; may be nil
	States   uint64         // maximum number of states that Count and CountPositions count; 0 = no limit
}

func (o Options) workers() int {
	if o.Workers > 0 {
		return o.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// Progress is the progress of Solve.
type Progress struct {
	Phase string // counting, linking, solving or indexing
	Done  uint64 // states counted or decided in this phase
	Total uint64 // states found so far; after the phase counting, all states
	Bytes int64  // peak memory in bytes for the states found so far
	Share float64
}

// Text writes the progress after an elapsed time. While the total grows, the time left is unknown.
func (p Progress) Text(elapsed time.Duration) string {
	if p.Phase == phases[0].name {
		return fmt.Sprintf("counted %s states so far, %s", CountText(p.Done), ByteText(p.Bytes))
	}
	left := time.Duration(float64(elapsed) * (1 - p.Share) / p.Share).Round(time.Second)
	return fmt.Sprintf("%s: %s of %s states, %s, %s left", p.Phase,
		CountText(p.Done), CountText(p.Total), ByteText(p.Bytes), left)
}

// CountText writes a number: exactly below a million, and otherwise rounded, like "6.2 million".
func CountText(n uint64) string {
	if n < 1e6 {
		return strconv.FormatUint(n, 10)
	}
	return fmt.Sprintf("%.1f million", float64(n)/1e6)
}

// The phases, and the fraction of the work that has been done when each begins, as measured on larger games.
var phases = [...]struct {
	name  string
	share float64
}{{"counting", 0}, {"linking", 0.55}, {"solving", 0.7}, {"indexing", 0.78}, {"", 1}}

// MemoryError is returned if solving a game needs more memory than allowed.
type MemoryError struct {
	Rules    string
	Classes  uint64 // number of states found, up to symmetry
	Complete bool   // all states have been counted
	Bytes    int64  // memory needed for these states, in bytes
	Limit    int64  // memory allowed, in bytes; 0 = no limit, but there are too many states to number
}

// Error returns the message with the numbers.
func (e *MemoryError) Error() string {
	more, limit := "", fmt.Sprintf("the limit is %s", ByteText(e.Limit))
	if !e.Complete {
		more = "at least "
	}
	if e.Limit <= 0 || e.Classes > maxStates {
		limit = fmt.Sprintf("at most %s states can be solved", CountText(maxStates))
	}
	return fmt.Sprintf("%s does not fit: %s%s states up to symmetry and exchange of colours need %[2]s%[4]s, but %s", e.Rules, more,
		CountText(e.Classes), ByteText(e.Bytes), limit)
}

// ByteText writes a number of bytes in decimal units, like "1.2 GB".
func ByteText(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d B", n)
	case n < 1e6:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	case n < 1e9:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%.1f GB", float64(n)/1e9)
}

// Endless returns the game that Solve solves: the same rules without draws by repetition or by the ply cap, and
// without a clock. The plies counted for draw.quiet are part of a position. Rules with both draw.quiet and
// draw.repetition are an error: a side may repeat positions to make a capture later, which resets the count.
func Endless(g *engines.Game) (*engines.Game, error) {
	r := g.Rules()
	if r.Draw.Quiet > 0 && r.Draw.Repetition > 0 {
		return nil, fmt.Errorf(
			"%s has draw.quiet and draw.repetition. With both, the value of a position depends on the history: switch one off, "+
				"for example with --set draw.repetition=0",
			r.Name,
		)
	}
	if r.Draw.Repetition > 0 && !r.Draw.Repeated.IsZero() {
		draws := r.Draw.Quiet > 0 || r.Draw.MaxPlies > 0 || r.NoMoves == "draw" || r.NoMoves == "pass" || r.Win.Majority ||
			r.Draw.FullBoard && r.IdleAt("draw.full_board") == ""
		switch {
		case r.Draw.RepeatWinner() == rules.NoSide:
			return nil, fmt.Errorf("%s has draw.repeated: %s, so the value of a position depends on the history: solve it with "+
				"--set draw.repetition=0", r.Name, r.Draw.Repeated)
		case draws:
			return nil, fmt.Errorf("%s has draw.repeated: %s, and other rules that allow draws; the solver cannot handle both: "+
				"remove draw.full_board, draw.quiet, draw.max_plies, win.majority, and no_moves unless it is loss or win",
				r.Name, r.Draw.Repeated)
		}
	}
	return g.Endless(), nil
}

// RulesHash identifies the game that Solve solves: the hash of the rules (see engines.Game.RulesHash) without name,
// title, draws by repetition and by the ply cap, and clock. Rules with the same hash share a table.
func RulesHash(g *engines.Game) (string, error) {
	e, err := Endless(g)
	if err != nil {
		return "", err
	}
	return e.RulesHash(), nil
}

// ErrStates means that a count has reached Options.States.
var ErrStates = errors.New("the limit on the number of states is reached")

// Count returns the number of states of a game, up to symmetry and exchange of colours, and the peak memory in
// bytes for solving it. It uses at most o.Memory bytes itself, as Solve does. If it returns an error, the number of
// states is a lower bound.
func Count(ctx context.Context, g *engines.Game, o Options) (classes uint64, bytes int64, err error) {
	sp, err := newSpace(g)
	if err != nil {
		return 0, 0, err
	}
	sp.dropped, sp.most = true, o.States
	defer sp.set.free()
	err = sp.explore(ctx, o, sp.bytes)
	return uint64(sp.set.len()), sp.bytes(), err
}

// CountPositions counts the reachable positions, without reduction by symmetry or exchange of colours: ongoing
// positions including the start, and final positions. Published counts contain the ongoing positions, or both kinds.
func CountPositions(ctx context.Context, g *engines.Game, o Options) (ongoing, ended uint64, err error) {
	e, err := Endless(g)
	if err != nil {
		return 0, 0, err
	}
	codec, err := e.NewPlainCodec()
	if err != nil {
		return 0, 0, err
	}
	m := newMixer(codec.Bits())
	sp := &space{
		g:          e,
		codec:      codec,
		mix:        m,
		set:        newSet(m),
		ends:       newSet(m),
		mostValues: 256,
		dropped:    true,
		most:       o.States,
	}
	defer sp.set.free()
	defer sp.ends.free()
	err = sp.explore(ctx, o, func() int64 { return sp.set.bytes() + sp.ends.bytes() })
	return uint64(sp.set.len()), uint64(sp.ends.len()), err
}

// Solve finds the value of every state of a game. It counts the states first. If solving would need more memory than
// allowed, it returns a MemoryError with the numbers, and has then used memory only for counting. It stops when the
// context ends.
func Solve(ctx context.Context, g *engines.Game, o Options) (*Table, error) {
	sp, err := newSpace(g)
	if err != nil {
		return nil, err
	}
	return sp.solve(ctx, o)
}

func (sp *space) solve(ctx context.Context, o Options) (*Table, error) {
	workers := o.workers()
	defer sp.set.free()
	err := sp.explore(ctx, o, sp.bytes)
	if err != nil {
		return nil, err
	}
	n := sp.set.len()
	total, peak := uint64(n), sp.bytes()
	sp.set.free()
	sweep(peak)

	o.report(1, 0, total, peak, 0)
	var who seats
	if sp.codec.Exchanges() {
		if who, err = sp.seats(ctx, workers); err != nil {
			return nil, err
		}
	}
	vals := make(values, (n+1)/2)
	back, err := sp.link(ctx, vals, workers)
	if err != nil {
		return nil, err
	}
	o.report(2, 0, total, peak, 0)
	err = back.retrograde(ctx, vals, n, workers, func(decided uint64) {
		o.report(2, decided, total, peak, float64(decided)/float64(total))
	})
	if err != nil {
		return nil, err
	}
	back = nil
	sweep(peak)
	o.report(3, 0, total, peak, 0)
	t, err := sp.index(ctx, vals, who, workers)
	if err != nil {
		return nil, err
	}
	t.stats.PeakBytes = peak
	o.report(4, total, total, peak, 0)
	return t, nil
}

// sweep frees unused memory before more is allocated. Otherwise the garbage collector would wait until the heap has
// doubled.
func sweep(bytes int64) {
	if bytes > 1<<25 {
		debug.FreeOSMemory()
	}
}

func (o Options) report(phase int, done, total uint64, bytes int64, share float64) {
	if o.Progress == nil {
		return
	}
	p := phases[phase]
	if phase+1 < len(phases) {
		share = p.share + share*(phases[phase+1].share-p.share)
	} else {
		share, p.name = 1, phases[phase-1].name
	}
	o.Progress(Progress{
		Phase: p.name,
		Done:  done,
		Total: total,
		Bytes: bytes,
		Share: share,
	})
}
