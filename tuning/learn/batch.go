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

// selfPlay is how the games are played.
func (o *Options) selfPlay() patterns.SelfPlay {
	return patterns.SelfPlay{Epsilon: o.Epsilon, Opening: o.Opening, Longest: o.Longest, Depth: o.Depth}
}

// play plays the games of a batch on a net: here, or by the pool that the options name.
func (t *Training) play(ctx context.Context, net *patterns.Net, n int) ([]patterns.Lesson, error) {
	by := t.playHere
	if t.o.Pool != nil {
		by = t.playBy
	}
	lessons, err := by(ctx, net, n)
	for i := range lessons { // what the options take for a draw teaches something
		lessons[i].Cut = lessons[i].Cut && !t.o.Drawn
	}
	return lessons, err
}

// playAnew is play where nothing was learned yet: what an unreliable machine had a part in is played again, without it.
func (t *Training) playAnew(ctx context.Context, net *patterns.Net, n int) ([]patterns.Lesson, error) {
	for {
		lessons, err := t.play(ctx, net, n)
		d := (*arena.Distrust)(nil)
		if !errors.As(err, &d) {
			return lessons, err
		}
		t.goBack(d)
	}
}

// playHere plays them side by side.
func (t *Training) playHere(ctx context.Context, net *patterns.Net, n int) ([]patterns.Lesson, error) {
	lessons := make([]patterns.Lesson, n)
	workers := min(max(t.o.Workers, 1), n)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			p := patterns.NewSelfPlayer(net, t.o.selfPlay())
			for i := w; i < n && ctx.Err() == nil; i += workers {
				number := uint64(t.done) + uint64(i)
				lessons[i] = p.Play(ctx, uint64(t.o.seed()), number, t.opponent(number))
			}
		})
	}
	wg.Wait()
	return lessons, ctx.Err()
}

// playBy has a pool play the games of a batch: one piece of work, which whoever is there divides among them.
func (t *Training) playBy(ctx context.Context, net *patterns.Net, n int) ([]patterns.Lesson, error) {
	t.o.Assets.ForgetAgents() // the nets of the batch before
	t.o.Assets.AddRules(t.game)
	known := map[*patterns.Net]arena.Entrant{}
	entrant := func(net *patterns.Net, about patterns.Provenance) (arena.Entrant, error) {
		if e, ok := known[net]; ok {
			return e, nil
		}
		file, err := net.Packed(about)
		if err != nil {
			return arena.Entrant{}, err
		}
		spec := agents.DefaultSpec()
		spec.Name, spec.Type, spec.Evaluation = "learner", "heuristic", RivalOf("learner", file).Spec.Evaluation
		known[net] = t.o.Assets.Entrant(spec, t.game, agents.Budget{})
		return known[net], nil
	}
	tasks := make([]arena.Task, n)
	for i := range tasks {
		number := t.done + int64(i)
		task := arena.NewTask(t.game, arena.Slot{Number: number}, [2]arena.Entrant{}, nil, t.o.seed(), uint64(number))
		task.SelfPlay = t.o.selfPlay()
		var err error
		if task.Seats[0], err = entrant(net, patterns.Provenance{}); err != nil {
			return nil, err
		}
		task.Seats[1] = task.Seats[0]
		if o := t.opponent(uint64(number)); o != nil { // older ones are other files than those that learn, and kept longer
			if task.Seats[1], err = entrant(o, patterns.Provenance{Games: t.o.Games}); err != nil {
				return nil, err
			}
		}
		tasks[i] = task
	}
	return t.gather(ctx, tasks)
}

// gather has the pool play a batch and waits for all of it.
func (t *Training) gather(ctx context.Context, tasks []arena.Task) ([]patterns.Lesson, error) {
	batch, results, played := make(chan []arena.Task, 1), make(chan []arena.Result), make(chan error, 1)
	batch <- tasks
	close(batch)
	go func() {
		played <- t.o.Pool.Play(ctx, batch, results)
		close(results)
	}()
	lessons, left := make([]patterns.Lesson, len(tasks)), len(tasks)
	var failed error
	t.others = false
	for rs := range results {
		for i := range rs {
			at := rs[i].Number - t.done
			if at < 0 || at >= int64(len(lessons)) || lessons[at].Moves != nil {
				continue // whoever plays answers for what was asked, once
			}
			lesson, err := rs[i].Lesson(t.game)
			if failed = errors.Join(failed, err); err != nil {
				continue
			}
			lessons[at], left = lesson, left-1
			t.others = t.others || rs[i].Worker != arena.LocalWorker
		}
	}
	if err := errors.Join(<-played, failed, ctx.Err()); err != nil || left == 0 {
		return lessons, err
	}
	return nil, fmt.Errorf("learn: %d of %d games of a batch were not played", left, len(tasks))
}

// goBack forgets what was learned since another machine first had a part in it: one of them has turned out to be
// unreliable, and what came after its games came from them.
func (t *Training) goBack(d *arena.Distrust) {
	if t.alone != nil {
		t.restore(t.alone)
		t.alone = nil
	}
	t.back = true
	if t.o.Log != nil {
		t.o.Log(fmt.Sprintf("%v; learning goes on from game %d", d, t.done))
	}
}
