package learn

import (
	"math"

	"spar/agents/patterns"
	"spar/arena/study"
)

// mean is the net of the mean numbers of trainings of several seeds, and its past likewise. A value is a sum of
// numbers, so that it is the mean of their values: what chance taught one of them counts for less, at the cost of one
// net.
func mean(all []*Training) (*patterns.Net, []older, error) {
	numbers := make([][]float32, len(all))
	for i, t := range all {
		numbers[i] = t.trainer.Numbers
	}
	net, err := all[0].layout.New(means(numbers))
	if err != nil {
		return nil, nil, err
	}
	kept := len(all[0].older)
	for _, t := range all {
		kept = min(kept, len(t.older))
	}
	past := make([]older, kept)
	for k := range past {
		for i, t := range all {
			numbers[i] = t.older[k].Numbers
			past[k].Games += t.older[k].Games
		}
		past[k].Numbers = means(numbers)
		if past[k].net, err = all[0].layout.New(past[k].Numbers); err != nil {
			return nil, nil, err
		}
	}
	return net, past, nil
}

// means are the means of numbers, place by place.
func means(of [][]float32) []float32 {
	out := make([]float32, len(of[0]))
	for i := range out {
		sum := 0.0
		for _, numbers := range of {
			sum += float64(numbers[i])
		}
		out[i] = float32(sum / float64(len(of)))
	}
	return out
}

// Provenance says how the net of some trainings came to be; its course is that of the first.
func Provenance(all ...*Training) patterns.Provenance {
	var out patterns.Provenance
	for i, t := range all {
		if i == 0 {
			out = patterns.Provenance{Seed: t.o.Seed, From: t.from, Course: t.course.Stages, Version: study.ThisBuild().Version}
		}
		out.Games, out.CPUSecond = out.Games+t.done, out.CPUSecond+t.cpu
	}
	if out.CPUSecond = math.Round(10*out.CPUSecond) / 10; len(all) > 1 {
		out.Seeds = len(all)
	}
	return out
}
