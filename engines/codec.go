package engines

import (
	"fmt"
	"math/big"
	"slices"

	"spar/engines/grid"
	"spar/engines/rules"
)

// Codec encodes the positions of a game as numbers. The number contains everything that the rest of the game depends
// on: pieces, ages, side to move, hands, phase, placements left, piece that may continue the turn, whether a player has
// passed or may swap, the plies counted for draw.quiet, and the ply number while the rules depend on it. It does not
// contain the last move, later ply numbers or the history, so the rules should have no repetition rule and no ply cap.
// A Codec does not change, so any number of goroutines may use it.
//
// If the rules treat both players alike (Exchanges), the codec encodes a position from the view of the side to move.
// A position and the same position with the colours exchanged then have the same key.
type Codec struct {
	g          *Game
	symmetries [][]Cell
	exchange   bool
	seen       [2][]Cell // for each side to move, the cell as which it sees each cell
	slots      int       // for each side, the number of places for ages, or of kinds; 1 if pieces have neither
	// rows of weights: for each side its slots, then pieces that leave when the turn ends, by kind, then:
	rows      int
	marked    int      // row of blocked cells, before that of cells where the capturing piece was in this turn
	values    []uint64 // the value of each row in the digit of a cell; 0 if no piece has it. Nil if pieces have ages
	single    []digit  // for rows of at most one piece, the digit of its cell; of the radix 0 for other rows
	plies     int      // number of plies up to which the rules depend on the ply number
	handKnown bool     // the hands can be computed from the pieces and the phase

	bits  int
	wide  bool // keys have more than 64 bits
	side  digit
	ply   digit
	left  digit
	phase digit
	marks digit
	hand  [2]digit
	chain digit
	// further digits: mill in progress, direction of a chain, captures of each side, plies for draw.quiet, choice of a
	// kind, shot
	more  [7]digit
	stock [2 * rules.MaxKinds]digit // pieces in hand, by side and kind, under drops
	base  uint64                    // radix of a digit for one cell
	place []int                     // for each cell of the board, the index of its digit; -1 if no piece can get there
	board Key                       // weight of the lowest digit for a cell

	// for each symmetry, the weight of each cell, row by row: row*cells+cell; the weights for a chain of jumps come last
	stride int
	lo, hi []uint64
	// for each cell, the symmetries that map it to its lowest image; filled only if pieces have ages
	first [][]uint16
	all   []uint16
}

// digit is one digit of a key in mixed radix. Its radix is 1 if the rules do not use it.
type digit struct {
	radix  uint64
	weight Key
}

// KeyError is returned for a game whose positions need more than the 128 bits of a key.
type KeyError struct {
	Rules string
	Bits  int
}

func (e *KeyError) Error() string {
	return fmt.Sprintf("%s is too large for a table: a position takes %d bits, and a table holds at most 128", e.Rules,
		e.Bits)
}

// NewCodec returns the codec of a game. It returns an error if a position needs more than 128 bits.
func (g *Game) NewCodec() (*Codec, error) { return g.newCodec(g.symmetries, g.exchanges(), 0, false) }

// NewPlainCodec returns a codec without symmetries and without exchange of colours: different positions have different
// keys. It also has keys for positions in which the game is over (Final).
func (g *Game) NewPlainCodec() (*Codec, error) {
	stays := 0
	if g.afterWin {
		stays = 1 // the piece that would have left, had it not been for the line
	}
	return g.newCodec(g.symmetries[:1], false, stays, false)
}

