package enginetest

import (
	"strings"

	"pgregory.net/rapid"

	"spar/engines"
	"spar/engines/grid"
	"spar/engines/rules"
)

// RandomRules draws valid rules at random, on boards small enough for short games. It draws again when Validate
// rejects a combination.
func RandomRules() *rapid.Generator[engines.Rules] {
	return rapid.Custom(drawRules).Filter(func(r engines.Rules) bool {
		return len(engines.Validate(&r)) == 0
	})
}

// RandomRulesWithin draws rules as RandomRules does and switches off all mechanics that are not allowed.
func RandomRulesWithin(allowed rules.Mechanics) *rapid.Generator[engines.Rules] {
	return rapid.Custom(func(t *rapid.T) engines.Rules {
		r := drawRules(t)
		restrict(&r, allowed)
		return r
	}).Filter(func(r engines.Rules) bool {
		return len(engines.Validate(&r)) == 0 && r.Mechanics().Only(allowed)
	})
}

// restrict sets knobs to their defaults until only allowed mechanics remain, and then also the knobs that need a
// mechanic that is gone.
func restrict(r *engines.Rules, allowed rules.Mechanics) {
	used := r.Mechanics()
	for _, k := range rules.KnobValues(*r) {
		if used.Any(rules.KnobMechanics(k.Path).Without(allowed)) {
			reset(r, k.Path)
			used = r.Mechanics()
		}
	}
	for range 5 {
		problems := engines.Validate(r)
		if len(problems) == 0 {
			return
		}
		for _, p := range problems {
			path, _, _ := strings.Cut(p.Path, "[")
			reset(r, path)
		}
	}
}

func drawRules(t *rapid.T) engines.Rules {
	d, r := draw{t}, rules.DefaultRules()
	r.Name = "random"
	r.Board.Columns, r.Board.Rows = d.integer("columns", 1, grid.MaxSide), d.integer("rows", 1, grid.MaxSide)
	for r.Board.Columns*r.Board.Rows > grid.MaxCells {
		r.Board.Rows--
	}
	d.rules(&r, tables["all"])
	return r
}

// tables draw parts of rules; see draw.rules.
var tables = map[string]string{
	"all": `
		1/2: board.columns=3..6; board.rows=3..6
		board.wrap=none|none|columns|rows|torus; territory=none|halves; no_moves=loss|draw|pass|win
		1/3: turn.placements=1..3; turn.first_turn=1..3
		1/3: turn.pie=true|seats
		1/5: placement.gravity=true
		territory !placement.gravity: placement.region=anywhere|home|enemy
		territory !placement.gravity 1/3: @stages
		win.line=0|2..5|0..5
		1/4: win.overlines=false
		territory win.line: win.region=anywhere|enemy
		1/4: win.directions=rows|columns|diagonals
		1/4: win.majority=true
		1/3: pieces.cap=1..4; pieces.removal=before_win|after_win; pieces.removal_from_ply=1..12
		pieces.cap win.line: pieces.cap=win.line+-1..4
		pieces.cap pieces.removal=before_win 1/2: pieces.reuse_vacated=true
		!placement.gravity 1/2: pieces.supply=1..6; movement.steps=none|king|rook|bishop; movement.captured=return|remove
		pieces.supply win.line: pieces.supply=win.line+0..6
		pieces.supply 1/3: pieces.moving=after_own
		pieces.supply 1/2: movement.capture=true
		movement.capture 1/2: movement.multi_jump=true
		movement.capture 1/3: movement.forced_capture=true
		1/3: surround.threshold=1..6; surround.effect=convert|remove; surround.cascade=true|false
		1/4: draw.full_board=false
		draw.repetition=0|0|2..4|2..4|2..4
		1/3: draw.repeated=mover_loses|first_wins|second_wins
		draw.max_plies=0..120
		1/4: draw.quiet=1..12
		1/3: @board
		1/3: @setup
		1/3: @goals
		!placement.gravity pieces.supply|setup 1/2: @movement
		setup !placement.gravity 1/4: @removals
		1/3: @captures
		1/8: @owners
		1/5: @second
		placement.gravity 1/2: placement.falls=true; @fall`,
	"goals": `
		1/3: win.pattern=square|0,0 1,0 1,1|0,0 2,1 1,-1
		1/3: win.connect=top_bottom|left_right
		1/3: win.reach=far|near|left|right|a1|b2; win.reach_count=0..3
		1/3: win.eliminate=1..3; win.on_board=true|false|false
		1/4: lose.line=2..4
		1/4: win.misere=true
		movement.steps|movement.capture|movement.take|movement.leaps|movement.fly|movement.exits 1/3: @either`,
	"either": `
		1/2: win.gather=true
		movement.take|movement.capture 1/2: win.none_left=true
		1/2: win.shut_in=near|far|left|a1|b2`,
	"captures": `
		1/2: custodian.effect=flip|remove; custodian.length=0..2
		custodian.effect setup 1/4: custodian.must=true
		custodian.effect 1/3: custodian.directions=rook|bishop
		1/2: mill.line=2..3
		mill.line 1/3: mill.exact=true
		mill.line 1/4: mill.moved=true
		1/3: win.captures=1..6`,
	"no goals":    "win; lose; second",
	"other board": "placement.gravity; placement.falls; setup; board.missing; board.lines",
	"start":       "!setup: @setup",
	"moves": `placement.gravity; placement.falls
		!pieces.supply: @start
		!movement.steps !movement.capture !movement.take !movement.leaps: @movement`,
	"steps": `@moves
		!movement.steps: movement.steps=king|rook|bishop`,
	"jumps": `@moves
		!movement.capture: movement.capture=true; movement.jump_over=enemy; movement.captured=return|remove`,
	"chains": "@jumps; movement.multi_jump=true",
	// Both players use the same pieces.
	"owners": `
		pieces.owner=shared|choice; pieces.supply; movement; mill; turn.pie; territory; win.region
		win.majority; win.connect; win.reach; win.reach_count; win.eliminate; win.on_board; win.captures
		placement.region; placement.opening
		pieces.owner=shared: setup; surround; custodian`,
}

// ways draws how pieces move, other than by the moves of kinds. Its paths begin at movement.
const ways = `
	steps=none|king|rook|bishop
	steps 1/3: directions=forward|sideways|forward_diagonal|backward|backward_diagonal
	steps 1/4: slide=true
	steps 1/5: clone=true
	1/2: capture=true
	captured=return|remove
	capture 1/2: multi_jump=true
	multi_jump 1/2: straight=true
	capture 1/3: jumps=forward|sideways|forward_diagonal|backward|backward_diagonal|rook|bishop|king
	capture: jump_over=enemy|enemy|friend|any
	capture 1/5: captured=stay
	!captured=stay 1/3: take=forward|sideways|forward_diagonal|backward|backward_diagonal|rook|bishop|king
	capture|take !captured=stay 1/3: forced_capture=true
	1/4: leaps=1,2|0,2|2,2
	!leaps !clone 1/4: fly=1..4`
