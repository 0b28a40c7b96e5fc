package campaign

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"spar/agents"
	"spar/arena"
	"spar/arena/openings"
	"spar/engines"
	"spar/engines/rules"
)

// Problem is a fault of rules that a change of one knob can fix.
type Problem string

// The problems that a change of the rules may fix.
const (
	Unfair  Problem = "unfair"
	Endless Problem = "endless" // too many games are ended by a cap
	Drawish Problem = "drawish" // too many games are drawn
	// the rules have steps, but games hardly use them; likewise for the mechanics below
	NoSteps Problem = "no steps"
	NoJumps Problem = "no jumps"
	NoCaps  Problem = "nothing leaves"
	NoCatch Problem = "no captures"
)

// mostSteps is the maximum number of steps that a study plays.
const mostSteps = 8

// Step is a change of one knob.
type Step struct {
	Rules
	rules.KnobValue
}

// candidates returns changes of one knob by one step that may fix a problem, the most promising first: one piece more
// or less, another goal, one row nearer, the other edge of the board. Some give invalid rules.
func candidates(r engines.Rules, p Problem) []rules.KnobValue {
	var out []rules.KnobValue
	one := func(path string, values ...any) {
		for _, v := range values {
			out = append(out, rules.KnobValue{Path: path, Text: rules.KnobText(v)})
		}
	}
	more := func(path string, now int) { // 0 would switch it off
		if now > 1 {
			one(path, now-1)
		}
		if now > 0 {
			one(path, now+1)
		}
	}
	goal := func(prefix string, w rules.Win) {
		more(prefix+"win.reach_count", w.ReachCount)
		one(prefix+"win.reach", goals(w.Reach)...)
		for _, g := range stepped() {
			text, _ := rules.KnobAt(r, prefix+g.Path)
			if n, err := strconv.Atoi(text); err == nil {
				more(prefix+g.Path, n)
			}
		}
		if w.Line > 0 {
			one(prefix+"win.overlines", !w.Overlines)
		}
		if w.Line > 0 && r.Territory != "none" {
			one(prefix+"win.region", "anywhere", "enemy")
		}
	}
	second := rules.SecondPlayer{} // the second player's separate rules
	if r.Second != nil {
		second = *r.Second
	}
	targets := func() {
		goal("", r.Win)
		if second.Win != nil {
			goal("second.", *second.Win)
		}
		more("lose.line", r.Lose.Line)
	}
	movements := func(each func(path string, m rules.Movement)) {
		each("movement.", r.Movement)
		if second.Movement != nil {
			each("second.movement.", *second.Movement)
		}
	}
	moves := func() {
		movements(func(path string, m rules.Movement) {
			if m.Steps != "none" {
				one(path+"steps", "king", "rook", "bishop")
			}
		})
	}
	captures := func() {
		movements(func(path string, m rules.Movement) {
			if m.Capture {
				one(path+"forced_capture", !m.ForcedCapture)
				one(path+"multi_jump", !m.MultiJump)
				one(path+"captured", "return", "remove")
			}
		})
	}
	supply := func() {
		more("pieces.supply", r.Pieces.Supply)
		if second.Supply != nil {
			more("second.supply", *second.Supply)
		}
	}
	surround := func() {
		if r.Surround.Threshold > 0 {
			more("surround.threshold", r.Surround.Threshold)
			one("surround.effect", "convert", "remove")
			one("surround.cascade", !r.Surround.Cascade)
		}
	}
	caps := func() {
		more("pieces.cap", r.Pieces.Cap)
		if r.Pieces.Cap > 0 {
			one("pieces.removal", "before_win", "after_win")
		}
	}
	switch p {
	case Unfair:
		if form := engines.PieFor(r); r.Turn.Pie.On() {
			one("turn.pie", rules.NoPie)
		} else if form.On() {
			one("turn.pie", form)
		}
		if r.Turn.Placements > 1 {
			one("turn.first_turn", r.Turn.FirstTurn-1, r.Turn.FirstTurn+1)
		}
		if second.FirstTurn != nil {
			more("second.first_turn", *second.FirstTurn)
		}
		targets()
		moves()
		one("setup", starts(r.Setup)...)
		size(r, one)
		more("turn.placements", r.Turn.Placements)
		caps()
		supply()
		surround()
		captures()
	case Endless:
		captures()
		caps()
		targets()
		one("draw.repetition", 3, 0)
		moves()
		supply()
	case Drawish:
		targets()
		captures()
		caps()
		moves()
		size(r, one)
		one("no_moves", "loss")
	case NoSteps:
		moves()
		supply()
	case NoJumps:
		captures()
	case NoCaps:
		caps()
	case NoCatch:
		surround()
	}
	return out
}

// stepped returns the goals of each player: those that few games have first, lines last.
func stepped() []rules.Goal {
	rank := map[string]int{"win.eliminate": -1, "win.line": 1}
	out := slices.DeleteFunc(rules.Goals(), func(g rules.Goal) bool { return !strings.HasPrefix(g.Path, "win.") })
	slices.SortStableFunc(out, func(a, b rules.Goal) int { return rank[a.Path] - rank[b.Path] })
	return out
}

