package playout

import (
	"math/rand/v2"
	"testing"

	"spar/configs"
	"spar/engines/enginetest"
)

func BenchmarkPlayouts(b *testing.B) {
	for _, name := range configs.Names(configs.Games) {
		set := map[string][]string{
			"checkerboard": {"draw.repetition=0", "draw.max_plies=200"}, "infiltration": {"draw.repetition=0"},
		}[name]
		b.Run(name, func(b *testing.B) {
			g := enginetest.Load(b, name, set...)
			p := New(g, rand.NewPCG(1, 1), true)
			s := g.NewState()
			plies := 0
			b.ReportAllocs()
			b.ResetTimer()
			for range b.N {
				_, n := p.Run(&s)
				plies += n
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Mgames/s")
			b.ReportMetric(float64(plies)/b.Elapsed().Seconds()/1e6, "Mplies/s")
		})
	}
}
