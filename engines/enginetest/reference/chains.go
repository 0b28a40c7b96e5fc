package reference

import (
	"maps"
	"slices"

	"spar/engines/rules"
)

// Turns of several plies: chains of captures, promotions and shots.

// rowTurns returns the turns that capture rows with the piece on a cell, after it has been on some cells and has made
// its last step in a direction.
func (g *Game) rowTurns(b layout, from point, been []point, last direction) (all []turn) {
	m := b[from]
	r := g.of(m.owner)
	how := r.MovementOf(m.kind)
	if len(how.Lines) == 0 {
		return nil
	}
	for _, d := range g.stepsOf(&how, m.owner) {
		ray, back := g.ray(from, d), g.ray(from, direction{-d.columns, -d.rows})
		if d == last || len(ray) == 0 || slices.Contains(been, ray[0]) || g.bars(m, ray[0]) {
			continue
		}
		if _, taken := b[ray[0]]; taken {
			continue
		}
		to := ray[0]
		step := part{from.String() + "x" + to.String(), g.moved(b, from, to), nil}
		var rows [][]point
		for way, cells := range map[string][]point{"approach": ray[1:], "withdraw": back} {
			n := slices.IndexFunc(cells, func(q point) bool {
				o, taken := b[q]
				return !taken || o.owner != m.owner.enemy()
			})
			if n < 0 {
				n = len(cells)
			}
			if n > 0 && slices.Contains(how.Lines, way) {
				rows = append(rows, cells[:n])
			}
		}
		for _, row := range rows {
			after := maps.Clone(step.after)
			for _, q := range row {
				delete(after, q)
			}
			begun := turn{{step.text, after, nil}}
			if len(rows) == 2 {
				begun = turn{step, {"x" + row[0].String(), after, nil}}
			}
			becomes := g.promotions(m, to)
			when := rules.Word("")
			if len(becomes) > 0 {
				when = g.kindOf(m).Promotes.When
			}
			if len(becomes) == 1 && when == "arrives" {
				after[to] = man{m.owner, becomes[0]}
			}
			var on []turn
			if how.MultiJump.On() && when != "stops" {
				on = g.rowTurns(after, to, append(slices.Clone(been), to), d)
			}
			final := begun[len(begun)-1]
			if len(on) == 0 {
				for _, rest := range g.ends(final, to) {
					all = append(all, append(slices.Clone(begun[:len(begun)-1]), rest...))
				}
				continue
			}
			if how.MultiJump != "must" {
				on = append(on, g.ends(part{"stop", after, nil}, to)...)
			}
			for _, rest := range on {
				all = append(all, append(slices.Clone(begun), rest...))
			}
		}
	}
	return all
}

// shoot adds to a turn the shots of the piece that it has brought to a cell.
func (g *Game) shoot(t turn, at point) (all []turn) {
	b := t[len(t)-1].after
	var cells []point
	r := g.of(b[at].owner)
	how := r.MovementOf(b[at].kind)
	switch g.rules.Turn.Block {
	case "anywhere":
		cells = g.cells()
	case "shot":
		for _, d := range g.stepsOf(&how, b[at].owner) {
			for n, q := range g.ray(at, d) {
				if !g.passes(b, b[at], &how, q) || n >= g.stride(&how, b[at].owner, at) && !how.Slide {
					break
				}
				cells = append(cells, q)
			}
		}
		cells = slices.DeleteFunc(unique(append(cells, g.leaps(at, how.Leaps)...)), func(q point) bool {
			return g.bars(b[at], q)
		})
	}
	for _, q := range cells {
		if _, taken := b[q]; taken || slices.Contains(g.group(g.rules.Turn.Spares), q) {
			continue
		}
		after := maps.Clone(b)
		after[q] = man{owner: nobody}
		all = append(all, append(slices.Clone(t), part{q.String() + "=#", after, nil}))
	}
	if len(all) == 0 {
		return []turn{t}
	}
	return all
}

