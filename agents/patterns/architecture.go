// Package patterns evaluates positions by learned tables over small sets of cells (n-tuples; Thill, Koch and Konen 2012
// for connect four; Szubert and Jaskowski 2014).
//
// # Terms
//
//   - Shape: a set of cells. The pieces on them give an index into the shape's table.
//   - Table: a number for each content of a shape. Shapes that a symmetry of the rules takes into each other share a
//     table.
//   - Net: all tables of a game, and possibly a linear evaluation below them. The sum of its weights is the logarithm
//     of the odds of winning.
//   - Architecture: the shapes that a net has, and what its tables distinguish.
//   - Cursor: the sums of a net along a line of play, updated with each move.
//
// # Flow of data
//
// Package tuning/learn plays games by a net against itself, and a Trainer adjusts the weights to the outcomes.
// [Net.With] writes a file with its provenance; [Read] returns the net for a game with the same rules. Tables make no
// assumption about grids, rules or features.
package patterns

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"spar/agents/eval"
	"spar/configs/strict"
	"spar/engines"
	"spar/engines/rules"
)

// Architecture says which tables a net has. Together with the rules it determines the meaning of every weight of the
// net.
type Architecture struct {
	// kinds of tables, from TableNames
	Tables []string `json:"tables" help:"kinds of tables"`
	// whether the weights depend on the side to move
	Colour bool `json:"colour" help:"each side to move has its own numbers"`
	// for rules with a piece cap: pieces are distinguished by the number of placements until they leave the board, up to
	// this number
	Ages int `json:"ages,omitempty" help:"under a cap, distinguishes pieces by the number of placements until they leave, up to this many"`
	// number of kinds of pieces, each with its own states; 0 = the rules have none
	Kinds int `json:"kinds,omitempty" help:"kinds of pieces that it distinguishes"`
	// for rules with gravity: whether cells on which a piece would land have a state of their own
	Open bool `json:"open,omitempty" help:"under gravity, distinguishes empty cells on which a piece would land"`
	// number of stages of a game, which differ in the number of pieces on the board and have their own weights; 0 and 1
	// mean one stage
	Stages int `json:"stages,omitempty" help:"stages of a game with numbers of their own, by the pieces on the board"`
	// number of random walks on the board, not counting their images under the symmetries
	Walks int `json:"walks,omitempty" help:"random walks"`
	// number of cells in a walk
	WalkLength int    `json:"walk_length,omitempty" help:"cells in a walk"`
	WalkSeed   uint64 `json:"walk_seed,omitempty" help:"seed of the random walks"`
	// Linear is the evaluation that the tables correct, with its scale: a value of Scale is one logit. nil = only
	// tables.
	Linear *eval.Params `json:"linear,omitempty" help:"the linear evaluation that the tables correct: weights, and scale (the value of one logit)"`
}

// ErrTables is wrapped by errors of an architecture that is invalid, or invalid under the rules of a game.
var ErrTables = errors.New("patterns")

// TableNames lists the kinds of tables. Lines share weights with their images under the symmetries of the board; shapes
// share weights with all lines on the board.
func TableNames() []string {
	return strings.Fields("psq line line+1 shape shape+1 shape+2 run straight block ring walk hand stock")
}

// maxStates is the maximum number of states of a cell, without kinds: empty, for each side one for each number of
// placements that a piece has left, and open.
const maxStates = 9

// Limits of a net: bytes of its weights during play, and entries of a single table.
const (
	maxBytes   = 16 << 20
	maxEntries = 20_000
	maxWeight  = 1e6 // largest weight of a linear evaluation, and its largest scale
)

// Draughts reports whether the rules have several kinds of pieces and make captures mandatory.
func Draughts(g *engines.Game) bool {
	return g.Mechanics().Has(rules.Kinds) && g.Mechanics().Has(rules.Forced)
}

