package enginetest

import (
	"strings"

	"spar/engines"
	"spar/engines/rules"
)

// kinds draws rules with kinds of pieces, or with moves that only their path plays.
func (d draw) kinds(r *engines.Rules) {
	plain := rules.DefaultRules()
	plain.Name, plain.NoMoves, plain.Draw = r.Name, r.NoMoves, r.Draw
	*r = plain
	r.Board.Columns, r.Board.Rows = d.integer("kinds columns", 3, 6), d.integer("kinds rows", 3, 6)
	if d.often("kinds board", 4) {
		if d.board(r); r.Board.Wrap != "none" {
			r.Board = plain.Board
			r.Board.Columns, r.Board.Rows = 5, 5
		}
	}
	rows := d.often("capturing rows", 4)
	r.Movement = d.pieceMoves(rows)
	if d.often("kinds goals", 2) {
		d.goals(r)
	}
	r.Movement.MultiJump = rules.Choice(d.oneOf("kinds multi", "false", "true", "must"))
	r.Movement.ForcedCapture = rules.Choice(d.oneOf("kinds forced", "false", "false", "true", "most"))
	if rows && r.Movement.ForcedCapture == "most" {
		r.Movement.ForcedCapture = "true"
	}
	if !rows && r.Movement.MultiJump.On() && d.often("late", 2) {
		r.Movement.CapturedLeave = "after_turn"
	}
	if d.often("drops", 3) {
		r.Movement.Captured = "switch_to_hand"
	}
	if d.often("enclose", 3) {
		r.Custodian.Effect, r.Custodian.Length = "remove", d.integer("enclosed", 0, 2)
		if d.often("enclosing directions", 2) {
			r.Custodian.Directions = []string{"rook"}
		}
		if d.often("hostile", 2) {
			r.Cells, r.Custodian.Hostile = []rules.CellGroup{{Name: "throne", At: []string{"b2", "c3"}}}, []string{"throne"}
		}
	}
	if d.often("block", 3) {
		r.Turn.Block = rules.Word(d.oneOf("blocks", "shot", "anywhere", "left"))
		if d.often("spares", 2) {
			r.Cells, r.Turn.Spares = []rules.CellGroup{{Name: "throne", At: []string{"b2", "c3"}}}, []string{"throne"}
		}
	}
	d.setup(r)
	if d.often("kinds none", 5) {
		return
	}
	names := []string{"man", "king", "ox"}[:d.integer("kinds", 1, 3)]
	for i, name := range names {
		k := rules.Kind{Name: name}
		if d.often("own moves", 2) {
			m := d.pieceMoves(rows)
			k.Movement = &m
		}
		if i > 0 && d.often("promotes", 2) {
			k.Promotes = &rules.Promotion{To: names[:1]}
			if i > 1 && r.Kinds[1].Promotes == nil && d.often("choice", 2) {
				k.Promotes.To = names[:2]
			}
			k.Promotes.When = rules.Word(d.oneOf("when", "turn_end", "arrives", "stops"))
			if d.often("on", 2) {
				k.Promotes.On = d.some("on", "near", "left", "b2", "c3")
			}
		}
		if len(r.Cells) > 0 && d.often("avoids", 2) {
			if k.Avoids = []string{"throne"}; d.often("passes", 2) {
				k.Passes = k.Avoids
			}
		}
		if !r.Custodian.Effect.IsZero() {
			if d.often("four sides", 2) {
				if k.Sides = 4; len(r.Cells) > 0 && d.often("beside", 2) {
					k.Beside = []string{"throne"}
				}
			}
			k.Encloses = rules.Word(d.oneOf("encloses", "always", "always", "helps", "never"))
		}
		if r.Movement.Captured == "switch_to_hand" {
			if d.often("in hand", 2) {
				k.InHand = names[d.integer("in hand", 0, len(names)-1)]
			}
			if d.often("no drops", 2) {
				k.NoDrops = d.some("no drops", "far", "left", "b2")
			}
		}
		r.Kinds = append(r.Kinds, k)
	}
	for y, row := range r.Setup {
		r.Setup[y] = strings.Map(func(c rune) rune {
			if c != 'X' && c != 'O' {
				return c
			}
			k := names[d.integer("which", 0, len(names)-1)]
			if c == 'X' {
				k = strings.ToUpper(k)
			}
			return rune(k[0])
		}, row)
	}
	pick := func(what string, in int) string {
		if d.often(what, in) {
			return names[d.integer(what, 0, len(names)-1)]
		}
		return ""
	}
	r.Win.Take = pick("take kind", 4)
	if len(r.Win.Reach) > 0 {
		r.Win.ReachKind, r.Win.ReachSafe = pick("reach kind", 2), d.often("reach safe", 2)
	}
	if mates := d.often("mates", 4); mates || r.Win.ReachSafe {
		r.Movement.Capture, r.Custodian, r.Turn = false, plain.Custodian, plain.Turn
		for i := range r.Kinds {
			r.Kinds[i].Avoids, r.Kinds[i].Passes, r.Kinds[i].Sides, r.Kinds[i].Beside, r.Kinds[i].Encloses = nil, nil, 0, nil, ""
			if m := r.Kinds[i].Movement; m != nil {
				m.Capture, m.Jumps, m.LongJumps, m.Distance, m.PassOwn, m.Exits, m.Lines = false, nil, "false", "", false, nil, nil
				m.TakeSlide = m.TakeSlide && m.Slide
			}
		}
		r.Movement.Jumps, r.Movement.LongJumps, r.Movement.MultiJump, r.Movement.CapturedLeave = nil, "false", "false", "at_once"
		r.Movement.Distance, r.Movement.PassOwn, r.Movement.Exits, r.Movement.Lines = "", false, nil, nil
		r.Movement.TakeSlide = r.Movement.TakeSlide && r.Movement.Slide
		if mates {
			r.Win.Mate = names[d.integer("mate", 0, len(names)-1)]
		}
	}
}

