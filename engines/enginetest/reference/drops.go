package reference

import (
	"maps"
	"slices"
	"strings"

	"spar/engines/rules"
)

// drops returns the turns of a side that place a captured piece from its hand.
func (g *Game) drops(b layout, s side) (all []turn) {
	for kind, n := range g.stock[s] {
		letter, nowhere := "", []point(nil)
		if kind < len(g.rules.Kinds) {
			k := g.rules.Kinds[kind]
			letter, nowhere = strings.ToUpper((k.Letter + k.Name)[:1]), g.listed(k.NoDrops, s)
		}
		for _, p := range g.cells() {
			if _, taken := b[p]; taken || n == 0 || slices.Contains(nowhere, p) || g.bars(man{s, kind}, p) {
				continue
			}
			after := maps.Clone(b)
			after[p] = man{s, kind}
			g.press(after, p)
			all = append(all, g.shoot(turn{{letter + "@" + p.String(), after, nil}}, p)...)
		}
	}
	return all
}

// dealt changes the hand of the mover by a ply that leads to a board.
func (g *Game) dealt(text string, after layout) {
	if g.rules.Movement.Captured != "switch_to_hand" {
		return
	}
	own := &g.stock[g.mover]
	if letter, _, drop := strings.Cut(text, "@"); drop {
		own[max(0, slices.IndexFunc(g.rules.Kinds, func(k rules.Kind) bool {
			return strings.ToUpper((k.Letter + k.Name)[:1]) == letter
		}))]--
	}
	for p, m := range g.men {
		now, stays := after[p]
		if m.owner == g.mover.enemy() && (!stays || now.owner != m.owner) {
			if name := g.kindOf(m).InHand; name != "" {
				m.kind = g.kindNamed(name)
			}
			own[m.kind]++
		}
	}
	g.hand[g.mover] = 0
	for _, n := range own {
		g.hand[g.mover] += n
	}
}