// For returns the architecture that suits the mechanics of a game. Every net has a table for single cells. Where lines
// win, there are also tables for lines, and for lines with one more cell. Where lines are long and pieces stay, shapes
// replace both, because a line then has the same meaning everywhere on the board. Rules with captures by surrounding
// get ring tables, and rules with a supply get hand tables. Rules with neither lines nor such captures get random
// walks, or runs of cells if several kinds of pieces must capture. Each side has its own weights, unless a half turn of
// the board exchanges the sides and full columns do not decide who must move. If pieces fall, cells on which a piece
// can land have their own state.
func For(g *engines.Game) Architecture {
	r, uses := g.Rules(), g.Mechanics()
	a := Architecture{Tables: []string{"psq"}, Open: uses.Has(rules.Falling)}
	switch {
	case r.Win.Line > 3 && !uses.Any(rules.Wraps, rules.DrawnLines, rules.Falling, rules.Ages, rules.Supply):
		a.Tables = append(a.Tables, "shape", "shape+2")
	case r.Win.Line > 1:
		a.Tables = append(a.Tables, "line")
		if r.Pieces.Cap == 0 && r.Win.Line > 2 {
			a.Tables = append(a.Tables, "line+1")
		}
	}
	if r.Surround.Threshold > 0 {
		a.Tables = append(a.Tables, "ring")
	}
	switch {
	case Draughts(g):
		a.Tables = append(a.Tables, "run")
	case r.Win.Line < 2 && r.Surround.Threshold == 0:
		a.Tables = append(a.Tables, "walk")
		a.Walks = 30
		a.WalkLength = 6
	}
	if uses.Has(rules.Drops) {
		a.Tables = append(a.Tables, "hand", "stock")
	} else if r.Pieces.Supply > 0 {
		a.Tables = append(a.Tables, "hand")
	}
	if r.Pieces.Cap > 0 {
		a.Ages = min(r.Pieces.Cap, 3)
		if r.Win.Line > 4 {
			a.Ages = min(a.Ages, 2)
		}
	}
	alike := uses.Only(
		rules.Wraps, rules.LongTurns, rules.FirstTurns, rules.Ages, rules.LeaveAfterWin, rules.LateAges,
		rules.Reuse,
		rules.Supply, rules.Steps, rules.Jumps, rules.Chains, rules.Forced, rules.Returns, rules.Surrounds,
		rules.Removes, rules.Cascades, rules.Lines, rules.ExactLines, rules.LineRegions, rules.LineDirections,
		rules.PlaceRegions,
		rules.Majorities, rules.FullBoards, rules.Repetitions, rules.PlyCaps, rules.Passes, rules.StuckDraws,
		rules.StuckWins,
	)
	a.Colour = !alike || g.Cells() <= 16
	if a.Kinds = g.Kinds(); a.Kinds > 0 {
		a.Colour = !g.Alike()
	}
	return a
}

// Check returns an error that names each mistake.
func (a *Architecture) Check() error {
	for _, t := range a.Tables {
		if !slices.Contains(TableNames(), t) {
			return badTables("tables: unknown table %q%s", t, strict.Suggest(t, TableNames()))
		}
	}
	switch {
	case len(a.Tables) == 0:
		return badTables("expected at least one table")
	case a.Ages < 0 || 2*a.Ages >= maxStates:
		return badTables("ages %d: expected 0 to %d", a.Ages, (maxStates-1)/2)
	case a.Kinds < 0 || a.Kinds > rules.MaxKinds:
		return badTables("kinds %d: expected 0 to %d", a.Kinds, rules.MaxKinds)
	case a.Stages < 0 || a.Stages > 4:
		return badTables("stages %d: expected 0 to 4", a.Stages)
	case a.Walks < 0 || a.Walks > 1000:
		return badTables("walks %d: expected 0 to 1000", a.Walks)
	case a.WalkLength < 0 || a.WalkLength > 9:
		return badTables("walks of %d cells: expected at most 9", a.WalkLength)
	case a.Linear == nil:
		return nil
	case !(a.Linear.Scale >= 1e-3 && a.Linear.Scale <= maxWeight):
		return badTables("linear evaluation: scale %v: expected 0.001 to %g", a.Linear.Scale,
			float64(maxWeight))
	}
	for _, w := range []eval.Weights{a.Linear.Weights, a.Linear.Late, a.Linear.Movement} {
		for name, x := range w {
			if !(math.Abs(x) <= maxWeight) {
				return badTables("linear evaluation: %s %v: expected -%g to %g", name, x,
					float64(maxWeight), float64(maxWeight))
			}
		}
	}
	if err := a.Linear.Check(); err != nil {
		return badTables("linear evaluation: %w", err)
	}
	return nil
}

// fits returns an error if a table has no meaning under the rules of a game.
func (a *Architecture) fits(g *engines.Game) error {
	if g.Mechanics().Has(rules.Seats) {
		return badTables("%s has turn.pie: seats, and tables cannot represent exchanged sides", g.Name())
	}
	shapes := slices.ContainsFunc(a.Tables, func(t string) bool { return strings.HasPrefix(t, "shape") })
	if shapes && g.Mechanics().Any(rules.Wraps, rules.DrawnLines) {
		return badTables("tables: shape needs straight lines with two ends, which %s does not have; use line", g.Name())
	}
	if a.Kinds != g.Kinds() {
		return badTables("kinds %d: %s has %d", a.Kinds, g.Name(), g.Kinds())
	}
	if a.Open && !g.Mechanics().Has(rules.Falling) {
		return badTables("open: true is for games in which pieces fall; those of %s do not", g.Name())
	}
	return nil
}

