package patterns

import (
	"math"

	"spar/engines"
)

// Trainer updates the weights of a net after games of self-play, by TD(lambda) with step sizes that decrease for
// weights that are often used (Duchi, Hazan and Singer 2011). Only one goroutine may use it.
type Trainer struct {
	layout  *Layout
	Numbers []float32 // weights of the net, in logits
	Squares []float32 // for each number, the sum of squared gradients so far
	at      tracker
	active  []int32 // indices of the weights used in each position of a game, one position after the other
	lanes   []int32 // for each position, the index in active of its first entry
	sides   []int8
	linear  []float64 // linear evaluation of each position for the side to move, in logits
	seen    []change
}

// NewTrainer returns a trainer with all weights 0.
func (l *Layout) NewTrainer() *Trainer {
	return &Trainer{
		layout:  l,
		Numbers: make([]float32, l.params),
		Squares: make([]float32, l.params),
		at:      l.newTracker(),
	}
}

// Lesson is one game of self-play.
type Lesson struct {
	Moves []engines.Move
	// for each move, whether it was random; the rest of the game then says nothing about the position before the move
	Random []bool
	Result float64 // score of the first player: 1, 0.5 or 0
	Cut    bool    // the game was stopped before its end
}

// Learn updates the weights after a game, with the given learning rate. It returns the sum of the losses (cross
// entropies in nats) over the positions that it learned from, and their number. It goes backwards from the last
// position and moves the value V(s) of each towards
//
//	G <- lambda G + (1 - lambda) V(s)
//
// G starts as the result. In a position before a random move, G becomes V(s), and Learn skips the position.
func (t *Trainer) Learn(game Lesson, lambda, rate float64) (loss float64, n int) {
	t.replay(game.Moves)
	target := game.Result // of the first player
	for i := len(game.Moves) - 1; i >= 0; i-- {
		ids := t.active[t.lanes[i]:t.lanes[i+1]]
		sum := float32(0)
		for _, id := range ids {
			sum += t.Numbers[id]
		}
		p := 1 / (1 + math.Exp(-t.linear[i]-float64(sum))) // of the side to move
		y := engines.OfFirst(target, int(t.sides[i]))
		value := engines.OfFirst(p, int(t.sides[i]))
		if game.Random[i] {
			target = value
			continue
		}
		g := float32(p - y)
		square, step := g*g, float32(rate)*g
		for _, id := range ids {
			t.Squares[id] += square
			t.Numbers[id] -= step / float32(math.Sqrt(float64(1+t.Squares[id])))
		}
		loss -= y*math.Log(max(p, 1e-12)) + (1-y)*math.Log(max(1-p, 1e-12))
		n++
		target = lambda*target + (1-lambda)*value
	}
	return loss, n
}

// replay records the weights used in every position of a game but the last.
func (t *Trainer) replay(moves []engines.Move) {
	l := t.layout
	t.active = t.active[:0]
	t.lanes = t.lanes[:0]
	t.sides = t.sides[:0]
	t.linear = t.linear[:0]
	t.at.clear()
	s := l.game.NewState()
	for _, m := range moves {
		t.seen = t.at.changes(&s, t.seen[:0])
		for _, c := range t.seen {
			t.at.set(c.place, c.from, c.to)
		}
		t.at.pieces = [2]engines.Bits{s.Pieces(0), s.Pieces(1)}
		lane := l.lane(&s)
		t.lanes, t.sides = append(t.lanes, int32(len(t.active))), append(t.sides, int8(s.Side()))
		t.active = append(t.active, l.bias[lane])
		for _, e := range t.at.entries {
			if id := l.ids[int(e)+lane]; id >= 0 {
				t.active = append(t.active, id)
			}
		}
		linear := 0.0
		if l.linear != nil {
			linear = l.linear.Value(&s, s.Side()) * l.factor / 100
		}
		t.linear = append(t.linear, linear)
		s.Play(m)
	}
	t.lanes = append(t.lanes, int32(len(t.active)))
}
