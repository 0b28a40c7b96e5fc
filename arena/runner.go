package arena

import (
	"cmp"
	"context"

	"golang.org/x/sync/errgroup"
)

// Runner plays matches: it holds the pool that plays and the assets that its tasks refer to. Everything that plays
// games asks a runner: Conduct for what a study stores, Play for the rest.
type Runner struct {
	Assets *Assets
	Pool   Pool
	own    *Local // the pool, if it is this runner's
	made   bool   // the assets are this runner's
}

// NewRunner returns a runner on a pool with its assets. Without a pool it plays in this process; workers 0 = one a
// core. Close it at the end: that leaves a given pool and given assets open.
func NewRunner(assets *Assets, pool Pool, workers int) *Runner {
	r := &Runner{Assets: assets, Pool: pool}
	if r.Assets == nil {
		r.Assets, r.made = NewAssets(), true
	}
	if r.Pool == nil {
		r.own = NewLocal(r.Assets, workers)
		r.Pool = r.own
	}
	return r
}

// Keep sets how many agents each player of a pool of its own keeps.
func (r *Runner) Keep(n int) *Runner {
	if r.own != nil {
		r.own.Keep(n)
	}
	return r
}

// Close ends what the agents of its own pool hold.
func (r *Runner) Close() {
	if r.own != nil {
		r.own.Close()
	}
	if r.made {
		r.Assets.Close()
	}
}

// Conduct plays what a source has and stores it: see the function of that name.
func (r *Runner) Conduct(ctx, hard context.Context, source Source, db Committer, o Conducting) (int64, error) {
	return Conduct(ctx, hard, source, r.Pool, db, o)
}

// Play plays tasks that no study stores. Take receives each result as it comes in, in any order, from the goroutine of
// the caller. When ctx ends, Play returns its error, and the games that have not finished have no result.
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
