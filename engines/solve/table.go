package solve

import (
	"encoding/binary"
	"slices"
	"sync/atomic"

	"spar/engines"
	"spar/engines/rules"
)

// Table is a solved game. Any number of goroutines may use it.
//
// The mixed canonical keys are sorted and divided: the leading bits select a bucket, the remaining bits are stored. A
// position is in the table if and only if its whole key is, so collisions cannot cause errors. A value takes one
// byte, an index into the list of all values that occur, or two bytes if more than 256 occur.
type Table struct {
	g     *engines.Game // the rules without draws by repetition and by the ply cap
	hash  string        // RulesHash of g
	codec *engines.Codec
	mix   mixer
	stats Stats
	// side that wins if play never ends; rules.NoSide if that is a draw
	forever int
	known   atomic.Pointer[engines.Game] // the last game with equal rules for which a position was looked up

	layout
	starts  []byte // for each bucket, 4 bytes: the number of its first state; one more entry marks the end
	rests   []byte // restBytes bytes for each state, then padding
	vals    []byte
	palette []uint16 // values that occur; empty if vals has two bytes for each state
}

// layout describes how a key is divided into bucket and rest.
type layout struct {
	n          uint32
	bucketBits int
	restBits   int
	restBytes  int
}

const padding = 16 // number of bytes after the rests, so that a rest can be read as two words

// chooseLayout chooses the number of bucket bits for which buckets and rests need the least memory, with 2 to 16
// states in a bucket.
func chooseLayout(n uint32, keyBits int) layout {
	best := layout{n: n, restBits: keyBits, restBytes: (keyBits + 7) / 8}
	cost := func(l layout) float64 {
		return 4*float64(uint64(1)<<l.bucketBits) + float64(n)*float64(l.restBytes)
	}
	for b := 1; b < min(keyBits, 29); b++ {
		rest := keyBits - b
		l := layout{n: n, bucketBits: b, restBits: rest, restBytes: (rest + 7) / 8}
		buckets := uint64(1) << b
		if buckets > uint64(n) { // fewer than 1 state a bucket
			break
		}
		if uint64(n) > 16*uint64(1)<<best.bucketBits || cost(l) < cost(best) {
			best = l
		}
	}
	return best
}

func (l *layout) split(m *mixer, k engines.Key) (bucket uint32, rest engines.Key) {
	bucket = m.top(k, l.bucketBits)
	return bucket, l.mask(k)
}

// mask returns the mask of a rest.
func (l *layout) mask(k engines.Key) engines.Key {
	if l.restBits <= 64 {
		return engines.Key{Lo: k.Lo & (^uint64(0) >> (64 - l.restBits))}
	}
	return engines.Key{Lo: k.Lo, Hi: k.Hi & (^uint64(0) >> (128 - l.restBits))}
}

func (t *Table) start(bucket uint32) uint32 {
	return binary.LittleEndian.Uint32(t.starts[4*int(bucket):])
}

// rest returns the stored key bits of state i.
func (t *Table) rest(i uint32) engines.Key {
	at := t.rests[int(i)*t.restBytes:]
	k := engines.Key{Lo: binary.LittleEndian.Uint64(at)}
	if t.restBits > 64 {
		k.Hi = binary.LittleEndian.Uint64(at[8:])
	}
	return t.mask(k)
}

func (t *Table) value(i uint32) uint16 {
	if len(t.palette) > 0 {
		if at := int(t.vals[i]); at < len(t.palette) {
			return t.palette[at]
		}
		return 0 // cannot be: the checksum of the file holds
	}
	return binary.LittleEndian.Uint16(t.vals[2*int(i):])
}

// Game returns the solved game, which has no draws by repetition or ply cap.
func (t *Table) Game() *engines.Game { return t.g }

// Stats returns statistics of the game.
func (t *Table) Stats() Stats { return t.stats.clone() }

// Bytes returns the size of the table in memory.
func (t *Table) Bytes() int64 {
	return int64(len(t.starts) + len(t.rests) + len(t.vals) + 2*len(t.palette))
}

// Covers reports whether the table is valid for a game. The rules of the game may differ from the table's rules only in
// ways that do not change values.
func (t *Table) Covers(g *engines.Game) bool {
	if g == t.g || g == t.known.Load() {
		return true
	}
	hash, err := RulesHash(g)
	if err != nil || hash != t.hash {
		return false
	}
	t.known.Store(g)
	return true
}

