package learn

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"spar/agents"
	"spar/agents/patterns"
	"spar/arena"
)

// selfPlay returns the options of self-play.
func (o *Options) selfPlay() patterns.SelfPlay {
	return patterns.SelfPlay{
		Epsilon: o.Epsilon,
		Opening: o.Opening,
		Longest: o.Longest,
		Depth:   o.Depth,
	}
}

// play plays a batch with a net, on the pool of the options if there is one, otherwise in this process.
func (t *Training) play(ctx context.Context, net *patterns.Net, n int) ([]patterns.Lesson, error) {
	by := t.playHere
	if t.o.Pool != nil {
		by = t.playOnPool
	}
	lessons, err := by(ctx, net, n)
	for i := range lessons { // a stopped game that counts as drawn is learned from
		lessons[i].Cut = lessons[i].Cut && !t.o.Drawn
	}
	return lessons, err
}

// playTrusted is play at the start of a training run: it plays the batch again if a worker was unreliable.
func (t *Training) playTrusted(ctx context.Context, net *patterns.Net, n int) ([]patterns.Lesson, error) {
	for {
		lessons, err := t.play(ctx, net, n)
		d := (*arena.Distrust)(nil)
		if !errors.As(err, &d) {
			return lessons, err
		}
		t.rollBack(d)
	}
}

// playHere plays a batch in this process.
func (t *Training) playHere(ctx context.Context, net *patterns.Net, n int) ([]patterns.Lesson, error) {
	lessons := make([]patterns.Lesson, n)
	workers := min(max(t.o.Workers, 1), n)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			p := patterns.NewSelfPlayer(net, t.o.selfPlay())
			for i := w; i < n && ctx.Err() == nil; i += workers {
				number := uint64(t.done) + uint64(i)
				lessons[i] = p.Play(ctx, uint64(t.o.seed()), number)
			}
		})
	}
	wg.Wait()
	return lessons, ctx.Err()
}

// playOnPool plays a batch on the pool.
func (t *Training) playOnPool(ctx context.Context, net *patterns.Net, n int) ([]patterns.Lesson, error) {
	t.o.Assets.ForgetAgents() // the nets of the batch before
	t.o.Assets.AddRules(t.game)
	file, err := net.Packed(patterns.Provenance{})
	if err != nil {
		return nil, err
	}
	spec := agents.DefaultSpec()
	spec.Name, spec.Type = "learner", "heuristic"
	spec.Evaluation = agents.EvaluationOptions{File: "learner", Hash: file.Hash(), Net: file}
	learner := t.o.Assets.Entrant(spec, t.game, agents.Budget{})
	tasks := make([]arena.Task, n)
	for i := range tasks {
		number := t.done + int64(i)
		tasks[i] = arena.NewTask(t.game, arena.Slot{Number: number}, [2]arena.Entrant{learner, learner}, nil, t.o.seed(),
			uint64(number))
		tasks[i].SelfPlay = t.o.selfPlay()
	}
	return t.gather(ctx, tasks)
}

// gather plays tasks on the pool and returns their games in order.
func (t *Training) gather(ctx context.Context, tasks []arena.Task) ([]patterns.Lesson, error) {
	lessons, left := make([]patterns.Lesson, len(tasks)), len(tasks)
	var failed error
	t.remote = false
	err := arena.NewRunner(t.o.Assets, t.o.Pool, 0).Play(ctx, tasks, func(r *arena.Result) {
		at := r.Number - t.done
		if at < 0 || at >= int64(len(lessons)) || lessons[at].Moves != nil {
			return // not asked for, or a duplicate
		}
		lesson, err := r.Lesson(t.game)
		if failed = errors.Join(failed, err); err != nil {
			return
		}
		lessons[at], left = lesson, left-1
		t.remote = t.remote || r.Worker != arena.LocalWorker
	})
	if err = errors.Join(err, failed); err != nil || left == 0 {
		return lessons, err
	}
	return nil, fmt.Errorf("learn: %d of %d games of a batch were not played", left, len(tasks))
}

// rollBack returns to the state before the first game of a remote worker, because one of the workers was
// unreliable and all later numbers depend on its games.
func (t *Training) rollBack(d *arena.Distrust) {
	if t.beforeRemote != nil {
		t.restore(t.beforeRemote)
		t.beforeRemote = nil
	}
	t.rolledBack = true
	if t.o.Log != nil {
		t.o.Log(fmt.Sprintf("%v; learning resumes from game %d", d, t.done))
	}
}
