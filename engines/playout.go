package engines

import (
	"math/bits"
	"math/rand/v2"

	"spar/engines/rules"
)

// Playouts plays games to their end with uniformly random legal moves. It has its own memory and random stream, so
// only one goroutine may use it at a time, and a game allocates nothing. For common kinds of rules it uses fast
// kernels. They play exactly like the general loop over State.Play; tests compare them.
type Playouts struct {
	g       *Game
	digits  digits
	kernel  func(*Playouts, *State) (Result, int)
	longest int32 // maximum number of plies; a longer game counts as a draw
	state   State
	repeat  int // number of occurrences of a position that end a game; 0 if the repetition rule is ignored
	tally   tally
	free    [CellSpace]Cell
	ring    [2]ring
	moves   [1024]Move
	goers   []Bits // pieces that can move, by kind of move and direction
	groups  *groups
	walks   *[2]walks
	nth     *selector
	tactics tactics

	opensAnywhere bool
}

// Maximum plies of a random game if the rules have no ply cap; a longer game counts as a draw. The first limit is
// for single games, the smaller one for rollouts in a search.
const (
	unendingPlies = 1_000_000
	rolloutPlies  = 20_000
)

// NewPlayouts returns random games that take their random numbers from src. If repetition is false, it ignores the
// repetition rule, which random games hardly ever reach, and stops long games earlier. This is good enough for
// rollouts in a search.
func (g *Game) NewPlayouts(src *rand.PCG, repetition bool) *Playouts {
	p := &Playouts{g: g, longest: rolloutPlies, opensAnywhere: g.anywhereFirst()}
	if repetition {
		p.longest = unendingPlies
	}
	p.digits = digits{src: src, perWord: max(1, int8(32/bits.Len(uint(g.grid.Cells))))}
	uses := g.uses
	if repetition {
		p.repeat = g.repetition
	} else {
		uses = uses.Without(rules.Repetitions)
	}
	p.tactics.at, p.tactics.now = g.newRace(), g.newRace()
	p.goers = make([]Bits, max(len(g.mover[0].ways), len(g.mover[1].ways)))
	p.kernel = (*Playouts).runAny
	for _, k := range playoutKernels() {
		if uses.Only(k.handles) && k.fits(g) {
			p.kernel = k.run
			break
		}
	}
	return p
}

// playoutKernel is a fast way to play random games under certain rules. It gives the same results as State.Play with
// random moves.
type playoutKernel struct {
	name    string
	handles rules.Mechanics
	fits    func(g *Game) bool // further conditions on sizes and tables that a game must meet
	run     func(p *Playouts, from *State) (Result, int)
}