// goals returns sets of goals with every cell one row further up or down, alone or added to the given ones. For
// goals with words like far it returns none.
func goals(reach []string) []any {
	var out []any
	for _, by := range []int{-1, 1} {
		var moved []string
		for _, cell := range reach {
			row, err := strconv.Atoi(strings.TrimLeft(cell, "abcdefghijklmnopqrstuvwxyz"))
			if err != nil {
				return nil
			}
			moved = append(moved, strings.TrimRight(cell, "0123456789")+strconv.Itoa(row+by))
		}
		if len(moved) > 0 {
			out = append(out, moved, slices.Concat(reach, moved))
		}
	}
	return out
}

// starts returns setups in which the men of one side start one row nearer to the other side.
func starts(setup []string) []any {
	const empty = '.'
	if len(setup) < 3 {
		return nil
	}
	of := func(men string, from, by int) any { // moves them by a row, beginning with the row from
		rows := make([][]rune, len(setup))
		for i, line := range setup {
			rows[i] = []rune(line)
		}
		for i := from; i >= 0 && i < len(rows); i -= by {
			for at, c := range rows[i] {
				if !strings.ContainsRune(men, c) {
					continue
				}
				to := i + by
				if to < 0 || to >= len(rows) || at >= len(rows[to]) || rows[to][at] != empty {
					return nil
				}
				rows[i][at], rows[to][at] = empty, c
			}
		}
		out := make([]string, len(rows))
		for i, row := range rows {
			out[i] = string(row)
		}
		return out
	}
	var out []any
	for _, v := range []any{of("X", 0, -1), of("O", len(setup)-1, 1)} {
		if v != nil {
			out = append(out, v)
		}
	}
	return out
}

// size returns boards with one row or column more or less. It returns none if the board has pieces at the start.
func size(r engines.Rules, one func(path string, values ...any)) {
	if len(r.Setup) == 0 && len(r.Board.Missing) == 0 && len(r.Board.Lines) == 0 {
		one("board.rows", r.Board.Rows-1, r.Board.Rows+1)
		one("board.columns", r.Board.Columns-1, r.Board.Columns+1)
	}
	one("board.wrap", "none", "torus")
}

// Steps returns the changes of one knob that may fix the problems, in turn for each problem, the most promising
// first. All give valid rules, which differ from the base and from each other.
func Steps(base Rules, problems []Problem) []Step {
	r := base.Game.Rules()
	lists := make([][]rules.KnobValue, len(problems))
	longest := 0
	for i, p := range problems {
		lists[i] = candidates(r, p)
		longest = max(longest, len(lists[i]))
	}
	var out []Step
	seen := map[string]bool{base.Game.RulesHash(): true}
	for at := range longest {
		for _, list := range lists {
			if at >= len(list) {
				continue
			}
			k := list[at]
			v, err := base.with(k)
			if err != nil || seen[v.Game.RulesHash()] {
				continue
			}
			seen[v.Game.RulesHash()] = true
			out = append(out, Step{v, k})
		}
	}
	return out
}

// with returns rules with another value of one knob. Their text contains all knobs, so they need no file.
func (r Rules) with(k rules.KnobValue) (Rules, error) {
	set := map[string]any{k.Path: stepValue(k)}
	if r.Ref.Rules == "" {
		g, err := engines.Load(r.Label, []byte(r.Game.Rules().Canonical()), rules.Overrides(set)...)
		if err != nil {
			return Rules{}, err
		}
		return Rules{Game: g, Label: k.Path + "=" + k.Text}, arena.Ends(g, r.Label)
	}
	for path, v := range r.Ref.Set {
		if path != k.Path {
			set[path] = v
		}
	}
	return LoadRules(r.Ref.Rules, set)
}

// stepValue converts a value to the types that overrides can have.
func stepValue(k rules.KnobValue) any {
	var list []any
	if strings.HasPrefix(k.Text, "[") && json.Unmarshal([]byte(k.Text), &list) == nil {
		return list
	}
	return k.Text
}

// stepParts returns the matches of the strongest tier against itself under rules that are one step away. It
// returns none if the evaluation is learned, because that is valid only for the study's own rules.
func (c *Campaign) stepParts(steps []Step) []*arena.Tournament {
	if c.Record.Sizes.Knob == 0 || c.valued.learned() {
		return nil
	}
	budgets := c.Record.Budgets
	tier := c.Record.Request.family().tier(budgets[len(budgets)-1])
	var out []*arena.Tournament
	for i, s := range steps[:min(len(steps), mostSteps)] {
		t := c.partOf(s.Rules, "", PurposeKnob, "mirror", pairsOf(c.Record.Sizes.Knob), openings.Options{}, []agents.Spec{tier})
		t.Name, t.Seed = KnobEvent(c.Rules.Label, tier.Name, s.Label), PartSeed(c.Record.Request.Seed, stepPart+i)
		if c.Record.Sequential {
			t.Stop.EarlyStop = c.clear(pairsOf(c.Record.Sizes.Knob), mirrorLimits())
		}
		out = append(out, t)
	}
	return out
}

// stepPart is the part number of the first step, from which its seed is derived.
const stepPart = 500

// stepsAhead returns the maximum number of games in steps. Which steps are played depends on the problems that the
// first games show.
func (c *Campaign) stepsAhead() Load {
	if c.Record.Sizes.Knob == 0 || c.valued.learned() {
		return Load{}
	}
	one := LoadOf(c.stepParts([]Step{{Rules: c.Rules}}))
	return Load{mostSteps * one.Games, mostSteps * one.Work}
}
