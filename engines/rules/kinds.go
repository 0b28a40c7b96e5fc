package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"spar/engines/grid"
)

// MaxKinds is the maximum number of kinds of pieces.
const MaxKinds = 8

// Kind is a kind of piece. The parts that it states replace those of the rules.
type Kind struct {
	// Name of the kind, like king: 2 to 16 small letters.
	Name string `yaml:"name" json:"name" jsonschema:"required"`
	// Letter of the kind in setup and in texts of positions: a small letter other than x. Default: the first letter
	// of the name.
	Letter string `yaml:"letter,omitempty" json:"letter,omitempty"`
	// How pieces of this kind move; replaces the movement of the rules, which alone states multi_jump, forced_capture,
	// captured and captured_leave.
	Movement *Movement `yaml:"movement,omitempty" json:"movement,omitempty"`
	// Groups of cells on which a piece of this kind cannot end a move, and over which it cannot go.
	Avoids []string `yaml:"avoids,omitempty" json:"avoids,omitempty"`
	// Those groups of avoids over which such a piece can go while they are empty.
	Passes []string `yaml:"passes,omitempty" json:"passes,omitempty"`
	// Number of sides on which custodian must enclose such a piece: 2, in a line (default), or 4, along row and
	// column.
	Sides int `yaml:"sides,omitempty" json:"sides,omitempty" jsonschema:"minimum=2,maximum=4"`
	// Groups of cells on or next to which (along row and column) sides: 4 applies; elsewhere two sides are enough.
	Beside []string `yaml:"beside,omitempty" json:"beside,omitempty"`
	// helps: a move of such a piece captures nothing by custodian, but the piece helps others to capture; never: it
	// neither captures nor helps.
	Encloses Word `yaml:"encloses,omitempty" json:"encloses,omitzero" jsonschema:"enum=always,enum=helps,enum=never"`
	// Kind that such a piece becomes in its captor's hand, with movement.captured: switch_to_hand. Default: its own
	// kind.
	InHand string `yaml:"in_hand,omitempty" json:"in_hand,omitempty"`
	// Where a piece of this kind cannot be dropped from the hand: far, near, left, right or cells, as in win.reach.
	NoDrops []string `yaml:"no_drops,omitempty" json:"no_drops,omitempty"`
	// Where a piece of this kind becomes another kind.
	Promotes *Promotion `yaml:"promotes,omitempty" json:"promotes,omitempty"`
}

// CellGroup is a group of cells with a name.
type CellGroup struct {
	// Name of the group, like throne.
	Name string `yaml:"name" json:"name" jsonschema:"required"`
	// Cells of the group; far, near, left and right are the edges as the first player sees them.
	At []string `yaml:"at" json:"at" jsonschema:"required"`
}

// Group returns the cells of the named groups. It skips unknown names.
func (r *Rules) Group(t *grid.Grid, names []string) (cells grid.Bits) {
	for _, g := range r.Cells {
		if slices.Contains(names, g.Name) {
			cells = cells.Or(t.Region(g.At, grid.First))
		}
	}
	return cells
}

// anyOf returns a condition on rules that holds if it holds for one of the kinds.
func anyOf(holds func(k Kind) bool) func(r *Rules) bool {
	return func(r *Rules) bool { return slices.ContainsFunc(r.Kinds, holds) }
}

// Promotion says where a piece becomes another kind of piece.
type Promotion struct {
	// Where the piece becomes another kind: far, near, left, right or cells, as in win.reach. Default: far.
	On []string `yaml:"on,omitempty" json:"on,omitempty"`
	// Kinds that the piece can become; if there are several, its player chooses.
	To []string `yaml:"to" json:"to,omitempty" jsonschema:"required"`
	// turn_end: if the turn ends there; arrives: at once, and the piece may jump again as its new kind; stops: at
	// once, and the turn ends.
	When Word `yaml:"when,omitempty" json:"when,omitzero" jsonschema:"enum=turn_end,enum=arrives,enum=stops"`
}

// Cells returns the cells on which a side's piece becomes another kind.
func (p *Promotion) Cells(t *grid.Grid, side int) grid.Bits {
	if len(p.On) == 0 {
		return t.Region([]string{"far"}, side)
	}
	return t.Region(p.On, side)
}

// Sign returns the letter of a kind: upper case for the first player.
func (k *Kind) Sign(side int) byte {
	letter := cmp.Or(k.Letter, k.Name+"?")[0]
	if side == grid.First {
		letter -= 'a' - 'A'
	}
	return letter
}

