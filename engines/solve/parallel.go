package solve

import (
	"context"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// parallel calls work for each of the parts 0 to n-1, from several goroutines; the parameter worker is the number
// of the goroutine. It stops at the first error and when the context ends.
func parallel(ctx context.Context, workers, n int, work func(worker, part int) error) error {
	if err := ctx.Err(); err != nil || n == 0 {
		return err
	}
	if workers = min(workers, n); workers == 1 {
		for i := range n {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := work(0, i); err != nil {
				return err
			}
		}
		return nil
	}
	group, ctx := errgroup.WithContext(ctx)
	var next atomic.Int64
	for w := range workers {
		group.Go(func() error {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return nil
				}
				if err := work(w, i); err != nil {
					return err
				}
			}
			return ctx.Err()
		})
	}
	return group.Wait()
}

// blocks returns the number of blocks that n states need.
func blocks(n uint32) int { return int((uint64(n) + blockSize - 1) >> blockBits) }
