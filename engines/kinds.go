package engines

import (
	"math/rand/v2"
	"slices"

	"spar/engines/grid"
	"spar/engines/rules"
)

// kinds are the tables for kinds of pieces, and for moves that only they need (rules.PieceMechanics). A game without
// either has none.
type kinds struct {
	of      [2][]pieceKind // by side and kind
	late    bool           // jumped pieces leave when the turn ends
	most    bool           // a turn must capture as much as it can
	must    bool           // a piece must jump again as long as it can
	forced  bool
	safe    [2]int // kind that no move of a side may leave attacked; -1 for none
	checks  bool   // a side has such a kind
	choice  bool   // a player may have to choose what a piece becomes
	sliders [2]uint8
	hostile Bits                              // cells that enclose while they are empty
	along   [4][CellSpace]Bits                // the whole line through each cell, by direction
	keys    [rules.MaxKinds][CellSpace]uint64 // what a kind adds to the hash key of a piece
	dead    [CellSpace]uint64                 // what a piece that is about to leave adds
	grows   uint64                            // what a choice of a promotion adds
	block   rules.Word                        // turn.block
	spares  Bits                              // cells that are never blocked
	shot    [CellSpace]uint64                 // what a blocked cell adds
	trail   [CellSpace]uint64                 // what a cell adds where the capturing piece was in this turn
	shoots  uint64                            // what a shot to come adds
	drops   bool                              // captured pieces go to their captor's hand
	held    [rules.MaxKinds]uint64            // what each piece of a kind in hand adds, times their number
}

// pieceKind is how the pieces of one kind and side move and what they become. Directions are bits.
type pieceKind struct {
	sign                byte
	steps, takes, jumps uint8
	takeSlides          uint8 // directions in which a slide captures at its end
	slide, long, next   bool  // next: a long jump ends right behind the piece
	takeLeaps           bool
	first               Bits // from where a step may go over several cells
	firstSteps          int
	leaps               [CellSpace]Bits
	promotes            Bits
	becomes             []int
	when                rules.Word
	toEnd, line, over   bool
	approach, withdraw  bool
	leaves              Bits    // from where it may leave the board
	closed, walls       Bits    // cells on which it cannot end a move, and those that it cannot even go over
	fourSides           Bits    // where it is enclosed on four sides only
	inHand              int     // the kind as which it goes to its captor's hand
	shunned             Bits    // cells on which it cannot be dropped
	encloses, helps     bool    // its moves capture by enclosing; it helps other pieces to
	value               float64 // moves on an empty board, relative to the average piece of the setup
}

// men is the part of a State that only rules with kinds of pieces need.
type men struct {
	plane [3]Bits // bit i of the kind of the piece on each cell
	dead  Bits    // pieces that were jumped over and leave when the turn ends
	grows bool    // the player chooses what the piece on the cell of the chain becomes

	trail   Bits // where the piece has been that captures rows in this turn
	blocked Bits
	shoots  bool // the piece on the cell of the chain shoots next

	stock [2][rules.MaxKinds]uint8 // pieces in hand, by side and kind
}

func (g *Game) buildKinds() {
	if !g.uses.Any(rules.PieceMechanics()) {
		return
	}
	r := &g.rules
	k := &kinds{
		late:   r.Movement.CapturedLeave == "after_turn",
		most:   r.Movement.ForcedCapture == "most",
		must:   r.Movement.MultiJump == "must" || r.Movement.ForcedCapture == "most",
		forced: r.Movement.ForcedCapture.On(),
	}
	if !r.Turn.Block.IsZero() {
		k.block, k.spares = r.Turn.Block, r.Group(&g.grid, r.Turn.Spares)
	}
	k.hostile = r.Group(&g.grid, r.Custodian.Hostile)
	src := rand.NewPCG(0x5aa7, 0x6b696e64)
	for c := range k.dead {
		for i := range k.keys[1:] {
			k.keys[i+1][c] = src.Uint64()
		}
		k.dead[c] = src.Uint64()
	}
	k.grows = src.Uint64()
	for c := range k.shot {
		k.shot[c] = src.Uint64()
	}
	k.shoots = src.Uint64()
	for c := range k.trail {
		k.trail[c] = src.Uint64()
	}
	k.drops = g.uses.Has(rules.Drops)
	for i := range k.held {
		k.held[i] = src.Uint64() | 1
	}
	for c := range g.grid.Cells {
		for d := range g.grid.To {
			line := &k.along[d&3][c]
			for at := Cell(c); at != NoCell && (at == Cell(c) || !line.Has(at)); at = g.grid.To[d][at] {
				*line = line.With(at)
			}
		}
	}
	for side := range 2 {
		own := r.Of(side)
		for i := range max(1, len(r.Kinds)) {
			k.of[side] = append(k.of[side], g.pieceKind(&own, side, i))
			k.sliders[side] |= k.of[side][i].takeSlides
			k.choice = k.choice || len(k.of[side][i].becomes) > 1
		}
		enemy := r.Of(1 - side)
		k.safe[side] = r.KindNamed(enemy.Win.Mate)
		k.checks = k.checks || k.safe[side] >= 0
	}
	g.kinds = k
	start := g.NewState()
	total, pieces := 0.0, start.all()
	for c := range pieces.Each {
		total += k.of[First][start.kindAt(c)].value
	}
	for side := range k.of {
		for i := range k.of[side] {
			k.of[side][i].value *= float64(max(1, pieces.Count())) / max(total, 0.01)
		}
	}
}