// playoutKernels lists the kernels; Spar uses the first that fits.
func playoutKernels() []playoutKernel {
	ends := rules.MechanicsOf(boardEnds().Without(rules.Repetitions), stuckEnds())
	// placements on free cells until the board is full
	lone := rules.MechanicsOf(rules.Wraps, rules.Openings, anyLines(), ends)
	bitLines := func(g *Game) bool { return g.grid.Cells <= 64 && (g.line.flat || g.line.small[0] != nil) }
	return []playoutKernel{
		{"placing", lone, func(g *Game) bool { return g.fullEnds && bitLines(g) }, (*Playouts).runPlacing},
		{
			"aging",
			rules.MechanicsOf(lone, anyAges()),
			func(g *Game) bool { return g.fullEnds && bitLines(g) && g.agesSimply() },
			(*Playouts).runAging,
		},
		{
			"falling",
			rules.MechanicsOf(lone, rules.Falling),
			func(g *Game) bool { return g.fullEnds && g.noHoles && g.grid.Cells <= 64 },
			(*Playouts).runFalling,
		},
		{
			"surround", rules.MechanicsOf(rules.Wraps, anyTurns(), rules.Surrounds, ends),
			func(g *Game) bool { return g.fullEnds && g.threshold > 0 && g.grid.Cells <= 128 }, (*Playouts).runSurround,
		},
		{
			"moving", rules.MechanicsOf(rules.PlaceRegions, rules.Openings, anyTurns(), rules.Pie,
				anyMoves().Without(rules.Forced), rules.Lines, rules.LineRegions, boardEnds(), stuckEnds()),
			func(g *Game) bool { return g.grid.Flat && g.uses.Any(rules.Steps, rules.Jumps) }, (*Playouts).runMoving,
		},
		{
			"connecting", rules.MechanicsOf(rules.Pie, rules.Connections, rules.Misere, anyBoard(), ends),
			// a swap makes no connection
			func(g *Game) bool { return g.uses.Has(rules.Connections) && !(g.pie && g.uses.Has(rules.Setups)) },
			(*Playouts).runConnecting,
		},
		{
			"enclosing", rules.MechanicsOf(rules.Custodians, rules.EnclosingDirections, rules.MustEnclose, anyBoard(), ends),
			func(g *Game) bool { return g.grid.Flat && g.must && g.flips }, (*Playouts).runEnclosing,
		},
		{
			"walking",
			rules.MechanicsOf(
				rules.Steps,
				rules.Directions,
				rules.Leaps,
				rules.Clones,
				rules.Takes,
				rules.Surrounds,
				rules.Removes,
				rules.Reaches,
				rules.ReachCounts,
				rules.Eliminations,
				rules.OnBoardCounts,
				rules.Misere,
				rules.Unequal,
				anyBoard(),
				ends,
			),
			func(g *Game) bool { return g.flatWalks() != nil }, (*Playouts).runWalking,
		},
	}
}

// agesSimply reports whether runAging is correct: at most one piece leaves in a ply, and no opening region can
// fill up.
func (g *Game) agesSimply() bool {
	for side := range 2 {
		for _, zone := range g.opening[side] {
			if zone.Count() < 2*len(g.opening[side]) {
				return false
			}
		}
	}
	return g.fifo && int(g.removeFrom) <= 2*g.cap
}

// Run plays a copy of s to the end and returns the result and the number of plies played.
func (p *Playouts) Run(s *State) (Result, int) {
	if s.result != Ongoing {
		return s.result, 0
	}
	return p.kernel(p, s)
}

// digits draws random numbers below small bounds. It treats a 64-bit word of the generator as a fraction and
// multiplies it by one bound after the other; the integer parts are the numbers. It limits the digits of a word so
// that the bias stays below 2^-28. The kernels contain copies of this code that hold the fraction in a register,
// because the compiler does not inline it.
type digits struct {
	src             *rand.PCG
	fraction        uint64
	unused, perWord int8
}

func (d *digits) below(n int) int {
	if d.unused == 0 {
		d.refill()
	}
	d.unused--
	hi, lo := bits.Mul64(d.fraction, uint64(n))
	d.fraction = lo
	return int(hi)
}

func (d *digits) refill() {
	d.fraction = d.src.Uint64()
	d.unused = d.perWord
}

// runAny plays a random game with State.Play.
func (p *Playouts) runAny(from *State) (Result, int) {
	s := &p.state
	s.CopyFrom(from)
	p.begin(s)
	for s.result == Ongoing {
		if s.ply-from.ply >= p.longest {
			return Drawn, int(p.longest)
		}
		s.Play(p.Random(s))
		p.count(s)
	}
	return s.result, int(s.ply - from.ply)
}

// begin records the first position of a game, if repetition can end the game.
func (p *Playouts) begin(s *State) {
	if p.repeat > 0 {
		p.tally.begin()
		p.tally.add(s.Hash())
	}
}

// count records a position and ends the game if it has occurred too often.
func (p *Playouts) count(s *State) {
	if p.repeat > 0 && s.result == Ongoing && p.tally.add(s.Hash()) >= p.repeat {
		s.end(Drawn, ByRepetition)
	}
}