func (g *Game) newCodec(symmetries [][]Cell, exchange bool, stays int, large bool) (*Codec, error) {
	c := &Codec{
		g:          g,
		symmetries: symmetries,
		exchange:   exchange,
		slots:      1,
		rows:       2,
		values:     []uint64{1, 2},
		base:       3,
	}
	r := &g.rules
	c.handKnown = g.uses.Only(rules.AnyWhere(), rules.AnyTurns(), rules.Pie, rules.Falling, rules.AnyMoves(),
		rules.AnyLines(), rules.BoardEnds(), rules.StuckEnds())
	c.plies = len(g.opening[0])
	if g.fifo {
		c.plies = max(c.plies, int(g.removeFrom)-1)
		c.slots = g.mostAges() + stays
	}
	one := func(on bool, radix int) uint64 {
		if on {
			return uint64(radix)
		}
		return 1
	}
	weight := big.NewInt(1)
	put := func(d *digit, radix uint64) {
		d.radix, d.weight = radix, keyOf(weight)
		weight.Mul(weight, new(big.Int).SetUint64(radix))
	}
	turn := int(max(g.perTurn, g.firstTurn[0], g.firstTurn[1]))
	put(&c.side, one(!c.exchange, 2))
	put(&c.ply, uint64(c.plies)+1)
	put(&c.left, uint64(turn))
	put(&c.phase, one(g.supply > 0, 2))
	marks := 8
	if g.others != nil {
		marks = 16
	}
	put(&c.marks, one(g.tellsBegun || r.NoMoves == "pass", marks))
	most := 2*g.supply + 1
	for _, stood := range g.grid.Setup(r.Owners()) {
		most += stood.Count()
	}
	put(&c.hand[0], one(g.hands && !c.handKnown, most))
	put(&c.hand[1], one(g.hands && !c.handKnown, most))
	choice := g.kinds != nil && g.kinds.choice
	shoots := g.kinds != nil && (g.kinds.block == "shot" || g.kinds.block == "anywhere")
	lines := g.uses.Has(rules.LineCaptures)
	put(&c.chain, one(g.multiJump || choice || shoots || lines, g.grid.Cells+1))
	put(&c.more[0], one(g.mill != nil || lines, 3))
	put(&c.more[1], one(g.uses.Has(rules.StraightJumps) || lines, 9))
	put(&c.more[2], uint64(g.goal[First].captures)+1)
	put(&c.more[3], uint64(g.goal[Second].captures)+1)
	put(&c.more[4], uint64(r.Draw.Quiet)+1)
	put(&c.more[5], one(choice, 2))
	put(&c.more[6], one(shoots, 2))
	cells := g.grid.Board
	if g.kinds != nil {
		cells = c.takeKinds(!large)
		for i, most := range c.mostDrops() {
			put(&c.stock[i], uint64(most)+1)
		}
		for i := range c.single {
			if c.single[i].radix > 0 {
				put(&c.single[i], uint64(g.grid.Cells)+1)
			}
		}
	}
	c.board = keyOf(weight)
	digits := cells.Count()
	c.place = slices.Repeat([]int{-1}, g.grid.Cells)
	for i, cell := range cells.Cells(nil) {
		c.place[cell] = i
	}
	if g.fifo {
		c.rows = 2 * c.slots
		c.values = nil
		c.base = uint64(g.grid.Cells) + 1
		digits = 2 * c.slots
	}
	size := new(big.Int).Exp(new(big.Int).SetUint64(c.base), big.NewInt(int64(digits)), nil)
	size.Mul(size, weight)
	rest := 128
	if g.kinds != nil {
		rest = 64
	}
	if c.bits = size.BitLen(); c.bits > 128 && (!large || lines || g.uses.Has(rules.Blocks) || weight.BitLen() > rest) {
		return nil, &KeyError{r.Name, c.bits}
	}
	c.wide = c.bits > 64
	c.buildWeights()
	return c, nil
}

// Alike reports whether exchanging the sides and their cells (Exchange) leaves the rules unchanged.
func (g *Game) Alike() bool { return g.exchanges() }

// exchanges reports whether a position with exchanged colours has the same value for the side to move. If the board has
// homes, it is mirrored as well.
func (g *Game) exchanges() bool {
	same := rules.MechanicsOf(rules.AnyWhere(), rules.AnyTurns(), rules.AnyMoves(), rules.AnyLines(), rules.BoardEnds(),
		rules.StuckEnds())
	mirrored := rules.MechanicsOf(same, rules.AnySurrounds())
	if g.general {
		return g.exchangesGeneral()
	}
	for _, stage := range g.rules.Placement.Opening {
		if stage.Region == "first_home" || stage.Region == "second_home" {
			return false
		}
	}
	if g.rules.Territory == "none" {
		return g.uses.Only(mirrored, rules.AnyAges(), rules.Reuse, rules.Falling, rules.AnyBoard()) // the board stays as it is
	}
	return g.uses.Only(mirrored) || g.uses.Only(same, rules.AnyAges(), rules.Reuse) ||
		g.uses.Only(mirrored, rules.AnyAges(), rules.Reuse) && g.uses.Has(rules.Removes)
}

// agesByCell reports whether pieces that are captured together get ages in the order of their cells. No symmetry keeps
// that order.
func (g *Game) agesByCell() bool { return g.fifo && g.threshold > 0 && g.convert }

// mostAges returns the maximum number of pieces of a side at the end of a ply under a cap. It is the cap, or the
// number of placements before the first ply at which pieces leave. A chain of jumps may add converted pieces
// before it ends.
func (g *Game) mostAges() int {
	early := int(g.removeFrom) - 1
	handled := rules.MechanicsOf(rules.AnyWhere(), rules.Falling, rules.AnyAges(), rules.Reuse, rules.Surrounds,
		rules.Removes, rules.AnyLines(), rules.BoardEnds(), rules.StuckEnds())
	if g.uses.Only(handled) && !g.agesByCell() {
		early = int(g.removeFrom) / 2 // the sides place in turn
	}
	n := max(g.cap, early)
	if g.agesByCell() && g.multiJump {
		n *= 2
	}
	if g.uses.Has(rules.Setups) {
		stood := g.grid.Setup(g.rules.Owners())
		n += max(stood[0].Count(), stood[1].Count())
	}
	if g.shared {
		n = 2 * n
	}
	if g.fifo && g.flips && g.multiJump {
		n *= 2
	}
	return min(n, g.grid.Cells)
}

