package learn

import (
	"context"
	"math"
	"math/rand/v2"
	"sync"

	"spar/agents/patterns"
	"spar/engines"
)

// play plays the games of a batch on a net, side by side.
func (t *Training) play(ctx context.Context, net *patterns.Net, n int) ([]patterns.Lesson, error) {
	lessons := make([]patterns.Lesson, n)
	workers := min(max(t.o.Workers, 1), n)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			p := newPlayer(net, t.o)
			for i := w; i < n && ctx.Err() == nil; i += workers {
				number := uint64(t.done) + uint64(i)
				lessons[i] = p.play(uint64(t.o.Seed), number, t.opponent(number))
			}
		})
	}
	wg.Wait()
	return lessons, ctx.Err()
}

// sure is the value of a position in which its side to move completes a line: ten logits.
const sure = 1000

// mostDepth is how far a player of self-play may look ahead: beyond it training takes longer than it gains.
const mostDepth = 3

// player plays games with itself, or with an older net.
type player struct {
	o       Options
	game    *engines.Game
	cursor  *patterns.Cursor
	rival   *patterns.Cursor
	rivals  *patterns.Net // of rival
	state   engines.State
	next    [mostDepth + 1]engines.State // by plies left to look
	moves   []engines.Move
	replies [mostDepth + 1][]engines.Move
	src     *rand.PCG
	rng     *rand.Rand
}

func newPlayer(net *patterns.Net, o Options) *player {
	src := rand.NewPCG(0, 0)
	return &player{o: o, game: net.Game(), cursor: net.NewCursor(), moves: make([]engines.Move, 0, 512), src: src, rng: rand.New(src)}
}

// play plays one game; its stream is its own. One side, by lot, is an older net if there is one.
func (p *player) play(seed, number uint64, older *patterns.Net) patterns.Lesson {
	p.src.Seed(engines.Mix(seed+0x1ea7), engines.Mix(number))
	var out patterns.Lesson
	s := &p.state
	*s = p.game.NewState()
	opening := p.rng.IntN(p.o.Opening + 1)
	cursors := [2]*patterns.Cursor{p.cursor, p.cursor}
	if older != nil {
		if p.rivals != older {
			p.rival, p.rivals = older.NewCursor(), older
		}
		p.rival.Follow(s)
		cursors[p.rng.IntN(2)] = p.rival
	}
	p.cursor.Follow(s)
	for !s.Over() && len(out.Moves) < p.o.Longest {
		p.moves = s.AppendMoves(p.moves[:0])
		random := len(out.Moves) < opening
		var m engines.Move
		if wins := s.WinningPlacements(); !random && !wins.Empty() {
			m = engines.PlaceMove(wins.First())
		} else if random = random || p.rng.Float64() < p.o.Epsilon; random {
			m = p.moves[p.rng.IntN(len(p.moves))]
		} else {
			m = p.best(cursors[s.Side()], s)
		}
		out.Moves, out.Random = append(out.Moves, m), append(out.Random, random)
		before := &p.next[0]
		before.CopyFrom(s)
		s.Play(m)
		again := len(out.Moves)%64 == 0 // the way back is not wanted
		for i, k := range cursors {
			switch {
			case i == 1 && k == cursors[0]:
			case again:
				k.Follow(s)
			default:
				k.Push(before, s)
			}
		}
	}
	out.Result = 0.5
	if s.Over() {
		out.Result = s.Result().Score(engines.First)
	} else {
		out.Cut = !p.o.Drawn
	}
	return out
}

// best is the move after which a net sees the mover best, one of them at random.
func (p *player) best(k *patterns.Cursor, s *engines.State) engines.Move {
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

// worth is the value for a side of the position next, a ply after the one that the cursor is at, seen by alpha-beta with so many plies
// left, the ply that led to it counted.
func (p *player) worth(k *patterns.Cursor, at, next *engines.State, depth, side int, lo, hi float64) float64 {
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
