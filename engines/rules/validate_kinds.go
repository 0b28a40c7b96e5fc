package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"spar/configs/strict"
	"spar/engines/grid"
)

// kindChecker finds mistakes in rules with kinds of pieces, and in those that play by the same code.
type kindChecker struct {
	*Rules
	second        Rules // what holds for the second player
	t             grid.Grid
	names, groups []string // of the kinds, and of the groups of cells
	refuse        refuser
}

// validateKinds returns errors about kinds of pieces, and about what their path cannot play.
func validateKinds(r *Rules, refuse refuser) {
	c := kindChecker{Rules: r, second: r.Of(grid.Second), t: grid.New(r.Board), refuse: refuse}
	for _, k := range r.Kinds {
		c.names = append(c.names, k.Name)
	}
	refuse(len(r.Kinds) > MaxKinds, "kinds", "%d kinds: expected at most %d", len(r.Kinds), MaxKinds)
	c.cells()
	c.turns()
	for i, k := range r.Kinds {
		c.kind(i, &k)
	}
	c.goals()
	refuse(len(r.Kinds) > 0 && len(r.Setup) == 0, "kinds", "there are no pieces: add a setup")
	if used := r.Mechanics().MinusAllBut(PieceMechanics()); used != (Mechanics{}) {
		c.unsupported(used)
		c.mates(used)
	}
}

func (c *kindChecker) known(path, name string) {
	c.refuse(name != "" && !slices.Contains(c.names, name), path,
		"no kind is called %q%s", name, strict.Suggest(name, c.names))
}

func (c *kindChecker) grouped(path string, names []string) {
	for _, name := range names {
		c.refuse(!slices.Contains(c.groups, name), path,
			"no group of cells is called %q%s", name, strict.Suggest(name, c.groups))
	}
}

func (c *kindChecker) encloses() bool { return !c.Custodian.Effect.IsZero() }

// cells checks the groups of cells, and what names them outside kinds.
func (c *kindChecker) cells() {
	for i, g := range c.Cells {
		c.groups = append(c.groups, g.Name)
		c.refuse(slices.Index(c.groups, g.Name) < i, fmt.Sprintf("cells[%d].name", i),
			"two groups are called %q: rename one", g.Name)
		for j := range g.At {
			c.refuse(c.t.Region(g.At[j:j+1], grid.First).Empty(), fmt.Sprintf("cells[%d].at[%d]", i, j),
				"%q is not a cell of the board", g.At[j])
		}
	}
	c.grouped("custodian.hostile", c.Custodian.Hostile)
	c.grouped("turn.spares", c.Turn.Spares)
}

// turns checks shots, and the captures that a turn must make.
func (c *kindChecker) turns() {
	block := c.Turn.Block
	c.refuse(block.IsZero() && len(c.Turn.Spares) > 0, "turn.spares", "this key needs turn.block")
	c.refuse(!block.IsZero() && !c.Moves(), "turn.block", "pieces do not move: set movement")
	for name, on := range inOrder(map[string]bool{
		"movement.capture":        c.anyMovement(func(m *Movement) bool { return m.Capture }),
		"movement.captured_leave": !c.Movement.CapturedLeave.IsZero() || !c.second.Movement.CapturedLeave.IsZero(),
		"movement.forced_capture": c.Movement.ForcedCapture == "most" || c.second.Movement.ForcedCapture == "most",
	}) {
		c.refuse(on && c.Mechanics().Has(LineCaptures), name,
			"movement.line_capture cannot be combined with capture, captured_leave or "+
				"forced_capture: most")
	}
	ends := func(m *Movement) bool { return m.ToEnd || m.PassOwn || !m.Distance.IsZero() }
	c.refuse(block == "shot" && c.anyMovement(ends), "turn.block",
		"a shot goes any distance over empty cells; remove to_end, pass_own and distance, or set turn.block: anywhere")
	c.refuse(block == "left" && (c.Movement.MultiJump == "must" || c.Movement.ForcedCapture == "most"), "turn.block",
		"block: left changes which captures a chain can make; remove multi_jump: must and forced_capture: most")
}

