package arena

import (
	"context"
	"runtime"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"spar/arena/live"
)

// Pool is who plays: this process, or machines.
type Pool interface {
	// Play plays the batches that it receives, and sends what is finished, in any order and in pieces of any size,
	// until tasks is closed and everything is played, or the context ends. Results are received until it returns: what
	// is finished is handed over, also when the context has ended. An error is a failure that is not an agent's.
	Play(ctx context.Context, tasks <-chan []Task, results chan<- []Result) error
	// Workers is about how many games are played at a time.
	Workers() int
}

// Deserter is a pool that may be without workers. A run that is stopped does not wait for such a pool.
type Deserter interface {
	Deserted() bool // now
}

// Local plays in this process. Its players keep their agents from one use to the next.
type Local struct {
	players []*Player
}

// LocalWorker is what games say that were played by the process that stored them, whichever of its players it was: the
// same games are told alike on any number of cores.
const LocalWorker = "local"

// NewLocal returns the pool of this process; workers 0 = one a core. Close it at the end.
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
		p.Keep(max(2, n))
	}
	return l
}

// Show lets whoever looks see the games that are being played.
func (l *Local) Show(b *live.Boards) {
	for i, p := range l.players {
		p.Show(b, i)
	}
}

// Close ends what the agents hold.
func (l *Local) Close() {
	for _, p := range l.players {
		p.Close()
	}
}

// Workers is how many games are played at a time.
func (l *Local) Workers() int { return len(l.players) }

// handOver is how long results may wait for the rest of their batch.
const handOver = 20 * time.Millisecond

// Play plays until tasks is closed, or a game fails.
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

// playAll plays a batch and hands over what is finished.
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

// handing hands over what is finished of a batch at its end, and what has waited for handOver before: the game under
// way may take long.
type handing struct {
	results chan<- []Result
	room    int
	mu      sync.Mutex
	done    []Result
	due     *time.Timer // while there is something in done
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

// end hands over the rest. Nothing is handed over after it has returned.
func (h *handing) end() {
	h.flush()
	if h.due != nil {
		h.due.Stop()
	}
}
