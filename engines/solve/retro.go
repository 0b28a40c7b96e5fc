package solve

import (
	"context"
	"fmt"
	"sync/atomic"
)

// retrograde determines the value of every state in which one side can force a win, those nearest to the end
// first. It leaves draws undecided. Round d handles the states decided at distance d. A move to one of them that
// wins for its mover decides its start state as won in d+1, because no faster win was found. A move that loses
// reduces the number of undecided moves of its start state; at zero that state is lost in d+1, because the slowest
// loss came last. The moves record whether the same side moves again, so turns of several moves need no special
// case. States with infinite play stay undecided; they are draws. This is the usual retrograde analysis (Thompson,
// ICCA Journal 9(3), 1986) on stored backward moves.
func (g *graph) retrograde(ctx context.Context, vals values, n uint32, workers int, report func(decided uint64)) error {
	var decided atomic.Uint64
	for plies, any := 1, true; any; plies++ {
		if plies > mostPlies {
			return fmt.Errorf("a forced win takes more than %d plies, and the table cannot hold such distances", mostPlies)
		}
		var found atomic.Uint64
		err := parallel(ctx, workers, blocks(n), func(_, b int) error {
			count := uint64(0)
			for id := uint32(b) << blockBits; id < min(n, uint32(b+1)<<blockBits); id++ {
				v := vals.get(id)
				if int(v>>1) != plies {
					continue
				}
				count++
				for _, e := range g.into(id) {
					vals.settle(e>>1, isWin(v) == (e&1 != 0), plies+1)
				}
			}
			found.Add(count)
			return nil
		})
		if err != nil {
			return err
		}
		any = found.Load() > 0
		report(decided.Add(found.Load()))
	}
	return nil
}

// settle records that a move of a state wins or loses.
func (v values) settle(id uint32, wins bool, plies int) {
	for {
		old := v.get(id)
		if old < undecided {
			return
		}
		new := old - 1
		switch {
		case wins:
			new = winIn(plies)
		case new == undecided:
			new = lossIn(plies)
		}
		if v.swap(id, old, new) {
			return
		}
	}
}
