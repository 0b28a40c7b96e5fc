package patterns

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"spar/engines"
)

// MostPlies is the maximum length of a training game, in plies. Longer games take more time and memory and do not
// improve the training.
const MostPlies = 5000

// SelfPlay describes how training games are played. The zero value means no self-play.
type SelfPlay struct {
	Epsilon float64 `json:"epsilon"` // fraction of random moves after the opening
	Opening int     `json:"opening"` // maximum number of random plies at the start of a game
	Longest int     `json:"longest"` // plies after which a game is stopped
	Depth   int     `json:"depth"`   // search depth of the players, in plies
}

// On reports whether any field is set.
func (o SelfPlay) On() bool { return o != SelfPlay{} }

// Check returns an error that names each bad field.
func (o SelfPlay) Check() error {
	switch {
	case !(o.Epsilon >= 0 && o.Epsilon <= 1):
		return fmt.Errorf("epsilon %v: expected 0 to 1", o.Epsilon)
	case o.Opening < 0 || o.Opening > MostPlies:
		return fmt.Errorf("opening %d: expected 0 to %d plies", o.Opening, MostPlies)
	case o.Longest < 1 || o.Longest > MostPlies:
		return fmt.Errorf("longest %d: expected 1 to %d plies", o.Longest, MostPlies)
	case o.Depth < 1 || o.Depth > MostDepth:
		return fmt.Errorf("depth %d: expected 1 to %d", o.Depth, MostDepth)
	}
	return nil
}

// sure is the value of a position whose side to move can complete a line: ten logits.
const sure = 1000

// MostDepth is the maximum search depth in self-play. A deeper search would not be worth its training time.
const MostDepth = 3

// SelfPlayer plays games against itself. Only one goroutine may use it.
type SelfPlayer struct {
	Each    func() // called after every ply; may be nil
	o       SelfPlay
	game    *engines.Game
	cursor  *Cursor
	state   engines.State
	next    [MostDepth + 1]engines.State // positions by number of plies left to search
	moves   []engines.Move
	replies [MostDepth + 1][]engines.Move
	src     *rand.PCG
	rng     *rand.Rand
}

// NewSelfPlayer returns a player that uses net. The options must have passed Check.
func NewSelfPlayer(net *Net, o SelfPlay) *SelfPlayer {
	src := rand.NewPCG(0, 0)
	return &SelfPlayer{
		o:      o,
		game:   net.Game(),
		cursor: net.NewCursor(),
		moves:  make([]engines.Move, 0, 512),
		src:    src,
		rng:    rand.New(src),
	}
}

// Play plays one game; seed and number select its random stream. If ctx ends, the game stops and must not be used.
func (p *SelfPlayer) Play(ctx context.Context, seed, number uint64) Lesson {
	p.src.Seed(engines.Mix(seed+0x1ea7), engines.Mix(number))
	var out Lesson
	s := &p.state
	*s = p.game.NewState()
	opening := p.rng.IntN(p.o.Opening + 1)
	p.cursor.Follow(s)
	for !s.Over() && len(out.Moves) < p.o.Longest && ctx.Err() == nil {
		p.moves = s.AppendMoves(p.moves[:0])
		random := len(out.Moves) < opening
		var m engines.Move
		if wins := s.WinningPlacements(); !random && !wins.Empty() {
			m = engines.PlaceMove(wins.First())
		} else if random = random || p.rng.Float64() < p.o.Epsilon; random {
			m = p.moves[p.rng.IntN(len(p.moves))]
		} else {
			m = p.best(p.cursor, s)
		}
		out.Moves = append(out.Moves, m)
		out.Random = append(out.Random, random)
		before := &p.next[0]
		before.CopyFrom(s)
		s.Play(m)
		if len(out.Moves)%64 == 0 { // the way back is not wanted
			p.cursor.Follow(s)
		} else {
			p.cursor.Push(before, s)
		}
		if p.Each != nil {
			p.Each()
		}
	}
	out.Result, out.Cut = 0.5, !s.Over()
	if s.Over() {
		out.Result = s.Result().Score(engines.First)
	}
	return out
}

// best returns one of the moves with the best value for the mover, chosen at random.
func (p *SelfPlayer) best(k *Cursor, s *engines.State) engines.Move {
	depth := p.o.Depth
	side, top, equal := s.Side(), math.Inf(-1), 0
	best := p.moves[0]
	next := &p.next[depth]
	for _, m := range p.moves {
		next.CopyFrom(s)
		next.Play(m)
		// Just below the best: what is as good is told from what is worse.
		switch v := p.worth(k, s, next, depth, side, math.Nextafter(top, math.Inf(-1)), math.Inf(1)); {
		case v > top:
			top, best, equal = v, m, 1
		case v == top:
			if equal++; p.rng.IntN(equal) == 0 {
				best = m
			}
		}
	}
	return best
}

// worth returns the value of the position next, for a side. The position is one ply after the cursor's. Worth uses
// alpha-beta with the given number of plies, which includes the ply that led to next.
func (p *SelfPlayer) worth(k *Cursor, at, next *engines.State, depth, side int, lo, hi float64) float64 {
	switch r := next.Result(); {
	case r == engines.Drawn:
		return 0
	case r != engines.Ongoing:
		return (r.Score(side) - 0.5) * 4 * sure
	case !next.WinningPlacements().Empty():
		if next.Side() == side {
			return sure
		}
		return -sure
	case depth == 1:
		return k.After(next, side)
	}
	k.Push(at, next)
	defer k.Pop()
	moves := next.AppendMoves(p.replies[depth][:0])
	p.replies[depth] = moves
	child, own := &p.next[depth-1], next.Side() == side
	best := math.Inf(1)
	if own {
		best = math.Inf(-1)
	}
	for _, m := range moves {
		child.CopyFrom(next)
		child.Play(m)
		v := p.worth(k, next, child, depth-1, side, lo, hi)
		if own {
			best = max(best, v)
			lo = max(lo, best)
		} else {
			best = min(best, v)
			hi = min(hi, best)
		}
		if lo >= hi {
			break
		}
	}
	return best
}