func (c *Codec) buildWeights() {
	g := c.g
	cells := g.grid.Cells
	for side := range 2 {
		c.seen[side] = g.grid.Order[:cells]
	}
	if c.exchange {
		c.seen[Second] = g.image
	}
	c.stride = (c.rows + 1) * cells
	c.lo = make([]uint64, len(c.symmetries)*c.stride)
	c.hi = make([]uint64, len(c.symmetries)*c.stride)
	c.first = make([][]uint16, cells)
	lowest := make([]Cell, cells)
	for i, p := range c.symmetries {
		c.all = append(c.all, uint16(i))
		set := func(row, cell int, k Key) {
			c.lo[i*c.stride+row*cells+cell], c.hi[i*c.stride+row*cells+cell] = k.Lo, k.Hi
		}
		for cell := range cells {
			to := p[cell]
			if i == 0 || to < lowest[cell] {
				lowest[cell], c.first[cell] = to, nil
			}
			if to == lowest[cell] {
				c.first[cell] = append(c.first[cell], uint16(i))
			}
			for row := range c.rows {
				switch {
				case g.fifo: // the first side's oldest is the highest digit
					set(row, cell, c.boardWeight(c.rows-1-row).times(uint64(to)+1))
				case c.single != nil && c.single[row].radix > 0:
					set(row, cell, c.single[row].weight.times(uint64(to)+1))
				default:
					set(row, cell, c.boardWeight(c.place[to]).times(c.values[row]))
				}
			}
			set(c.rows, cell, c.chain.weight.times(uint64(to)+1))
		}
	}
}

// boardWeight returns the weight of digit i of the board.
func (c *Codec) boardWeight(i int) Key {
	k := c.board
	for range i {
		k = k.times(c.base)
	}
	return k
}

// Bits returns the number of bits of a key. No key is 0.
func (c *Codec) Bits() int { return c.bits }

// Symmetries returns the number of board symmetries that Canonical uses.
func (c *Codec) Symmetries() int { return len(c.symmetries) }

// Exchanges reports whether positions that differ by an exchange of colours share a key.
func (c *Codec) Exchanges() bool { return c.exchange }

// Canonical returns the lowest key among the symmetric images of a position, and the number of symmetries that map
// the position to itself (fixed): the position has Symmetries()/fixed distinct images. The last result is false if
// the game is over, or if a count is outside the range that the rules allow.
func (c *Codec) Canonical(s *State) (key Key, fixed int, ok bool) {
	candidates := c.all
	var rows [grid.MaxCells + 1]int32
	traded := s.g.traded
	s = untraded(s)
	parts, oldest := c.parts(s, rows[:0])
	rest, ok := c.rest(s, traded)
	if !ok || parts == nil {
		return Key{}, 0, false
	}
	if oldest != NoCell {
		candidates = c.first[oldest]
	}
	for _, i := range candidates {
		k := c.sum(int(i), parts, rest)
		switch {
		case fixed == 0 || k.Less(key):
			key, fixed = k, 1
		case k == key:
			fixed++
		}
	}
	return key, fixed, true
}

// Final returns the key of a position in which the game is over. The key encodes the pieces, ages and hands. The
// second result is false if a count is out of range.
func (c *Codec) Final(s *State) (key Key, ok bool) {
	t := *s
	t.result = Ongoing
	t.reason = NoReason
	t.left = max(s.left, 1)
	return c.Encode(&t)
}

// Encode returns the key of a position itself, not of a symmetric image. The second result is false in the same
// cases as for Canonical.
func (c *Codec) Encode(s *State) (key Key, ok bool) {
	var rows [grid.MaxCells + 1]int32
	traded := s.g.traded
	s = untraded(s)
	parts, _ := c.parts(s, rows[:0])
	rest, ok := c.rest(s, traded)
	if !ok || parts == nil {
		return Key{}, false
	}
	return c.sum(0, parts, rest), true
}

func (c *Codec) sum(symmetry int, parts []int32, rest Key) Key {
	at := symmetry * c.stride
	lo := c.lo[at : at+c.stride]
	if !c.wide {
		k := rest.Lo
		for _, i := range parts {
			k += lo[i]
		}
		return Key{Lo: k}
	}
	hi := c.hi[at : at+c.stride]
	for _, i := range parts {
		rest = rest.plus(Key{Hi: hi[i], Lo: lo[i]})
	}
	return rest
}

