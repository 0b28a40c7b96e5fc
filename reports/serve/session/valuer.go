package session

import (
	"context"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"spar/agents"
	"spar/configs/plain"
	"spar/engines"
	"spar/reports/review"
)

// Valuer rates positions for hints, evaluation bars and reviews. It uses review.Judge in the background and caches the
// results.
type Valuer struct {
	Searches chan struct{} // holds one value for each search in progress; its capacity is the maximum
	Limit    time.Duration // time limit for a position

	base context.Context
	quit context.CancelFunc
	work sync.WaitGroup

	mu      sync.Mutex
	running bool  // a goroutine rates positions
	queue   []job // work to do; the last entry is rated first
	found   map[string]*Rating
	order   []string

	judge   *review.Judge
	judging string // name of the judge's agent
	games   map[string]bool
}

// Rating is the value of each legal move of a position.
type Rating struct {
	Scale *review.Scale
	All   []review.Rated
	Err   error // reason why the rating failed; nil if it did not
}

type job struct {
	key   string
	game  *engines.Game
	moves []string
	done  func()
}

const (
	mostRatings = 20_000 // number of positions; each needs a few hundred bytes
	mostJobs    = 2_000
	mostJudged  = 3 // number of games whose solutions the judge keeps
	largeBoard  = 100
)

// Open makes a Valuer ready to use; Close ends it.
func (a *Valuer) Open(ctx context.Context) {
	a.base, a.quit = context.WithCancel(ctx)
	a.found = map[string]*Rating{}
	a.games = map[string]bool{}
}

// Close ends the search in progress and the goroutine.
func (a *Valuer) Close() {
	a.mu.Lock() // nobody starts the goroutine again
	a.quit()
	a.mu.Unlock()
	a.work.Wait()
	if a.judge != nil {
		_ = a.judge.Close() // it has nothing to save
	}
}

// Rating returns the rating of the position after some moves, or nil if it is not ready. If done is not nil, it then
// requests the rating, and calls done when it is ready.
func (a *Valuer) Rating(g *engines.Game, moves []string, done func()) *Rating {
	k := g.RulesHash() + g.Name() + "\n" + strings.Join(moves, " ")
	a.mu.Lock()
	defer a.mu.Unlock()
	if r := a.found[k]; r != nil || done == nil {
		return r
	}
	if slices.ContainsFunc(a.queue, func(j job) bool { return j.key == k }) {
		return nil
	}
	if len(a.queue) >= mostJobs {
		a.queue = a.queue[1:]
	}
	a.queue = append(a.queue, job{k, g, slices.Clone(moves), done})
	if !a.running && a.base.Err() == nil {
		a.running = true
		a.work.Go(a.run)
	}
	return nil
}

// run rates positions until the queue is empty.
func (a *Valuer) run() {
	for {
		a.mu.Lock()
		n := len(a.queue)
		if a.running = n > 0 && a.base.Err() == nil; !a.running {
			a.mu.Unlock()
			return
		}
		j := a.queue[n-1]
		a.queue = a.queue[:n-1]
		a.mu.Unlock()
		r := a.rate(j)
		if a.base.Err() != nil {
			continue
		}
		a.mu.Lock()
		a.found[j.key] = r
		if a.order = append(a.order, j.key); len(a.order) > mostRatings {
			delete(a.found, a.order[0])
			a.order = a.order[1:]
		}
		a.mu.Unlock()
		j.done()
	}
}

// rate rates a position. Only the goroutine of the valuer calls it.
func (a *Valuer) rate(j job) *Rating {
	select {
	case a.Searches <- struct{}{}:
		defer func() { <-a.Searches }()
	case <-a.base.Done():
		return &Rating{Err: a.base.Err()}
	}
	ctx, cancel := context.WithTimeout(a.base, a.Limit)
	defer cancel()
	// On large boards the judge searches less deeply, because it rates every move.
	name := plain.If(j.game.Cells() >= largeBoard, "minimax-2", "minimax-4")
	if game := j.game.RulesHash(); a.judge == nil || a.judging != name || !a.games[game] && len(a.games) >= mostJudged {
		spec, err := agents.LoadSpec(name)
		if err != nil {
			return &Rating{Err: err}
		}
		if a.judge != nil {
			_ = a.judge.Close() // it has nothing to save
		}
		a.judge = review.NewJudge(spec, "")
		a.judging = name
		a.games = map[string]bool{}
	}
	a.games[j.game.RulesHash()] = true
	scale, err := a.judge.Scale(ctx, j.game)
	if err != nil {
		return &Rating{Err: err}
	}
	p := j.game.NewPosition()
	if err := p.PlayText(j.moves); err != nil {
		return &Rating{Err: err}
	}
	all, err := scale.Rate(p)
	return &Rating{scale, all, err}
}

// RatedGame is a game with those ratings that are ready.
type RatedGame struct {
	Plies  []*review.Ply // plies of the game; nil for a ply that is not rated yet
	Values []float64     // the first player's expected score at the start and after each ply; NaN if unknown
	Source string        // Exact, or the name of the agent that gave the scores
	Done   int           // number of plies that have been rated
	Failed int           // number of plies that could not be rated in time
}

// RateGame returns the ratings of a game's moves that are ready. If done is not nil, it requests the missing ratings,
// and calls done after each. The value after a ply is that of the move played, so each step of the curve is the loss of
// one move.
func (a *Valuer) RateGame(g *engines.Game, moves []string, done func()) (RatedGame, error) {
	p := g.NewPosition()
	l := RatedGame{Values: []float64{math.NaN()}}
	missing := -1
	for i, text := range moves {
		m, err := p.ParseMove(text)
		if err != nil {
			return l, engines.PlyError{Ply: i + 1, Err: err}
		}
		side := p.Side()
		r := a.Rating(g, moves[:i], nil)
		var ply *review.Ply
		value := math.NaN()
		switch {
		case r == nil:
			missing = i
			p.Play(m)
		case r.Err != nil:
			l.Failed++
			p.Play(m)
		default:
			l.Source = r.Scale.Source
			if i == 0 {
				l.Values[0] = engines.OfFirst(review.BestMoves(r.All)[0].Score, side)
			}
			one := r.Scale.Play(p, m, r.All, engines.First)
			ply, value = &one, engines.OfFirst(one.After, side)
			l.Done++
		}
		if p.Over() {
			value = p.Result().Score(engines.First)
		}
		l.Plies = append(l.Plies, ply)
		l.Values = append(l.Values, value)
	}
	if done != nil && missing >= 0 {
		// The last request is served first, so the early plies of the game come first.
		for i := missing; i >= 0; i-- {
			a.Rating(g, moves[:i], done)
		}
	}
	return l, nil
}
