package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"spar/configs/strict"
	"spar/engines/grid"
)

// MaxKinds is the maximum number of kinds of pieces.
const MaxKinds = 8

// Kind is a kind of piece. The parts that it states replace those of the rules. Rules.Movement states what concerns a
// whole turn, for all kinds: multi_jump, forced_capture, captured and captured_leave.
type Kind struct {
	// Name of the kind, like king: 2 to 16 small letters.
	Name string `yaml:"name" json:"name" jsonschema:"required"`
	// Letter of the kind in setup and in texts of positions: a small letter other than x. Default: the first letter
	// of the name.
	Letter string `yaml:"letter,omitempty" json:"letter,omitempty"`
	// How pieces of this kind move; replaces the movement of the rules.
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
				refuse(r.KindNamed(name) >= 0 && !r.stands(enemy, name), path,
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

// stands reports whether a side has a piece of a kind in the setup.
func (r *Rules) stands(side int, name string) bool {
	k := r.KindNamed(name)
	return k >= 0 && strings.IndexByte(strings.Join(r.Setup, ""), r.Kinds[k].Sign(side)) >= 0
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
		marks := k.Sign(grid.Second) == 'x'
		refuse(odd, path, "%q: expected one small letter", k.Letter)
		refuse(marks, path, "x marks a capture in the text of a move: choose another letter")
		ok = ok && !odd && !marks
	}
	return ok
}

// validateKinds returns errors about kinds of pieces, and about what their path cannot play.
func validateKinds(r *Rules, refuse refuser) {
	var names []string
	second := r.Of(grid.Second)
	for _, k := range r.Kinds {
		names = append(names, k.Name)
	}
	refuse(len(r.Kinds) > MaxKinds, "kinds", "%d kinds: expected at most %d", len(r.Kinds), MaxKinds)
	known := func(path, name string) {
		refuse(name != "" && !slices.Contains(names, name), path,
			"no kind is called %q%s", name, strict.Suggest(name, names))
	}
	t := grid.New(r.Board)
	var groups []string
	for i, g := range r.Cells {
		groups = append(groups, g.Name)
		refuse(slices.Index(groups, g.Name) < i, fmt.Sprintf("cells[%d].name", i),
			"two groups are called %q: rename one", g.Name)
		for j := range g.At {
			refuse(t.Region(g.At[j:j+1], grid.First).Empty(), fmt.Sprintf("cells[%d].at[%d]", i, j),
				"%q is not a cell of the board", g.At[j])
		}
	}
	grouped := func(path string, names []string) {
		for _, name := range names {
			refuse(!slices.Contains(groups, name), path,
				"no group of cells is called %q%s", name, strict.Suggest(name, groups))
		}
	}
	grouped("custodian.hostile", r.Custodian.Hostile)
	grouped("turn.spares", r.Turn.Spares)
	block := r.Turn.Block
	refuse(block.IsZero() && len(r.Turn.Spares) > 0, "turn.spares", "this key needs turn.block")
	refuse(!block.IsZero() && !r.Moves(), "turn.block", "pieces do not move: set movement")
	for name, on := range inOrder(map[string]bool{
		"movement.capture":        r.anyMovement(func(m *Movement) bool { return m.Capture }),
		"movement.captured_leave": !r.Movement.CapturedLeave.IsZero() || !second.Movement.CapturedLeave.IsZero(),
		"movement.forced_capture": r.Movement.ForcedCapture == "most" || second.Movement.ForcedCapture == "most",
	}) {
		refuse(on && r.Mechanics().Has(LineCaptures), name,
			"movement.line_capture cannot be combined with capture, captured_leave or "+
				"forced_capture: most")
	}
	ends := func(m *Movement) bool { return m.ToEnd || m.PassOwn || !m.Distance.IsZero() }
	refuse(block == "shot" && r.anyMovement(ends), "turn.block",
		"a shot goes any distance over empty cells; remove to_end, pass_own and distance, or set turn.block: anywhere")
	refuse(block == "left" && (r.Movement.MultiJump == "must" || r.Movement.ForcedCapture == "most"), "turn.block",
		"block: left changes which captures a chain can make; remove multi_jump: must and forced_capture: most")
	encloses := !r.Custodian.Effect.IsZero()
	word := func(s string) bool { return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz") == "" }
	for i, k := range r.Kinds {
		path := fmt.Sprintf("kinds[%d].", i)
		refuse(!word(k.Name) || len(k.Name) < 2 || len(k.Name) > 16, path+"name",
			"%q: expected 2 to 16 lowercase letters", k.Name)
		refuse(slices.Index(names, k.Name) < i, path+"name", "two kinds are called %q: rename one", k.Name)
		if !word(k.Name) {
			continue
		}
		for _, other := range r.Kinds[:i] {
			refuse(word(other.Name) && other.Sign(0) == k.Sign(0), path+"letter",
				"%s and %s have the same letter: choose another", other.Name, k.Name)
		}
		known(path+"in_hand", k.InHand)
		for j := range k.NoDrops {
			refuse(t.Region(k.NoDrops[j:j+1], grid.First).Empty(), fmt.Sprintf("%sno_drops[%d]", path, j),
				"%q names no cell of this board: expected far, near, left, right or a cell from a1 to "+
					"%s", k.NoDrops[j], t.LastName())
		}
		refuse((k.InHand != "" || len(k.NoDrops) > 0) && r.Movement.Captured != switchToHand, path+"in_hand",
			"in_hand and no_drops need movement.captured: %s", switchToHand)
		grouped(path+"avoids", k.Avoids)
		grouped(path+"passes", k.Passes)
		grouped(path+"beside", k.Beside)
		for _, name := range k.Passes {
			refuse(!slices.Contains(k.Avoids, name), path+"passes",
				"the group %s is not in avoids; list only groups from there", name)
		}
		refuse(k.Sides != 0 && k.Sides != 2 && k.Sides != 4, path+"sides", "%d: expected 2 or 4", k.Sides)
		refuse(k.Sides == 4 && !encloses, path+"sides", "sides: 4 needs custodian.effect")
		refuse(len(k.Beside) > 0 && k.Sides != 4, path+"beside", "this key needs sides: 4")
		refuse(!k.Encloses.IsZero() && !encloses, path+"encloses", "this key needs custodian.effect")
		if m := k.Movement; m != nil {
			for name, on := range inOrder(map[string]bool{
				"multi_jump": m.MultiJump.On(), "forced_capture": m.ForcedCapture.On(),
				"captured":       m.Captured != "" && m.Captured != "remove" && m.Captured != r.Movement.Captured,
				"captured_leave": !m.CapturedLeave.IsZero(),
			}) {
				refuse(on, path+"movement."+name, "%s applies to whole turns; state it in the main movement section", name)
			}
		}
		if p := k.Promotes; p != nil {
			path += "promotes."
			refuse(k.Name == r.Win.Mate || k.Name == second.Win.Mate, path+"to",
				"win.mate names the %s, so it cannot become another kind", k.Name)
			refuse(len(p.To) == 0, path+"to", "expected the kinds that the piece can become")
			for j, to := range p.To {
				known(fmt.Sprintf("%sto[%d]", path, j), to)
				at := r.KindNamed(to)
				refuse(at >= 0 && to != k.Name && r.Kinds[at].Promotes != nil, fmt.Sprintf("%sto[%d]", path, j),
					"a %s can itself be promoted, but a piece can be promoted only once", to)
				refuse(to == r.Win.Mate || to == second.Win.Mate, fmt.Sprintf("%sto[%d]", path, j),
					"win.mate names the %s, so no piece can become one", to)
				refuse(to == k.Name, fmt.Sprintf("%sto[%d]", path, j), "a %s that becomes a %s changes nothing", to, to)
				refuse(slices.Index(p.To, to) < j, fmt.Sprintf("%sto[%d]", path, j), "%s is stated twice", to)
			}
			refuse(p.Cells(&t, 0).Empty() || p.Cells(&t, 1).Empty(), path+"on",
				"%v names no cell of this board for one of the players: expected far, near, left, right or cells "+
					"from a1 to %s", p.On, t.LastName())
			refuse(p.When == "arrives" && len(p.To) > 1 && r.Movement.MultiJump.On(), path+"to",
				"while a piece may jump again, its player cannot choose a kind; give one kind, or set when: stops")
		}
	}
	for _, of := range []struct {
		prefix string
		w      *Win
	}{{"", &r.Win}, {"second.", &second.Win}} {
		if of.prefix != "" && (r.Second == nil || r.Second.Win == nil) {
			continue
		}
		known(of.prefix+"win.take", of.w.Take)
		known(of.prefix+"win.mate", of.w.Mate)
		known(of.prefix+"win.reach_kind", of.w.ReachKind)
		refuse(of.w.ReachKind != "" && len(of.w.Reach) == 0, of.prefix+"win.reach_kind", "this key needs win.reach")
		refuse(of.w.ReachSafe && len(of.w.Reach) == 0, of.prefix+"win.reach_safe", "this key needs win.reach")
	}
	refuse(len(r.Kinds) > 0 && len(r.Setup) == 0, "kinds", "there are no pieces: add a setup")
	used := r.Mechanics().MinusAllBut(PieceMechanics())
	if used == (Mechanics{}) {
		return
	}
	kept := func(m *Movement) bool {
		return m.takes() && m.Captured != "remove" && m.Captured != switchToHand
	}
	refuse(used.Has(Drops) && second.Movement.Captured != r.Movement.Captured, "second.movement.captured",
		"%s applies to both players; state the same in movement and second.movement", switchToHand)
	no := map[string]bool{
		"turn.pie": r.Turn.Pie == PieStones, "turn.placements": r.Turn.Placements > 1,
		"turn.first_turn": max(r.Turn.FirstTurn, r.FirstTurn(1)) > max(1, r.Turn.Placements),
		"pieces.supply":   r.Pieces.Supply+second.Pieces.Supply > 0, "custodian.effect": r.Custodian.Effect == "flip",
		"second.movement":   len(r.Kinds) > 0 && r.Second != nil && r.Second.Movement != nil,
		"movement.clone":    r.AnyKind(func(m *Movement) bool { return m.Clone }) || second.Movement.Clone,
		"movement.fly":      r.AnyKind(func(m *Movement) bool { return m.Fly > 0 }) || second.Movement.Fly > 0,
		"movement.straight": r.AnyKind(func(m *Movement) bool { return m.Straight }) || second.Movement.Straight,
		"movement.captured": r.anyMovement(kept),
		"movement.jump_over": r.AnyKind(func(m *Movement) bool { return !m.JumpOver.IsZero() }) ||
			!second.Movement.JumpOver.IsZero(),
	}
	for _, path := range strings.Fields("board.wrap placement.gravity placement.opening pieces.cap pieces.owner " +
		"surround.threshold custodian.must mill.line") {
		no[path] = r.set(path)
	}
	with := strings.NewReplacer("kinds (in part)", "kinds",
		"multi_jump (in part)", "multi_jump: must", "forced_capture (in part)",
		"forced_capture: most", "captured (in part)", "captured: "+switchToHand, "directions (in part)",
		"compass directions").Replace(used.String())
	use := map[string]string{
		"placement.opening": "opening: []", "turn.pie": "pie: seats",
		"custodian.effect": "effect: remove", "movement.captured": "captured: remove or " + switchToHand,
		"second.movement": "the movement of each kind, which holds for both players",
	}
	for name, on := range inOrder(no) {
		value, _ := KnobAt(DefaultRules(), name)
		refuse(on, name, "not allowed with %s; use %s", with, cmp.Or(use[name], name[strings.Index(name, ".")+1:]+": "+value))
	}
	goal, path := "mate", "win.mate"
	switch {
	case r.Win.Mate != "" || second.Win.Mate != "":
	case used.Has(SafeReaches):
		goal, path = "reach_safe", "win.reach_safe"
	default:
		return
	}
	jumps := func(m *Movement) bool { return m.Capture }
	for _, no := range []struct {
		on   bool
		what string
	}{
		{used.Any(LineSteps, PassOwns, Exits, LineCaptures), "movement.distance, pass_own, exits or line_capture"},
		{used.Has(Blocks), "turn.block"},
		{encloses || used.Has(Closed), "custodian or kinds[].avoids"},
		{r.anyMovement(jumps), "movement.capture, because pieces that are jumped over are not attacked as in chess"},
		{len(r.Board.Lines) > 0, "board.lines"},
	} {
		refuse(no.on, path, "%s cannot be combined with %s", goal, no.what)
	}
}
