// Package playout plays games to their end with random legal moves, for searches and statistics. [Random] is the entry.
//
// A kernel is a fast loop for common kinds of rules. It holds what changes in every ply in registers, and does not use
// engines.State. Each names the mechanics that it handles; other rules are played by State.Play. Both play alike: tests
// compare them.
//
//   - place (placements on free cells), move (steps and jumps), draughts (steps, jumps and promotions), walk (leaps,
//     clones and captures by replacement), connect, enclose, surround: the kernels.
//   - tactics: games that complete and block lines. tally counts repetitions. choose finds the n-th cell of a set.
package playout

import (
	"math/bits"
	"math/rand/v2"

	"spar/engines"
	"spar/engines/grid"
	"spar/engines/rules"
)

// The words of package engines that the kernels use.
type (
	Bits   = grid.Bits
	Cell   = grid.Cell
	Move   = engines.Move
	Result = engines.Result
	State  = engines.State
)

const (
	noCell   = grid.NoCell
	cellMask = grid.CellMask
)

// Random plays games to their end with uniformly random legal moves. It has its own memory and random stream, so only
// one goroutine may use it at a time, and a game allocates nothing.
type Random struct {
	g       *engines.Game
	t       tables
	src     *rand.PCG
	digits  digits
	perWord int8 // digits of a word
	kernel  func(*Random, *State) (Result, int)
	state   State
	sets    engines.MoveSets
	tally   tally
	free    [grid.CellSpace]Cell
	ring    [2]ring

	longest int32 // maximum number of plies; a longer game counts as a draw
	repeat  int   // number of occurrences of a position that end a game; 0 if the repetition rule is ignored
	groups  *groups
	walks   [2]walks
	// of runDraughts; nil before its first game
	draughts *draughts
	nth      *selector
	tactics  tactics
}

// tables are what the kernels read of the rules.
type tables struct {
	grid          *grid.Grid
	line          *engines.Lines
	goal          [2]goal
	zone          [2]Bits // where a side places after the opening
	opening       [2][]Bits
	cap           int
	removeFrom    int32
	afterWin      bool
	steps         uint8 // directions in which pieces step, as bits
	capture       bool
	forced        bool
	multiJump     bool
	returns       bool
	threshold     int
	convert       bool
	passes        bool
	majority      bool
	fullDraw      bool
	perTurn       int
	secondTurn    int // placements of the second player's first turn
	maxPlies      int32
	timeless      int32
	opensAnywhere bool // the first move may go to any cell of a small board and cannot end the game
}

// goal is how a side wins other than by lines.
type goal struct {
	misere    bool
	edges     [2]Bits
	reach     Bits
	count     int // number of pieces that must be on cells of reach
	eliminate int // the enemy loses if it has fewer pieces than this
}

func tablesOf(g *engines.Game) tables {
	r := g.Rules()
	t := tables{
		grid:       g.Grid(),
		line:       g.Lines(),
		cap:        r.Pieces.Cap,
		removeFrom: int32(r.Pieces.RemovalFromPly),
		afterWin:   r.Pieces.Removal == "after_win",
		steps:      rules.WordDirections(r.Movement.Steps, grid.First),
		capture:    r.Movement.Capture,
		forced:     r.Movement.Capture && r.Movement.ForcedCapture.On(),
		multiJump:  r.Movement.Capture && r.Movement.MultiJump.On(),
		returns:    r.Movement.Captured == "return",
		threshold:  r.Surround.Threshold,
		convert:    r.Surround.Effect == "convert",
		passes:     r.NoMoves == "pass",
		majority:   r.Win.Majority,
		fullDraw:   r.Draw.FullBoard,
		perTurn:    r.Turn.Placements,
		secondTurn: r.FirstTurn(grid.Second),
		maxPlies:   int32(r.Draw.MaxPlies),
		timeless:   g.Timeless(),
	}
	for side := range t.goal {
		w := r.Of(side).Win
		reach, lose := g.Targets(side)
		t.goal[side] = goal{lose, g.Edges(side), reach, max(1, w.ReachCount), w.Eliminate}
		t.zone[side], t.opening[side] = g.Zones(side)
	}
	t.opensAnywhere = t.grid.Cells > 1 && t.grid.Cells <= smallBoard && len(t.opening[0]) == 0 && t.line.Length != 1 &&
		t.maxPlies != 1
	return t
}

// Maximum plies of a random game if the rules have no ply cap; a longer game counts as a draw. The first limit is
// for single games, the smaller one for rollouts in a search.
const (
	unendingPlies = 1_000_000
	rolloutPlies  = 20_000
)

