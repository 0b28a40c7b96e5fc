package solve

import (
	"context"
	"sync/atomic"
)

// graph holds the moves of a space in the backward direction.
type graph struct {
	start []uint32 // for each state, the index of its first edge in its block
	// for each block: the state before the move shifted by one, with the lowest bit set if the same side moves
	// again
	edges [][]uint32
}

// link builds the backward moves of the space, except those of states already won, and frees the forward moves. In
// vals it stores each state's value as far as it is known.
func (sp *space) link(ctx context.Context, vals values, workers int) (*graph, error) {
	n := sp.set.len()
	g := &graph{start: make([]uint32, n), edges: make([][]uint32, blocks(n))}
	err := parallel(ctx, workers, len(sp.segments), func(_, i int) error {
		sp.segments[i].each(func(id uint32, known uint16, edges []uint32) {
			vals.set(id, known)
			if isWin(known) {
				return
			}
			for _, e := range edges {
				atomic.AddUint32(&g.start[e>>1], 1)
			}
		})
		return nil
	})
	if err != nil {
		return nil, err
	}
	// Make the counts the ends of each state's edges; filling then moves each end down to its beginning.
	err = parallel(ctx, workers, len(g.edges), func(_, b int) error {
		sum := uint32(0)
		block := g.start[b<<blockBits : min(int(n), (b+1)<<blockBits)]
		for i := range block {
			sum += block[i]
			block[i] = sum
		}
		g.edges[b] = make([]uint32, sum)
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = parallel(ctx, workers, len(sp.segments), func(_, i int) error {
		sp.segments[i].each(func(id uint32, known uint16, edges []uint32) {
			if isWin(known) {
				return
			}
			for _, e := range edges {
				at := atomic.AddUint32(&g.start[e>>1], ^uint32(0))
				g.edges[e>>(blockBits+1)][at] = id<<1 | e&1
			}
		})
		sp.segments[i].words = nil
		return nil
	})
	sp.segments = nil
	return g, err
}

// each calls visit for every state of the segment.
func (s *segment) each(visit func(id uint32, known uint16, edges []uint32)) {
	words := s.words
	for id := s.first; id < s.first+s.n; id++ {
		moves := words[0] >> 16
		visit(id, uint16(words[0]), words[1:1+moves])
		words = words[1+moves:]
	}
}

// into returns the moves that lead to a state.
func (g *graph) into(id uint32) []uint32 {
	edges := g.edges[id>>blockBits]
	if next := id + 1; next&(blockSize-1) != 0 && int(next) < len(g.start) {
		return edges[g.start[id]:g.start[next]]
	}
	return edges[g.start[id]:]
}

// seats records which players can be to move in a state: bit 0 the first, bit 1 the second. A word holds 16 states.
type seats []uint32

func (s seats) of(id uint32) uint32 { return s[id>>4] >> (id & 15 * 2) & 3 }

// seats finds which players can be to move in each state, if keys do not say so. It passes over the moves until
// nothing changes. States are numbered in the order of their discovery, so a few passes are enough.
func (sp *space) seats(ctx context.Context, workers int) (seats, error) {
	n := sp.set.len()
	reached := make(seats, (n+15)/16)
	handed := make(seats, len(reached)) // what the followers of a state already know
	reached[0] = 1
	var changed atomic.Bool
	for changed.Store(true); changed.Load(); {
		changed.Store(false)
		err := parallel(ctx, workers, len(sp.segments), func(_, i int) error {
			sp.segments[i].each(func(id uint32, _ uint16, edges []uint32) {
				shift := id & 15 * 2
				have := atomic.LoadUint32(&reached[id>>4]) >> shift & 3
				if have == atomic.LoadUint32(&handed[id>>4])>>shift&3 {
					return
				}
				atomic.OrUint32(&handed[id>>4], have<<shift)
				changed.Store(true)
				turned := have>>1 | have<<1&2
				for _, e := range edges {
					give := turned
					if e&1 != 0 {
						give = have
					}
					to := e >> 1
					word, mark := &reached[to>>4], give<<(to&15*2)
					if atomic.LoadUint32(word)&mark != mark {
						atomic.OrUint32(word, mark)
					}
				}
			})
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return reached, nil
}
