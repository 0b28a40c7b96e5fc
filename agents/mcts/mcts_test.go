package mcts

import (
	"context"
	"math/rand/v2"
	"testing"

	"spar/agents/eval"
	"spar/engines/enginetest"
)

func BenchmarkSearch(b *testing.B) {
	for _, name := range []string{"classic", "connect4", "vanishing", "checkerboard", "ctor"} {
		b.Run(name, func(b *testing.B) {
			g := enginetest.Load(b, name)
			o := DefaultOptions()
			o.Solver = true
			s := New(g, eval.New(g, eval.Params{}), o)
			p := g.NewPosition()
			rng := rand.New(rand.NewPCG(1, 2))
			b.ReportAllocs()
			n := int64(0)
			for range b.N {
				s.Reset()
				n += s.Search(context.Background(), p, Limits{Iterations: 10000}, rng).Iterations
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds()/1e6, "Msims/s")
		})
	}
}
