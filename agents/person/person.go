// Package person plays as people play a game that is new to them: they know only the rules and look briefly at
// each move.
//
// # Terms
//
//   - Sight: what a person sees of one move: the lines that it adds to, the lines of the opponent that it stops, how
//     near it is to the middle and to the last move, and whether it ends the game.
//   - View: the sights of all legal moves of a position. It does not depend on the options, so a fit keeps it.
//   - Worth: how good a move looks: a sum of weights times features. Completing a line is worth 1.
//   - Options: the weights, and the probabilities of mistakes.
//
// # Flow of data
//
// [Eye.Look] turns a position into a [View]. [Options.Chances] gives the probability of each move, for
// likelihoods, and [Options.Draw] one move, for play. Both need nothing else, so the model can play any rules.
// Apart from lines, it uses the hand-made evaluation, and immediate wins and losses.
package person

import (
	"math"
	"math/rand/v2"

	"spar/agents/eval"
	"spar/engines"
	"spar/engines/grid"
	"spar/engines/rules"
)

// lacks is the size of arrays that are indexed by the number of pieces a line lacks.
const lacks = grid.MaxSide + 1

// Sight holds the features of one move that a person sees.
type Sight struct {
	Own, Threats [lacks]uint8 // open lines through the cell, by the number of pieces that they needed before the move
	Centre       float32      // 0 in a corner to 1 in the middle
	Nearby       float32      // 1 / distance to the last move in king's steps, 0 if there is none
	// 0 to 2: 1 if the move creates at least two cells that would complete a line, plus 1 if it prevents the opponent from
	// doing so
	Fork int8
	// +1 for a move that wins at once without completing a line, -1 for one that loses at once
	End int8
	// gain in expected score according to the hand-made evaluation; used if anything other than lines decides the game
	Value float32
}

// View holds the sights of all legal moves of a position.
type View struct {
	Sights  []Sight // one for each legal move
	Lengths [2]int  // lengths of the lines of the side to move and of the opponent
	Misere  bool    // completing a line loses
}

// Eye makes views of the positions of one game. Only one goroutine may use it.
type Eye struct {
	g      *engines.Game
	model  eval.Model // the hand-made evaluation; nil if the game has only placements and lines
	cursor eval.Cursor
	next   engines.Position
	view   View
}

// NewEye returns an Eye for positions of g. It uses the hand-made evaluation with the parameters hand.
func NewEye(g *engines.Game, hand eval.Params) *Eye {
	e := &Eye{g: g}
	if !OnlyLines(g) {
		e.model = eval.New(g, hand)
		e.cursor = e.model.Cursor()
	}
	return e
}

// OnlyLines reports whether the rules are of the kind that the model was fitted to: pieces are placed on empty cells
// and stay, and only lines win or lose.
func OnlyLines(g *engines.Game) bool {
	return g.Mechanics().Only(rules.MechanicsOf(rules.Lines, rules.ExactLines, rules.LineDirections, rules.Misere,
		rules.FullBoards, rules.PlyCaps, rules.LongTurns, rules.FirstTurns, rules.Unequal, rules.SecondTurns))
}

// Look returns the view of the legal moves of a position. It is valid until the next call.
func (e *Eye) Look(p *engines.Position, moves []engines.Move) *View {
	r, side := e.g.Rules(), p.Side()
	v := &e.view
	v.Sights = v.Sights[:0]
	v.Lengths = [2]int{r.Of(side).Win.Line, r.Of(1 - side).Win.Line}
	v.Misere = r.Of(side).Win.Misere
	now := 0.0
	if e.model != nil {
		now = e.model.Score(e.cursor.Value(&p.State, side))
	}
	for _, m := range moves {
		var s Sight
		if c := m.To(); c != engines.NoCell && !m.IsRemoval() && !m.IsShot() {
			e.lines(&p.State, m, c, side, &s)
			s.Centre = float32(e.g.Centrality(c))
			if last := p.Last().To(); last != engines.NoCell {
				s.Nearby = 1 / float32(max(1, e.distance(c, last)))
			}
		}
		e.next.CopyFrom(p)
		e.next.Play(m)
		switch e.next.Result() {
		case engines.Winner(side):
			if s.Own[1] == 0 {
				s.End = 1
			}
		case engines.Winner(1 - side):
			s.End = -1
		case engines.Ongoing:
			if e.model != nil {
				s.Value = float32(e.model.Score(e.cursor.Value(&e.next.State, side)) - now)
			}
		}
		v.Sights = append(v.Sights, s)
	}
	return v
}

