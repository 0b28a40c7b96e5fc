package arena

import (
	"cmp"
	"context"

	"golang.org/x/sync/errgroup"
)

// Runner plays matches. It holds a pool, and the assets that tasks refer to. All code that plays games uses a
// runner: Conduct for games that are stored in a study, Play for others.
type Runner struct {
	Assets *Assets
	Pool   Pool
	own    *Local // the pool, if the runner made it; nil otherwise
}

// NewRunner returns a runner with a pool and its assets. If the pool is nil, it plays in this process, with the
// given number of workers (0 = one for each core). The caller must close the runner, which does not close a pool
// passed to it.
func NewRunner(assets *Assets, pool Pool, workers int) *Runner {
	r := &Runner{Assets: assets, Pool: pool}
	if r.Assets == nil {
		r.Assets = NewAssets()
	}
	if r.Pool == nil {
		r.own = NewLocal(r.Assets, workers)
		r.Pool = r.own
	}
	return r
}

// Keep sets how many agents each player keeps, if the runner made the pool.
func (r *Runner) Keep(n int) *Runner {
	if r.own != nil {
		r.own.Keep(n)
	}
	return r
}

// Close releases the pool that the runner made.
func (r *Runner) Close() {
	if r.own != nil {
		r.own.Close()
	}
}

// Conduct plays the tasks of a source and stores the results: see the function Conduct.
func (r *Runner) Conduct(ctx, hard context.Context, source Source, db Committer, o Conducting) (int64, error) {
	return Conduct(ctx, hard, source, r.Pool, db, o)
}

// Play plays tasks without storing them. It calls take with each result in any order, from the caller's goroutine.
// When ctx ends, Play returns its error; unfinished games have no result.
func (r *Runner) Play(ctx context.Context, tasks []Task, take func(*Result)) error {
	group, playing := errgroup.WithContext(ctx)
	in, done := make(chan []Task), make(chan []Result, r.Pool.Workers())
	group.Go(func() error {
		defer close(done)
		return r.Pool.Play(playing, in, done)
	})
	group.Go(func() error {
		defer close(in)
		for i := range tasks {
			select {
			case in <- tasks[i : i+1]:
			case <-playing.Done():
				return nil
			}
		}
		return nil
	})
	for rs := range done {
		for i := range rs {
			take(&rs[i])
		}
	}
	return cmp.Or(group.Wait(), ctx.Err())
}