// New returns a Random that takes its random numbers from src. If repetition is false, its games ignore the
// repetition rule, which random games hardly ever reach, and stop earlier if they are long. This is good enough for
// rollouts in a search.
func New(g *engines.Game, src *rand.PCG, repetition bool) *Random {
	p := &Random{
		g:       g,
		t:       tablesOf(g),
		src:     src,
		perWord: max(1, int8(32/bits.Len(uint(g.Cells())))),
		longest: rolloutPlies,
		kernel:  (*Random).runAny,
	}
	uses := g.Mechanics()
	if repetition {
		p.longest, p.repeat = unendingPlies, g.Rules().Draw.Repetition
	} else {
		uses = uses.Without(rules.Repetitions, rules.RepeatWins)
	}
	p.tactics.at, p.tactics.now = newRace(g), newRace(g)
	for _, k := range kernels() {
		if uses.Only(k.handles) && k.fits(g) {
			p.kernel = k.run
			break
		}
	}
	return p
}

// kernel is a fast way to play random games under certain rules. It gives the same results as State.Play with random
// moves.
type kernel struct {
	name    string
	handles rules.Mechanics
	fits    func(g *engines.Game) bool // further conditions on sizes and tables that a game must meet
	run     func(p *Random, from *State) (Result, int)
}

// kernels lists the kernels; Spar uses the first that fits.
func kernels() []kernel {
	ends := rules.MechanicsOf(rules.BoardEnds().Without(rules.Repetitions), rules.StuckEnds())
	// placements on free cells until the board is full
	lone := rules.MechanicsOf(rules.Wraps, rules.Openings, rules.AnyLines(), ends)
	bitLines := func(g *engines.Game) bool {
		return g.FullEnds() && g.Cells() <= 64 && (g.Lines().Flat || g.Lines().Small[0] != nil)
	}
	uses := func(m ...rules.Part) func(g *engines.Game) bool {
		return func(g *engines.Game) bool { return g.Mechanics().Any(m...) }
	}
	return []kernel{
		{"placing", lone, bitLines, (*Random).runPlacing},
		{
			"aging", rules.MechanicsOf(lone, rules.AnyAges()),
			func(g *engines.Game) bool { return bitLines(g) && agesSimply(g) }, (*Random).runAging,
		},
		{
			"falling", rules.MechanicsOf(lone, rules.Falling),
			func(g *engines.Game) bool {
				return g.FullEnds() && g.Mechanics().Has(rules.Falling) && g.Cells() <= 64
			},
			(*Random).runFalling,
		},
		{
			"surround", rules.MechanicsOf(rules.Wraps, rules.AnyTurns(), rules.Surrounds, ends),
			func(g *engines.Game) bool {
				return g.FullEnds() && g.Mechanics().Has(rules.Surrounds)
			}, (*Random).runSurround,
		},
		{
			"moving", rules.MechanicsOf(rules.PlaceRegions, rules.Openings, rules.AnyTurns(), rules.Pie,
				rules.AnyMoves().Without(rules.Forced), rules.Lines, rules.LineRegions, rules.BoardEnds(), rules.StuckEnds()),
			func(g *engines.Game) bool {
				return g.Grid().Flat && uses(rules.Steps, rules.Jumps)(g)
			}, (*Random).runMoving,
		},
		{
			"connecting", rules.MechanicsOf(rules.Pie, rules.Connections, rules.Misere, rules.AnyBoard(), ends),
			// a swap makes no connection
			func(g *engines.Game) bool {
				u := g.Mechanics()
				return u.Has(rules.Connections) && !(u.Has(rules.Pie) && u.Has(rules.Setups))
			},
			(*Random).runConnecting,
		},
		{
			"enclosing", rules.MechanicsOf(rules.Custodians, rules.EnclosingDirections, rules.MustEnclose, rules.AnyBoard(), ends),
			func(g *engines.Game) bool {
				c := g.Rules().Custodian
				return g.Encloser() != nil && c.Must && c.Effect == "flip"
			},
			(*Random).runEnclosing,
		},
		{
			"draughts",
			rules.MechanicsOf(rules.Setups, rules.Holes, rules.Kinds, rules.Promotions, rules.Steps, rules.Directions,
				rules.Jumps, rules.JumpDirections, rules.Chains, rules.MustChains, rules.Forced, rules.QuietDraws,
				rules.PlyCaps, rules.Repetitions, rules.StuckDraws, rules.StuckWins),
			func(g *engines.Game) bool { return newDraughts(g) != nil }, (*Random).runDraughts,
		},
		{
			"walking", rules.MechanicsOf(rules.Steps, rules.Directions, rules.Leaps, rules.Clones, rules.Takes,
				rules.Surrounds, rules.Removes, rules.Reaches, rules.ReachCounts, rules.Eliminations, rules.OnBoardCounts,
				rules.Misere, rules.Unequal, rules.AnyBoard(), ends),
			func(g *engines.Game) bool { _, ok := flatWalks(g); return ok }, (*Random).runWalking,
		},
	}
}

// Run plays a copy of s to the end and returns the result and the number of plies played.
func (p *Random) Run(s *State) (Result, int) {
	if s.Over() {
		return s.Result(), 0
	}
	return p.kernel(p, s)
}