func (c *kindChecker) kind(i int, k *Kind) {
	word := func(s string) bool { return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz") == "" }
	path := fmt.Sprintf("kinds[%d].", i)
	c.refuse(!word(k.Name) || len(k.Name) < 2 || len(k.Name) > 16, path+"name",
		"%q: expected 2 to 16 lowercase letters", k.Name)
	c.refuse(slices.Index(c.names, k.Name) < i, path+"name", "two kinds are called %q: rename one", k.Name)
	if !word(k.Name) {
		return
	}
	for _, other := range c.Kinds[:i] {
		c.refuse(word(other.Name) && other.Sign(0) == k.Sign(0), path+"letter",
			"%s and %s have the same letter: choose another", other.Name, k.Name)
	}
	c.known(path+"in_hand", k.InHand)
	for j := range k.NoDrops {
		c.refuse(c.t.Region(k.NoDrops[j:j+1], grid.First).Empty(), fmt.Sprintf("%sno_drops[%d]", path, j),
			"%q names no cell of this board: expected far, near, left, right or a cell from a1 to "+
				"%s", k.NoDrops[j], c.t.LastName())
	}
	c.refuse((k.InHand != "" || len(k.NoDrops) > 0) && c.Movement.Captured != switchToHand, path+"in_hand",
		"in_hand and no_drops need movement.captured: %s", switchToHand)
	c.grouped(path+"avoids", k.Avoids)
	c.grouped(path+"passes", k.Passes)
	c.grouped(path+"beside", k.Beside)
	for _, name := range k.Passes {
		c.refuse(!slices.Contains(k.Avoids, name), path+"passes",
			"the group %s is not in avoids; list only groups from there", name)
	}
	c.refuse(k.Sides != 0 && k.Sides != 2 && k.Sides != 4, path+"sides", "%d: expected 2 or 4", k.Sides)
	c.refuse(k.Sides == 4 && !c.encloses(), path+"sides", "sides: 4 needs custodian.effect")
	c.refuse(len(k.Beside) > 0 && k.Sides != 4, path+"beside", "this key needs sides: 4")
	c.refuse(!k.Encloses.IsZero() && !c.encloses(), path+"encloses", "this key needs custodian.effect")
	if m := k.Movement; m != nil {
		for name, on := range inOrder(map[string]bool{
			"multi_jump": m.MultiJump.On(), "forced_capture": m.ForcedCapture.On(),
			"captured":       m.Captured != "" && m.Captured != "remove" && m.Captured != c.Movement.Captured,
			"captured_leave": !m.CapturedLeave.IsZero(),
		}) {
			c.refuse(on, path+"movement."+name, "%s applies to whole turns; state it in the main movement section", name)
		}
	}
	if k.Promotes != nil {
		c.promotion(path+"promotes.", k)
	}
}

func (c *kindChecker) promotion(path string, k *Kind) {
	p := k.Promotes
	c.refuse(k.Name == c.Win.Mate || k.Name == c.second.Win.Mate, path+"to",
		"win.mate names the %s, so it cannot become another kind", k.Name)
	c.refuse(len(p.To) == 0, path+"to", "expected the kinds that the piece can become")
	for j, to := range p.To {
		c.known(fmt.Sprintf("%sto[%d]", path, j), to)
		at := c.KindNamed(to)
		c.refuse(at >= 0 && to != k.Name && c.Kinds[at].Promotes != nil, fmt.Sprintf("%sto[%d]", path, j),
			"a %s can itself be promoted, but a piece can be promoted only once", to)
		c.refuse(to == c.Win.Mate || to == c.second.Win.Mate, fmt.Sprintf("%sto[%d]", path, j),
			"win.mate names the %s, so no piece can become one", to)
		c.refuse(to == k.Name, fmt.Sprintf("%sto[%d]", path, j), "a %s that becomes a %s changes nothing", to, to)
		c.refuse(slices.Index(p.To, to) < j, fmt.Sprintf("%sto[%d]", path, j), "%s is stated twice", to)
	}
	c.refuse(p.Cells(&c.t, 0).Empty() || p.Cells(&c.t, 1).Empty(), path+"on",
		"%v names no cell of this board for one of the players: expected far, near, left, right or cells "+
			"from a1 to %s", p.On, c.t.LastName())
	c.refuse(p.When == "arrives" && len(p.To) > 1 && c.Movement.MultiJump.On(), path+"to",
		"while a piece may jump again, its player cannot choose a kind; give one kind, or set when: stops")
}

// goals checks the goals of both players that name a kind.
func (c *kindChecker) goals() {
	for _, of := range []struct {
		prefix string
		w      *Win
	}{{"", &c.Win}, {"second.", &c.second.Win}} {
		if of.prefix != "" && (c.Second == nil || c.Second.Win == nil) {
			continue
		}
		c.known(of.prefix+"win.take", of.w.Take)
		c.known(of.prefix+"win.mate", of.w.Mate)
		c.known(of.prefix+"win.reach_kind", of.w.ReachKind)
		c.refuse(of.w.ReachKind != "" && len(of.w.Reach) == 0, of.prefix+"win.reach_kind", "this key needs win.reach")
		c.refuse(of.w.ReachSafe && len(of.w.Reach) == 0, of.prefix+"win.reach_safe", "this key needs win.reach")
	}
}

// unsupported refuses knobs that the code of the mechanics used cannot play.
func (c *kindChecker) unsupported(used Mechanics) {
	kept := func(m *Movement) bool {
		return m.Captured == "stay" || m.takes() && m.Captured != "remove" && m.Captured != switchToHand
	}
	c.refuse(used.Has(Drops) && c.second.Movement.Captured != c.Movement.Captured, "second.movement.captured",
		"%s applies to both players; state the same in movement and second.movement", switchToHand)
	no := map[string]bool{
		"turn.pie": c.Turn.Pie == PieStones, "turn.placements": c.Turn.Placements > 1,
		"turn.first_turn": c.Turn.FirstTurn > c.Turn.Placements, "second.first_turn": c.FirstTurn(1) > c.Turn.Placements,
		"pieces.supply": c.Pieces.Supply > 0, "second.supply": c.second.Pieces.Supply > c.Pieces.Supply,
		"custodian.effect":  c.Custodian.Effect == "flip",
		"second.movement":   len(c.Kinds) > 0 && c.Second != nil && c.Second.Movement != nil,
		"movement.clone":    c.AnyKind(func(m *Movement) bool { return m.Clone }) || c.second.Movement.Clone,
		"movement.fly":      c.AnyKind(func(m *Movement) bool { return m.Fly > 0 }) || c.second.Movement.Fly > 0,
		"movement.straight": c.AnyKind(func(m *Movement) bool { return m.Straight }) || c.second.Movement.Straight,
		"movement.captured": c.anyMovement(kept),
		"movement.jump_over": c.AnyKind(func(m *Movement) bool { return !m.JumpOver.IsZero() }) ||
			!c.second.Movement.JumpOver.IsZero(),
	}
	for _, path := range strings.Fields("placement.gravity placement.opening pieces.cap pieces.owner " +
		"surround.threshold custodian.must mill.line") {
		no[path] = c.set(path)
	}
	with := strings.NewReplacer("kinds (in part)", "kinds",
		"multi_jump (in part)", "multi_jump: must", "forced_capture (in part)",
		"forced_capture: most", "captured (in part)", "captured: "+switchToHand, "directions (in part)",
		"directions: north").Replace(used.String())
	use := map[string]string{
		"placement.opening": "opening: []", "turn.pie": "pie: seats",
		"second.first_turn": "first_turn: 1", "second.supply": "supply: 0",
		"custodian.effect": "effect: remove", "movement.captured": "captured: remove or " + switchToHand,
		"second.movement": "the movement of each kind, which holds for both players",
	}
	for name, on := range inOrder(no) {
		value, _ := KnobAt(DefaultRules(), name)
		c.refuse(on, name, "not allowed with %s; use %s", with, cmp.Or(use[name], name[strings.Index(name, ".")+1:]+": "+value))
	}
}

// mates refuses what cannot be combined with pieces that must not be attacked.
func (c *kindChecker) mates(used Mechanics) {
	goal, path := "mate", "win.mate"
	switch {
	case c.Win.Mate != "" || c.second.Win.Mate != "":
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
		{c.encloses() || used.Has(Closed), "custodian or kinds[].avoids"},
		{c.anyMovement(jumps), "movement.capture, because pieces that are jumped over are not attacked as in chess"},
		{len(c.Board.Lines) > 0, "board.lines"},
	} {
		c.refuse(no.on, path, "%s cannot be combined with %s", goal, no.what)
	}
}
