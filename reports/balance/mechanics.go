package balance

import (
	"fmt"
	"strings"

	"spar/engines"
	"spar/engines/rules"
	"spar/ratings"
	"spar/reports/page"
	"spar/reports/screen"
	"spar/reports/table"
)

// mechanicsUsed measures how often the mechanics of the rules occur.
func mechanicsUsed() measure {
	return measure{sums: newMechanics, answers: mechanicsAnswers, section: mechanicsSection}
}

// mechanicsAnswers names the mechanics that never or rarely occur.
func mechanicsAnswers(v *view) []Answer {
	if v.main == nil {
		return nil
	}
	var dead, rare []string
	for _, u := range v.played.Alive {
		switch {
		case u.Mechanic == "passes" || u.Mechanic == "swaps" || !u.Games.Known() || u.Games.Hi >= 0.5:
		case u.PerGame.Value == 0:
			dead = append(dead, "no "+u.words())
		default:
			rare = append(rare, fmt.Sprintf("only %s of the games have %s", said(u.Games), u.words()))
		}
	}
	switch {
	case len(dead) > 0:
		return []Answer{{Question: "Alive?", Verdict: "No", Colour: Poor, Claim: strings.Join(dead, ", ") + " in " +
			screen.Plural(v.played.Games, "game"), Next: "remove these mechanics from the rules, or make them worthwhile"}}
	case len(rare) > 0:
		return []Answer{{Question: "Alive?", Verdict: "In part", Colour: Middling, Claim: strings.Join(rare, ", ")}}
	}
	return nil
}

// mechanicsSection has a table of how often each mechanic of the rules is used, by strength.
func mechanicsSection(v *view) page.Section {
	if len(v.played.Alive) == 0 {
		return page.Section{}
	}
	var texts []string
	for _, u := range v.played.Alive {
		texts = append(texts, u.words()+" "+said(u.PerGame))
	}
	t := v.perGroup(v.tiers(), "alive", "Times per game", func(g *Group) (row []any) {
		for _, u := range g.Alive {
			row = append(row, u.Mechanic, table.As{Column: table.Column{Title: u.words()}, Cell: cell(u.PerGame)})
		}
		return row
	})
	return page.Section{
		ID:     "mechanics",
		Title:  "Mechanics",
		Lead:   "Per game: " + strings.Join(texts, ", ") + ".",
		Tables: []table.Table{t},
	}
}

// words names a mechanic for people.
func (u Use) words() string {
	return map[string]string{
		"steps": "steps", "jumps": "jumps", "chains": "further jumps", "returns": "returns", "leaves": "pieces that leave",
		"surrounds": "captures", "swaps": "swaps", "passes": "passes", "takes": "captures by replacement", "clones": "clones",
		"encloses": "pieces enclosed", "mills": "pieces taken for mills", "falls": "pieces that fall",
	}[u.Mechanic]
}

// Use says how often a mechanic occurred in the games of a group. N counts games,
// or pairs that share an opening.
type Use struct {
	// steps, jumps, chains, takes, returns, clones, leaves, surrounds, encloses, mills, falls, swaps or passes
	Mechanic string           `json:"mechanic"`
	PerGame  ratings.Estimate `json:"per_game"` // mean number of occurrences in a game
	Games    ratings.Estimate `json:"games"`    // fraction of games in which it occurred
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
}

func mechanics() [uses]mechanic {
	of := rules.MechanicsOf
	return [uses]mechanic{
		{name: "steps", of: of(rules.Steps, rules.Leaps, rules.Flying), not: of(rules.Clones)},
		{name: "jumps", of: of(rules.Jumps, rules.LineCaptures)},
		{name: "chains", of: of(rules.Chains)},
		{name: "takes", of: of(rules.Takes, rules.SlideTakes, rules.LeapTakes)},
		{name: "returns", of: of(rules.Returns, rules.Drops)},
		{name: "clones", of: of(rules.Clones)},
		{name: "leaves", of: of(rules.Ages)},
		{name: "surrounds", of: of(rules.Surrounds)},
		{name: "encloses", of: of(rules.Custodians), not: of(rules.Surrounds)},
		{name: "mills", of: of(rules.Mills)},
		{name: "falls", of: of(rules.Settles)},
		{name: "swaps", of: of(rules.Pie)},
		{name: "passes", of: of(rules.Passes)},
	}
}

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
	to := m.To()
	if m.IsPlacement() && !x.struck[owner].Has(to) && x.struck[1-owner].Has(to) {
		owner = 1 - owner // pieces that belong to nobody
	}
	own := x.before[owner]
	lost := x.before[1-owner].AndNot(x.struck[1-owner]).Count()
	switch {
	case m == engines.Swap:
		u[useSwaps]++
		return
	case m == engines.Pass:
		u[usePasses]++
		return
	case m.To() == engines.NoCell || m.IsShot(): // stop, or the choice of a kind
		return
	case x.rules.Has(rules.LineCaptures) && (m.IsRemoval() || m.IsJump()):
		if lost = 0; m.IsJump() {
			u[useJumps]++
		}
		if m.IsJump() && x.chained {
			u[useChains]++
		}
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

// mechanicsSums counts the uses of each mechanic, and the games with a use of it.
type mechanicsSums struct {
	d         *groupData
	of, games [uses]ratings.ClusteredMean
}

func newMechanics(d *groupData) sums { return &mechanicsSums{d: d} }

// Add implements the interface sums.
func (s *mechanicsSums) Add(unit []*record) {
	var of, with [uses]float64
	games := int64(0)
	for _, r := range unit {
		if !r.counts() || r.bad {
			continue
		}
		for i, n := range r.uses {
			of[i], with[i] = of[i]+float64(n), with[i]+oneIf(n > 0)
		}
		games++
	}
	for i := range of {
		s.of[i].Add(of[i], games, unit[0].label)
		s.games[i].Add(with[i], games, unit[0].label)
	}
}

// Result implements the interface sums. It omits mechanics that the rules do not have.
func (s *mechanicsSums) Result(m measurer, g *Group) {
	g.Alive = []Use{}
	has := s.d.p.data.Game.Mechanics()
	for i, x := range mechanics() {
		n := warnThin(s.of[i].Average(m.level))
		if has.Any(x.of) && !has.Any(x.not) && n.Known() {
			g.Alive = append(g.Alive, Use{Mechanic: x.name, PerGame: n, Games: warnThin(s.games[i].Mean(m.level, "games"))})
		}
	}
}
