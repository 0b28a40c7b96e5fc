package engines

import (
	"math/bits"

	"spar/engines/rules"
)

// The phases of a game. If there is no supply, a game is always in phasePlace.
const (
	phasePlace = iota
	phaseDeploy
	phaseMove
)

// Result is the outcome of a game.
type Result uint8

// The results of a game.
const (
	Ongoing Result = iota
	FirstWins
	SecondWins
	Drawn
)

// String returns ongoing, first, second or draw.
func (r Result) String() string { return [...]string{"ongoing", "first", "second", "draw"}[r] }

// ParseResult reads the result of a finished game in the form that String writes.
func ParseResult(text string) (Result, bool) {
	for r := FirstWins; r <= Drawn; r++ {
		if r.String() == text {
			return r, true
		}
	}
	return Ongoing, false
}

// Winner returns the result in which a side wins.
func Winner(side int) Result { return FirstWins + Result(side) }

// Score returns the points of a side: 1, 0.5 or 0. An ongoing game gives 0.5.
func (r Result) Score(side int) float64 {
	switch r {
	case Winner(side):
		return 1
	case Winner(1 - side):
		return 0
	}
	return 0.5
}

// OfFirst converts the expected score of a side to that of the first player, or back.
func OfFirst(score float64, side int) float64 {
	if side == Second {
		return 1 - score
	}
	return score
}

// State is a position: pieces, ages, hands, side to move, number of plies played. It is a value: assignment copies
// it, and CopyFrom copies faster. It does not contain earlier positions; Position adds them for the repetition rule.
type State struct {
	position
	men
	age [2]queue // cells of each side's pieces, oldest first; used if the rules have a cap
}

// position is the part of a State that every game needs.
type position struct {
	g      *Game
	pieces [2]Bits
	key    [2]uint64 // key of each side's pieces: their Zobrist sum, or the rolling hash of the ages
	ply    int32
	last   Move
	hand   [2]uint8
	side   uint8
	phase  uint8
	left   uint8 // plies left in a placement turn
	chain  Cell  // cell of the piece that may continue its jumps; NoCell if there is none
	passed bool  // the previous ply was a pass
	swap   bool  // the side to move may use the pie rule
	begun  bool  // the first turn is over
	capped bool  // the caller checks the ply cap: see Position.Play

	taking   uint8    // whether the side to move must take a piece for its mill: one of the taking constants
	heading  uint8    // direction, from 1, that the next jump of a straight chain must have; 0 = any
	captures [2]uint8 // number of pieces captured by each side, if captures win
	quiet    uint16   // plies since the last placement or capture, for draw.quiet

	result Result
	reason Reason
}

// NewState returns the start of a game.
func (g *Game) NewState() State {
	if g.traded {
		return g.others.NewState()
	}
	var s State
	s.g = g
	s.last = NoMove
	s.chain = NoCell
	s.left = g.firstTurn[First]
	if g.supply > 0 {
		s.phase = phaseDeploy
		for side := range 2 {
			s.hand[side] = uint8(g.rules.Of(side).Pieces.Supply)
		}
		if g.apart {
			s.startPhase()
		} else if s.hand[First] == 0 {
			s.side, s.left = Second, uint8(g.rules.Of(Second).Turn.FirstTurn)
		}
	} else if g.moves {
		s.phase, s.left = phaseMove, 1
	}
	if g.uses.Has(rules.Setups) {
		s.pieces = g.grid.Setup(g.rules.Owners())
		if g.kinds != nil {
			s.stand()
		}
		s.ageByCell()
		s.rehash()
	}
	return s
}

// ageByCell sets the ages of the pieces in the order of their cells. It does nothing if the rules have no ages.
func (s *State) ageByCell() {
	if !s.g.fifo {
		return
	}
	for side := range 2 {
		for b := s.pieces[side]; !b.Empty(); b = b.Rest() {
			s.age[side].push(b.First())
		}
	}
}

// CopyFrom makes s equal to o. It copies the ages only if the rules use them.
func (s *State) CopyFrom(o *State) {
	s.position = o.position
	if o.g.extra {
		if o.g.kinds != nil {
			s.men = o.men
		}
		if o.g.fifo {
			s.age = o.age
		}
	}
}

// Game returns the compiled rules of the position.
func (s *State) Game() *Game { return s.g }

// Side returns the side to move, First or Second. The sides do not always alternate.
func (s *State) Side() int { return int(s.side) }

// Ply returns the number of plies played.
func (s *State) Ply() int { return int(s.ply) }

// all returns the cells that hold a piece of either side.
func (s *State) all() Bits { return s.pieces[0].Or(s.pieces[1]) }

// free returns the cells of the board that hold no piece.
func (s *State) free() Bits { return s.g.grid.Board.AndNot(s.all()) }

