package rules

import (
	"fmt"
	"slices"
	"strings"

	"spar/engines/grid"
)

// Idle names a knob that has no effect under the other rules of a game, and the reason.
type Idle struct {
	Path string `json:"path"`
	Why  string `json:"why"`
}

// String returns the sentence for people.
func (i Idle) String() string { return i.Path + " has no effect: " + i.Why }

// Idle lists the knobs that have no effect while the other knobs keep their values: resetting such a knob to its
// default gives the same game. Any valid value of a listed knob has no effect; only draw.max_plies, draw.quiet and
// draw.repetition are judged by their current value. A knob that is not listed may have an effect.
func (r *Rules) Idle() []Idle {
	var out []Idle
	add := func(path, why string) {
		if why != "" {
			out = append(out, Idle{path, why})
		}
	}
	if own := r.Second; own != nil && own.FirstTurn != nil {
		add("second.first_turn", r.idleTurns())
	}
	for _, k := range knobs() {
		if k.idle == nil {
			continue
		}
		section, _, _ := strings.Cut(k.path, ".")
		first := *r
		if section == "movement" || section == "win" { // each player's own
			if own := r.Second; own != nil &&
				(section == "movement" && own.Movement != nil || section == "win" && own.Win != nil) {
				second := r.Of(grid.Second)
				add("second."+k.path, k.idle(&second))
			}
			first.Second = nil
		}
		add(k.path, k.idle(&first))
	}
	return out
}

func (r *Rules) idleNeighbours() string {
	beside := slices.ContainsFunc(r.Placement.Opening, func(s Stage) bool { return s.Region == "beside" })
	if r.Surround.Threshold > 0 || beside || r.either(func(r *Rules) bool {
		return !r.Win.Connect.IsZero() || r.Win.Gather || len(r.Win.ShutIn) > 0
	}) {
		return ""
	}
	return "no rule uses adjacency: surround.threshold, win.connect, win.gather and win.shut_in are off"
}

func (r *Rules) idleTerritory() string {
	regions := []string{r.Placement.Region, r.Win.Region, r.Of(grid.Second).Win.Region}
	for _, s := range r.Placement.Opening {
		regions = append(regions, s.Region)
	}
	homes := slices.ContainsFunc(regions, func(s string) bool {
		return s == "enemy" || strings.HasSuffix(s, "home")
	})
	if homes || r.Turn.Pie.On() {
		return ""
	}
	return "no region refers to a home"
}

func (r *Rules) idlePlacements() string {
	return because("this game has no placements", func(r *Rules) bool { return !r.Places() })(r)
}

func (r *Rules) idleTurns() string {
	supplied := r.either(func(r *Rules) bool { return r.Pieces.Supply > 0 })
	if r.Places() && r.Moves() && !supplied {
		return "this game has no placement phase: each turn is one move of a piece"
	}
	return r.idlePlacements()
}

func (r *Rules) idleFalls() string {
	switch {
	case !r.Placement.Gravity:
		return "placement.gravity is off"
	case !r.takes() && !r.Turn.Pie.On():
		return "no piece ever leaves the board"
	}
	return ""
}

func (r *Rules) idleCap() string {
	return because("a side never has more pieces on the board than at the start",
		func(r *Rules) bool { return !r.grows() })(r)
}

func (r *Rules) idleAges() string {
	switch {
	case r.Pieces.Cap == 0:
		return "pieces.cap is off"
	case !r.grows():
		return "pieces.cap has no effect"
	}
	return ""
}

func (r *Rules) idleFullBoard() string {
	switch {
	case r.Win.Majority || r.either(func(r *Rules) bool { return r.Win.Full }):
		return "win.majority or win.full already decides a full board"
	case !r.fills():
		return "the board never fills"
	}
	return ""
}

func (r *Rules) idleRepetition() string {
	if _, places := r.mostPlacements(); places && r.Draw.Repetition > 0 {
		return "no position repeats: every move places a piece, and none leaves or moves"
	}
	return ""
}

func (r *Rules) idleMaxPlies() string {
	most, places := r.mostPlacements()
	if places && r.Draw.MaxPlies > most && r.NoMoves != "pass" {
		return fmt.Sprintf("a game has at most %d moves", most)
	}
	return ""
}

// idleQuiet returns why draw.quiet has no effect; empty if it has one. It has none if every ply other than a stop,
// pass or swap places or captures, and not enough of these three can follow each other.
func (r *Rules) idleQuiet() string {
	quiet := r.either(func(r *Rules) bool {
		return len(r.Kinds) > 0 || r.AnyKind(func(m *Movement) bool {
			return m.Steps != "none" && !m.Clone || len(m.Leaps) > 0 || m.Fly > 0 ||
				m.Capture && (m.Captured == "stay" || m.JumpOver == "friend" || m.JumpOver == "any")
		})
	})
	if !quiet && r.Draw.Quiet > 3 {
		return "every move places or captures a piece, except stop, pass and swap"
	}
	return ""
}

