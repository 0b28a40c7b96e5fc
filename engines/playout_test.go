package engines_test

import (
	"math/rand/v2"
	"testing"

	"spar/configs"
)

func BenchmarkPlayouts(b *testing.B) {
	for _, name := range configs.Names(configs.Games) {
		set := map[string]any{}
		if name == "checkerboard" {
			set = map[string]any{"draw.repetition": 0, "draw.max_plies": 200}
		}
		if name == "infiltration" {
			set = map[string]any{"draw.repetition": 0}
		}
		b.Run(name, func(b *testing.B) {
			g := load(b, name, set)
			p := g.NewPlayouts(rand.NewPCG(1, 1), true)
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