// Pieces returns the set of a side's pieces.
func (s *State) Pieces(side int) Bits { return s.pieces[side] }

// Hand returns the number of pieces that a side has in hand, not on the board.
func (s *State) Hand(side int) int { return int(s.hand[side]) }

// Last returns the last move, or NoMove at the start.
func (s *State) Last() Move { return s.last }

// Chain returns the cell of the piece that may jump again or stop, or NoCell if there is none.
func (s *State) Chain() Cell { return s.chain }

// Moving reports whether the movement phase has begun.
func (s *State) Moving() bool { return s.phase == phaseMove }

// Mobile reports whether a side's pieces move in its next turn: the movement phase has begun, or, if each side has a
// phase of its own, the side has no piece in hand.
func (s *State) Mobile(side int) bool {
	if s.g.apart {
		return s.hand[side&1] == 0
	}
	return s.phase == phaseMove
}

// Taking reports whether the side to move must take a piece for the mill that it has just made.
func (s *State) Taking() bool { return s.taking > 0 }

// Begun reports whether the first turn is over.
func (s *State) Begun() bool { return s.begun }

// MaySwap reports whether the side to move may swap under the pie rule.
func (s *State) MaySwap() bool { return s.swap }

// Passed reports whether the previous ply was a pass.
func (s *State) Passed() bool { return s.passed }

// Captures returns the number of pieces that a side has captured. It is counted only if captures win.
func (s *State) Captures(side int) int { return int(s.captures[side]) }

// Quiet returns the number of plies since the last placement or capture. It is counted only under draw.quiet. Hash
// does not include it.
func (s *State) Quiet() int { return int(s.quiet) }

// PliesLeft returns the number of placements left in the turn, including this one. It is 1 in the movement phase.
func (s *State) PliesLeft() int { return int(s.left) }

// Over reports whether the game has ended.
func (s *State) Over() bool { return s.result != Ongoing }

// Result returns the result so far. Only a Position knows draws by repetition.
func (s *State) Result() Result { return s.result }

// Reason returns the reason why the game ended, or NoReason before the end.
func (s *State) Reason() Reason { return s.reason }

// Ages appends the cells of a side's pieces, oldest first, to dst. It appends nothing if the rules have no cap.
func (s *State) Ages(side int, dst []Cell) []Cell {
	for i := range s.age[side].n {
		dst = append(dst, s.age[side].at(i))
	}
	return dst
}

// Hash returns a 64-bit key of everything that the repetition rule compares: pieces, ages, side to move, hands, phase,
// piece that may continue the turn, placements left, whether the last ply was a pass, the state of the pie rule, and
// the ply number while the rules depend on it.
func (s *State) Hash() uint64 {
	misc := uint64(s.side) | uint64(s.phase)<<1 | uint64(s.left)<<3 | uint64(s.chain)<<8 | uint64(s.hand[0])<<16 |
		uint64(s.hand[1])<<24 | uint64(min(s.ply, s.g.timeless))<<32
	if s.g.general {
		if s.g.traded {
			misc |= 1 << 60
		}
		misc |= uint64(s.taking)<<40 | uint64(s.heading)<<42 | uint64(s.captures[0])<<46 | uint64(s.captures[1])<<52
	}
	if s.passed {
		misc |= 1 << 63
	}
	return mixed(s.key[0], s.key[1], misc|s.begunBits())
}

// begunBits returns the bits of Hash that tell whether the pie or a first turn is still to come.
func (s *State) begunBits() (misc uint64) {
	if s.swap {
		misc |= 1 << 62
	}
	if s.g.tellsBegun && s.begun && s.result == Ongoing {
		misc |= 1 << 61 // the pie will not be offered any more, the second player's first turn does not come
	}
	return misc
}

// HashAfter returns the Hash that the position would have with these values (see Resume). It does not support the
// general path.
func (s *State) HashAfter(first, second uint64, side int, moving bool, chain Cell, hand [2]uint8, ply int32) uint64 {
	phase := uint64(phaseDeploy)
	if moving {
		phase = phaseMove
	}
	return mixed(first, second, uint64(side)|phase<<1|1<<3|uint64(chain)<<8|uint64(hand[0])<<16|uint64(hand[1])<<24|
		uint64(min(ply, s.g.timeless))<<32|s.begunBits())
}

// mixed mixes the parts of a hash, so that near positions differ in every bit.
func mixed(first, second, misc uint64) uint64 {
	return Scatter(first ^ bits.RotateLeft64(second, 21) ^ misc*0x9e3779b97f4a7c15)
}

// Adopt converts a position of other rules to a position of this game. The rules may differ only in draws by
// repetition and by the ply cap and, before a swap, in the pie rule. A draw by the cap is undone.
func (g *Game) Adopt(s *State) State {
	t := *s
	if t.g = g; s.g.traded {
		t.g = g.others
	}
	if t.swap = t.swap && g.pie; t.reason == ByPlyCap {
		t.result, t.reason = Ongoing, NoReason
	}
	return t
}

