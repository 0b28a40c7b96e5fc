package learn

import (
	"math"

	"spar/agents/patterns"
	"spar/arena/study"
)

// mean returns the net with the mean numbers of trainings with several seeds, and the means of their snapshots. An
// evaluation is a sum of numbers, so the mean net gives the mean of the evaluations. This has less noise and costs
// no more than one net.
func mean(all []*Training) (*patterns.Net, []snapshot, error) {
	numbers := make([][]float32, len(all))
	for i, t := range all {
		numbers[i] = t.trainer.Numbers
	}
	net, err := all[0].layout.New(means(numbers))
	if err != nil {
		return nil, nil, err
	}
	kept := len(all[0].snapshots)
	for _, t := range all {
		kept = min(kept, len(t.snapshots))
	}
	past := make([]snapshot, kept)
	for k := range past {
		for i, t := range all {
			numbers[i] = t.snapshots[k].Numbers
			past[k].Games += t.snapshots[k].Games
		}
		past[k].Numbers = means(numbers)
		if past[k].net, err = all[0].layout.New(past[k].Numbers); err != nil {
			return nil, nil, err
		}
	}
	return net, past, nil
}

// means returns the element-wise means of several slices.
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

// Provenance describes how the net of some trainings was made. The course of learning in it is that of the first
// training.
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
