package enginetest

import (
	"spar/engines"
	"spar/engines/rules"
)

// stages draws an opening in which pieces must be placed in regions.
func (d draw) stages(r *engines.Rules) {
	for range d.integer("stages", 1, 3) {
		stage := rules.Stage{Plies: d.integer("plies", 1, 3)}
		d.table(r, &stage, "region=anywhere|home|enemy|first_home|second_home")
		r.Placement.Opening = append(r.Placement.Opening, stage)
	}
}

// movement draws movement other than that of kinds.
func (d draw) movement(r *engines.Rules) { r.Movement = d.ways(r) }

func (d draw) ways(r *engines.Rules) rules.Movement {
	m := rules.DefaultRules().Movement
	d.table(r, &m, ways)
	return m
}

// second draws rules for the second player that differ from the first player's.
func (d draw) second(r *engines.Rules) {
	own := &rules.SecondPlayer{}
	r.Second = own
	d.rules(r, `
		pieces.supply 1/2: second.supply=1..6
		1/3: second.first_turn=1..3`)
	if (r.Pieces.Supply > 0 || len(r.Setup) > 0) && d.often("own movement", 2) {
		m := d.ways(r)
		own.Movement = &m
	}
	if *own == (rules.SecondPlayer{}) || d.often("own goals", 2) {
		d.secondGoals(r)
	}
}

func (d draw) secondGoals(r *engines.Rules) {
	other := *r
	other.Second, other.Win = nil, rules.DefaultRules().Win
	other.Win.Majority = r.Win.Majority
	d.rules(&other, `
		win.line=0..4
		1/4: win.overlines=false
		1/4: win.directions=rows|columns|diagonals
		1/3: win.full=true
		@goals`)
	if r.Second == nil {
		r.Second = &rules.SecondPlayer{}
	}
	r.Second.Win = &other.Win
}

// removals draws an opening in which players take pieces off the board.
func (d draw) removals(r *engines.Rules) {
	stage := rules.Stage{Region: "anywhere", Remove: true}
	d.table(r, &stage, "plies=1|2\n1/2: region=cells; cells=a1|b2|b1|a2")
	r.Placement.Opening = []rules.Stage{stage}
	if d.often("beside", 2) {
		r.Placement.Opening = append(r.Placement.Opening, rules.Stage{Plies: 1, Region: "beside", Remove: true})
	}
	d.rules(r, "turn.placements; turn.first_turn; pieces.supply")
}
