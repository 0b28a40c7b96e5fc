package engines

import (
	"fmt"
	"slices"
	"strings"

	"spar/configs/strict"
)

// Idle names a knob that has no effect under some rules, and the reason.
type Idle struct {
	Path string `json:"path"`
	Why  string `json:"why"`
}

// String is the sentence for people.
func (i Idle) String() string { return i.Path + " has no effect: " + i.Why }

// Idle lists the knobs that have no effect while the other knobs stay as they are: the game is the same as with the default in
// place of the knob's value. Of limits (draw.max_plies) and of draw.repetition that is said of the value that they have; of all others it
// holds for every value that makes valid rules. A knob that is not listed may have an effect.
func (r *Rules) Idle() []Idle {
	var out []Idle
	add := func(idle bool, path, why string, args ...any) {
		if idle {
			out = append(out, Idle{path, fmt.Sprintf(why, args...)})
		}
	}
	second := r.Of(Second)
	has := func(of func(*Rules) bool) bool { return of(r) || of(&second) } // for one of the players
	moving, places, grows := r.moves(), r.places(), r.grows()
	supplied := has(func(r *Rules) bool { return r.Pieces.Supply > 0 })
	full := has(func(r *Rules) bool { return r.Win.Full })
	regions := []string{r.Placement.Region, r.Win.Region, second.Win.Region}
	beside := false
	for _, s := range r.Placement.Opening {
		regions = append(regions, s.Region)
		beside = beside || s.Region == "beside"
	}
	adjacency := r.Surround.Threshold > 0 || beside || has(func(r *Rules) bool { return !r.Win.Connect.IsZero() })
	add(!adjacency, "board.neighbours", "no rule asks what is adjacent: there is no surround.threshold and no win.connect")
	homes := slices.ContainsFunc(regions, func(s string) bool { return s == "enemy" || strings.HasSuffix(s, "home") })
	add(!homes && !r.Turn.Pie.On(), "territory", "no region uses the homes")
	for _, path := range []string{"turn.placements", "turn.first_turn"} {
		add(!places, path, "this game has no placements")
		add(places && moving && !supplied, path, "this game starts with moves, and a turn with moves has one move")
	}
	add(!places, "placement.region", "this game has no placements")
	add(!r.Placement.Gravity || !r.takes() && !r.Turn.Pie.On(), "placement.falls", "%s",
		map[bool]string{false: "there is no placement.gravity", true: "nothing ever leaves the board"}[r.Placement.Gravity])
	add(!grows, "pieces.cap", "a side never has more pieces on the board than at the start")
	for _, path := range []string{"pieces.removal", "pieces.removal_from_ply", "pieces.reuse_vacated"} {
		add(r.Pieces.Cap == 0, path, "there is no pieces.cap")
		add(r.Pieces.Cap > 0 && !grows, path, "pieces.cap has no effect")
	}
	add(r.Pieces.Cap > 0 && grows && !places, "pieces.reuse_vacated", "this game has no placements")
	for side, prefix := range []string{"", "second."} {
		of := r.Of(side)
		if side == First || r.Second != nil && r.Second.Movement != nil {
			add(!of.Movement.Capture && len(of.Movement.Take) == 0, prefix+"movement.captured", "nothing captures by moving")
		}
		if side == First || r.Second != nil && r.Second.Win != nil {
			add(of.Win.Line == 0, prefix+"win.overlines", "there is no %swin.line", prefix)
		}
	}
	add(r.Surround.Threshold == 0, "surround.effect", "there is no surround.threshold")
	add(r.Win.Majority || full, "draw.full_board", "a full board already has a winner, or is counted")
	add(!r.Win.Majority && !full && !r.fills(), "draw.full_board", "the board never fills")
	if most, ok := r.mostPlacements(); ok {
		add(r.Draw.Repetition > 0, "draw.repetition", "no position repeats: every move places a piece, and none leaves or moves")
		add(r.Draw.MaxPlies > most && r.NoMoves != "pass", "draw.max_plies", "a game has at most %d moves", most)
	}
	add(r.alwaysPlaces(), "no_moves", "a side can always place a piece until the board is full, which ends the game")
	return out
}

