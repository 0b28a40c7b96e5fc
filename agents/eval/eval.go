package eval

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"spar/engines"
	"spar/engines/rules"
)

// Params are the parameters of an evaluation in an agent's file.
type Params struct {
	// Weight of each feature; missing features have weight 0. Default: the weights that Spar ships for the game
	// (agent NAME/tuned), otherwise the hand-made ones (agent handmade).
	Weights Weights `yaml:"weights" json:"weights,omitempty"`
	// Weights that replace "weights" from ply late_from on.
	Late Weights `yaml:"late_weights" json:"late_weights,omitempty"`
	// The first ply that late_weights apply to.
	LateFrom int `yaml:"late_from" json:"late_from,omitempty" jsonschema:"minimum=0,maximum=100000"`
	// Weights that replace all others in the movement phase.
	Movement Weights `yaml:"movement_weights" json:"movement_weights,omitempty"`
	// Value at which the expected score is 0.73 (1/(1+1/e)); turns values into scores. 0 = 100.
	Scale float64 `yaml:"scale" json:"scale,omitempty" jsonschema:"minimum=0"`
}

// Check returns an error that names each bad parameter.
func (p *Params) Check() error {
	for _, w := range []Weights{p.Weights, p.Late, p.Movement} {
		if err := w.Check(); err != nil {
			return err
		}
	}
	return nil
}

// Evaluator evaluates positions of one game. It does not change, so any number of goroutines may use it.
type Evaluator struct {
	t        *tables
	phases   [3]phase // base, late, movement
	lateFrom int
	scale    float64
	shares   bool // Children need to compute only what each move changes
}

// phase is a set of weights and the groups of features that it needs.
type phase struct {
	w       Vector
	used    []int // features with a nonzero weight in factors
	factors Vector
	// value of a piece on a cell, from centre and lines together: for own and enemy pieces, and for each side
	perCell                                     *[2][2][engines.CellSpace]float64
	additive                                    bool // sums of perCell are exact in any order
	lines, cells, moves, surrounds, backs, runs bool
}

// New returns an evaluator for a game. Params must have passed Check.
func New(g *engines.Game, p Params) *Evaluator {
	e := &Evaluator{t: newTables(g), lateFrom: math.MaxInt, scale: p.Scale}
	if e.scale == 0 {
		e.scale = 100
	}
	sets := [3]Weights{p.Weights, p.Late, p.Movement}
	if p.Late != nil {
		e.lateFrom = p.LateFrom
	}
	e.shares = true
	for i, w := range sets {
		ph := &e.phases[i]
		if i > 0 && w == nil { // the phase before goes on
			*ph = e.phases[i-1]
			continue
		}
		ph.prepare(e.t, w)
		e.shares = e.shares && (ph.lines || ph.surrounds || ph.backs)
	}
	return e
}

// prepare lists the features to sum. Centre and lines are both sums over pieces, so one table is used for both.
// The feature Centre then holds their weighted sum.
func (ph *phase) prepare(t *tables, w Weights) {
	r := t.game.Rules()
	ph.w = w.vector()
	ph.lines = lines(r) && ph.w.has(Need1, Need2, Need3, Need4, Expiring, Threats, Double, Ready, Waiting)
	ph.cells = ph.w.has(Centre, Lines)
	ph.moves = t.game.Moves() && ph.w.has(Mobility, Jumps)
	ph.surrounds = r.Surround.Threshold > 0 && ph.w.has(Hanging, Loose)
	ph.backs = r.Surround.Threshold > 0 && ph.w.has(Secure, Links)
	ph.runs = ph.w.has(Distance)
	ph.factors = ph.w
	if ph.cells {
		ph.perCell = &[2][2][engines.CellSpace]float64{}
		for i := range 2 {
			base := Feature(i) * pairFeatures
			for side := range 2 {
				for c := range t.centre {
					centre := ph.w[base+Centre] * t.centre[c]
					lines := ph.w[base+Lines] * t.lines[side][c]
					ph.perCell[i][side][c] = float64(centre) + float64(lines)
				}
			}
			ph.factors[base+Centre], ph.factors[base+Lines] = 1, 0
		}
		ph.additive = addsExactly(ph.perCell)
	}
	for f, x := range ph.factors {
		if x != 0 && !alwaysZero(Feature(f), t.game) {
			ph.used = append(ph.used, f)
		}
	}
}

// lines reports whether lines of a side win or lose.
func lines(r engines.Rules) bool {
	return r.Win.Line > 0 || r.Of(engines.Second).Win.Line > 0 || r.Lose.Line > 0
}