// KindNamed returns the index of the kind with the given name, or -1 if there is none.
func (r *Rules) KindNamed(name string) int {
	return slices.IndexFunc(r.Kinds, func(k Kind) bool { return k.Name == name })
}

// KindAt returns the side and the kind that a letter of the setup means. Without kinds, X and O have the kind 0.
func (r *Rules) KindAt(letter byte) (side, kind int, ok bool) {
	if len(r.Kinds) == 0 {
		side = strings.IndexByte(grid.Letters, letter)
		return side, 0, side >= 0
	}
	for side := range 2 {
		for i := range r.Kinds {
			if r.Kinds[i].Sign(side) == letter {
				return side, i, true
			}
		}
	}
	return 0, 0, false
}

// Owners returns the setup with X and O in place of the letters of kinds.
func (r *Rules) Owners() []string {
	if len(r.Kinds) == 0 {
		return r.Setup
	}
	rows := make([]string, len(r.Setup))
	for i, row := range r.Setup {
		rows[i] = strings.Map(func(c rune) rune {
			if side, _, ok := r.KindAt(byte(c)); ok {
				return rune(grid.Letters[side])
			}
			return c
		}, row)
	}
	return rows
}

// MovementOf returns how pieces of a kind move; without kinds, how all pieces move.
func (r *Rules) MovementOf(kind int) Movement {
	m := r.Movement
	if kind < len(r.Kinds) && r.Kinds[kind].Movement != nil {
		m = *r.Kinds[kind].Movement
		m.Steps, m.JumpOver = cmp.Or(m.Steps, "none"), cmp.Or(m.JumpOver, "enemy")
		m.MultiJump = r.Movement.MultiJump
		m.ForcedCapture = r.Movement.ForcedCapture
		m.Captured = r.Movement.Captured
		m.CapturedLeave = r.Movement.CapturedLeave
	}
	return m
}

// AnyKind reports whether a condition holds for the movement of at least one kind.
func (r *Rules) AnyKind(holds func(m *Movement) bool) bool {
	for i := range max(1, len(r.Kinds)) {
		if m := r.MovementOf(i); holds(&m) {
			return true
		}
	}
	return false
}

// anyMovement is AnyKind for the pieces of either player.
func (r *Rules) anyMovement(holds func(m *Movement) bool) bool {
	return r.either(func(r *Rules) bool { return r.AnyKind(holds) })
}

// BlocksAll reports whether every turn blocks one more cell, so that every game ends.
func (r *Rules) BlocksAll() bool {
	turns := func(m *Movement) bool { return len(m.Directions) > 0 || len(m.Leaps) > 0 || m.takes() }
	return len(r.Turn.Spares) == 0 && (r.Turn.Block == "anywhere" || r.Turn.Block == "left" ||
		r.Turn.Block == "shot" && !r.anyMovement(turns))
}

// PieceMechanics returns the mechanics that only the code for kinds of pieces supports, even in games without kinds.
func PieceMechanics() Mechanics { return MechanicsOf(AnyKinds(), LineCaptures) }

// AnyKinds returns PieceMechanics without LineCaptures.
func AnyKinds() Mechanics {
	return MechanicsOf(Kinds, Promotions, SlideTakes, LeapTakes, LongJumps,
		LateRemovals, FirstSteps, MustChains, Closed, Surrounded, Helpers, HostileCells,
		MostCaptures, KindTakes, Mates, KindReaches, ToEnds, LineSteps,
		PassOwns, Exits, Compass, Blocks, Spared, Drops, SafeReaches)
}

