package solve

import (
	"fmt"
	"sync/atomic"

	"spar/engines"
)

// Outcome is the outcome under best play: of a position for the side to move, or of a move for the side that makes
// it.
type Outcome int8

// The outcomes, in ascending order.
const (
	Loss Outcome = iota - 1
	Draw
	Win
)

// String returns loss, draw or win.
func (o Outcome) String() string {
	if o < Loss || o > Win {
		return fmt.Sprintf("Outcome(%d)", int8(o))
	}
	return [...]string{"loss", "draw", "win"}[o+1]
}

// Result returns the result of a game in which a side has this outcome.
func (o Outcome) Result(side int) engines.Result {
	return [...]engines.Result{engines.Winner(1 - side), engines.Drawn, engines.Winner(side)}[o+1]
}

// Points returns 1, 0.5 or 0.
func (o Outcome) Points() float64 { return float64(o+1) / 2 }

// MarshalText writes loss, draw or win.
func (o Outcome) MarshalText() ([]byte, error) {
	if o < Loss || o > Win {
		return nil, fmt.Errorf("%d is not an outcome", int8(o))
	}
	return []byte(o.String()), nil
}

// UnmarshalText reads loss, draw or win.
func (o *Outcome) UnmarshalText(text []byte) error {
	for *o = Loss; *o <= Win; *o++ {
		if o.String() == string(text) {
			return nil
		}
	}
	*o = Draw
	return fmt.Errorf("outcome %q: expected loss, draw or win", text)
}

// Value is the value of a position under best play by both sides, for the side to move.
type Value struct {
	Outcome Outcome `json:"value"`
	// distance to win: plies to the end of the game, with the winner as fast and the loser as slow as possible; 0 for a
	// draw, and for a win by repetition, which counts as the slowest
	DTW int `json:"dtw"`
}

// Under returns the value of a position under rules with a ply cap (0 = none), given the ply number. The table
// does not include the cap. A win that comes after the cap becomes a draw, because the loser can delay it that
// long.
func (v Value) Under(maxPlies, ply int) Value {
	if maxPlies > 0 && v.Outcome != Draw && ply+v.DTW > maxPlies {
		return Value{Outcome: Draw}
	}
	return v
}

// How says how a decided game ends: "in 13", which means after 13 plies, or "by repetition".
func (v Value) How() string {
	if v.DTW == 0 {
		return "by repetition"
	}
	return fmt.Sprint("in ", v.DTW)
}

// String writes a value like "win in 13", "loss by repetition" or "draw".
func (v Value) String() string {
	if v.Outcome == Draw {
		return v.Outcome.String()
	}
	return v.Outcome.String() + " " + v.How()
}

// Better reports whether v is better than o for the side whose values they are: a faster win, then a draw, then a
// slower loss.
func (v Value) Better(o Value) bool {
	switch {
	case v.Outcome != o.Outcome:
		return v.Outcome > o.Outcome
	case v.Outcome == Win: // 0, by repetition, becomes the largest
		return uint(v.DTW-1) < uint(o.DTW-1)
	case v.Outcome == Loss:
		return uint(v.DTW-1) > uint(o.DTW-1)
	}
	return false
}

// before returns the value of a move to a position with value v.
func (v Value) before(sameSide bool) Value {
	if !sameSide {
		v.Outcome = -v.Outcome
	}
	if v.DTW > 0 {
		v.DTW++
	}
	return v
}

// While a game is being solved, the value of a state has 16 bits: a number of plies shifted by one, plus 1 for a
// win; or the mark undecided and the number of moves that are not known to lose. States that stay undecided are
// draws; a finished table stores them as 0.
const (
	undecided = 1 << 15
	mostPlies = undecided>>1 - 1
)

func winIn(plies int) uint16  { return uint16(plies<<1 | 1) }
func lossIn(plies int) uint16 { return uint16(plies << 1) }
func isWin(v uint16) bool     { return v&(undecided|1) == 1 }

func valueOf(v uint16) Value {
	switch {
	case v == 0 || v >= undecided:
		return Value{}
	case v&1 != 0:
		return Value{Win, int(v >> 1)}
	}
	return Value{Loss, int(v >> 1)}
}

// values is an array of 16-bit values that goroutines may change concurrently.
type values []uint32

func (v values) get(i uint32) uint16 {
	return uint16(atomic.LoadUint32(&v[i>>1]) >> (i & 1 * 16))
}

// swap changes value i from old to new, and reports whether it was old.
func (v values) swap(i uint32, old, new uint16) bool {
	word, shift := &v[i>>1], i&1*16
	for {
		w := atomic.LoadUint32(word)
		if uint16(w>>shift) != old {
			return false
		}
		if atomic.CompareAndSwapUint32(word, w, w&^(0xffff<<shift)|uint32(new)<<shift) {
			return true
		}
	}
}

// set sets a value that no other goroutine writes at the same time; they may write its neighbours.
func (v values) set(i uint32, new uint16) {
	for old := v.get(i); !v.swap(i, old, new); old = v.get(i) {
	}
}
