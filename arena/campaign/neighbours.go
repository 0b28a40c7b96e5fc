package campaign

import (
	"spar/agents"
	"spar/arena"
	"spar/engines"
)

// neighbours lists the rules that differ from the given ones in one knob by one step, where the rules use the mechanic: one piece
// more or less, the other edge of the board, with and without the pie rule. They answer what a change of a knob would do; what
// is not in the list, like the size of the board, is for a sweep.
func neighbours(r engines.Rules) []engines.KnobValue {
	var out []engines.KnobValue
	one := func(used bool, path string, values ...any) {
		for _, v := range values {
			if used {
				out = append(out, engines.KnobValue{Path: path, Text: engines.KnobText(v)})
			}
		}
	}
	other := func(used bool, path, now string, values ...any) {
		for _, v := range values {
			one(used && v != now, path, v)
		}
	}
	lines, jumps, surround := r.Win.Line > 0, r.Movement.Capture, r.Surround.Threshold > 0
	if form := r.PieFor(); r.Turn.Pie.On() {
		one(true, "turn.pie", engines.NoPie)
	} else {
		one(form.On(), "turn.pie", form)
	}
	one(true, "turn.placements", r.Turn.Placements-1, r.Turn.Placements+1)
	one(r.Turn.Placements > 1, "turn.first_turn", r.Turn.FirstTurn-1, r.Turn.FirstTurn+1)
	more := func(path string, now int) { // 0 would switch it off
		one(now > 1, path, now-1)
		one(now > 0, path, now+1)
	}
	more("pieces.cap", r.Pieces.Cap)
	other(r.Pieces.Cap > 0, "pieces.removal", r.Pieces.Removal, "before_win", "after_win")
	more("pieces.supply", r.Pieces.Supply)
	more("win.line", r.Win.Line)
	one(lines && r.Win.Line < max(r.Board.Columns, r.Board.Rows), "win.overlines", !r.Win.Overlines)
	other(lines && r.Territory != "none", "win.region", r.Win.Region, "anywhere", "enemy")
	other(r.Movement.Steps != "none", "movement.steps", r.Movement.Steps, "king", "rook", "bishop")
	other(jumps, "movement.captured", r.Movement.Captured, "return", "remove")
	one(jumps, "movement.multi_jump", !r.Movement.MultiJump)
	one(jumps, "movement.forced_capture", !r.Movement.ForcedCapture)
	more("surround.threshold", r.Surround.Threshold)
	other(surround, "surround.effect", r.Surround.Effect, "convert", "remove")
	one(surround, "surround.cascade", !r.Surround.Cascade)
	other(true, "board.wrap", r.Board.Wrap, "none", "torus")
	return out
}

// variants compiles the neighbours that make valid rules other than the given ones.
func variants(base Rules) []Rules {
	var out []Rules
	seen := map[string]bool{base.Game.RulesHash(): true}
	for _, k := range neighbours(base.Game.Rules()) {
		set := map[string]any{k.Path: k.Text}
		for path, v := range base.Ref.Set {
			if path != k.Path {
				set[path] = v
			}
		}
		r, err := LoadRules(base.Ref.Rules, set)
		if err != nil || seen[r.Game.RulesHash()] {
			continue
		}
		seen[r.Game.RulesHash()] = true
		out = append(out, r)
	}
	return out
}

// knobParts are the matches of one tier against itself under each of the neighbouring rules. A learned evaluation is of the study's rules
// alone: under others the agents would be others, and nothing could be compared.
func (c *Campaign) knobParts() []*arena.Tournament {
	if c.Record.Sizes.Knob == 0 || c.valued.learned() {
		return nil
	}
	budgets := c.Record.Budgets
	tier := c.Record.Request.family().tier(budgets[(len(budgets)-1)/2])
	var out []*arena.Tournament
	for _, v := range variants(c.Rules) {
		t := c.partOf(v, "", PurposeKnob, "mirror", pairsOf(c.Record.Sizes.Knob), arena.Openings{}, []agents.Spec{tier})
		t.Name = KnobEvent(c.Rules.Label, v.Label)
		out = append(out, t)
	}
	return out
}
