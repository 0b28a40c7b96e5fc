package learn

import (
	"math"

	"spar/agents/patterns"
	"spar/arena/study"
)

// mean returns the net with the mean numbers of training runs with several seeds. An evaluation is a sum of numbers, so
// the mean net gives the mean of the evaluations. This has less noise and costs no more than one net.
func mean(all []*Training) (*patterns.Net, error) {
	numbers := make([]float32, len(all[0].trainer.Numbers))
	for i := range numbers {
		sum := 0.0
		for _, t := range all {
			sum += float64(t.trainer.Numbers[i])
		}
		numbers[i] = float32(sum / float64(len(all)))
	}
	return all[0].layout.New(numbers)
}

// Provenance describes how a net was made by averaging the nets of the given training runs. Its learning curve is that
// of the first run.
func Provenance(all ...*Training) patterns.Provenance {
	var out patterns.Provenance
	for i, t := range all {
		if i == 0 {
			out = patterns.Provenance{
				Seed:    t.o.Seed,
				From:    t.from,
				Course:  t.course.Stages,
				Version: study.ThisBuild().Version,
			}
		}
		out.Games += t.done
		out.CPUSecond += t.cpu
	}
	if out.CPUSecond = math.Round(10*out.CPUSecond) / 10; len(all) > 1 {
		out.Seeds = len(all)
	}
	return out
}
