package enginetest

import (
	"pgregory.net/rapid"

	"spar/engines"
)

// RandomRules draws a valid combination of knobs, on boards small enough for games to get somewhere. Combinations that
// Validate refuses are drawn again.
func RandomRules() *rapid.Generator[engines.Rules] {
	return rapid.Custom(drawRules).Filter(func(r engines.Rules) bool { return len(engines.Validate(&r)) == 0 })
}

// RandomRulesWithin draws rules that use no other mechanics than some: those of RandomRules, without the rest.
func RandomRulesWithin(allowed engines.Mechanics) *rapid.Generator[engines.Rules] {
	return rapid.Custom(func(t *rapid.T) engines.Rules {
		r := drawRules(t)
		restrict(&r, allowed)
		return r
	}).Filter(func(r engines.Rules) bool { return len(engines.Validate(&r)) == 0 && r.Mechanics()&^allowed == 0 })
}

// restrict sets knobs back to their defaults until only allowed mechanics are left.
func restrict(r *engines.Rules, allowed engines.Mechanics) {
	plain := engines.DefaultRules()
	for _, knob := range []struct {
		of    engines.Mechanics
		reset func()
	}{
		{engines.Wraps, func() { r.Board.Wrap = plain.Board.Wrap }},
		{engines.LongTurns, func() { r.Turn.Placements, r.Turn.FirstTurn = 1, 1 }},
		{engines.Pie, func() { r.Turn.Pie = engines.NoPie }},
		{engines.Pie | engines.Seats, func() {
			if r.Turn.Pie == engines.PieSeats {
				r.Turn.Pie = engines.NoPie
			}
		}},
		{engines.PlaceRegions, func() { r.Placement.Region = plain.Placement.Region }},
		{engines.Openings, func() { r.Placement.Opening = nil }},
		{engines.Falling, func() { r.Placement.Gravity, r.Placement.Falls = false, false }},
		{engines.Settles, func() { r.Placement.Falls = false }},
		{engines.Ages, func() { r.Pieces.Cap = 0 }},
		{engines.LeaveAfterWin, func() { r.Pieces.Removal = plain.Pieces.Removal }},
		{engines.LateAges, func() { r.Pieces.RemovalFromPly = 1 }},
		{engines.Reuse, func() { r.Pieces.ReuseVacated = false }},
		{engines.Supply, func() { r.Pieces.Supply, r.Movement = 0, plain.Movement }},
		{engines.Steps, func() { r.Movement.Steps = plain.Movement.Steps }},
		{engines.Jumps, func() {
			r.Movement.Capture, r.Movement.MultiJump, r.Movement.ForcedCapture = false, false, false
		}},
		{engines.Chains, func() { r.Movement.MultiJump = false }},
		{engines.Forced, func() { r.Movement.ForcedCapture = false }},
		{engines.Returns, func() { r.Movement.Captured = plain.Movement.Captured }},
		{engines.Surrounds, func() { r.Surround = plain.Surround }},
		{engines.Removes, func() { r.Surround.Effect = plain.Surround.Effect }},
		{engines.Cascades, func() { r.Surround.Cascade = false }},
		{engines.Lines, func() { r.Win.Line, r.Win.Region = 0, plain.Win.Region }},
		{engines.ExactLines, func() { r.Win.Overlines = true }},
		{engines.LineRegions, func() { r.Win.Region = plain.Win.Region }},
		{engines.Majorities, func() { r.Win.Majority = false }},
		{engines.FullBoards, func() { r.Draw.FullBoard = false }},
		{engines.Repetitions, func() { r.Draw.Repetition = 0 }},
		{engines.PlyCaps, func() { r.Draw.MaxPlies = 0 }},
		{engines.Passes | engines.StuckDraws | engines.StuckWins, func() { r.NoMoves = plain.NoMoves }},
		{engines.Setups, func() { r.Setup = nil }},
		{engines.Hexagons, func() { r.Board.Shape = plain.Board.Shape }},
		{engines.Holes | engines.DrawnLines, func() { r.Board.Missing, r.Board.Lines, r.Setup = nil, nil, nil }},
		{engines.Adjacency, func() { r.Board.Neighbours = 0 }},
		{engines.Patterns, func() { r.Win.Pattern = nil }},
		{engines.Connections, func() { r.Win.Connect = plain.Win.Connect }},
		{engines.Reaches, func() { r.Win.Reach, r.Win.ReachCount = nil, 0 }},
		{engines.Eliminations, func() { r.Win.Eliminate, r.Win.OnBoard = 0, false }},
		{engines.LosingLines, func() { r.Lose.Line = 0 }},
		{engines.Misere, func() { r.Win.Misere = false }},
		{engines.Directions | engines.Slides | engines.Leaps | engines.Clones | engines.Takes | engines.StraightJumps | engines.Flying, func() {
			r.Movement = engines.Movement{
				Steps: r.Movement.Steps, Capture: r.Movement.Capture, MultiJump: r.Movement.MultiJump, Captured: plain.Movement.Captured,
				ForcedCapture: r.Movement.ForcedCapture && r.Movement.Capture, JumpOver: plain.Movement.JumpOver,
			}
		}},
		{engines.Custodians, func() { r.Custodian = plain.Custodian }},
		{engines.Mills, func() { r.Mill = plain.Mill }},
		{engines.CaptureWins, func() { r.Win.Captures = 0 }},
		{engines.FullWins, func() { r.Win.Full = false }},
		{engines.Removals, func() {
			if len(r.Placement.Opening) > 0 && r.Placement.Opening[0].Remove {
				r.Placement.Opening = nil
			}
		}},
		{engines.SharedPieces, func() { r.Pieces.Owner = plain.Pieces.Owner }},
		{engines.Unequal, func() { r.Second = nil }},
	} {
		if allowed&knob.of != knob.of {
			knob.reset()
		}
	}
	if !r.Movement.Capture && r.Movement.Steps == "none" {
		r.Movement = plain.Movement
	}
	if r.Pieces.Cap == 0 {
		r.Pieces.ReuseVacated = false
	}
}

