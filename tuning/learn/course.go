package learn

import "spar/agents/patterns"

// course collects statistics of each stage of a training run, and the sums of the current stage.
type course struct {
	Stages             []patterns.Stage
	Loss, Draws, Plies float64
	Positions, Games   int64
}

// stages is the number of stages of a training run.
const stages = 20

func (c *course) add(l *patterns.Lesson, loss float64, positions int, total int64) {
	c.Loss += loss
	c.Positions += int64(positions)
	c.Plies += float64(len(l.Moves))
	if l.Result == 0.5 {
		c.Draws++
	}
	done := int64(0)
	if n := len(c.Stages); n > 0 {
		done = c.Stages[n-1].Games
	}
	if c.Games++; (done+c.Games)*stages/total == done*stages/total {
		return
	}
	n := float64(c.Games)
	c.Stages = append(c.Stages, patterns.Stage{
		Games: done + c.Games, Loss: c.Loss / float64(max(c.Positions, 1)),
		Draws: c.Draws / n, Plies: c.Plies / n,
	})
	*c = course{Stages: c.Stages}
}