// symmetries returns the symmetries under which patterns share weights. Architectures with straight lines or blocks
// include symmetries that only the start position breaks. Others do not, so that their layout is that of earlier
// versions.
func (a *Architecture) symmetries(g *engines.Game) [][]engines.Cell {
	if a.has("straight") || a.has("block") {
		return g.PlaySymmetries()
	}
	return g.Symmetries()
}

// buckets returns the number of states of a piece of one side.
func (a *Architecture) buckets() int { return max(a.Ages, a.Kinds, 1) }

// vacant returns the state of an empty cell on which a piece can be placed now.
func (a *Architecture) vacant() int {
	if a.Open {
		return 1 + 2*a.buckets()
	}
	return 0
}

// states returns the number of states of a cell.
func (a *Architecture) states() int { return max(1+2*a.buckets(), a.vacant()+1) }

func (a *Architecture) has(table string) bool { return slices.Contains(a.Tables, table) }

// kind is the way in which the states of a pattern's places give an index.
type kind uint8

const (
	cellsKind kind = iota // every place is a digit in base states
	shapeKind             // like cellsKind, but patterns anywhere on the board share a table
	ringKind              // the state of the first place, and how many of the others each side holds
	handKind              // the numbers of pieces in both hands, of one kind in the table stock
)

// pattern is a list of places whose states select an entry of a table. A place is a cell, a hand, or the pieces of one
// kind in a hand; hands have the numbers after the cells, and kinds those after the hands.
type pattern struct {
	table  string
	kind   kind
	places []int
}

// patterns lists the patterns of an architecture under the rules of a game, in a fixed order.
func (a *Architecture) patterns(g *engines.Game) []pattern {
	var out []pattern
	if a.has("psq") {
		for c := range g.Cells() {
			out = append(out, pattern{"psq", cellsKind, []int{c}})
		}
	}
	add := func(table string, k kind, sets []engines.Bits) {
		if a.has(table) {
			for _, cells := range sets {
				out = append(out, pattern{table, k, places(cells)})
			}
		}
	}
	lines := windows(g)
	add("line", cellsKind, lines)
	add("line+1", cellsKind, longer(lines))
	for _, table := range []string{"shape", "shape+1", "shape+2"} {
		add(table, shapeKind, lines)
		lines = longer(lines)
	}
	add("run", cellsKind, runs(g))
	add("straight", cellsKind, straights(g))
	add("block", cellsKind, blocks(g))
	if a.has("ring") {
		for c := range g.Cells() {
			out = append(out, pattern{"ring", ringKind, append([]int{c}, places(g.Neighbours(engines.Cell(c)))...)})
		}
	}
	if a.has("walk") {
		out = append(out, a.walks(g)...)
	}
	for c, table := g.Cells(), "hand"; c < seats(g); c, table = c+2, "stock" {
		if a.has(table) {
			out = append(out, pattern{table, handKind, []int{c, c + 1}})
		}
	}
	return slices.DeleteFunc(out, func(p pattern) bool { return p.size(a.states(), g) > maxEntries })
}

// size returns the number of entries of a pattern's table, for one context.
func (p *pattern) size(states int, g *engines.Game) int {
	switch p.kind {
	case ringKind:
		return 3 * 81
	case handKind:
		return power(handMost(g)+1, 2)
	}
	return power(states, len(p.places))
}

// power returns n to a power, or the first lower power that is more than maxEntries.
func power(n, exponent int) int {
	out := 1
	for range exponent {
		if out *= n; out > maxEntries {
			return out
		}
	}
	return out
}

// seats returns the number of places.
func seats(g *engines.Game) int { return g.Cells() + 2 + 2*g.Kinds() }

// handMost returns the maximum number of pieces in a hand that tables distinguish.
func handMost(g *engines.Game) int {
	most := g.Rules().Pieces.Supply
	if start := g.NewState(); g.Mechanics().Has(rules.Drops) {
		most = start.Pieces(0).Count() + start.Pieces(1).Count()
	}
	return min(most, 40)
}

func places(b engines.Bits) []int {
	var out []int
	for c := range b.Each {
		out = append(out, int(c))
	}
	return out
}