// lines counts the open lines through the target cell of a move.
func (e *Eye) lines(s *engines.State, m engines.Move, c engines.Cell, side int, out *Sight) {
	pieces := [2]engines.Bits{s.Pieces(side), s.Pieces(1 - side)}
	if from := m.From(); from != engines.NoCell {
		pieces[0] = pieces[0].Without(from)
	}
	pieces[0], pieces[1] = pieces[0].Without(c), pieces[1].Without(c)
	for i, counts := range []*[lacks]uint8{&out.Own, &out.Threats} {
		own := pieces[i]
		enemy := pieces[1-i]
		length := e.g.Rules().Of(side ^ i).Win.Line
		var ends engines.Bits // cells that complete a line once a piece is on c
		for _, w := range e.g.WindowsThrough(side^i, c) {
			if !w.Cells.And(enemy).Empty() {
				continue
			}
			lack := length - w.Cells.And(own).Count()
			counts[lack]++
			if lack == 2 {
				ends = ends.Or(w.Cells.AndNot(own).Without(c))
			}
		}
		if ends.Count() > 1 {
			out.Fork++
		}
	}
}

// distance returns the distance in king's steps between two cells, ignoring wraps.
func (e *Eye) distance(a, b engines.Cell) int {
	n := e.g.Columns()
	dx, dy := int(a)%n-int(b)%n, int(a)/n-int(b)/n
	return max(dx, -dx, dy, -dy)
}

// mood holds the random choices that determine how a person sees one position.
type mood struct{ misreads, overlooks, ahead bool }

// worths computes the value of each move divided by the temperature.
func (o *Options) worths(v *View, in mood, dst []float64) {
	var worth [2][lacks]float64
	for i, length := range v.Lengths {
		for lack := 1; lack <= length; lack++ {
			worth[i][lack] = math.Pow(float64(length-lack+1)/float64(length), o.Focus)
		}
	}
	sign, threats := 1.0, o.Threats
	if v.Misere && !in.misreads {
		sign, threats = -1, -threats
	}
	if in.overlooks {
		threats = 0
	}
	for i := range v.Sights {
		s := &v.Sights[i]
		x := o.Centre*float64(s.Centre) + o.Nearby*float64(s.Nearby) + float64(s.Value)
		if !v.Misere {
			x += float64(s.End)
		}
		for lack := 1; lack <= v.Lengths[0]; lack++ {
			x += sign * worth[0][lack] * float64(s.Own[lack])
		}
		if threats != 0 {
			for lack := 1; lack <= v.Lengths[1]; lack++ {
				x += threats * worth[1][lack] * float64(s.Threats[lack])
			}
		}
		if in.ahead && sign > 0 {
			x += float64(s.Fork)
		}
		dst[i] = x / o.Temperature
	}
}

// Chances writes the probability of each move to dst, which must have the length of the view's sights.
func (o *Options) Chances(v *View, dst []float64) {
	n := len(v.Sights)
	for i := range dst {
		dst[i] = o.Slip / float64(n)
	}
	part := make([]float64, n)
	misread := 0.0
	if v.Misere {
		misread = o.Misread
	}
	for misreads, a := range chances(misread) {
		for overlooks, b := range chances(o.Overlook) {
			for ahead, c := range chances(o.Ahead) {
				weight := (1 - o.Slip) * a * b * c
				if weight < 1e-9 {
					continue
				}
				o.worths(v, mood{misreads > 0, overlooks > 0, ahead > 0}, part)
				Soften(part)
				for i, x := range part {
					dst[i] += weight * x
				}
			}
		}
	}
}

// chances returns the probabilities of "no" and "yes" for a yes-or-no choice with a given probability.
func chances(yes float64) [2]float64 { return [2]float64{1 - yes, yes} }

// Soften turns the exponents x into probabilities, by softmax.
func Soften(x []float64) {
	top, sum := math.Inf(-1), 0.0
	for _, u := range x {
		top = max(top, u)
	}
	for i, u := range x {
		x[i] = math.Exp(u - top)
		sum += x[i]
	}
	for i := range x {
		x[i] /= sum
	}
}

// Draw draws a move and returns its index in the view. If misreads is set, the person misreads the rules in this game.
// Averaged over games, the probabilities are those of Chances.
func (o *Options) Draw(v *View, misreads bool, rng *rand.Rand, space []float64) int {
	if rng.Float64() < o.Slip {
		return rng.IntN(len(v.Sights))
	}
	space = space[:len(v.Sights)]
	o.worths(v, mood{misreads, rng.Float64() < o.Overlook, rng.Float64() < o.Ahead}, space)
	Soften(space)
	at := rng.Float64()
	for i, x := range space {
		if at -= x; at < 0 {
			return i
		}
	}
	return len(space) - 1
}