// alwaysZero reports whether a feature counts something that cannot occur under the rules.
func alwaysZero(f Feature, g *engines.Game) bool {
	r := g.Rules()
	if f == tempoFeature {
		return false
	}
	switch f % pairFeatures {
	case Need1, Need2, Need3, Need4, Threats, Double, Ready:
		return !lines(r)
	case Waiting:
		return !lines(r) || !r.Placement.Gravity
	case Expiring:
		return !lines(r) || r.Pieces.Cap == 0
	case Advanced, Distance:
		first, _ := g.Targets(engines.First)
		second, _ := g.Targets(engines.Second)
		return (r.Territory == "none" || f%pairFeatures == Distance) && first.Empty() && second.Empty()
	case Hand:
		return r.Pieces.Supply == 0 && !g.Mechanics().Has(rules.Drops)
	case Mobility, Jumps:
		return r.Pieces.Supply == 0 && len(r.Setup) == 0
	case Hanging, Loose, Secure, Links:
		return r.Surround.Threshold == 0
	}
	return false
}

// Counts reports whether a feature can differ from 0 under the rules of a game.
func Counts(feature string, g *engines.Game) bool {
	f, ok := FeatureOf(feature)
	return ok && !alwaysZero(f, g)
}

func (e *Evaluator) phaseOf(s *engines.State) *phase {
	switch {
	case s.Mobile(engines.First) || s.Mobile(engines.Second):
		return &e.phases[2]
	case s.Ply() >= e.lateFrom:
		return &e.phases[1]
	}
	return &e.phases[0]
}

// Value returns the weighted sum of the features, seen from a side. It allocates nothing. It ignores whether the game
// is over; callers check that first.
func (e *Evaluator) Value(s *engines.State, side int) float64 {
	ph := e.phaseOf(s)
	var v Vector
	e.fill(&v, s, side, ph, ph.lines)
	return ph.sum(&v)
}

// sum returns the weighted sum of given features.
func (ph *phase) sum(v *Vector) float64 {
	sum := 0.0
	for _, i := range ph.used {
		sum += float64(v[i] * ph.factors[i]) // rounded here on every machine, not fused into the sum
	}
	return sum
}

// ValueOrWin returns the value for the side to move, and a cell where it completes a line at once, or NoCell. It
// counts the lines once for both.
func (e *Evaluator) ValueOrWin(s *engines.State) (float64, engines.Cell) {
	ph, side := e.phaseOf(s), s.Side()
	if !ph.lines {
		if b := s.WinningPlacements(); !b.Empty() {
			return 0, b.First()
		}
		return e.Value(s, side), engines.NoCell
	}
	own := s.CountLines(side)
	if b := s.Completing(own.Cells); !b.Empty() {
		return 0, b.First()
	}
	enemy := s.CountLines(1 - side)
	s.CreditLosing(side, &own, &enemy)
	var v Vector
	fillLines(&v, 0, e.t.waiting(s, side), &own)
	fillLines(&v, pairFeatures, e.t.waiting(s, 1-side), &enemy)
	e.fill(&v, s, side, ph, false)
	return ph.sum(&v), engines.NoCell
}

// Score converts a value to an expected score from 0 to 1 by the logistic function.
func (e *Evaluator) Score(value float64) float64 { return 1 / (1 + math.Exp(-value/e.scale)) }

// Features returns all features seen from a side, whatever their weights.
func (e *Evaluator) Features(s *engines.State, side int) Vector {
	all := phase{
		lines:     true,
		cells:     true,
		moves:     true,
		surrounds: true,
		backs:     true,
		runs:      true,
	}
	var v Vector
	e.fill(&v, s, side, &all, true)
	return v
}

// Term is one line in the explanation of a value.
type Term struct {
	Feature      string  `json:"feature" help:"name of a feature"`
	Value        float64 `json:"value" help:"value of the feature"`
	Weight       float64 `json:"weight" help:"weight of the feature"`
	Contribution float64 `json:"contribution" help:"value times weight"`
}

// Explain lists the features whose value or weight is not 0, with the largest contribution first, and returns
// their sum.
func (e *Evaluator) Explain(s *engines.State, side int) (terms []Term, sum float64) {
	v, w := e.Features(s, side), &e.phaseOf(s).w
	for i, name := range Names() {
		if v[i] != 0 || w[i] != 0 {
			terms = append(terms, Term{name, v[i], w[i], v[i] * w[i]})
			sum += float64(v[i] * w[i])
		}
	}
	slices.SortStableFunc(terms, func(a, b Term) int {
		return cmp.Compare(math.Abs(b.Contribution), math.Abs(a.Contribution))
	})
	return terms, sum
}