// pieceMoves draws how pieces move on the path for kinds.
func (d draw) pieceMoves(rows bool) rules.Movement {
	m := rules.DefaultRules().Movement
	if d.movement(&m); rows { // which have chains of their own
		m.Capture, m.Jumps = false, nil
	}
	m.MultiJump, m.ForcedCapture, m.Captured, m.JumpOver, m.Straight, m.Clone, m.Fly = "false", "false", "remove", "enemy", false, false, 0
	if m.Steps != "none" && !m.Slide && d.often("line", 3) {
		m.Distance = "line"
	}
	m.TakeSlide = (m.Slide || m.Distance == "line") && d.often("take slide", 2)
	m.ToEnd, m.PassOwn = m.Slide && d.often("to end", 2), (m.Slide || m.Distance == "line") && d.often("pass own", 2)
	if m.Steps != "none" && !m.Slide && m.Distance.IsZero() && rows {
		m.Lines = d.some("rows", "approach", "withdraw")
	}
	if d.often("exits", 4) {
		m.Exits = d.some("exits", "forward", "sideways", "north", "east", "bishop")
	}
	if m.Steps == "rook" && d.often("compass", 2) {
		m.Directions = d.some("compass", "north", "south", "east", "west")
	}
	if m.Steps == "rook" && len(m.Take) == 0 && len(m.Leaps) > 0 && d.often("near leaps", 2) {
		m.Leaps = append(m.Leaps, "1,1")
	}
	m.TakeLeaps = len(m.Leaps) > 0 && d.often("take leaps", 2)
	if m.Capture {
		m.LongJumps = rules.Choice(d.oneOf("long jumps", "false", "false", "true", "next"))
	}
	if m.Steps != "none" && !m.Slide && m.Distance.IsZero() && len(m.Lines) == 0 && d.often("first", 2) {
		m.First = rules.First{Rows: d.integer("first rows", 1, 3), Steps: d.integer("first steps", 2, 3)}
	}
	return m
}
