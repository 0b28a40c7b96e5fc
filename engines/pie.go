package engines

import (
	"encoding/json"
	"fmt"
	"slices"
)

// PieRule is the value of turn.pie: whether the second player may answer the first turn with swap, and what a swap
// exchanges.
type PieRule string

// The values of turn.pie.
const (
	NoPie     PieRule = "false"
	PieStones PieRule = "true"  // the second player takes over the pieces that were placed
	PieSeats  PieRule = "seats" // the players exchange sides
)

// On reports whether there is a pie rule.
func (p PieRule) On() bool { return p == PieStones || p == PieSeats }

// MarshalJSON writes the values false and true as booleans and seats as a word.
func (p PieRule) MarshalJSON() ([]byte, error) { return json.Marshal(p.value()) }

// MarshalYAML writes the values false and true as booleans and seats as a word.
func (p PieRule) MarshalYAML() (any, error) { return p.value(), nil }

// UnmarshalJSON reads a boolean or a word.
func (p *PieRule) UnmarshalJSON(text []byte) error {
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		return fmt.Errorf("pie: %w", err)
	}
	*p = PieRule(fmt.Sprint(v))
	return nil
}

func (p PieRule) value() any {
	switch p {
	case PieStones:
		return true
	case NoPie, "":
		return false
	}
	return string(p)
}

// PieFor returns the form of the pie rule that is valid for these rules: PieStones if the game begins with
// placements, otherwise PieSeats, or NoPie if neither is valid.
func (r Rules) PieFor() PieRule {
	for _, form := range []PieRule{PieStones, PieSeats} {
		if r.Turn.Pie = form; len(Validate(&r)) == 0 {
			return form
		}
	}
	return NoPie
}

// buildOthers builds the game after a swap of turn.pie seats. First and Second are still the same players, and
// each has the rules that the other had at the start. The swap does not count as a ply of the opening or for
// pieces.removal_from_ply.
func (g *Game) buildOthers() {
	o := *g
	o.traded, o.others, g.others = true, g, &o
	for side := range 2 {
		from := 1 - side
		o.home[side], o.zone[side], o.goal[side], o.mover[side] = g.home[from], g.zone[from], g.goal[from], g.mover[from]
		if opening := g.opening[from]; len(opening) > 0 {
			o.opening[side] = slices.Concat(opening[:1], opening)
		}
		to, t := &o.line, &g.line
		to.lengths[side], to.windows[side], to.through[side], to.indices[side] = t.lengths[from], t.windows[from],
			t.through[from], t.indices[from]
		to.small[side], to.starts[side], to.around[side] = t.small[from], t.starts[from], t.around[from]
	}
	if len(g.removals) > 0 {
		o.removals = slices.Concat(g.removals[:1], g.removals)
	}
	o.removeFrom++
	o.timeless++
}

// trade exchanges the sides of the players: each gets the other's pieces, hand and turn.
func (s *State) trade() {
	s.g = s.g.others
	s.pieces[0], s.pieces[1] = s.pieces[1], s.pieces[0]
	s.age[0], s.age[1] = s.age[1], s.age[0]
	s.hand[0], s.hand[1] = s.hand[1], s.hand[0]
	s.captures[0], s.captures[1] = s.captures[1], s.captures[0]
	s.side = 1 - s.side
	s.rehash()
}

// untraded returns the position as if the players had not exchanged sides.
func untraded(s *State) *State {
	if !s.g.traded {
		return s
	}
	t := *s
	t.trade()
	t.ply--
	return &t
}

// Traded reports whether the players have exchanged sides by a swap of turn.pie seats.
func (s *State) Traded() bool { return s.g.traded }