// fill computes the features that a phase needs. It skips the features of lines if they are known.
func (e *Evaluator) fill(v *Vector, s *engines.State, side int, need *phase, lines bool) {
	g := s.Game() // its homes are those that the players have now
	if lines {
		own, enemy := s.CountLines(side), s.CountLines(1-side)
		s.CreditLosing(side, &own, &enemy)
		fillLines(v, 0, e.t.waiting(s, side), &own)
		fillLines(v, pairFeatures, e.t.waiting(s, 1-side), &enemy)
		mover, ready := &own, Feature(Ready)
		if side != s.Side() {
			mover, ready = &enemy, pairFeatures+Ready
		}
		if !s.Completing(mover.Cells).Empty() {
			v[ready] = 1
		}
	}
	for i, of := range [2]int{side, 1 - side} {
		at := (*[pairFeatures]float64)(v[Feature(i)*pairFeatures:])
		pieces := s.Pieces(of)
		if at[Material] = float64(pieces.Count()); g.Kinds() > 1 {
			at[Material] = material(s, of)
		}
		aim := g.Aim(of)
		if aim.Fewer {
			at[Material] = -at[Material]
		}
		if !aim.Shunned.Empty() {
			v[Feature(1-i)*pairFeatures+Advanced] += float64(pieces.And(aim.Shunned).Count())
		}
		at[Advanced] += float64(pieces.And(aim.Ahead).Count())
		at[Hand] = float64(s.Hand(of))
		if s.Taking() && of != s.Side() {
			at[Material]-- // the piece that the mill takes
		}
		switch {
		case need.perCell != nil:
			sum, worth := 0.0, &need.perCell[i][of&1]
			for b := pieces.Lo; b != 0; b &= b - 1 { // faster than First and Rest
				sum += worth[bits.TrailingZeros64(b)&63]
			}
			for b := pieces.Hi; b != 0; b &= b - 1 {
				sum += worth[64+bits.TrailingZeros64(b)&63]
			}
			at[Centre] = sum
		case need.cells:
			centre, lines := 0.0, 0.0
			for b := pieces; !b.Empty(); b = b.Rest() {
				c := b.First() & engines.CellMask
				centre += e.t.centre[c]
				lines += e.t.lines[of][c]
			}
			at[Centre], at[Lines] = centre, lines
		}
		if need.moves && s.Mobile(of) {
			steps, jumps := s.Mobility(of)
			at[Mobility], at[Jumps] = float64(steps), float64(jumps)
		}
		if need.runs {
			at[Distance] = float64(s.Distance(of))
		}
	}
	if need.surrounds || need.backs {
		var around engines.Around
		s.LookAround(&around)
		need.fillAround(v, &around, side)
	}
	if s.Side() == side {
		v[tempoFeature] = 1
	}
}

// material returns the sum of the values of a side's pieces of several kinds, those in hand too. Pieces that leave when
// the turn ends do not count.
func material(s *engines.State, side int) (sum float64) {
	g := s.Game()
	for kind := range g.Kinds() {
		sum += float64(s.OfKind(side, kind).AndNot(s.Doomed()).Count()+s.Stock(side, kind)) * g.KindValue(kind)
	}
	return sum
}

// fillAround sets the features of neighbourhoods, from the view of a side.
func (ph *phase) fillAround(v *Vector, around *engines.Around, side int) {
	for i, of := range [2]int{side, 1 - side} {
		at := (*[pairFeatures]float64)(v[Feature(i)*pairFeatures:])
		if ph.surrounds {
			hanging, loose := around.Exposed(of)
			at[Hanging], at[Loose] = float64(hanging.Count()), float64(loose.Count())
		}
		if ph.backs {
			secure, links := around.Backed(of)
			at[Secure], at[Links] = float64(secure.Count()), float64(links)
		}
	}
}

// fillLines sets the features of a side's lines. Base is the index of the side's first feature; waiting has the
// cells that wait for the side.
func fillLines(v *Vector, base Feature, waiting engines.Bits, n *engines.LineCount) {
	at := (*[pairFeatures]float64)(v[base:])
	at[Need1], at[Need2] = float64(n.Need[1]), float64(n.Need[2])
	at[Need3], at[Need4] = float64(n.Need[3]), float64(n.Need[4])
	at[Expiring] = float64(n.Expiring)
	threats := n.Cells.Count()
	at[Threats], at[Double] = float64(threats), 0
	at[Waiting] = float64(n.Cells.And(waiting).Count())
	if threats > 1 {
		at[Double] = 1
	}
}
