package minimax

import (
	"context"
	"math/rand/v2"
	"testing"
	"unsafe"

	"spar/agents/eval"
	"spar/engines/enginetest"
)

// Threads that leave moves to each other still search every one: each root move has the value that one thread finds
// for it, where all games are searched to their ends.
func TestThreadsSearchEveryMove(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	rng := rand.New(rand.NewPCG(3, 1))
	for range 40 {
		p := randomPosition(g, rng.IntN(4), rng)
		var found [2]Result
		for i, threads := range []int{1, 3} {
			s := New(g, eval.New(g, eval.Params{Scale: 100}), Options{TableMB: 1, Threads: threads, AllScores: true})
			found[i] = s.Search(context.Background(), p, Limits{Depth: 9})
		}
		for i, m := range found[0].Moves {
			if other := found[1].Moves[i]; m.Bound || other.Bound || m.Move != other.Move ||
				sign(m.Score) != sign(other.Score) {
				t.Errorf("%s: %s is worth %+v, with three threads %+v", p.Text(), g.MoveText(m.Move), m, other)
			}
		}
	}
}

// States are copied at every node. Frames that fill whole cache lines keep a copy from crossing more of them than it
// must; with 504 bytes a frame, alpha-beta on the 3x3 board is a fifth slower.
func TestFramesFillCacheLines(t *testing.T) {
	if size := unsafe.Sizeof(frame{}); size%64 != 0 {
		t.Errorf("a frame has %d bytes, expected a multiple of 64", size)
	}
}
