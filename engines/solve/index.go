package solve

import (
	"cmp"
	"context"
	"encoding/binary"
	"slices"
	"sync/atomic"

	"spar/engines"
)

// index builds the table of a solved space and frees the keys of the space.
func (sp *space) index(ctx context.Context, vals values, who seats, workers int) (*Table, error) {
	n := sp.set.len()
	t := &Table{
		g: sp.g, forever: sp.g.Rules().Draw.RepeatWinner(), hash: sp.g.RulesHash(),
		codec: sp.codec, mix: sp.mix, layout: chooseLayout(n, sp.mix.bits),
	}
	order, starts, err := sp.sorted(ctx, &t.layout, workers)
	if err != nil {
		return nil, err
	}
	t.palette = palette(vals, n)
	width := 1
	if len(t.palette) > sp.mostValues {
		t.palette, width = nil, 2
	}
	t.starts = make([]byte, 4*len(starts))
	for i, s := range starts {
		binary.LittleEndian.PutUint32(t.starts[4*i:], s)
	}
	t.rests = make([]byte, int(n)*t.restBytes+padding)
	t.vals = make([]byte, int(n)*width)
	place := map[uint16]byte{}
	for i, v := range t.palette {
		place[v] = byte(i)
	}
	tallies := make([]tally, workers)
	err = parallel(ctx, workers, blocks(n), func(w, b int) error {
		count := &tallies[w]
		var rest [16]byte
		for i := uint32(b) << blockBits; i < min(n, uint32(b+1)<<blockBits); i++ {
			id := order[i]
			k, v := sp.set.key(id), decided(vals.get(id))
			_, r := t.split(&t.mix, k)
			binary.LittleEndian.PutUint64(rest[:], r.Lo)
			binary.LittleEndian.PutUint64(rest[8:], r.Hi)
			copy(t.rests[int(i)*t.restBytes:int(i+1)*t.restBytes], rest[:])
			if width == 1 {
				t.vals[i] = place[v]
			} else {
				binary.LittleEndian.PutUint16(t.vals[2*int(i):], v)
			}
			count.add(sp, k, v, who, id)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	sp.set.keys = nil
	t.stats = t.collect(tallies)
	return t, nil
}

// sorted returns the states in the order of their mixed keys, and the first state of each bucket. It first sorts
// them into buckets.
func (sp *space) sorted(ctx context.Context, l *layout, workers int) (order, starts []uint32, err error) {
	n := sp.set.len()
	starts = make([]uint32, 1<<l.bucketBits+1)
	order = make([]uint32, n)
	each := func(visit func(id, bucket uint32)) error {
		return parallel(ctx, workers, blocks(n), func(_, b int) error {
			for id := uint32(b) << blockBits; id < min(n, uint32(b+1)<<blockBits); id++ {
				visit(id, sp.mix.top(sp.set.key(id), l.bucketBits))
			}
			return nil
		})
	}
	if err := each(func(_, bucket uint32) { atomic.AddUint32(&starts[bucket], 1) }); err != nil {
		return nil, nil, err
	}
	sum := uint32(0)
	for i := range starts {
		sum += starts[i]
		starts[i] = sum
	}
	if err := each(func(id, bucket uint32) {
		order[atomic.AddUint32(&starts[bucket], ^uint32(0))] = id
	}); err != nil {
		return nil, nil, err
	}
	const part = 1 << 12
	err = parallel(ctx, workers, (len(starts)-1+part-1)/part, func(_, p int) error {
		for b := p * part; b < min(len(starts)-1, (p+1)*part); b++ {
			slices.SortFunc(order[starts[b]:starts[b+1]], func(x, y uint32) int {
				kx, ky := sp.set.key(x), sp.set.key(y)
				return cmp.Or(cmp.Compare(kx.Hi, ky.Hi), cmp.Compare(kx.Lo, ky.Lo))
			})
		}
		return nil
	})
	return order, starts, err
}

// decided makes undecided states draws.
func decided(v uint16) uint16 {
	if v >= undecided {
		return 0
	}
	return v
}

// palette returns the different values, lowest first.
func palette(vals values, n uint32) []uint16 {
	seen := make([]bool, undecided)
	for i := range n {
		seen[decided(vals.get(i))] = true
	}
	var out []uint16
	for v, yes := range seen {
		if yes {
			out = append(out, uint16(v))
		}
	}
	return out
}

// tally holds the statistics that one worker collects.
type tally struct {
	classes, reduced uint64
	value            [2][]uint64 // by side to move: number of positions of each value
	state            engines.State
}

func (c *tally) add(sp *space, mixed engines.Key, v uint16, who seats, id uint32) {
	if c.value[0] == nil {
		c.value[0], c.value[1] = make([]uint64, undecided), make([]uint64, undecided)
	}
	sp.codec.Decode(sp.mix.unmix(mixed), &c.state)
	_, fixed, _ := sp.codec.Canonical(&c.state)
	images := uint64(sp.codec.Symmetries() / fixed)
	movers := uint32(1) << c.state.Side()
	if who != nil {
		movers = who.of(id)
	}
	c.classes++
	for side := range 2 {
		if movers>>side&1 != 0 {
			c.reduced++
			c.value[side][v] += images
		}
	}
}