// IdleAt says why a knob has no effect; empty where it may have one.
func (r *Rules) IdleAt(path string) (why string) {
	for _, i := range r.Idle() {
		if i.Path == path {
			return i.Why
		}
	}
	return ""
}

// IdleSet is Idle, without the knobs that have their default values: what a file states in vain.
func (r *Rules) IdleSet() []Idle {
	return slices.DeleteFunc(r.Idle(), func(i Idle) bool { return r.atDefault(i.Path) })
}

// places tells whether pieces are ever placed: from no hand, from the supply, or from what captures return.
func (r *Rules) places() bool {
	second := r.Of(Second)
	return !r.moves() || r.Pieces.Supply > 0 || second.Pieces.Supply > 0 || r.Movement.refills() || second.Movement.refills()
}

// refills tells whether captured pieces return to their owner's hand.
func (m *Movement) refills() bool { return m.takes() && m.Captured == "return" }

// clones tells whether steps of a side leave the piece behind.
func (r *Rules) clones() bool { return r.Movement.Clone || r.Of(Second).Movement.Clone }

// grows tells whether a side can come to have more pieces on the board than at the start.
func (r *Rules) grows() bool {
	return r.places() || r.clones() || r.Surround.Threshold > 0 && r.Surround.Effect == "convert" || r.Custodian.Effect == "flip"
}

// ages tells whether pieces may leave for their age: a cap that no side can come over changes nothing.
func (r *Rules) ages() bool { return r.Pieces.Cap > 0 && r.grows() }

// fills tells whether the board can be full after a move.
func (r *Rules) fills() bool {
	return r.places() || r.clones() || !strings.Contains(strings.Join(r.Setup, ""), string(freeCell))
}

// mostPlacements is the most plies of a game in which every ply but the pie places a piece that never leaves nor moves, passes apart.
func (r *Rules) mostPlacements() (plies int, ok bool) {
	removes := slices.ContainsFunc(r.Placement.Opening, func(s Stage) bool { return s.Remove })
	leaves := r.Pieces.Cap > 0 || r.Surround.Threshold > 0 && r.Surround.Effect == "remove" || r.Custodian.Effect == "remove" || r.Mill.Line > 0
	if r.moves() || removes || leaves {
		return 0, false
	}
	t := newTopology(r.Board)
	if plies = t.board.Count(); r.Turn.Pie.On() {
		plies++
	}
	return plies, true
}

// alwaysPlaces tells whether the side to move has a placement until the board is full, and the game is over then.
func (r *Rules) alwaysPlaces() bool {
	second := r.Of(Second)
	ends := r.Draw.FullBoard || r.Win.Majority || r.Win.Full || second.Win.Full
	hands := r.Pieces.Supply > 0 || second.Pieces.Supply > 0
	return ends && !hands && !r.moves() && r.Placement.Region == "anywhere" && len(r.Placement.Opening) == 0 && !r.Custodian.Must && r.fills()
}

// refuseIdle refuses an override of a knob that has no effect: neither with the override nor without it.
func refuseIdle(name string, data []byte, g *Game, overrides []string) error {
	var bad strict.Errors
	for i, o := range overrides {
		path, _, _ := strings.Cut(o, "=")
		why := g.rules.IdleAt(path)
		if why == "" {
			continue
		}
		without, err := Load(name, data, slices.Delete(slices.Clone(overrides), i, i+1)...)
		if err != nil {
			continue // it makes the rules valid
		}
		before := without.rules
		if before.atDefault(path) || before.IdleAt(path) != "" {
			bad = append(bad, strict.Error{File: o, Path: path, Message: Idle{path, why}.String()})
		}
	}
	if len(bad) > 0 {
		return bad
	}
	return nil
}

// atDefault tells whether a knob has the value of a file that leaves it out.
func (r *Rules) atDefault(path string) bool {
	plain := DefaultRules()
	if r.Second != nil { // what is stated of the second player leaves the same out as the first player's
		win, movement := plain.Win, plain.Movement
		plain.Second = &SecondPlayer{Movement: &movement, Win: &win}
	}
	own, _ := KnobAt(*r, path)
	left, _ := KnobAt(plain, path)
	return own == left
}
