package enginetest

import (
	"spar/engines"
	"spar/engines/rules"
)

// movement draws kinds of movement other than steps and jumps.
func (d draw) movement(m *rules.Movement) {
	words := []string{
		"forward",
		"sideways",
		"forward_diagonal",
		"backward",
		"backward_diagonal",
		"rook",
		"bishop",
		"king",
	}
	m.Steps = d.oneOf("steps", "none", "king", "rook", "bishop")
	if m.Steps != "none" {
		if d.often("directions", 3) {
			m.Directions = d.some("directions", words[:5]...)
		}
		m.Slide, m.Clone = d.often("slide", 4), d.often("clone", 5)
	}
	m.Capture = d.often("capture", 2)
	m.Captured = d.oneOf("captured", "return", "remove")
	if m.Capture {
		m.MultiJump = rules.ChoiceOf(d.often("multi", 2))
		m.Straight = m.MultiJump.On() && d.often("straight", 2)
		if d.often("jump directions", 3) {
			m.Jumps = d.some("jumps", words...)
		}
		m.JumpOver = rules.Word(d.oneOf("jump over", "enemy", "enemy", "friend", "any"))
		if d.often("stay", 5) {
			m.Captured = "stay"
		}
	}
	if d.often("take", 3) && m.Captured != "stay" {
		m.Take = d.some("take", words...)
	}
	m.ForcedCapture = rules.ChoiceOf((m.Capture && m.Captured != "stay" || len(m.Take) > 0) && d.often("forced", 3))
	if d.often("leaps", 4) {
		m.Leaps = d.some("leaps", "1,2", "0,2", "2,2")
	}
	if d.often("fly", 4) && len(m.Leaps) == 0 && !m.Clone {
		m.Fly = d.integer("fly", 1, 4)
	}
}

// captures draws capture by enclosing and by mills.
func (d draw) captures(r *engines.Rules) {
	if d.often("custodian", 2) {
		r.Custodian.Effect = rules.Word(d.oneOf("custodian effect", "flip", "remove"))
		r.Custodian.Length = d.integer("enclosed", 0, 2)
		r.Custodian.Must = d.often("must", 4)
		if d.often("enclosing directions", 3) {
			r.Custodian.Directions = d.some("enclosing", "rook", "bishop")
		}
	}
	if d.often("mill", 2) {
		r.Mill = rules.Mill{
			Line:  d.integer("mill line", 2, 3),
			Exact: d.often("exact mill", 3),
			Moved: d.often("moved mill", 4),
		}
	}
	if d.often("captures win", 3) {
		r.Win.Captures = d.integer("captures", 1, 6)
	}
}

// owners draws rules under which both players use the same pieces.
func (d draw) owners(r *engines.Rules) {
	plain := rules.DefaultRules()
	r.Pieces.Owner = rules.Word(d.oneOf("owner", "shared", "choice"))
	r.Pieces.Supply, r.Movement, r.Mill, r.Turn.Pie, r.Territory = 0, plain.Movement, plain.Mill, rules.NoPie, "none"
	r.Win.Majority, r.Win.Connect, r.Win.Reach, r.Win.ReachCount, r.Win.Eliminate, r.Win.OnBoard, r.Win.Captures = false,
		"none", nil, 0, 0, false, 0
	r.Placement.Region, r.Placement.Opening, r.Win.Region = "anywhere", nil, "anywhere"
	if r.Pieces.Owner == "shared" {
		r.Setup, r.Surround, r.Custodian = nil, plain.Surround, plain.Custodian
	}
}

// second draws rules for the second player that differ from the first player's.
func (d draw) second(r *engines.Rules) {
	plain := rules.DefaultRules()
	own := &rules.SecondPlayer{}
	if r.Pieces.Supply > 0 && d.often("own supply", 2) {
		n := d.integer("own supply", 1, 6)
		own.Supply = &n
	}
	if (r.Pieces.Supply > 0 || len(r.Setup) > 0) && d.often("own movement", 2) {
		m := plain.Movement
		d.movement(&m)
		own.Movement = &m
	}
	if d.often("own first turn", 3) {
		n := d.integer("own first turn", 1, 3)
		own.FirstTurn = &n
	}
	if *own == (rules.SecondPlayer{}) || d.often("own goals", 2) {
		other := *r
		other.Win = plain.Win
		other.Win.Line, other.Win.Overlines = d.integer("own line", 0, 4), !d.often("own exact", 4)
		other.Win.Majority = r.Win.Majority
		d.lineDirections(&other.Win)
		d.goals(&other)
		if d.often("full", 3) {
			other.Win.Full = true
		}
		own.Win = &other.Win
	}
	r.Second = own
}

// removals draws an opening in which players take pieces off the board.
func (d draw) removals(r *engines.Rules) {
	r.Placement.Opening = []rules.Stage{{Plies: d.integer("removals", 1, 2), Region: "anywhere", Remove: true}}
	if d.often("beside", 2) {
		r.Placement.Opening = append(r.Placement.Opening, rules.Stage{Plies: 1, Region: "beside", Remove: true})
	}
	if d.often("cells", 2) {
		r.Placement.Opening[0].Region, r.Placement.Opening[0].Cells = "cells", []string{"a1", "b2", "b1", "a2"}
	}
	r.Turn.Placements, r.Turn.FirstTurn, r.Pieces.Supply = 1, 1, 0
}
