package enginetest

import (
	"slices"
	"strings"

	"pgregory.net/rapid"

	"spar/engines"
	"spar/engines/rules"
)

// RandomRulesWith draws rules as RandomRules does, then switches one mechanic on if the other knobs allow it. Most
// draws have the mechanic, but not all.
func RandomRulesWith(mechanic rules.Mechanic) *rapid.Generator[engines.Rules] {
	return rapid.Custom(func(t *rapid.T) engines.Rules {
		r, d := drawRules(t), draw{t}
		if goal := slices.ContainsFunc(rules.Goals(), func(g rules.Goal) bool {
			return g.Mechanic == mechanic
		}); goal {
			// a small board, and at times no other goals, so that random games reach the goal
			d.rules(&r, `
				board; setup; placement.opening; board.columns=2..5; board.rows=2..5
				1/2: @no goals`)
		}
		d.favour(&r, mechanic)
		return r
	}).Filter(func(r engines.Rules) bool { return len(engines.Validate(&r)) == 0 })
}

// favour switches on a mechanic and the mechanics that it needs. A mechanic that is not listed is switched on by the
// change of its knob, see changed.
func (d draw) favour(r *engines.Rules, mechanic rules.Mechanic) {
	if rules.PieceMechanics().Has(mechanic) {
		for range 20 {
			if d.kinds(r); r.Mechanics().Has(mechanic) {
				return
			}
		}
		return
	}
	if table := favours()[mechanic]; table != "" {
		d.rules(r, table)
		return
	}
	for path, change := range changed() {
		if !rules.KnobMechanics(path).Has(mechanic) || r.Mechanics().Has(mechanic) {
			continue
		}
		_, value, _ := strings.Cut(change, ": ")
		g, err := engines.Load("random", []byte(r.Canonical()), path+"="+value)
		if err == nil {
			*r = g.Rules()
		}
	}
}

// favours returns a table for each mechanic; see draw.rules.
func favours() map[rules.Mechanic]string {
	return map[rules.Mechanic]string{
		rules.PlaceRegions:   "territory=halves; placement.gravity; placement.falls; placement.region=home|enemy",
		rules.LineRegions:    "territory=halves; win.region=enemy; win.line?=2..4",
		rules.LineDirections: "win.directions=columns|rows|diagonals; win.line?=2..4",
		rules.Falling:        "placement.gravity=true; placement.region; pieces.supply; movement",
		rules.Reuse:          "pieces.removal=before_win; pieces.reuse_vacated=true; pieces.cap=win.line+0..3",
		rules.Supply:         "placement.gravity; placement.falls; pieces.supply=win.line+1..5",
		rules.OwnPhases: `placement.gravity; placement.falls; pieces.moving=after_own; pieces.supply=win.line+1..5
			1/2: second.supply=0..3`,
		rules.Steps:  "@steps",
		rules.Jumps:  "@jumps",
		rules.Chains: "@chains",
		rules.Forced: `@jumps; movement.forced_capture=true
			movement.captured=stay: movement.captured=remove`,
		rules.Returns:    "@jumps; movement.captured=return; movement.clone",
		rules.Removes:    "surround.effect=remove; surround.threshold?=1..4",
		rules.Cascades:   "surround.cascade=true; surround.threshold?=1..4",
		rules.Setups:     "@start",
		rules.Hexagons:   "@other board; board.shape=hex; board.wrap; board.neighbours",
		rules.Holes:      "@other board; board.missing=a1|b1|a2|b2",
		rules.DrawnLines: "@other board; board.shape; board.neighbours; @lines",
		rules.Bends: `@other board; board.shape; board.neighbours; @lines; @jumps
			1/3: @steps; movement.slide=true; movement.clone`,
		rules.Adjacency: `board.lines|board.shape=hex: @other board; board.shape
			board.neighbours=4|8`,
		rules.Patterns:     "win.pattern=square|0,0 1,0 1,1|0,0 2,1 1,-1",
		rules.Connections:  "win.connect=top_bottom|left_right",
		rules.Reaches:      "win.reach=far|near|left|a1|b2; win.reach_count=0..3",
		rules.Eliminations: "win.eliminate=1..3; win.on_board=true|false|false",
		rules.ReachCounts:  "win.reach=far|near|left|a1|b2; win.reach_count=2|3",
		rules.StayingJumps: "@jumps; movement.captured=stay; movement.jump_over=friend|any",
		rules.Gathers:      "@moves; win.gather=true",
		rules.ShutIns:      "@moves; win.shut_in=near|far|a1|b2|c2",
		rules.NoneLefts: `@moves
			!movement.capture !movement.take: movement.take=king; movement.captured=remove
			win.none_left=true`,
		rules.LosingLines:   "lose.line=2..4",
		rules.Misere:        "win.misere=true",
		rules.Directions:    "@steps; movement.directions=forward|sideways|forward_diagonal",
		rules.Slides:        "@steps; movement.slide=true; movement.clone",
		rules.Leaps:         "@moves; movement.fly; movement.leaps=1,2|0,2|2,2",
		rules.Clones:        "@steps; movement.clone=true; movement.slide; movement.fly; movement.captured=remove",
		rules.Takes:         "@moves; movement.take=king|forward|rook; movement.captured=remove",
		rules.StraightJumps: "@chains; movement.straight=true",
		rules.Flying:        "@moves; movement.fly=1..5; movement.leaps; movement.clone",
		rules.CaptureWins:   "win.captures=1..6",
		rules.Komi: `win.majority=true; win.komi=-3..3
			second.win: second.win.majority=true; second.win.komi=win.komi+0`,
		rules.FullWins: `win.majority
			!second.win: @second; @goals of the second
			win.full=true; second.win.full=false; second.win.majority=false`,
		rules.Removals:   "placement.gravity; placement.falls; @start; @removals",
		rules.Mills:      "mill.line=2..3",
		rules.ExactMills: "mill.line=2..3; mill.exact=true",
		rules.MovedMills: "@moves; mill.line=2..3; mill.moved=true",
		rules.MustEnclose: "placement.gravity; placement.falls; pieces.reuse_vacated; @start; custodian.effect=flip; " +
			"custodian.must=true; movement",
		rules.Custodians:  "custodian.effect=flip|remove",
		rules.QuietDraws:  "@steps; draw.quiet=1..8",
		rules.RepeatWins:  "@steps; draw.repetition=2|3; turn.pie; draw.repeated=mover_loses|mover_loses|first_wins|second_wins",
		rules.Unequal:     "@second",
		rules.SecondTurns: "second.first_turn=1..3",
	}
}
