package env

import (
	"cmp"
	"slices"
	"strconv"

	"spar/engines"
	"spar/engines/rules"
)

// ActionCode is the version of the numbering of moves. It must change when the number of any move changes. Version 1
// numbered moves by their cells alone.
const ActionCode = 2

// Coder numbers the moves of a game from 0 without gaps. A move has a number if it is legal for some arrangement
// of pieces on the board. The numbers follow the order of engines.Move: placements of a chosen piece (all O, then
// all X), removals and other placements by cell, steps and jumps by the cells that they lead from and to, then
// stop, swap, pass, the kinds of a promotion, and drops by kind and cell.
type Coder struct{ moves []engines.Move }

// NewCoder returns the coder of a game.
func NewCoder(g *engines.Game) Coder { return Coder{g.PossibleMoves()} }

// Actions returns the number of moves that the coder numbers.
func (c Coder) Actions() int { return len(c.moves) }

// Action returns the number of a move, or -1 if it has none.
func (c Coder) Action(m engines.Move) int {
	if i, ok := slices.BinarySearch(c.moves, m); ok {
		return i
	}
	return -1
}

// Move returns the move with a number, or NoMove if there is none.
func (c Coder) Move(action int) engines.Move {
	if action < 0 || action >= len(c.moves) {
		return engines.NoMove
	}
	return c.moves[action]
}

// Same reports whether two coders number the same moves.
func (c Coder) Same(other Coder) bool { return slices.Equal(c.moves, other.moves) }

// Action is a move with its number.
type Action struct {
	Action int    `json:"action" help:"number of the move under these rules"`
	Move   string `json:"move" help:"the move"`
	Type   string `json:"type" help:"placement, removal, shot, step, jump (captures by replacement, too), promotion, stop, swap or pass"`
	Code   int    `json:"action_code" help:"version of the numbering"`
}

// Actions lists the moves of a game by number.
func Actions(g *engines.Game) []Action {
	c := NewCoder(g)
	out := make([]Action, c.Actions())
	for i, m := range c.moves {
		out[i] = Action{i, g.MoveText(m), moveType(m), ActionCode}
	}
	return out
}

// moveType returns the type of a move, see Action.
func moveType(m engines.Move) string {
	switch {
	case m.IsPlacement():
		return "placement"
	case m.IsRemoval():
		return "removal"
	case m.IsShot():
		return "shot"
	case m.IsJump():
		return "jump"
	case m.From() != engines.NoCell:
		return "step"
	}
	return cmp.Or(map[engines.Move]string{engines.Stop: "stop", engines.Swap: "swap", engines.Pass: "pass"}[m], "promotion")
}

// Planes names the planes of an observation. A plane has one number for each cell, row by row from the top left,
// and shows the pieces from the view of one side. The board is not rotated: row 1 is the first row for both sides.
func Planes(g *engines.Game) []string {
	names := []string{"own", "enemy"}
	if kinds := g.Rules().Kinds; len(kinds) > 0 {
		names = nil
		for _, whose := range []string{"own_", "enemy_"} {
			for _, k := range kinds {
				names = append(names, whose+k.Name)
			}
		}
	}
	if g.Rules().Pieces.Cap > 0 {
		names = append(names, "own_leaves", "enemy_leaves") // 1 = the next to leave, falling towards 0 for the newest
	}
	if chained(g) {
		names = append(names, "chain") // the piece that jumps again, stops, shoots or is promoted
	}
	if g.Mechanics().Has(rules.LateRemovals) {
		names = append(names, "doomed") // pieces that were jumped over and leave when the turn ends
	}
	if g.Mechanics().Has(rules.Blocks) {
		names = append(names, "blocked")
	}
	return names
}

// chained reports whether a piece may act again in the same turn: jump again, shoot, or become another kind.
func chained(g *engines.Game) bool {
	return g.Mechanics().Any(rules.Chains, rules.Blocks, rules.Promotions) ||
		g.Kinds() > 0 && g.Rules().Movement.MultiJump.On()
}

// FillPlanes appends the planes of a position, seen from side, to dst, one plane after the other.
func FillPlanes(dst []float32, s *engines.State, side int) []float32 {
	g := s.Game()
	plane := func() []float32 {
		dst = append(dst, make([]float32, g.Cells())...)
		return dst[len(dst)-g.Cells():]
	}
	sides := [2]int{side, 1 - side}
	mark := func(b engines.Bits) {
		cells := plane()
		for c := range b.Each {
			cells[c] = 1
		}
	}
	for _, side := range sides {
		for kind := range g.Kinds() {
			mark(s.OfKind(side, kind))
		}
		if g.Kinds() == 0 {
			mark(s.Pieces(side))
		}
	}
	if g.Rules().Pieces.Cap > 0 {
		var room [engines.CellSpace]engines.Cell
		for _, side := range sides {
			cells, ages := plane(), s.Ages(side, room[:0])
			for i, c := range ages {
				cells[c] = float32(len(ages)-i) / float32(len(ages))
			}
		}
	}
	if chained(g) {
		if cells := plane(); s.Chain() != engines.NoCell {
			cells[s.Chain()] = 1
		}
	}
	if g.Mechanics().Has(rules.LateRemovals) {
		mark(s.Doomed())
	}
	if g.Mechanics().Has(rules.Blocks) {
		mark(s.Blocked())
	}
	return dst
}