// QuietEnds reports whether every game must end: each turn blocks a cell, or draw.quiet is set and the number of
// placements and captures is limited.
func (r *Rules) QuietEnds() bool {
	second := r.Of(grid.Second)
	again := r.Movement.refills() || second.Movement.refills() || r.Mechanics().Has(Drops) || r.flips()
	return r.BlocksAll() || r.Draw.Quiet > 0 && r.Moves() && !again && !(r.clones() && r.takes())
}

// either reports whether a condition is true of the rules of one of the players.
func (r *Rules) either(of func(*Rules) bool) bool {
	second := r.Of(grid.Second)
	return of(r) || of(&second)
}

// IdleAt returns the reason why a knob has no effect, or an empty text if it may have one.
func (r *Rules) IdleAt(path string) (why string) {
	for _, i := range r.Idle() {
		if i.Path == path {
			return i.Why
		}
	}
	return ""
}

// IdleSet lists the knobs that have no effect and that differ from their default values.
func (r *Rules) IdleSet() []Idle {
	return slices.DeleteFunc(r.Idle(), func(i Idle) bool { return r.AtDefault(i.Path) })
}

// Places reports whether pieces can ever be placed: without a limit, from the supply, or from returned captures.
func (r *Rules) Places() bool {
	return !r.Moves() || r.either(func(r *Rules) bool {
		return r.Pieces.Supply > 0 || r.Movement.refills()
	})
}

// refills reports whether captured pieces return to their owner's hand.
func (m *Movement) refills() bool { return m.takes() && m.Captured == "return" }

// clones reports whether a piece that steps leaves a copy behind.
func (r *Rules) clones() bool { return r.Movement.Clone || r.Of(grid.Second).Movement.Clone }

// grows reports whether a side can get more pieces on the board than it has at the start.
func (r *Rules) grows() bool {
	return r.Places() || r.clones() || r.flips()
}

// Ages reports whether pieces can leave because of their age. A cap that no side can exceed has no effect.
func (r *Rules) Ages() bool { return r.Pieces.Cap > 0 && r.grows() }

// FullEnds reports whether a full board ends the game.
func (r *Rules) FullEnds() bool {
	return r.Draw.FullBoard || r.Win.Majority || r.either(func(r *Rules) bool { return r.Win.Full })
}

// fills reports whether the board can be full after a move, counting blocked cells.
func (r *Rules) fills() bool {
	return r.Places() || r.clones() || !r.Turn.Block.IsZero() || !strings.Contains(strings.Join(r.Setup, ""), string(grid.FreeCell))
}

// Leaves reports whether pieces can leave the board without moving: by age, surrounding, enclosing or a mill.
func (r *Rules) Leaves() bool {
	return r.Pieces.Cap > 0 || r.Surround.Threshold > 0 && r.Surround.Effect == "remove" ||
		r.Custodian.Effect == "remove" || r.Mill.Line > 0
}

// mostPlacements returns the maximum number of plies, without passes, in a game in which every ply except a swap
// places a piece that never leaves or moves.
func (r *Rules) mostPlacements() (plies int, ok bool) {
	removes := slices.ContainsFunc(r.Placement.Opening, func(s Stage) bool { return s.Remove })
	if r.Moves() || removes || r.Leaves() {
		return 0, false
	}
	t := grid.New(r.Board)
	if plies = t.Board.Count(); r.Turn.Pie.On() {
		plies++
	}
	return plies, true
}

// alwaysPlaces reports whether the side to move always has a placement until the board is full and the game ends.
func (r *Rules) alwaysPlaces() bool {
	second := r.Of(grid.Second)
	hands := r.Pieces.Supply > 0 || second.Pieces.Supply > 0
	return r.FullEnds() && !hands && !r.Moves() && r.Placement.Region == "anywhere" && len(r.Placement.Opening) == 0 &&
		!r.Custodian.Must &&
		r.fills()
}

// AtDefault reports whether a knob has its default value.
func (r *Rules) AtDefault(path string) bool {
	plain := DefaultRules()
	if r.Second != nil { // what is stated of the second player leaves the same out as the first player's
		win, movement := plain.Win, plain.Movement
		plain.Second = &SecondPlayer{Movement: &movement, Win: &win}
	}
	own, _ := KnobAt(*r, path)
	left, _ := KnobAt(plain, path)
	return own == left
}
