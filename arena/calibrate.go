package arena

import (
	"context"
	"runtime"
	"time"

	"spar/agents"
)

// WorkerCount is how many games are played at a time.
func (t *Tournament) WorkerCount() int {
	if t.Workers > 0 {
		return t.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// Calibrate plays games from across the schedule for about that long, stores nothing, and returns the expected seconds of wall
// time a game with all workers busy.
func Calibrate(ctx context.Context, t *Tournament, d time.Duration) (float64, error) {
	s := NewScheduler(t)
	var jobs []Job
	for len(jobs) < 5000 {
		j, ok := s.Next()
		if !ok {
			break
		}
		jobs = append(jobs, j)
	}
	if len(jobs) == 0 {
		return 0, nil
	}
	shared, err := t.prepare(ctx)
	if err != nil {
		return 0, err
	}
	defer shared.close()
	w := &worker{t: t, shared: shared, seats: map[seatKey]agents.Agent{}}
	defer w.close()
	ctx, cancel := context.WithTimeout(ctx, 4*d)
	defer cancel()
	began, played := time.Now(), 0
	for played < len(jobs) && time.Since(began) < d {
		// A stride that shares no factor with most lengths visits every kind of game early.
		if _, err := w.play(ctx, jobs[played*7919%len(jobs)]); err != nil {
			if ctx.Err() != nil && played > 0 {
				break
			}
			return 0, err
		}
		played++
	}
	return time.Since(began).Seconds() / float64(played) / float64(t.WorkerCount()), nil
}