// parts appends the index of each piece within a row of weights. It also returns the oldest piece of the side seen as
// first, and nil if the ages do not fit.
func (c *Codec) parts(s *State, dst []int32) ([]int32, Cell) {
	g := s.g
	mover := 0
	if c.exchange {
		mover = int(s.side)
	}
	seen := c.seen[mover]
	cells := c.g.grid.Cells
	oldest := NoCell
	for role := range 2 {
		side := role ^ mover
		if g.kinds != nil {
			if dst = c.partsOfKinds(s, side, role, seen, dst); dst == nil {
				return nil, NoCell
			}
			continue
		}
		if !g.fifo {
			for b := s.pieces[side]; !b.Empty(); b = b.Rest() {
				dst = append(dst, int32(role*cells)+int32(seen[b.First()]))
			}
			continue
		}
		q := &s.age[side]
		if int(q.n) > c.slots {
			return nil, NoCell
		}
		for i := range q.n {
			cell := seen[q.at(i)]
			if role == 0 && i == 0 {
				oldest = cell
			}
			dst = append(dst, int32((role*c.slots+int(i))*cells)+int32(cell))
		}
	}
	var marks [2]Bits // blocked cells, and the free cells where the capturing piece was in this turn
	if g.kinds != nil {
		marks = [2]Bits{s.blocked, s.trail.AndNot(s.all().Or(s.blocked))} // nobody enters a blocked cell
	}
	for i, marked := range marks {
		for ; !marked.Empty(); marked = marked.Rest() {
			cell := seen[marked.First()]
			if c.values[c.marked+i] == 0 || c.place[cell] < 0 {
				return nil, NoCell
			}
			dst = append(dst, int32((c.marked+i)*cells)+int32(cell))
		}
	}
	if s.chain != NoCell {
		dst = append(dst, int32(c.rows*cells)+int32(seen[s.chain]))
	}
	return dst, oldest
}

// rest returns the part of a key that no symmetry changes; it is at least 1.
func (c *Codec) rest(s *State, traded bool) (Key, bool) {
	k := Key{Lo: 1}
	if s.result != Ongoing || s.left < 1 || uint64(s.left) > c.left.radix || s.chain != NoCell && c.chain.radix == 1 {
		return k, false
	}
	if !c.exchange {
		k.Lo += uint64(s.side) // the lowest digit
	}
	if c.plies > 0 {
		k = k.plus(c.ply.weight.times(uint64(min(int(s.ply), c.plies))))
	}
	k = k.plus(c.left.weight.times(uint64(s.left - 1)))
	if c.g.hands {
		mover := 0
		if c.exchange {
			mover = int(s.side)
		}
		if s.phase == phaseMove && c.g.supply > 0 {
			k = k.plus(c.phase.weight)
		}
		for role := range 2 {
			side := role ^ mover
			switch hand := s.hand[side]; {
			case c.handKnown && int(hand) != c.handOf(s, side):
				return k, false
			case c.handKnown:
			case uint64(hand) >= c.hand[role].radix:
				return k, false
			default:
				k = k.plus(c.hand[role].weight.times(uint64(hand)))
			}
		}
	}
	if c.marks.radix > 1 {
		marks := uint64(0)
		for i, on := range [...]bool{s.passed, s.swap, s.begun && c.g.tellsBegun, traded} {
			if on {
				marks |= 1 << i
			}
		}
		k = k.plus(c.marks.weight.times(marks))
	}
	if c.g.general {
		mover := 0
		if c.exchange {
			mover = int(s.side)
		}
		for i, n := range [...]uint16{
			uint16(s.taking), uint16(s.heading), uint16(s.captures[mover]),
			uint16(s.captures[1-mover]), s.quiet, uint16(b2u(s.grows)), uint16(b2u(s.shoots)),
		} {
			if uint64(n) >= c.more[i].radix {
				return k, false
			}
			k = k.plus(c.more[i].weight.times(uint64(n)))
		}
		for i := 0; i < len(c.stock) && c.g.kinds != nil && c.g.kinds.drops; i++ {
			if n := uint64(s.stock[i/rules.MaxKinds^mover][i%rules.MaxKinds]); n >= max(1, c.stock[i].radix) {
				return k, false
			} else if n > 0 {
				k = k.plus(c.stock[i].weight.times(n))
			}
		}
	}
	return k, true
}

// handOf returns the hand, computed from the pieces on the board and the phase.
func (c *Codec) handOf(s *State, side int) int {
	if s.phase == phaseMove && !(c.g.capture && c.g.returns) {
		return 0
	}
	return c.g.supply - s.pieces[side].Count()
}
