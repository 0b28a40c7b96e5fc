package enginetest

import (
	"strings"

	"spar/engines"
	"spar/engines/rules"
)

// kinds draws rules with kinds of pieces, or with moves that only their path plays.
func (d draw) kinds(r *engines.Rules) {
	plain := rules.DefaultRules()
	plain.Name = r.Name
	plain.NoMoves = r.NoMoves
	plain.Draw = r.Draw
	*r = plain
	d.rules(r, `
		board.columns=3..6; board.rows=3..6
		1/4: @board
		!board.lines !board.shape=hex 1/3: board.wrap=columns|rows|torus
		!board.wrap=none 1/2: board.columns=5..6; board.rows=5..6`)
	rows := d.often("capturing rows", 4)
	r.Movement = d.pieceMoves(r, rows)
	d.rules(r, `
		1/2: @goals
		1/5: turn.pie=seats
		movement.multi_jump=false|true|must
		movement.forced_capture=false|false|true|most
		1/3: movement.captured=switch_to_hand
		1/3: custodian.effect=remove; custodian.length=0..2
		custodian.effect 1/2: custodian.directions=rook
		custodian.effect 1/2: custodian.hostile=throne
		1/3: turn.block=shot|anywhere|left
		turn.block 1/2: turn.spares=throne`)
	if rows && r.Movement.ForcedCapture == "most" {
		r.Movement.ForcedCapture = "true"
	}
	if !rows && r.Movement.MultiJump.On() && d.often("late", 2) {
		r.Movement.CapturedLeave = "after_turn"
	}
	if len(r.Custodian.Hostile)+len(r.Turn.Spares) > 0 {
		r.Cells = []rules.CellGroup{{Name: "throne", At: []string{"b2", "c3"}}}
	}
	d.setup(r)
	if d.often("kinds none", 5) {
		return
	}
	names := []string{"man", "king", "ox"}[:d.integer("kinds", 1, 3)]
	pick := strings.Join(names, "|")
	for i, name := range names {
		k := rules.Kind{Name: name}
		if d.often("own moves", 2) {
			m := d.pieceMoves(r, rows)
			k.Movement = &m
		}
		if i > 0 && d.often("promotes", 2) {
			k.Promotes = &rules.Promotion{To: names[:1]}
			if i > 1 && r.Kinds[1].Promotes == nil && d.often("choice", 2) {
				k.Promotes.To = names[:2]
			}
			d.table(r, &k, "promotes.when=turn_end|arrives|stops\n1/2: promotes.on=near|left|b2|c3")
		}
		if len(r.Cells) > 0 {
			d.table(r, &k, "1/2: avoids=throne\navoids 1/2: passes=throne")
		}
		if !r.Custodian.Effect.IsZero() {
			d.table(r, &k, "1/2: sides=4\nencloses=always|always|helps|never")
			if k.Sides > 0 && len(r.Cells) > 0 {
				d.table(r, &k, "1/2: beside=throne")
			}
		}
		if r.Movement.Captured == "switch_to_hand" {
			d.table(r, &k, "1/2: in_hand="+pick+"\n1/2: no_drops=far|left|b2")
		}
		r.Kinds = append(r.Kinds, k)
	}
	for y, row := range r.Setup {
		r.Setup[y] = strings.Map(func(c rune) rune {
			if c != 'X' && c != 'O' {
				return c
			}
			k := d.oneOf("which", names...)
			if c == 'X' {
				k = strings.ToUpper(k)
			}
			return rune(k[0])
		}, row)
	}
	d.rules(r, `
		1/4: win.take=`+pick+`
		win.reach 1/2: win.reach_kind=`+pick+`
		win.reach 1/2: win.reach_safe=true
		1/4: win.mate=`+pick)
	if r.Win.Mate == "" && !r.Win.ReachSafe {
		return
	}
	const steps = "jumps=; capture=false; long_jumps=false; distance=none; pass_own=false; exits=; line_capture=\n" +
		"!slide: take_slide=false"
	d.table(r, &r.Movement, steps)
	d.rules(r, "custodian; turn; movement.multi_jump; movement.captured_leave")
	for i := range r.Kinds {
		k := &r.Kinds[i]
		d.table(r, k, "avoids=; passes=; sides=0; beside=; encloses=")
		if k.Movement != nil {
			d.table(r, k.Movement, steps)
		}
	}
}

// pieceMoves draws how pieces move on the path for kinds.
func (d draw) pieceMoves(r *engines.Rules, rows bool) rules.Movement {
	m := d.ways(r)
	d.table(r, &m, `
		multi_jump=false; forced_capture=false; captured=remove; jump_over=enemy; straight=false; clone=false; fly=0
		steps !slide 1/3: distance=line
		slide|distance 1/2: take_slide=true
		slide|distance 1/2: pass_own=true
		slide 1/2: to_end=true`)
	if rows { // which have chains of their own
		d.table(r, &m, "capture=false; jumps=\nsteps !slide !distance: line_capture=approach|withdraw")
	}
	d.table(r, &m, `
		1/4: exits=forward|sideways|north|east|bishop
		steps=rook 1/2: directions=north|south|east|west
		steps=rook !take leaps 1/2: leaps=1,1|1,2|0,2
		leaps 1/2: take_leaps=true
		capture: long_jumps=false|false|true|next
		steps !slide !distance !line_capture 1/2: first.rows=1..3; first.steps=2..3`)
	if r.Board.Wrap != "none" {
		m.LongJumps = "false"
	}
	return m
}
