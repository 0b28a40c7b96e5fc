// Package solve finds the exact value of positions.
//
// Solve works out a whole game: the value of every position that play can lead to, by retrograde analysis. The result,
// a Table, takes a few bytes a position, answers in well under a microsecond, and can be saved as one file. Prove works
// out a single position of a game that is too large for that, by proof-number search.
//
// # What is solved
//
// A position is what the repetition rule of the engine compares: pieces, ages, side to move, hands, phase, piece in
// chain, placements left, and the ply number while the rules depend on it. Draws by repetition and by the ply cap
// depend on more than that, so the rules are solved without them (Endless): play without end is a draw. Repetition
// changes no value of a position without history, because neither a fastest win nor a draw needs it; a ply cap turns
// wins that come too late for it into draws, and tables know nothing of that.
//
// Distances are in plies, the winner hurrying and the loser delaying.
package solve

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"spar/engines"
)

// Options are the limits of Solve. The zero value uses all processors and any amount of memory.
type Options struct {
	Workers  int            // goroutines; 0 = as many as processors in use. The result does not depend on it.
	Memory   int64          // most bytes to use, by Solve's own estimate; 0 = no limit
	Progress func(Progress) // called now and then from the goroutine that called Solve; may be nil
}

func (o Options) workers() int {
	if o.Workers > 0 {
		return o.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// Progress is how far Solve has come.
type Progress struct {
	Phase string // counting, linking, solving or indexing
	Done  uint64 // states counted, or decided
	Total uint64 // states found so far; from linking on, all there are
	Bytes int64  // the memory that the states found so far will take at the peak
	Share float64
}

// ETA estimates the time left from the time gone by. While the states are still being counted it grows with what is
// found. It is 0 as long as there is nothing to go by.
func (p Progress) ETA(elapsed time.Duration) time.Duration {
	if p.Share <= 0.001 {
		return 0
	}
	return time.Duration(float64(elapsed) * (1 - p.Share) / p.Share)
}

// The phases and how much of the work is done when each begins, as measured on the larger games.
var phases = [...]struct {
	name  string
	share float64
}{{"counting", 0}, {"linking", 0.55}, {"solving", 0.7}, {"indexing", 0.78}, {"", 1}}

// MemoryError says that a game does not fit.
type MemoryError struct {
	Rules    string
	Classes  uint64 // states found, up to symmetry
	Complete bool   // there are no more
	Bytes    int64  // what solving so many takes
	Limit    int64  // what was allowed; 0 = anything, but there are too many states to number them
}

// Error states the numbers.
func (e *MemoryError) Error() string {
	more, limit := "", fmt.Sprintf("the limit is %s", ByteText(e.Limit))
	if !e.Complete {
		more = "at least "
	}
	if e.Limit <= 0 || e.Classes > maxStates {
		limit = fmt.Sprintf("at most %d states can be solved", maxStates)
	}
	return fmt.Sprintf(
		"%s does not fit: %s%d states up to symmetry need %s%s, %s",
		e.Rules,
		more,
		e.Classes,
		more,
		ByteText(e.Bytes),
		limit,
	)
}

// ByteText writes a number of bytes for people, in decimal units.
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

// Endless returns a game by the same rules but without draws by repetition or by the ply cap, and without a clock: the
// game that is solved. The plies counted for draw.quiet are part of a position. Rules with both draw.quiet and
// draw.repetition are refused: capturing may be worth a repetition, because it sets the count back.
func Endless(g *engines.Game) (*engines.Game, error) {
	r := g.Rules()
	if r.Draw.Quiet > 0 && r.Draw.Repetition > 0 {
		return nil, fmt.Errorf(
			"%s has draw.quiet and draw.repetition, under which a position that occurs again may have another value: solve it with one of them, for example --set draw.repetition=0",
			r.Name,
		)
	}
	r.Draw.Repetition, r.Draw.MaxPlies, r.Clock = 0, 0, engines.Clock{}
	return engines.Compile(r)
}

// RulesHash names the game that is solved: the hash of the rules, see engines.Game.RulesHash, without their name and
// title, draws by repetition and by the ply cap, and the clock. Rules that share it share a table.
func RulesHash(g *engines.Game) (string, error) {
	e, err := Endless(g)
	if err != nil {
		return "", err
	}
	return e.RulesHash(), nil
}

// Count finds out how many states a game has, up to symmetry and exchange of colours, and how many bytes solving it
// takes at the peak. Its own limit is o.Memory, as with Solve.
func Count(ctx context.Context, g *engines.Game, o Options) (classes uint64, bytes int64, err error) {
	e, err := Endless(g)
	if err != nil {
		return 0, 0, err
	}
	sp, err := newSpace(e)
	if err != nil {
		return 0, 0, err
	}
	sp.dropped = true
	defer sp.set.free()
	err = sp.explore(ctx, o.Memory, o.workers(), func(done, found uint64) {
		o.report(0, done, found, sp.bytes(), float64(done)/float64(found))
	})
	return uint64(sp.set.len()), sp.bytes(), err
}

// CountPositions counts the positions that play can lead to as they stand, images and exchanged colours each by itself:
// those in which the game goes on, the start among them, and those in which it has ended. Published counts of positions
// are of one or of both.
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
	sp := &space{g: e, codec: codec, mix: m, set: newSet(m), ends: newSet(m), mostValues: 256, dropped: true}
	defer sp.set.free()
	defer sp.ends.free()
	err = sp.explore(ctx, o.Memory, o.workers(), func(done, found uint64) {
		o.report(0, done, found, sp.set.bytes()+sp.ends.bytes(), float64(done)/float64(found))
	})
	return uint64(sp.set.len()), uint64(sp.ends.len()), err
}

// Solve works out every state of a game. It counts the states first, and stops with a MemoryError that has the numbers
// if what follows would take more memory than allowed. It holds the count, not the rest, when it does so. Ending the
// context ends it.
func Solve(ctx context.Context, g *engines.Game, o Options) (*Table, error) {
	e, err := Endless(g)
	if err != nil {
		return nil, err
	}
	sp, err := newSpace(e)
	if err != nil {
		return nil, err
	}
	return sp.solve(ctx, o)
}

func (sp *space) solve(ctx context.Context, o Options) (*Table, error) {
	workers := o.workers()
	defer sp.set.free()
	err := sp.explore(ctx, o.Memory, workers, func(done, found uint64) {
		o.report(0, done, found, sp.bytes(), float64(done)/float64(found))
	})
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
	vals := newValues(n)
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

// sweep returns memory that is no longer used before more is taken. The collector, left alone, would wait until as much
// again has been taken.
func sweep(bytes int64) {
	if bytes > 1<<25 {
		runtime.GC()
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
	o.Progress(Progress{Phase: p.name, Done: done, Total: total, Bytes: bytes, Share: share})
}