func (g *Game) pieceKind(r *rules.Rules, side, i int) pieceKind {
	m := r.MovementOf(i)
	p := pieceKind{
		encloses: true, helps: true, inHand: i,
		slide: m.Slide, long: m.LongJumps.On(), next: m.LongJumps == "next",
		takeLeaps: m.TakeLeaps, firstSteps: m.First.Steps, when: "turn_end",
		steps: rules.DirectionMask(m.Directions, side) & rules.WordDirections(m.Steps, side),
	}
	if len(m.Take) > 0 {
		p.takes = rules.DirectionMask(m.Take, side)
	}
	if m.Capture {
		p.jumps = rules.DirectionMask(m.Jumps, side)
	}
	if m.TakeSlide {
		p.takeSlides = p.steps
	}
	p.approach, p.withdraw = slices.Contains(m.Lines, "approach"), slices.Contains(m.Lines, "withdraw")
	p.toEnd, p.line, p.over = m.ToEnd, !m.Distance.IsZero(), m.PassOwn
	for d, dir := range grid.Directions() {
		for c := range g.grid.Board.Each {
			outside := g.grid.Place(c, dir.Dx, dir.Dy) == NoCell && (r.Board.Shape != "hex" || dir.Dx != dir.Dy)
			if outside && len(m.Exits) > 0 && rules.DirectionMask(m.Exits, side)>>d&1 != 0 {
				p.leaves = p.leaves.With(c)
			}
		}
	}
	if g.goal[side].noneLeft {
		g.goal[side].exits = g.goal[side].exits.Or(p.leaves)
	}
	for c := range g.grid.Cells {
		row := c / g.grid.Columns
		if side == First {
			row = g.grid.Rows - 1 - row
		}
		if row < m.First.Rows {
			p.first = p.first.With(Cell(c))
		}
		p.value += 0.1
		for _, leap := range grid.Leaps(m.Leaps) {
			if to := g.grid.At(Cell(c), leap.X, leap.Y); to != NoCell && g.grid.Board.Has(Cell(c)) {
				p.leaps[c] = p.leaps[c].With(to)
				p.value++
			}
		}
		for d := range g.grid.To {
			for to, e := g.grid.Onward(Cell(c), d); to != NoCell && to != Cell(c); to, e = g.grid.Onward(to, e) {
				if (p.steps|p.takes|p.jumps)>>d&1 != 0 {
					p.value++
				}
				if !p.slide {
					break
				}
			}
		}
	}
	if i < len(r.Kinds) {
		kind := &r.Kinds[i]
		p.sign = kind.Sign(side)
		p.closed = r.Group(&g.grid, kind.Avoids)
		p.walls = p.closed.AndNot(r.Group(&g.grid, kind.Passes))
		if kind.InHand != "" {
			p.inHand = r.KindNamed(kind.InHand)
		}
		p.shunned = g.grid.Region(kind.NoDrops, side).Or(p.closed)
		p.encloses = kind.Encloses.IsZero()
		p.helps = kind.Encloses != "never"
		if near := r.Group(&g.grid, kind.Beside); kind.Sides == 4 && len(kind.Beside) == 0 {
			p.fourSides = g.grid.Board
		} else if kind.Sides == 4 {
			p.fourSides = near
			for d := 0; d < 8; d += 2 {
				p.fourSides = p.fourSides.Or(g.grid.Shift(near, d))
			}
		}
		if to := r.Kinds[i].Promotes; to != nil {
			p.promotes = to.Cells(&g.grid, side)
			if p.when = to.When; p.when == "" {
				p.when = "turn_end"
			}
			for _, name := range to.To {
				p.becomes = append(p.becomes, r.KindNamed(name))
			}
		}
	}
	return p
}