func drawRules(t *rapid.T) engines.Rules {
	integer := func(name string, low, high int) int { return rapid.IntRange(low, high).Draw(t, name) }
	oneOf := func(name string, values ...string) string { return rapid.SampledFrom(values).Draw(t, name) }
	often := func(name string, in int) bool { return integer(name, 1, in) == 1 }

	r := engines.DefaultRules()
	r.Name = "random"
	r.Board.Columns, r.Board.Rows = integer("columns", 2, engines.MaxSide), integer("rows", 2, min(engines.MaxSide, engines.MaxCells/engines.MaxSide))
	if often("small", 2) {
		r.Board.Columns, r.Board.Rows = integer("columns", 3, 6), integer("rows", 3, 6)
	}
	r.Board.Wrap = oneOf("wrap", "none", "none", "columns", "rows", "torus")
	r.Territory = oneOf("territory", "none", "halves")
	r.NoMoves = oneOf("no_moves", "loss", "draw", "pass", "win")
	r.Turn.Placements, r.Turn.FirstTurn = 1, 1
	if often("long turns", 3) {
		r.Turn.Placements, r.Turn.FirstTurn = integer("placements", 1, 3), integer("first_turn", 1, 3)
	}
	if often("pie", 3) {
		r.Turn.Pie = rapid.SampledFrom([]engines.PieRule{engines.PieStones, engines.PieSeats}).Draw(t, "pie")
	}
	r.Placement.Gravity = often("gravity", 5)
	halves := r.Territory == "halves"
	if halves && !r.Placement.Gravity {
		r.Placement.Region = oneOf("region", "anywhere", "home", "enemy")
		if often("staged", 3) {
			for range integer("stages", 1, 3) {
				r.Placement.Opening = append(r.Placement.Opening, engines.Stage{
					Plies:  integer("plies", 1, 3),
					Region: oneOf("stage", "anywhere", "home", "enemy", "first_home", "second_home"),
				})
			}
		}
	}
	r.Win.Line = integer("line", 0, 5)
	r.Win.Overlines = !often("exact", 4)
	if halves && r.Win.Line > 0 {
		r.Win.Region = oneOf("win region", "anywhere", "enemy")
	}
	r.Win.Majority = often("majority", 4)
	if often("cap", 3) {
		r.Pieces.Cap = integer("cap", max(1, r.Win.Line-1), r.Win.Line+4)
		r.Pieces.Removal = oneOf("removal", "before_win", "after_win")
		r.Pieces.RemovalFromPly = integer("from", 1, 12)
		r.Pieces.ReuseVacated = r.Pieces.Removal == "before_win" && often("reuse", 2)
	}
	if often("supply", 2) && !r.Placement.Gravity {
		r.Pieces.Supply = integer("supply", max(1, r.Win.Line), r.Win.Line+6)
		r.Movement.Steps = oneOf("steps", "none", "king", "rook", "bishop")
		r.Movement.Capture = often("capture", 2)
		r.Movement.MultiJump = r.Movement.Capture && often("multi", 2)
		r.Movement.ForcedCapture = r.Movement.Capture && often("forced", 3)
		r.Movement.Captured = oneOf("captured", "return", "remove")
	}
	if often("surround", 3) {
		r.Surround.Threshold = integer("threshold", 1, 6)
		r.Surround.Effect = oneOf("effect", "convert", "remove")
		r.Surround.Cascade = often("cascade", 2)
	}
	r.Draw.FullBoard = !often("full board plays on", 4)
	r.Draw.Repetition = integer("repetition", 0, 4)
	if r.Draw.Repetition == 1 {
		r.Draw.Repetition = 0
	}
	r.Draw.MaxPlies = integer("max_plies", 0, 120)
	d := draw{t}
	if often("other board", 3) {
		d.board(&r)
	}
	if often("setup", 3) {
		d.setup(&r)
	}
	if often("goals", 3) {
		d.goals(&r)
	}
	if !r.Placement.Gravity && (r.Pieces.Supply > 0 || len(r.Setup) > 0) && often("other movement", 2) {
		r.Movement = engines.DefaultRules().Movement
		d.movement(&r.Movement)
	}
	if len(r.Setup) > 0 && !r.Placement.Gravity && often("removals", 4) {
		d.removals(&r)
	}
	if often("other captures", 3) {
		d.captures(&r)
	}
	if often("nobody's pieces", 8) {
		d.owners(&r)
	}
	if often("second", 5) {
		d.second(&r)
	}
	if r.Placement.Gravity && often("falls", 2) {
		r.Placement.Falls = true
		letFall(r.Setup)
	}
	return r
}
