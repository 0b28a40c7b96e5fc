package balance

import (
	"spar/engines"
	"spar/engines/rules"
	"spar/ratings"
)

// Use says how often a mechanic occurred in the games of a group, and how often it changed anything. N counts games,
// or pairs that share an opening.
type Use struct {
	Mechanic string           `json:"mechanic"` // steps, jumps, chains, takes, returns, clones, leaves, surrounds, encloses, mills, falls, swaps or passes
	PerGame  ratings.Estimate `json:"per_game"` // mean number of occurrences in a game
	Games    ratings.Estimate `json:"games"`    // fraction of games in which it occurred
	// fraction of the examined occurrences that mattered (see type matter), for the strongest tier; N counts games
	Mattered ratings.Estimate `json:"mattered"`
}

// The counted mechanics, in the order of the columns.
const (
	useSteps     = iota // steps, slides, leaps and flying moves
	useJumps            // captures by jumps
	useChains           // jumps after the first one in a turn
	useTakes            // captures by replacement
	useReturns          // pieces placed from the hand in the movement phase
	useClones           // steps that leave a copy behind
	useLeaves           // pieces that left because of their age
	useSurrounds        // pieces captured by surrounding; with both rules, also those captured by enclosing
	useEncloses         // pieces captured by enclosing
	useMills            // pieces removed because of a mill
	useFalls            // pieces that fell because a piece below them left
	useSwaps
	usePasses
	uses
)

// useCounts holds the uses in a game, by mechanic.
type useCounts [uses]int32

// mechanic describes a mechanic that is counted.
type mechanic struct {
	name string
	of   rules.Mechanics // the rules must have at least one of these mechanics
	not  rules.Mechanics // the rules must have none of these mechanics: with them, another entry counts the uses
	// without returns rules in which the mechanic is off; they are used for one ply. It is nil for a mechanic that
	// players choose to use.
	without func(r *engines.Rules)
}

func mechanics() [uses]mechanic {
	return [uses]mechanic{
		{
			name: "steps", of: rules.MechanicsOf(rules.Steps, rules.Leaps, rules.Flying),
			not: rules.MechanicsOf(rules.Clones),
		},
		{name: "jumps", of: rules.MechanicsOf(rules.Jumps)},
		{name: "chains", of: rules.MechanicsOf(rules.Chains)},
		{name: "takes", of: rules.MechanicsOf(rules.Takes)},
		{name: "returns", of: rules.MechanicsOf(rules.Returns)},
		{name: "clones", of: rules.MechanicsOf(rules.Clones)},
		{name: "leaves", of: rules.MechanicsOf(rules.Ages), without: func(r *engines.Rules) { r.Pieces.Cap++ }},
		{name: "surrounds", of: rules.MechanicsOf(rules.Surrounds), without: func(r *engines.Rules) {
			r.Surround, r.Custodian = rules.DefaultRules().Surround, rules.DefaultRules().Custodian
		}},
		{
			name: "encloses", of: rules.MechanicsOf(rules.Custodians), not: rules.MechanicsOf(rules.Surrounds),
			without: func(r *engines.Rules) { r.Custodian = rules.DefaultRules().Custodian },
		},
		{name: "mills", of: rules.MechanicsOf(rules.Mills)},
		{
			name: "falls", of: rules.MechanicsOf(rules.Settles),
			without: func(r *engines.Rules) { r.Placement.Falls = false },
		},
		{name: "swaps", of: rules.MechanicsOf(rules.Pie)},
		{name: "passes", of: rules.MechanicsOf(rules.Passes)},
	}
}

// counted reports whether this mechanic is counted for rules with the given mechanics.
func (x *mechanic) counted(of rules.Mechanics) bool { return of.Any(x.of) && !of.Any(x.not) }

// seen records the pieces of both sides around one ply: before it, and after captures and departures but before
// any piece fell.
type seen struct {
	rules           rules.Mechanics
	move            engines.Move
	mover           int
	moving, chained bool // moving: the ply is in the movement phase; chained: a piece could continue its jumps
	before, struck  [2]engines.Bits
	falls           int // number of pieces that fell
}

// count counts the uses of mechanics in a ply.
func (u *useCounts) count(x *seen) {
	m, owner := x.move, x.mover
	if to := m.To(); m.IsPlacement() && !x.struck[owner].Has(to) && x.struck[1-owner].Has(to) {
		owner = 1 - owner // pieces that belong to nobody
	}
	own, lost := x.before[owner], x.before[1-owner].AndNot(x.struck[1-owner]).Count()
	switch {
	case m == engines.Swap:
		u[useSwaps]++
		return
	case m == engines.Pass:
		u[usePasses]++
		return
	case m == engines.Stop:
		return
	case m.IsRemoval():
		if own.Has(m.To()) { // in the opening
			return
		}
		u[useMills]++
		lost--
	case m.IsJump() && x.before[1-owner].Has(m.To()):
		u[useTakes]++
		lost--
	case m.IsJump():
		u[useJumps]++
		if x.chained {
			u[useChains]++
		}
		lost = max(0, lost-1)
	case m.IsPlacement():
		switch {
		case x.moving && x.rules.Has(rules.Clones):
			u[useClones]++
		case x.moving:
			u[useReturns]++
		}
	default:
		u[useSteps]++
	}
	if x.rules.Has(rules.Surrounds) {
		u[useSurrounds] += int32(lost)
	} else {
		u[useEncloses] += int32(lost)
	}
	switch {
	case m.IsPlacement() && own.Has(m.To()): // on the cell of the oldest, which left
		u[useLeaves]++
		own = own.Without(m.To())
	case !m.IsPlacement() && !m.IsRemoval():
		own = own.Without(m.From())
	}
	u[useLeaves] += int32(own.AndNot(x.struck[owner]).Count())
	if arrived := m.To(); !m.IsRemoval() && !x.struck[owner].Has(arrived) {
		u[useLeaves]++ // the piece that moved was the oldest itself
	}
	u[useFalls] += int32(x.falls)
}

// rarest returns the smallest fraction of games in which a mechanic occurs, among movement, captures and
// departures of pieces. It returns 1 if the rules have none of these.
func (g *Group) rarest() ratings.Estimate {
	out := ratings.Estimate{
		Value: 1, Interval: ratings.Interval{Lo: 1, Hi: 1}, N: g.Games, Unit: "games",
		Scale: ratings.ScaleShare, Method: "none",
	}
	for _, u := range g.Alive {
		switch u.Mechanic {
		case "steps", "jumps", "takes", "clones", "leaves", "surrounds", "encloses", "mills":
			if u.Games.Known() && (out.Method == "none" || u.Games.Value < out.Value) {
				out = u.Games
			}
		}
	}
	return out
}

// alive returns how often each mechanic of the rules was used. It omits mechanics that the rules do not have.
func (m measurer) alive(g *engines.Game, d *groupData) []Use {
	out := []Use{}
	for i, x := range mechanics() {
		if !x.counted(g.Mechanics()) || d.alive.n == 0 {
			continue
		}
		out = append(out, Use{
			Mechanic: x.name, PerGame: m.ratio(d.alive, i, 2*uses, d.of(), "times per game"),
			Games: m.ratio(d.alive, uses+i, 2*uses, d.of(), "share"),
		})
	}
	return out
}
