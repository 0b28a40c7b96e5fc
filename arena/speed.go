package arena

import (
	"context"
	"runtime"
	"time"
)

// WorkerCount returns how many games are played at the same time.
func (t *Tournament) WorkerCount() int {
	if t.Workers > 0 {
		return t.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// SecondsPerGame estimates the speed of a schedule. It plays sample games for about the duration d and does not store
// them. It returns the expected wall time per game in seconds with all workers busy, or 0 if there are no games.
// It skips games of agents that run external programs.
func SecondsPerGame(ctx context.Context, t *Tournament, d time.Duration) (float64, error) {
	s, assets := NewSchedule(t), NewAssets()
	defer assets.Close()
	s.equip(assets, 0, s.ids)
	var jobs []Job
	for j := range s.Jobs {
		if t.Players[j.First].Program() || t.Players[j.Second].Program() {
			continue
		}
		if jobs = append(jobs, j); len(jobs) == 5000 {
			break
		}
	}
	if len(jobs) == 0 {
		return 0, nil
	}
	player := NewPlayer(assets, "")
	defer player.Close()
	ctx, cancel := context.WithTimeout(ctx, 4*d)
	defer cancel()
	began, played := time.Now(), 0
	for played < len(jobs) && time.Since(began) < d {
		// A stride that shares no factor with most lengths visits every kind of game early.
		task := s.task(jobs[played*7919%len(jobs)])
		if _, err := player.Play(ctx, &task); err != nil {
			if ctx.Err() != nil && played > 0 {
				break
			}
			return 0, err
		}
		played++
	}
	return time.Since(began).Seconds() / float64(played) / float64(t.WorkerCount()), nil
}