// ends completes a turn whose last ply brings a piece to a cell: jumped pieces leave, and the piece may be promoted.
func (g *Game) ends(last part, at point) (all []turn) {
	b := maps.Clone(last.after)
	for _, p := range last.doomed {
		delete(b, p)
	}
	m := b[at]
	choices := g.promotions(m, at)
	if len(choices) == 1 && g.kindOf(m).Promotes.When == "arrives" { // at once: what it has become encloses
		m = man{m.owner, choices[0]}
		b[at], choices = m, nil
	}
	g.press(b, at)
	last.after, last.doomed = b, nil
	switch len(choices) {
	case 0:
		return g.shoot(turn{last}, at)
	case 1:
		b[at] = man{m.owner, choices[0]}
		return g.shoot(turn{last}, at)
	}
	for _, kind := range choices {
		grown := maps.Clone(b)
		grown[at] = man{m.owner, kind}
		all = append(all,
			g.shoot(turn{last, {"=" + (g.rules.Kinds[kind].Letter + g.rules.Kinds[kind].Name)[:1], grown, nil}}, at)...)
	}
	return all
}

// promotions returns the kinds that a piece on a cell can become.
func (g *Game) promotions(m man, at point) (kinds []int) {
	if m.kind >= len(g.rules.Kinds) || g.rules.Kinds[m.kind].Promotes == nil {
		return nil
	}
	p := g.rules.Kinds[m.kind].Promotes
	on := p.On
	if len(on) == 0 {
		on = []string{"far"}
	}
	if !slices.Contains(g.listed(on, m.owner), at) {
		return nil
	}
	for _, name := range p.To {
		kinds = append(kinds, g.kindNamed(name))
	}
	return kinds
}

// chains returns the turns that jump with the piece on a cell, after it has jumped over the doomed pieces.
func (g *Game) chains(b layout, from point, doomed []point) (all []turn) {
	m := b[from]
	r := g.of(m.owner)
	how := r.MovementOf(m.kind)
	if !how.Capture {
		return nil
	}
	words := how.Jumps
	if len(words) == 0 {
		words = []string{"king"}
	}
	for _, d := range directionsOf(words, m.owner) {
		ray := g.ray(from, d)
		at := slices.IndexFunc(ray, func(p point) bool {
			_, taken := b[p]
			return taken || g.bars(m, p) && !g.lets(m, p)
		})
		if at < 0 || at > 0 && !how.LongJumps.On() || slices.Contains(doomed, ray[at]) {
			continue
		}
		if other, taken := b[ray[at]]; !taken || other.owner != m.owner.enemy() || g.bars(m, ray[at]) {
			continue
		}
		over := ray[at]
		var stops, goes []turn // jumps over this piece after which the turn is over, and others
		for n, to := range ray[at+1:] {
			if _, taken := b[to]; taken || n > 0 && how.LongJumps != "true" || g.bars(m, to) && !g.lets(m, to) {
				break
			}
			if g.bars(m, to) {
				continue
			}
			after, gone := g.moved(b, from, to), slices.Clone(doomed)
			if how.CapturedLeave == "after_turn" {
				gone = append(gone, over)
			} else {
				delete(after, over)
			}
			jump := part{from.String() + "x" + to.String(), after, gone}
			var when string
			if m.kind < len(g.rules.Kinds) && g.rules.Kinds[m.kind].Promotes != nil {
				when = string(g.rules.Kinds[m.kind].Promotes.When)
			}
			becomes := g.promotions(m, to)
			if len(becomes) == 1 && when == "arrives" {
				after[to] = man{m.owner, becomes[0]}
			}
			var on []turn
			if how.MultiJump.On() && !(len(becomes) > 0 && when == "stops") {
				on = g.chains(after, to, gone)
			}
			if len(on) == 0 {
				stops = append(stops, g.ends(jump, to)...)
				continue
			}
			if how.MultiJump != "must" {
				on = append(on, g.ends(part{"stop", after, gone}, to)...)
			}
			for _, rest := range on {
				goes = append(goes, append(turn{jump}, rest...))
			}
		}
		if how.MultiJump != "must" || len(goes) == 0 {
			all = append(all, stops...)
		}
		all = append(all, goes...)
	}
	return all
}
