package patterns

import (
	"fmt"

	"spar/agents/eval"
	"spar/engines"
	"spar/engines/rules"
)

// Layout is an architecture for the rules of one game. It maps every state of every pattern to a weight of the net. It
// does not change.
//
// A table has one entry for each index of a pattern and each lane. A lane is a combination of the side to move and
// the context (placements left, phase, chain, stage). Patterns with equal tables share one table.
type Layout struct {
	game     *engines.Game
	arch     Architecture
	params   int        // number of weights of a net
	lanes    int        // number of lanes: 2 sides times the contexts
	contexts int        // number of contexts of one side
	left     int        // number of contexts, by the placements left
	phases   int        // number of contexts, by the phase
	chains   int        // number of contexts, by whether a chain is in progress
	stages   int        // number of contexts, by the pieces on the board
	hands    int        // largest number of pieces in hand that patterns distinguish; 0 = hands are always empty
	ids      []int32    // for each entry, the index of its number; -1 for entries that are always 0
	starts   []int32    // for each pattern, the index in ids of its entry at the empty board
	updates  [][]update // for each place, the patterns that contain it
	steps    [][]int32  // how much a state of a place adds to the index of a pattern, in entries times lanes
	// for each cell, the effect of a placement if it changes only its own cell and cells that become reachable
	deltas [][]delta
	// under gravity: for each cell, the cells above and below it; nil if all empty cells have the same state
	columns  []engines.Bits
	patterns []pattern       // patterns in the order of their entries
	reps     []orbit         // groups of patterns that share numbers, in the order of their first numbers
	bias     [16]int32       // for each lane, the number with which its sum starts
	linear   *eval.Evaluator // the evaluation that the tables correct; nil = none
	factor   float64         // converts values of linear to values of a net
}

// mostContexts ensures that both sides together have at most the 16 lanes of a cursor.
const mostContexts = 8

// update identifies a pattern that contains a place, and the row of steps for that place.
type update struct {
	pattern uint32
	step    uint32
	by      [3]int32 // the first entries of the row: all of them in most games
}

// shift returns how much a change at the place adds to the index.
func (in *update) shift(steps [][]int32, c change) int32 {
	if c.from < 3 && c.to < 3 {
		return in.by[c.to] - in.by[c.from]
	}
	return steps[in.step][c.to] - steps[in.step][c.from]
}

// delta is how much a placement of either side adds to the index of a pattern.
type delta struct {
	pattern uint32
	by      [2]int32
}

// orbit is a group of patterns that symmetries map to each other.
type orbit struct {
	table  string
	kind   kind
	places []int // places of the least pattern
	first  int   // index of its first number, in the first context
	count  int   // number of its numbers in one context
	ids    []int32
	cached map[string][]int32 // ids in the order of a pattern's own indices, by the order of the pattern's places
}