// Kinds returns the number of kinds of pieces, or 0 if the rules have none.
func (g *Game) Kinds() int { return len(g.rules.Kinds) }

// KindValue returns a rough value of a kind of piece: how far it moves on an empty board, relative to the average
// piece of the setup.
func (g *Game) KindValue(kind int) float64 { return g.kinds.of[First][kind].value }

// OfKind returns the pieces of a side that are of the given kind.
func (s *State) OfKind(side, kind int) Bits {
	b := s.pieces[side&1]
	for i, plane := range s.plane {
		if kind>>i&1 != 0 {
			b = b.And(plane)
		} else {
			b = b.AndNot(plane)
		}
	}
	return b
}

// Signs returns the letters of the board row by row, upper case for the first player. Without kinds they are X and O.
func (s *State) Signs() []byte {
	out := make([]byte, s.g.grid.Cells)
	for c := range out {
		out[c] = s.sign(Cell(c))
	}
	return out
}

// Rows returns the rows of the board from the top, with the letters of Signs.
func (s *State) Rows() []string {
	out := make([]string, 0, s.g.grid.Rows)
	for row := range slices.Chunk(s.Signs(), s.g.grid.Columns) {
		out = append(out, string(row))
	}
	return out
}

// signs lists the letters of pieces in texts.
func (g *Game) signs() string {
	if g.Kinds() == 0 {
		return "X, O"
	}
	var out []byte
	for side := range 2 {
		for i := range g.rules.Kinds {
			out = append(out, g.kinds.of[side][i].sign, ' ')
		}
	}
	return string(out[:len(out)-1])
}

// KindAt returns the kind of the piece on a cell, or 0 without kinds.
func (s *State) KindAt(c Cell) int { return s.kindAt(c) }

// Doomed returns the pieces that were jumped over in this turn and leave when it ends.
func (s *State) Doomed() Bits { return s.dead }

// Promoting reports whether the side to move chooses what a piece becomes.
func (s *State) Promoting() bool { return s.grows }

// Blocked returns the cells that are blocked for the rest of the game.
func (s *State) Blocked() Bits { return s.blocked }

// Shooting reports whether the side to move blocks a cell to complete its turn.
func (s *State) Shooting() bool { return s.shoots }

// occupied returns the cells that hold a piece or are blocked.
func (s *State) occupied() Bits {
	b := s.all()
	if s.g.kinds != nil {
		b = b.Or(s.blocked)
	}
	return b
}

// sign is letter with the letters of kinds.
func (s *State) sign(c Cell) byte {
	if s.g.Kinds() > 0 {
		for side, b := range s.pieces {
			if b.Has(c) {
				return s.g.kinds.of[side][s.kindAt(c)].sign
			}
		}
	}
	return s.letter(c)
}

func (s *State) kindAt(c Cell) (kind int) {
	for i := range s.plane {
		if s.plane[i].Has(c) {
			kind |= 1 << i
		}
	}
	return kind
}

func (s *State) setKind(c Cell, kind int) {
	for i := range s.plane {
		if kind>>i&1 != 0 {
			s.plane[i] = s.plane[i].Or(s.g.grid.Bit[c])
		} else {
			s.plane[i] = s.plane[i].AndNot(s.g.grid.Bit[c])
		}
	}
}

// stand sets up the kinds of the start position.
func (s *State) stand() {
	for y, row := range s.g.rules.Setup {
		for x := range row {
			if _, kind, ok := s.g.rules.KindAt(row[x]); ok {
				s.setKind(Cell(y*s.g.grid.Columns+x), kind)
			}
		}
	}
}

// kindsKey returns what kinds add to the hash key of a side.
func (s *State) kindsKey(side int) (key uint64) {
	k := s.g.kinds
	for b := s.pieces[side]; !b.Empty(); b = b.Rest() {
		key ^= k.keys[s.kindAt(b.First())][b.First()]
	}
	for b := s.dead.And(s.pieces[side]); !b.Empty(); b = b.Rest() {
		key ^= k.dead[b.First()]
	}
	for i, n := range s.stock[side] {
		key ^= k.held[i] * uint64(n)
	}
	if s.grows && side == First {
		key ^= k.grows
	}
	for b := s.trail; side == First && !b.Empty(); b = b.Rest() {
		key ^= k.trail[b.First()]
	}
	for b := s.blocked; side == First && !b.Empty(); b = b.Rest() {
		key ^= k.shot[b.First()]
	}
	if s.shoots && side == First {
		key ^= k.shoots
	}
	return key
}
