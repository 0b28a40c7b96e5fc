package arena

import (
	"context"
	"math"
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
// If no game ends in four times the duration, it returns that time, and atLeast is true.
func SecondsPerGame(ctx context.Context, t *Tournament, d time.Duration) (each float64, atLeast bool, err error) {
	s, assets := NewSchedule(t), NewAssets()
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
		return 0, false, nil
	}
	player := NewPlayer(assets, "")
	defer player.Close()
	limited, cancel := context.WithTimeout(ctx, 4*d)
	defer cancel()
	began, played := time.Now(), 0
	for played < len(jobs) && time.Since(began) < d {
		// A stride that shares no factor with most lengths visits every kind of game early.
		task := s.task(jobs[played*7919%len(jobs)])
		if _, err := player.Play(limited, &task); err != nil {
			if limited.Err() != nil && ctx.Err() == nil {
				break
			}
			return 0, false, err
		}
		played++
	}
	each = time.Since(began).Seconds() / float64(max(1, played)) / float64(min(t.WorkerCount(), runtime.GOMAXPROCS(0)))
	return each, played == 0, nil
}

// Preview describes the games that a run of a tournament would play.
type Preview struct {
	Name     string   `json:"name" help:"name of the tournament"`
	Format   string   `json:"format" help:"round-robin, gauntlet, swiss, match or ladder"`
	Games    int64    `json:"games" help:"games of the whole schedule"`
	Exact    bool     `json:"exact" help:"false if games is an upper limit"`
	Rules    []string `json:"rules" help:"labels"`
	Agents   []string `json:"agents" help:"names"`
	Pairs    int      `json:"pairs" help:"pairs of each match-up in each game"`
	DB       string   `json:"db" help:"the study's file"`
	Warnings []string `json:"warnings" help:"warnings about the plan"`
	Expected float64  `json:"expected_s" help:"seconds that playing all of them takes, from a sample of games"`
	Workers  int      `json:"workers" help:"games at a time"`
}

// Preview counts the games of a tournament, and plays a sample for a second to estimate their time.
func (t *Tournament) Preview(ctx context.Context) (Preview, error) {
	p := Preview{
		Name: t.Name, Format: t.Format, Rules: t.Labels, Pairs: t.Pairs, DB: t.Database,
		Warnings: append([]string{}, t.Warnings()...), Workers: t.WorkerCount(),
	}
	p.Games, p.Exact = NewSchedule(t).Total()
	for _, player := range t.Players {
		p.Agents = append(p.Agents, player.Name)
	}
	each, _, err := SecondsPerGame(ctx, t, time.Second)
	p.Expected = math.Ceil(float64(p.Games) * each) // 0 means that there is no estimate
	return p, err
}