// kindKnobs describes the knobs of kinds and of what they need.
func kindKnobs() []knob {
	return []knob{
		{
			path: "kinds", needs: "setup movement board win",
			uses: []use{
				{Kinds, nil},
				{Promotions, anyOf(func(k Kind) bool { return k.Promotes != nil })},
				{Closed, anyOf(func(k Kind) bool { return len(k.Avoids) > 0 })},
				{Surrounded, anyOf(func(k Kind) bool { return k.Sides == 4 })},
				{Helpers, anyOf(func(k Kind) bool { return !k.Encloses.IsZero() })},
			},
		},
		{path: "turn.block", needs: "movement kinds", uses: when(Blocks)},
		{path: "turn.spares", under: "turn.block", needs: "turn.block cells", uses: when(Spared)},
		{path: "cells", needs: "board"},
		{path: "custodian.hostile", under: "custodian.effect", needs: "cells", uses: when(HostileCells)},
		{path: "movement.directions", uses: []use{
			{Directions, nil},
			{Compass, func(r *Rules) bool { return r.Movement.compass() }},
		}},
		{path: "movement.to_end", uses: when(ToEnds)},
		{path: "movement.distance", uses: when(LineSteps)},
		{path: "movement.pass_own", uses: when(PassOwns)},
		{path: "movement.line_capture", uses: when(LineCaptures)},
		{path: "movement.exits", uses: when(Exits)},
		{path: "movement.take_slide", uses: when(SlideTakes)},
		{path: "movement.take_leaps", uses: when(LeapTakes)},
		{path: "movement.long_jumps", uses: when(LongJumps)},
		{path: "movement.captured_leave", uses: when(LateRemovals)},
		{path: "movement.first.rows"},
		{
			path: "movement.first.steps",
			uses: when(FirstSteps, func(r *Rules) bool { return r.Movement.First.Rows > 0 && r.Movement.First.Steps > 1 }),
		},
		{path: "win.reach_kind", under: "win.reach", needs: "kinds", uses: when(KindReaches)},
		{
			path: "win.reach_safe", under: "win.reach", needs: "win.reach movement kinds",
			uses: when(SafeReaches),
		},
	}
}

// kindGoals returns the goals about kinds of pieces.
func kindGoals() []Goal {
	check := func(path string, of func(w *Win) string) func(*Rules, *grid.Grid, []int, refuser) {
		return func(r *Rules, _ *grid.Grid, enemies []int, refuse refuser) {
			name := of(&r.Win)
			for _, enemy := range enemies {
				k := r.KindNamed(name)
				refuse(k >= 0 && strings.IndexByte(strings.Join(r.Setup, ""), r.Kinds[k].Sign(enemy)) < 0, path,
					"the enemy has no %s in the setup, so this goal cannot be reached", name)
			}
		}
	}
	return []Goal{
		{
			Path: "win.take", Reason: "taken", Mechanic: KindTakes, Ends: "the loss of the decisive kind of piece", Owned: true,
			Order:  "a player who loses the last piece of the decisive kind loses",
			Did:    "took the last piece of the decisive kind",
			causes: "kinds setup", check: check("win.take", func(w *Win) string { return w.Take }),
		},
		{
			Path: "win.mate", Reason: "mate", Mechanic: Mates, Ends: "mate", Owned: true,
			Order: "mate wins", Did: "gave mate",
			causes: "kinds setup", check: check("win.mate", func(w *Win) string { return w.Mate }),
		},
	}
}

// validateMovements checks how pieces move, for each kind.
func validateMovements(r *Rules, refuse refuser) {
	if len(r.Kinds) == 0 {
		validateMovement(r, refuse)
		return
	}
	jumps := r.AnyKind((*Movement).chains)
	refuse(r.Movement.MultiJump.On() && !jumps, "movement.multi_jump",
		"this key needs a kind with capture: true or line_capture")
	refuse(r.Movement.ForcedCapture.On() && !r.takes(), "movement.forced_capture",
		"this key needs a kind that captures")
	refuse(r.set("movement.captured_leave") && !r.set("movement.multi_jump"), "movement.captured_leave",
		"this key needs movement.multi_jump")
	for i := range r.Kinds {
		own := *r
		own.Movement, own.Kinds = r.MovementOf(i), nil
		own.Movement.MultiJump, own.Movement.ForcedCapture, own.Movement.CapturedLeave = "false", "false", "at_once"
		validateMovement(&own, func(bad bool, path, format string, args ...any) {
			if r.Kinds[i].Movement != nil {
				path = fmt.Sprintf("kinds[%d].%s", i, path)
			}
			refuse(bad, path, format, args...)
		})
	}
}

// validateLetters reports whether each kind has a letter that a setup can use.
func validateLetters(r *Rules, refuse refuser) bool {
	ok := true
	for i, k := range r.Kinds {
		path := fmt.Sprintf("kinds[%d].letter", i)
		odd := k.Letter != "" && (len(k.Letter) != 1 || k.Letter < "a" || k.Letter > "z")
		sign := k.Sign(grid.Second)
		marks := sign == 'x'
		refuse(odd, path, "%q: expected one small letter", k.Letter)
		refuse(marks, path, "x marks a capture in the text of a move: choose another letter")
		ok = ok && !odd && !marks && sign >= 'a' && sign <= 'z' // validateKinds checks names
	}
	return ok
}
