package learn

import (
	"math"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"spar/configs/must"
	"spar/engines/enginetest"
)

// The rate falls evenly to a tenth: in the second of two batches it is 1 - 0.9/2 of the first. Games that are cut off
// teach nothing and say nothing of the loss, which is the mean over the positions of the games since the report before.
// Here the clock of the processor is asked after each batch, and 200 ms pass meanwhile, so that each is reported.
func TestTwoBatchesByHand(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	synctest.Test(t, func(t *testing.T) {
		cpu := 100.0
		o := Options{Games: 16, Batch: 8, Rate: 0.5, Longest: 6, Seed: 3, CPU: func() float64 {
			time.Sleep(200 * time.Millisecond)
			cpu++
			return cpu
		}}
		tr := must.Get(New(t.Context(), g, o))(t)
		hand := must.Get(New(t.Context(), g, o))(t)
		var want []Report
		cut, learned := 0, 0
		for _, rate := range []float64{0.5, 0.275} {
			net := must.Get(hand.Net())(t)
			lessons := must.Get(hand.play(t.Context(), net, 8))(t)
			loss, positions := 0.0, 0
			for _, l := range lessons {
				if l.Cut {
					cut++
					continue
				}
				x, k := hand.trainer.Learn(l, 0.7, rate)
				loss += x
				positions += k
				learned++
			}
			hand.done += 8
			want = append(want, Report{Games: hand.done, Loss: loss / float64(positions), CPU: float64(len(want) + 1)})
		}
		var told []Report
		saved := 0
		must.Do(t, tr.Run(t.Context(), func(r Report) { told = append(told, r) },
			func() error { saved++; return nil }))
		if len(told) != 2 || saved != 2 || cut == 0 || learned == 0 ||
			!slices.Equal(tr.trainer.Numbers, hand.trainer.Numbers) {
			t.Fatalf("%+v, %d times saved, %d games of %d cut off", told, saved, cut, cut+learned)
		}
		for i, r := range told {
			if r.Games != want[i].Games || r.CPU != want[i].CPU || math.Abs(r.Loss-want[i].Loss) > 1e-12 {
				t.Errorf("%+v, want %+v", r, want[i])
			}
		}
		// What was used before is counted on, and of several trainings together.
		tr.done = 8
		if err := tr.Run(t.Context(), func(Report) {}, nil); err != nil || tr.cpu != 3 {
			t.Errorf("%g s in three batches, %v", tr.cpu, err)
		}
		if p := Provenance(tr, hand, tr); p.CPUSecond != 6 || p.Games != 48 {
			t.Errorf("%+v", p)
		}
	})
}