// NewLayout makes the layout of an architecture. It returns an error if the architecture is invalid, or if the
// layout would need too much memory.
func NewLayout(g *engines.Game, a Architecture) (*Layout, error) {
	if err := a.Check(); err != nil {
		return nil, err
	}
	if err := a.fits(g); err != nil {
		return nil, err
	}
	a.Tables = canonicalTables(a.Tables)
	cells := g.Cells()
	l := &Layout{
		game:   g,
		arch:   a,
		left:   1,
		phases: 1,
		chains: 1,
		stages: max(a.Stages, 1),
		hands:  handMost(g),
	}
	if a.Linear != nil {
		l.linear = eval.New(g, *a.Linear)
		l.factor = 100 / a.Linear.Scale
	}
	r, uses := g.Rules(), g.Mechanics()
	if uses.Any(rules.LongTurns, rules.FirstTurns, rules.SecondTurns) {
		l.left = min(max(r.Turn.Placements, r.Turn.FirstTurn, r.FirstTurn(engines.Second)), 2)
	}
	if uses.Has(rules.Supply) {
		l.phases = 2
	}
	if uses.Has(rules.Chains) {
		l.chains = 2
	}
	l.contexts = l.left * l.phases * l.chains * l.stages
	l.lanes = 2 * l.contexts
	if l.contexts > mostContexts {
		return nil, fmt.Errorf("%w: stages %d: expected at most %d under these rules", ErrTables, a.Stages,
			mostContexts*l.stages/l.contexts)
	}
	l.updates = make([][]update, seats(g))
	b := &builder{
		Layout:   l,
		views:    [2][]int{identity(seats(g)), identity(seats(g))},
		rows:     map[string]int32{},
		looked:   map[string]int32{},
		orbits:   map[string]int{},
		stepRows: map[string]uint32{},
	}
	if !a.Colour {
		for c, to := range g.Exchange() {
			b.views[engines.Second][c] = int(to)
		}
		for i := range seats(g) - cells { // hands of the other side
			b.views[engines.Second][cells+i] = cells + (i ^ 1)
		}
	}
	for _, p := range a.symmetries(g) {
		full := identity(seats(g))
		for c, to := range p {
			full[c] = int(to)
		}
		b.images = append(b.images, full)
	}
	for lane := range l.lanes {
		l.bias[lane] = int32(b.context(lane))
	}
	l.params = b.groups()
	for _, p := range a.patterns(g) {
		if err := b.add(p); err != nil {
			return nil, err
		}
	}
	if 2*len(l.ids) > maxBytes {
		return nil, fmt.Errorf(
			"%w: the tables need %d MB, and a net may take at most %d MB; leave out walks or line+1", ErrTables,
			2*len(l.ids)>>20, maxBytes>>20)
	}
	for i := range l.reps {
		l.reps[i].cached = nil
	}
	if a.Open {
		l.columns = columns(g)
	}
	// A placement changes its own cell and nothing else, and the turn goes over.
	if l.stages == 1 && uses.Only(rules.Wraps, rules.Falling, rules.Lines, rules.ExactLines, rules.LineRegions,
		rules.LineDirections, rules.FullBoards) {
		l.deltas = l.placements()
	}
	return l, nil
}

// columns returns the cells above and below each cell.
func columns(g *engines.Game) []engines.Bits {
	out := make([]engines.Bits, g.Cells())
	for c := range out {
		for at := range g.Cells() {
			if at%g.Columns() == c%g.Columns() {
				out[c] = out[c].With(engines.Cell(at))
			}
		}
	}
	return out
}

// landing returns the cell on which a piece that is dropped in a column comes to rest; empty if the column is
// full.
func landing(column, occupied engines.Bits) engines.Bits {
	free := column.AndNot(occupied)
	if free.Empty() {
		return free
	}
	return engines.Bits{}.With(free.Last())
}

// placements lists the effects of a placement on each cell: the cell's own state and, if states distinguish it,
// that a piece can now land on the cell above.
func (l *Layout) placements() [][]delta {
	vacant := l.arch.vacant()
	out := make([][]delta, l.game.Cells())
	for c := range out {
		at := map[uint32]int{}
		change := func(place int, from int, to [2]int) {
			for _, in := range l.updates[place] {
				i, ok := at[in.pattern]
				if !ok {
					i = len(out[c])
					at[in.pattern] = i
					out[c] = append(out[c], delta{pattern: in.pattern})
				}
				for side := range 2 {
					out[c][i].by[side] += l.steps[in.step][to[side]] - l.steps[in.step][from]
				}
			}
		}
		change(c, vacant, [2]int{1, 2})
		if above := c - l.game.Columns(); l.columns != nil && above >= 0 {
			change(above, 0, [2]int{vacant, vacant})
		}
	}
	return out
}

// Params returns the number of weights of a net.
func (l *Layout) Params() int { return l.params }

// Architecture returns the architecture of the layout.
func (l *Layout) Architecture() Architecture { return l.arch }

// Game returns the game of the layout.
func (l *Layout) Game() *engines.Game { return l.game }

// lane returns the lane of a position.
func (l *Layout) lane(s *engines.State) int {
	lane := s.Side()
	if l.contexts == 1 {
		return lane
	}
	lane = lane*l.left + min(max(s.PliesLeft()-1, 0), l.left-1)
	lane *= l.phases
	if l.phases > 1 && s.Moving() {
		lane++
	}
	lane *= l.chains
	if l.chains > 1 && s.Chain() != engines.NoCell {
		lane++
	}
	if l.stages > 1 {
		pieces := s.Pieces(0).Count() + s.Pieces(1).Count()
		lane = lane*l.stages + min(pieces*l.stages/l.game.Cells(), l.stages-1)
	}
	return lane
}
