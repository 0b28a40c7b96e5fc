package enginetest

import (
	"reflect"
	"strings"

	"pgregory.net/rapid"

	"spar/configs/strict"
	"spar/engines"
	"spar/engines/grid"
	"spar/engines/rules"
)

// RandomRules draws valid rules at random, on boards small enough for short games. It draws again when Validate
// rejects a combination.
func RandomRules() *rapid.Generator[engines.Rules] {
	return rapid.Custom(drawRules).Filter(func(r engines.Rules) bool { return len(engines.Validate(&r)) == 0 })
}

// RandomRulesWithin draws rules as RandomRules does and switches off all mechanics that are not allowed.
func RandomRulesWithin(allowed rules.Mechanics) *rapid.Generator[engines.Rules] {
	return rapid.Custom(func(t *rapid.T) engines.Rules {
		r := drawRules(t)
		restrict(&r, allowed)
		return r
	}).Filter(func(r engines.Rules) bool { return len(engines.Validate(&r)) == 0 && r.Mechanics().Only(allowed) })
}

// restrict sets knobs to their defaults until only allowed mechanics remain, and then also the knobs that need a
// mechanic that is gone.
func restrict(r *engines.Rules, allowed rules.Mechanics) {
	plain := rules.DefaultRules()
	reset := func(path string) {
		path, _, _ = strings.Cut(path, "[")
		now, ok := strict.At(reflect.ValueOf(r), path)
		if before, has := strict.At(reflect.ValueOf(&plain), path); ok && has {
			now.Set(before)
		}
	}
	used := r.Mechanics()
	for _, k := range rules.KnobValues(*r) {
		if used.Only(allowed) {
			break
		}
		if used.Any(rules.KnobMechanics(k.Path).Without(allowed)) {
			reset(k.Path)
			used = r.Mechanics()
		}
	}
	for range 5 {
		problems := engines.Validate(r)
		if len(problems) == 0 {
			return
		}
		for _, p := range problems {
			reset(p.Path)
		}
	}
}

func drawRules(t *rapid.T) engines.Rules {
	integer := func(name string, low, high int) int { return rapid.IntRange(low, high).Draw(t, name) }
	oneOf := func(name string, values ...string) string { return rapid.SampledFrom(values).Draw(t, name) }
	often := func(name string, in int) bool { return integer(name, 1, in) == 1 }

	r := rules.DefaultRules()
	r.Name = "random"
	r.Board.Columns, r.Board.Rows = integer("columns", 1, grid.MaxSide), integer("rows", 1, grid.MaxSide)
	for r.Board.Columns*r.Board.Rows > grid.MaxCells {
		r.Board.Rows--
	}
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
		r.Turn.Pie = rapid.SampledFrom([]rules.Choice{rules.PieStones, rules.PieSeats}).Draw(t, "pie")
	}
	r.Placement.Gravity = often("gravity", 5)
	halves := r.Territory == "halves"
	if halves && !r.Placement.Gravity {
		r.Placement.Region = oneOf("region", "anywhere", "home", "enemy")
		if often("staged", 3) {
			for range integer("stages", 1, 3) {
				r.Placement.Opening = append(r.Placement.Opening, rules.Stage{
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
	d := draw{t}
	d.lineDirections(&r.Win)
	r.Win.Majority = often("majority", 4)
	if often("cap", 3) {
		r.Pieces.Cap = integer("cap", max(1, r.Win.Line-1), r.Win.Line+4)
		r.Pieces.Removal = oneOf("removal", "before_win", "after_win")
		r.Pieces.RemovalFromPly = integer("from", 1, 12)
		r.Pieces.ReuseVacated = r.Pieces.Removal == "before_win" && often("reuse", 2)
	}
	if often("supply", 2) && !r.Placement.Gravity {
		r.Pieces.Supply = integer("supply", max(1, r.Win.Line), r.Win.Line+6)
		if often("own phases", 3) {
			r.Pieces.Moving = "after_own"
		}
		r.Movement.Steps = oneOf("steps", "none", "king", "rook", "bishop")
		r.Movement.Capture = often("capture", 2)
		r.Movement.MultiJump = rules.ChoiceOf(r.Movement.Capture && often("multi", 2))
		r.Movement.ForcedCapture = rules.ChoiceOf(r.Movement.Capture && often("forced", 3))
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
	if often("repeated", 3) {
		r.Draw.Repeated = rules.Word(oneOf("repeated", "mover_loses", "first_wins", "second_wins"))
	}
	r.Draw.MaxPlies = integer("max_plies", 0, 120)
	if often("quiet", 4) {
		r.Draw.Quiet = integer("quiet plies", 1, 12)
	}
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
		r.Movement = rules.DefaultRules().Movement
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