// Lookup returns the value of a position for the side to move. The second result is false for a position of
// another game, for one that play cannot reach, and for a finished game (except for draws by the ply cap, which
// the table does not contain). After the first lookup of a game it allocates nothing.
func (t *Table) Lookup(s *engines.State) (Value, bool) {
	if !t.Covers(s.Game()) {
		return Value{}, false
	}
	if s.Over() {
		if s.Reason() != engines.ByPlyCap {
			return Value{}, false
		}
		open := t.g.Adopt(s)
		return t.find(&open)
	}
	return t.find(s)
}

func (t *Table) find(s *engines.State) (Value, bool) {
	k, _, ok := t.codec.Canonical(s)
	if !ok || len(t.starts) == 0 {
		return Value{}, false
	}
	bucket, rest := t.split(&t.mix, t.mix.mix(k))
	for i, end := t.start(bucket), t.start(bucket+1); i < end; i++ {
		if t.rest(i) == rest {
			return t.valueOf(t.value(i), s.Side()), true
		}
	}
	return Value{}, false
}

// valueOf returns the value of a state for the side to move. Play without end is a win for the side that wins by
// repetition.
func (t *Table) valueOf(v uint16, side int) Value {
	value := valueOf(v)
	if winner := t.forever; winner != rules.NoSide && value.Outcome == Draw {
		value.Outcome = resultFor(engines.Winner(winner), side)
	}
	return value
}

// Rated is a move with its value for the side that makes it; the distance includes the move.
type Rated struct {
	Move  engines.Move
	Value Value
}

// Moves returns every legal move of a position with its value, in the order of State.AppendMoves. It returns nil
// for a position that Lookup does not know.
func (t *Table) Moves(s *engines.State) []Rated {
	if _, ok := t.Lookup(s); !ok {
		return nil
	}
	here := t.g.Adopt(s)
	var next engines.State
	var out []Rated
	for _, m := range here.AppendMoves(nil) {
		next.CopyFrom(&here)
		next.Play(m)
		v, ok := t.after(&next, here.Side())
		if !ok {
			return nil
		}
		out = append(out, Rated{m, v})
	}
	return out
}

// MoveValue returns the value of a move in a game in progress, for the side that makes it; the distance includes
// the move. It takes into account the ply cap, and a repetition that ends the game. The second result is false for
// positions that Lookup does not know.
func (t *Table) MoveValue(p *engines.Position, m engines.Move) (Value, bool) {
	next := p.Clone()
	next.Play(m)
	switch next.Result() {
	case engines.Ongoing:
		v, ok := t.Lookup(&next.State)
		return v.Under(p.Game().Rules().Draw.MaxPlies, next.Ply()).before(next.Side() == p.Side()), ok
	case engines.Winner(p.Side()):
		return Value{Win, 1}, true
	case engines.Winner(1 - p.Side()):
		return Value{Loss, 1}, true
	}
	return Value{}, true
}

// after returns the value of a move for the side that made it.
func (t *Table) after(next *engines.State, side int) (Value, bool) {
	switch next.Result() {
	case engines.Ongoing:
		v, ok := t.find(next)
		return v.before(next.Side() == side), ok
	case engines.Winner(side):
		return Value{Win, 1}, true
	case engines.Winner(1 - side):
		return Value{Loss, 1}, true
	}
	return Value{}, true
}

// Best returns the best moves of a position with their values: the fastest wins, otherwise all moves that draw,
// otherwise the slowest losses. Unlike Moves it takes into account the ply cap of the position's rules, unless the
// cap has ended the game.
func (t *Table) Best(s *engines.State) []Rated {
	all := t.Moves(s)
	if len(all) == 0 {
		return nil
	}
	if !s.Over() {
		for i, r := range all {
			all[i].Value = r.Value.Under(s.Game().Rules().Draw.MaxPlies, s.Ply())
		}
	}
	best := all[0].Value
	for _, r := range all {
		if r.Value.Better(best) {
			best = r.Value
		}
	}
	return slices.DeleteFunc(all, func(r Rated) bool { return r.Value != best })
}