// digits draws random numbers below small bounds. It treats a 64-bit word of the generator as a fraction and
// multiplies it by one bound after the other; the integer parts are the numbers. Random limits the digits of a word so
// that the bias stays below 2^-28. Kernels hold the digits in registers, and take a new word when none is left, because
// the compiler inlines no function that does both.
type digits struct {
	fraction uint64
	unused   int8
}

// draw returns a number below n and the digits that are left. There must be one.
func (d digits) draw(n int) (int, digits) {
	hi, lo := bits.Mul64(d.fraction, uint64(n))
	return int(hi), digits{lo, d.unused - 1}
}

// below returns a random number below n.
func (p *Random) below(n int) (k int) {
	if p.digits.unused == 0 {
		p.digits = digits{p.src.Uint64(), p.perWord}
	}
	k, p.digits = p.digits.draw(n)
	return k
}

// runAny plays a random game with State.Play.
func (p *Random) runAny(from *State) (Result, int) {
	s := &p.state
	s.CopyFrom(from)
	p.begin(s)
	for !s.Over() {
		if s.Ply()-from.Ply() >= int(p.longest) {
			return engines.Drawn, int(p.longest)
		}
		mover := s.Side()
		s.Play(p.Move(s))
		if p.repeats(s) {
			return p.g.Repeated(mover), s.Ply() - from.Ply()
		}
	}
	return s.Result(), s.Ply() - from.Ply()
}

// begin records the first position of a game, if repetition can end the game.
func (p *Random) begin(s *State) {
	if p.repeat > 0 {
		p.tally.begin()
		p.tally.add(s.Hash())
	}
}

// repeats records a position, and reports whether it has occurred so often that the game ends.
func (p *Random) repeats(s *State) bool {
	return p.repeat > 0 && !s.Over() && p.tally.add(s.Hash()) >= p.repeat
}

// Move returns a random legal move; all moves have the same probability. The game must not be over.
//
// Outside the general path, a piece has at most one action in a direction. Move then draws a placement or a (piece,
// direction) until one is legal, which is uniform. It counts the actions only if few are legal.
func (p *Random) Move(s *State) Move {
	if s.Game().General() || s.Chain() != noCell {
		return p.counted(s)
	}
	t := &p.t
	places := s.Placements()
	nPlaces := places.Count()
	if !s.Moving() && nPlaces > 0 && !s.MaySwap() {
		return engines.PlaceMove(places.Nth(p.below(nPlaces)))
	}
	own, enemy := s.Pieces(s.Side()&1), s.Pieces(1-s.Side()&1)
	nPieces := own.Count()
	if !s.Moving() || t.forced || nPieces == 0 {
		return p.counted(s)
	}
	for range 24 {
		k := p.below(nPlaces + 8*nPieces)
		if k < nPlaces {
			return engines.PlaceMove(places.Nth(k))
		}
		k -= nPlaces
		from, d := own.Nth(k>>3), k&7
		to := t.grid.To[d][from&cellMask]
		switch {
		case to == noCell || own.Has(to):
		case enemy.Has(to):
			over := t.grid.To[d][to&cellMask]
			if t.capture && over != noCell && !own.Has(over) && !enemy.Has(over) {
				return engines.JumpMove(from, over)
			}
		case t.steps>>d&1 != 0:
			return engines.StepMove(from, to)
		}
	}
	return p.counted(s)
}

// counted returns a random legal move after counting all.
func (p *Random) counted(s *State) Move {
	n := s.CountMoves(&p.sets)
	if n == 0 {
		return engines.Pass
	}
	return p.sets.Nth(p.below(n))
}

// Discard drops random numbers that were generated in advance. Call it after seeding, so that later numbers depend
// only on the state of the generator.
func (p *Random) Discard() { p.digits.unused = 0 }

// list lists the cells of the board that are not occupied and returns their number.
func (p *Random) list(occupied Bits) (n int) {
	if g := p.t.grid; occupied.Empty() && g.Board.Count() == g.Cells {
		p.free = g.Order
		return g.Cells
	}
	free := p.t.grid.Board.AndNot(occupied)
	for b := free.Lo; b != 0; b &= b - 1 {
		p.free[n&cellMask] = Cell(bits.TrailingZeros64(b))
		n++
	}
	for b := free.Hi; b != 0; b &= b - 1 {
		p.free[n&cellMask] = Cell(64 + bits.TrailingZeros64(b))
		n++
	}
	return n
}

// lastPly returns the last possible ply of a random game.
func (p *Random) lastPly(from *State) int32 {
	if p.t.maxPlies > 0 {
		return p.t.maxPlies
	}
	return int32(from.Ply()) + p.longest
}

// counted returns the result of a game that ends when no piece can be placed: by majority if the rules say so, else
// a draw.
func (t *tables) counted(side int, own, enemy uint64) Result {
	if !t.majority {
		return engines.Drawn
	}
	return engines.MoreWins(side, bits.OnesCount64(own), bits.OnesCount64(enemy))
}