// windows returns the lines that win for either side, each once, in order.
func windows(g *engines.Game) []engines.Bits {
	var out []engines.Bits
	for side := range 2 {
		for _, w := range g.Windows(side) {
			out = append(out, w.Cells)
		}
	}
	return unique(out)
}

// runs returns all straight runs of three cells, which are relevant if pieces jump.
func runs(g *engines.Game) []engines.Bits {
	var out []engines.Bits
	for c := range g.Cells() {
		for direction := range 8 {
			over := g.Next(engines.Cell(c), direction)
			if over == engines.NoCell {
				continue
			}
			if to := g.Next(over, direction); to != engines.NoCell && to != engines.Cell(c) {
				out = append(out, engines.Bits{}.With(engines.Cell(c)).With(over).With(to))
			}
		}
	}
	return unique(out)
}

// straights returns the straight lines of three or more cells from edge to edge.
func straights(g *engines.Game) []engines.Bits {
	var out []engines.Bits
	for c := range g.Cells() {
		for direction := range 4 {
			line, at := engines.Bits{}, engines.Cell(c)
			if g.Next(at, direction+4) != engines.NoCell {
				continue
			}
			for ; at != engines.NoCell && !line.Has(at); at = g.Next(at, direction) {
				line = line.With(at)
			}
			if line.Count() > 2 {
				out = append(out, line)
			}
		}
	}
	return unique(out)
}

// blocks returns the squares of three by three cells, each a cell with all its eight neighbours.
func blocks(g *engines.Game) []engines.Bits {
	var out []engines.Bits
	for c := range g.Cells() {
		block := engines.Bits{}.With(engines.Cell(c))
		for direction := range 8 {
			if to := g.Next(engines.Cell(c), direction); to != engines.NoCell {
				block = block.With(to)
			}
		}
		if block.Count() == 9 {
			out = append(out, block)
		}
	}
	return unique(out)
}

// longer returns the unions of two lines that have all but one of their cells in common.
func longer(lines []engines.Bits) []engines.Bits {
	var out []engines.Bits
	for i, a := range lines {
		for _, b := range lines[:i] {
			if n := a.Count(); n > 2 && n == b.Count() && a.And(b).Count() == n-1 {
				out = append(out, a.Or(b))
			}
		}
	}
	return unique(out)
}

func unique(sets []engines.Bits) []engines.Bits {
	slices.SortFunc(sets, func(a, b engines.Bits) int {
		return slices.Compare(a.Cells(nil), b.Cells(nil))
	})
	return slices.Compact(sets)
}

// walks returns random walks between neighbouring cells that visit no cell twice, with their images under the
// symmetries and those for the other side.
func (a *Architecture) walks(g *engines.Game) []pattern {
	rng := rand.New(rand.NewPCG(a.WalkSeed, 0x9e3779b97f4a7c15))
	var sets []engines.Bits
	length := a.WalkLength
	for a.Kinds > 0 && power(a.states(), length) > maxEntries {
		length--
	}
	for tries := 0; len(sets) < a.Walks && tries < 100*a.Walks; tries++ {
		at := engines.Cell(rng.IntN(g.Cells()))
		set := engines.Bits{}.With(at)
		for set.Count() < length {
			next := g.Neighbours(at).AndNot(set)
			if next.Empty() {
				break
			}
			at = next.Nth(rng.IntN(next.Count()))
			set = set.With(at)
		}
		if set.Count() == length {
			sets = append(sets, set)
		}
	}
	var all []engines.Bits
	over := g.Exchange()
	for _, p := range a.symmetries(g) {
		for _, set := range sets {
			var image, other engines.Bits
			for c := range set.Each {
				image, other = image.With(p[c]), other.With(over[p[c]])
			}
			all = append(all, image, other)
		}
	}
	var out []pattern
	for _, set := range unique(all) {
		out = append(out, pattern{"walk", cellsKind, places(set)})
	}
	return out
}

// before is a total order of patterns that are equal up to a symmetry. The least pattern of such a group determines the
// weights.

// canonicalTables sorts the tables of a file, so that equal architectures have equal texts.
func canonicalTables(tables []string) []string {
	out := slices.Clone(tables)
	slices.SortFunc(out, func(a, b string) int {
		return cmp.Compare(slices.Index(TableNames(), a), slices.Index(TableNames(), b))
	})
	return slices.Compact(out)
}

// badTables returns an error of the tables of an architecture.
func badTables(format string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrTables, fmt.Errorf(format, args...))
}