// Random returns a random legal move, all with equal probability. The game must not be over.
func (p *Playouts) Random(s *State) Move {
	if s.g.general {
		return p.randomGeneral(s)
	}
	if s.phase == phaseMove {
		if s.chain == NoCell {
			return p.randomAction(s)
		}
		moves := s.AppendMoves(p.moves[:0])
		return moves[p.digits.below(len(moves))]
	}
	b := s.placementsPlain()
	n := b.Count()
	total := n
	if s.swap {
		total++
	}
	if total == 0 {
		return Pass
	}
	k := p.digits.below(total)
	if k == n {
		return Swap
	}
	return placeMove(b.Nth(k))
}

// randomAction returns a random placement, jump or step. Since a piece has at most one action in a direction, it
// draws a placement or a (piece, direction) until one is legal, which is uniform. It lists all actions only if few
// are legal.
func (p *Playouts) randomAction(s *State) Move {
	g := s.g
	var places Bits
	if s.hand[s.side&1] > 0 {
		places = s.placeable()
	}
	if g.forced || s.pieces[s.side&1].Empty() {
		return p.listedAction(s, places)
	}
	own, enemy := s.pieces[s.side&1], s.pieces[(1-s.side)&1]
	nPlaces, nPieces := places.Count(), own.Count()
	for range 24 {
		k := p.digits.below(nPlaces + 8*nPieces)
		if k < nPlaces {
			return placeMove(places.Nth(k))
		}
		k -= nPlaces
		from, d := own.Nth(k>>3), k&7
		to := g.grid.To[d][from&CellMask]
		switch {
		case to == NoCell || own.Has(to):
		case enemy.Has(to):
			if over := g.grid.To[d][to&CellMask]; g.capture && over != NoCell && !own.Has(over) && !enemy.Has(over) {
				return jumpMove(from, over)
			}
		case g.stepDir[d]:
			return stepMove(from, to)
		}
	}
	return p.listedAction(s, places)
}

// listedAction finds the pieces that can move in each direction by shifts of whole sets, and draws from these and
// the placements.
func (p *Playouts) listedAction(s *State, places Bits) Move {
	g := s.g
	var goes [16]Bits // who can jump, who can step, by direction
	var count [16]int
	nPlaces := places.Count()
	jumps, steps := p.whoGoes(s, &goes, &count)
	if g.forced && jumps > 0 {
		nPlaces, steps = 0, 0
	}
	if nPlaces+jumps+steps == 0 {
		return Pass
	}
	k := p.digits.below(nPlaces + jumps + steps)
	if k < nPlaces {
		return placeMove(places.Nth(k))
	}
	k -= nPlaces
	i := 0
	for ; k >= count[i&15]; i++ {
		k -= count[i&15]
	}
	from := goes[i&15].Nth(k)
	to := g.grid.To[i&7][from]
	if i < 8 {
		return jumpMove(from, g.grid.To[i&7][to&CellMask])
	}
	return stepMove(from, to)
}

// whoGoes sets the pieces that can jump (0 to 7) or step (8 to 15) in each direction. It returns the numbers of
// jumps and steps.
func (p *Playouts) whoGoes(s *State, goes *[16]Bits, count *[16]int) (jumps, steps int) {
	g := s.g
	own, enemy := s.pieces[s.side&1], s.pieces[(1-s.side)&1]
	free := g.grid.Board.AndNot(own.Or(enemy))
	for d := range g.grid.To {
		var jump, step Bits
		if g.grid.Flat {
			back := &g.grid.Hops[d^4]
			before := back.Shift(free.Lo)
			step.Lo = before & own.Lo
			jump.Lo = back.Shift(before&enemy.Lo) & own.Lo
		} else {
			before := g.grid.Shift(free, d^4)
			step = before.And(own)
			jump = g.grid.Shift(before.And(enemy), d^4).And(own)
		}
		if g.capture && !jump.Empty() {
			goes[d], count[d] = jump, jump.Count()
			jumps += count[d]
		}
		if g.stepDir[d] {
			goes[8+d], count[8+d] = step, step.Count()
			steps += count[8+d]
		}
	}
	return jumps, steps
}

// Discard drops random numbers that were generated in advance. Call it after seeding, so that later numbers depend
// only on the state of the generator.
func (p *Playouts) Discard() { p.digits.unused = 0 }
