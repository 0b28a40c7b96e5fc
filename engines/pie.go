package engines

import (
	"slices"

	"spar/engines/rules"
)

// buildOthers builds the game after a swap of turn.pie seats. First and Second are still the same players, and
// each has the rules that the other had at the start. The swap does not count as a ply of the opening or for
// pieces.removal_from_ply.
func (g *Game) buildOthers() {
	o := *g
	o.traded = true
	o.others = g
	g.others = &o
	o.komi = -g.komi
	for side := range 2 {
		from := 1 - side
		o.home[side], o.zone[side], o.goal[side], o.mover[side] = g.home[from], g.zone[from], g.goal[from], g.mover[from]
		o.aims[side] = g.aims[from]
		if opening := g.opening[from]; len(opening) > 0 {
			o.opening[side] = slices.Concat(opening[:1], opening)
		}
		to, t := &o.line, &g.line
		to.Lengths[side], to.Windows[side], to.Through[side], to.Indices[side] = t.Lengths[from], t.Windows[from],
			t.Through[from], t.Indices[from]
		to.Small[side], to.Starts[side], to.Around[side] = t.Small[from], t.Starts[from], t.Around[from]
	}
	if g.kinds != nil {
		k := *g.kinds
		slices.Reverse(k.of[:])
		slices.Reverse(k.sliders[:])
		slices.Reverse(k.safe[:])
		for side := range k.of {
			k.of[side] = slices.Clone(k.of[side])
			for i := range k.of[side] { // the letters belong to the players
				k.of[side][i].sign = g.kinds.of[side][i].sign
			}
		}
		o.kinds = &k
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
	s.exchange()
	s.captures[0], s.captures[1] = s.captures[1], s.captures[0]
	s.stock[0], s.stock[1] = s.stock[1], s.stock[0]
	s.side = 1 - s.side
	s.rehash()
}

// exchange gives each side the pieces and the hand of the other.
func (s *State) exchange() {
	s.pieces[0], s.pieces[1] = s.pieces[1], s.pieces[0]
	s.age[0], s.age[1] = s.age[1], s.age[0]
	s.hand[0], s.hand[1] = s.hand[1], s.hand[0]
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

// PieOpen reports whether the second player may still swap, now or after more moves of the first turn.
func (s *State) PieOpen() bool { return s.g.pie && (s.swap || !s.begun) }

// Decline gives up the right to swap and reports true. Without a right, or without another move, it reports false.
func (s *State) Decline() bool {
	if !s.swap {
		return false
	}
	s.swap = false
	s.swap = !s.hasAction()
	return !s.swap
}

// PieMirrors reports whether the rules have a pie rule whose swap only exchanges the sides. The swap then has the
// opposite of the value that the position has without it. Under draw.quiet it is one ply nearer to a draw, too.
func (g *Game) PieMirrors() bool {
	return g.pie && g.rules.Draw.Quiet == 0 && g.WithoutPie().SwapMirrors(g.rules.Turn.Pie)
}

// SwapMirrors reports, for rules without a pie rule, whether a swap of the given form would only exchange the sides, so
// that the side to move would have the value that its opponent had.
func (g *Game) SwapMirrors(form rules.Choice) bool {
	return form == rules.PieSeats ||
		g.exchanges() && !g.uses.Any(rules.Openings, rules.LateAges) &&
			!(g.uses.Has(rules.CaptureWins) && g.uses.Has(rules.Setups)) // a swap leaves what the first turn has captured
}

// Traded reports whether the players have exchanged sides by a swap under turn.pie: seats.
func (s *State) Traded() bool { return s.g.traded }
