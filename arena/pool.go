package arena

import (
	"context"
	"runtime"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"spar/arena/live"
)

// Pool plays games, in this process or on other machines.
type Pool interface {
	// Play plays the batches that it receives. It sends results in any order and in parts of any size. It returns
	// when tasks is closed and all games are played, or when the context ends. The caller must receive results
	// until Play returns, because finished games are sent even after the context ends. An error means a failure
	// that no agent caused.
	Play(ctx context.Context, tasks <-chan []Task, results chan<- []Result) error
	// Workers returns the approximate number of games that are played at the same time.
	Workers() int
}

// Deserter is a pool that can lose all its workers. A run that is stopping does not wait for such a pool.
type Deserter interface {
	Deserted() bool // Deserted reports whether the pool has no workers at present.
}

// Local is the pool of this process. Its players keep their agents between calls of Play.
type Local struct {
	players []*Player
}

// LocalWorker is the worker's name in games that were played by the process that stored them. It is the same for all
// players, so that the stored games do not depend on the number of cores.
const LocalWorker = "local"

// NewLocal returns the pool of this process; workers is the number of goroutines, 0 = one for each core. The
// caller must close it.
func NewLocal(assets *Assets, workers int) *Local {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	l := &Local{}
	for range workers {
		l.players = append(l.players, NewPlayer(assets, LocalWorker))
	}
	return l
}

// Keep sets how many agents each player keeps.
func (l *Local) Keep(n int) *Local {
	for _, p := range l.players {
		p.Keep(n)
	}
	return l
}

// Show publishes the games in progress on the boards.
func (l *Local) Show(b *live.Boards) {
	for i, p := range l.players {
		p.Show(b, i)
	}
}

// Close releases the resources of the agents.
func (l *Local) Close() {
	for _, p := range l.players {
		p.Close()
	}
}

// Workers returns how many games are played at the same time.
func (l *Local) Workers() int { return len(l.players) }

// handOver is the maximum time that results wait for the rest of their batch.
const handOver = 20 * time.Millisecond

// Play plays games until the channel of tasks is closed or a game fails.
func (l *Local) Play(ctx context.Context, tasks <-chan []Task, results chan<- []Result) error {
	group, playing := errgroup.WithContext(ctx)
	for _, p := range l.players {
		group.Go(func() error {
			for {
				select {
				case batch, ok := <-tasks:
					if !ok {
						return nil
					}
					if err := p.playAll(playing, batch, results); err != nil {
						return err
					}
				case <-playing.Done(): // another has failed: whoever gives out tasks may wait for its games
					return nil
				}
			}
		})
	}
	return group.Wait()
}

// playAll plays a batch and passes its results on.
func (p *Player) playAll(ctx context.Context, batch []Task, results chan<- []Result) error {
	h := handing{results: results, room: len(batch)}
	defer h.end()
	for i := range batch {
		r, err := p.Play(ctx, &batch[i])
		if err != nil {
			return err
		}
		h.add(&r)
	}
	return nil
}

// handing passes results on at the end of a batch. If the current game takes longer than handOver, it passes on
// the results so far.
type handing struct {
	results chan<- []Result
	room    int
	mu      sync.Mutex
	done    []Result
	due     *time.Timer // running timer; nil if there are no results to pass on
}

func (h *handing) add(r *Result) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.done == nil {
		h.done = make([]Result, 0, h.room)
		h.due = time.AfterFunc(handOver, h.flush)
	}
	h.done = append(h.done, *r)
	h.room--
}

func (h *handing) flush() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.done) > 0 {
		h.results <- h.done
	}
	h.done = nil
}

// end passes on the remaining results. Afterwards nothing more is passed on.
func (h *handing) end() {
	h.flush()
	if h.due != nil {
		h.due.Stop()
	}
}