// rehash computes the hash keys from scratch, from the pieces and ages.
func (s *State) rehash() {
	for side := range 2 {
		if s.g.fifo {
			s.key[side] = s.queueKey(side)
			continue
		}
		s.key[side] = 0
		for b := s.pieces[side]; !b.Empty(); b = b.Rest() {
			s.key[side] ^= s.g.keys[side][b.First()]
		}
		if s.g.kinds != nil {
			s.key[side] ^= s.kindsKey(side)
		}
	}
}

// queueKey returns the rolling hash of the ages. The youngest piece has the power 0.
func (s *State) queueKey(side int) uint64 {
	var k uint64
	q := &s.age[side]
	for i := range q.n {
		k += s.g.keys[side][q.at(i)] * s.g.power[q.n-1-i]
	}
	return k
}

// put adds a piece as the youngest of its side.
func (s *State) put(side int, c Cell) {
	g := s.g
	s.pieces[side] = s.pieces[side].Or(g.grid.Bit[c])
	if g.fifo {
		s.key[side] = s.key[side]*g.power[1] + g.keys[side][c]
		s.age[side].push(c)
	} else {
		s.key[side] ^= g.keys[side][c]
	}
}

// take removes a piece of any age.
func (s *State) take(side int, c Cell) {
	g := s.g
	s.pieces[side] = s.pieces[side].AndNot(g.grid.Bit[c])
	if !g.fifo {
		s.key[side] ^= g.keys[side][c]
		return
	}
	if s.age[side].at(0) == c {
		s.popOldest(side)
		return
	}
	s.age[side].remove(c)
	s.key[side] = s.queueKey(side)
}

// popOldest removes the oldest piece of a side.
func (s *State) popOldest(side int) {
	q := &s.age[side]
	c := q.pop()
	s.pieces[side] = s.pieces[side].AndNot(s.g.grid.Bit[c])
	s.key[side] -= s.g.keys[side][c] * s.g.power[q.n]
}

// relocate moves a piece, which keeps its age.
func (s *State) relocate(side int, from, to Cell) {
	g := s.g
	s.pieces[side] = s.pieces[side].AndNot(g.grid.Bit[from]).Or(g.grid.Bit[to])
	if g.fifo {
		s.age[side].replace(from, to)
		s.key[side] = s.queueKey(side)
	} else {
		s.key[side] ^= g.keys[side][from] ^ g.keys[side][to]
	}
}

// queue is a ring buffer of cells in the order of age. Its 128 entries are enough for the largest board.
type queue struct {
	cell    [CellSpace]Cell
	head, n uint8
}

func (q *queue) at(i uint8) Cell     { return q.cell[(q.head+i)&CellMask] }
func (q *queue) set(i uint8, c Cell) { q.cell[(q.head+i)&CellMask] = c }

func (q *queue) push(c Cell) {
	q.cell[(q.head+q.n)&CellMask] = c
	q.n++
}

func (q *queue) pop() Cell {
	c := q.cell[q.head&CellMask]
	q.head = (q.head + 1) & CellMask
	q.n--
	return c
}

func (q *queue) remove(c Cell) {
	i := uint8(0)
	for q.at(i) != c {
		i++
	}
	for ; i+1 < q.n; i++ {
		q.set(i, q.at(i+1))
	}
	q.n--
}

func (q *queue) replace(from, to Cell) {
	i := uint8(0)
	for q.at(i) != from {
		i++
	}
	q.set(i, to)
}

// Course is the part of a position that steps, jumps and placements change in games whose pieces move.
type Course struct {
	Side   int
	Pieces [2]Bits
	Keys   [2]uint64 // see Game.Keys
	Hand   [2]uint8
	Ply    int32
	Last   Move
	Chain  Cell
	Moving bool
}

// Course returns the Course of a position.
func (s *State) Course() Course {
	return Course{int(s.side), s.pieces, s.key, s.hand, s.ply, s.last, s.chain, s.phase == phaseMove}
}

// Resume sets a position to the later one that a Course describes; no ply in between may be a pass. It does not test
// whether the game is over.
func (s *State) Resume(c *Course) {
	s.side = uint8(c.Side)
	s.ply = c.Ply
	s.last = c.Last
	s.chain = c.Chain
	for i := range 2 { // word by word: a processor waits to read two words at once that were written one by one
		s.pieces[i].Lo, s.pieces[i].Hi = c.Pieces[i].Lo, c.Pieces[i].Hi
		s.key[i], s.hand[i] = c.Keys[i], c.Hand[i]
	}
	s.passed, s.left = false, 1
	if s.phase = phaseDeploy; c.Moving {
		s.phase = phaseMove
	}
}