// AppendPlanes appends the planes of a position, seen from side, to dst as one JSON array.
func AppendPlanes(dst []byte, s *engines.State, side int) []byte {
	var room [5 * 128]float32
	return AppendNumbers(dst, FillPlanes(room[:0], s, side))
}

// extra is a number of an observation outside the planes.
type extra struct {
	name string
	of   func(s *engines.State, side int) int
	uses rules.Mechanics // present if the rules use one of these mechanics; if empty, always present
}

func extras(g *engines.Game) []extra {
	truth := func(of func(s *engines.State) bool) func(*engines.State, int) int {
		return func(s *engines.State, _ int) int {
			if of(s) {
				return 1
			}
			return 0
		}
	}
	var always rules.Mechanics
	hands := rules.MechanicsOf(rules.Supply, rules.Returns, rules.Drops)
	all := []extra{
		{"second_to_move", func(s *engines.State, _ int) int { return s.Side() }, always},
		{"placements_left", func(s *engines.State, _ int) int { return s.PliesLeft() }, always},
		{"ply", func(s *engines.State, _ int) int { return s.Ply() }, always},
		{"own_hand", func(s *engines.State, side int) int { return s.Hand(side) }, hands},
		{"enemy_hand", func(s *engines.State, side int) int { return s.Hand(1 - side) }, hands},
		{"moving", truth((*engines.State).Moving), hands},
		{"taking", truth((*engines.State).Taking), rules.MechanicsOf(rules.Mills)},
		{"promoting", truth((*engines.State).Promoting), rules.MechanicsOf(rules.Promotions)},
		{"shooting", truth((*engines.State).Shooting), rules.MechanicsOf(rules.Blocks)},
		{"may_swap", truth((*engines.State).MaySwap), rules.MechanicsOf(rules.Pie)},
		{"passed", truth((*engines.State).Passed), rules.MechanicsOf(rules.Passes)},
		{
			"own_captures",
			func(s *engines.State, side int) int { return s.Captures(side) },
			rules.MechanicsOf(rules.CaptureWins),
		},
		{
			"enemy_captures",
			func(s *engines.State, side int) int { return s.Captures(1 - side) },
			rules.MechanicsOf(rules.CaptureWins),
		},
		{
			"sides_exchanged",
			truth((*engines.State).Traded),
			rules.MechanicsOf(rules.Seats),
		}, // after a swap of turn.pie: seats
	}
	for kind, k := range g.Rules().Kinds {
		for i, whose := range []string{"own_hand_", "enemy_hand_"} {
			all = append(all, extra{
				whose + k.Name, func(s *engines.State, side int) int { return s.Stock(side^i, kind) },
				rules.MechanicsOf(rules.Drops),
			})
		}
	}
	return slices.DeleteFunc(all, func(e extra) bool {
		return e.uses != always && !g.Mechanics().Any(e.uses)
	})
}

// Extras names the numbers of an observation that do not belong to a plane.
func Extras(g *engines.Game) []string {
	var names []string
	for _, e := range extras(g) {
		names = append(names, e.name)
	}
	return names
}

// FillExtras appends the extra numbers of a position, seen from side, to dst.
func FillExtras(dst []float32, s *engines.State, side int) []float32 {
	for _, e := range extras(s.Game()) {
		dst = append(dst, float32(e.of(s, side)))
	}
	return dst
}

// AppendExtras appends the extra numbers of a position, seen from side, to dst as one JSON array.
func AppendExtras(dst []byte, s *engines.State, side int) []byte {
	var room [16]float32
	return AppendNumbers(dst, FillExtras(room[:0], s, side))
}

// AppendNumbers appends numbers to dst as one JSON array. Fractions have four digits.
func AppendNumbers(dst []byte, numbers []float32) []byte {
	dst = append(dst, '[')
	for i, x := range numbers {
		if i > 0 {
			dst = append(dst, ',')
		}
		switch n := int(x); {
		case float32(n) != x:
			dst = strconv.AppendFloat(dst, float64(x), 'g', 4, 32)
		case 0 <= n && n < 10:
			dst = append(dst, byte('0'+n))
		default:
			dst = strconv.AppendInt(dst, int64(n), 10)
		}
	}
	return append(dst, ']')
}
