package arena

import (
	"context"
	"time"

	"spar/arena/evidence"
	"spar/arena/live"
	"spar/arena/study"
)

// Committer stores games of an event and new marks of stored games in one transaction. It ignores a game that is
// already stored. A different untimed game for the same slot is an error.
type Committer interface {
	Commit(ctx context.Context, games []study.Game, marked []study.Marked, event int64) error
}

// sink stores finished games in batches, from its own goroutine. It publishes them after they are on disk.
type sink struct {
	db Committer
	Conducting
	in    chan []Filed
	ended chan error // final error of the sink

	games  []study.Game
	places map[int64]int // for each waiting game, by its number, its index in the batch
	lives  []live.Event
	marked []study.Marked
	told   func([]study.Game) // receives games once they are on disk
	since  time.Time          // time of the oldest waiting game
	stored int64              // number of games on disk
}

// Limits of a batch that is not yet stored. They ensure that a finished game is on disk within a second.
const (
	batchGames = 1000
	batchAge   = 300 * time.Millisecond
)

// newSink starts a sink. Ctx must last longer than the games. If storing fails, the sink calls fail once and drops
// later games. If the pool has a method Stored, the sink calls it for games that are on disk.
func newSink(ctx context.Context, db Committer, o Conducting, fail func(), pool Pool) *sink {
	s := &sink{
		db: db, Conducting: o, in: make(chan []Filed, 64), ended: make(chan error, 1), places: map[int64]int{},
		told: func([]study.Game) {},
	}
	if p, ok := pool.(interface{ Stored([]study.Game) }); ok {
		s.told = p.Stored
	}
	go func() { s.ended <- s.loop(ctx, fail) }()
	return s
}

// put passes games to the sink. The caller must not use the slice afterwards.
func (s *sink) put(filed []Filed) { s.in <- filed }

// close stores the waiting games and returns the first error.
func (s *sink) close() error {
	close(s.in)
	return <-s.ended
}

func (s *sink) loop(ctx context.Context, fail func()) error {
	tick := time.NewTicker(batchAge / 2)
	defer tick.Stop()
	var failed error
	flush := func() {
		if failed == nil {
			if failed = s.flush(ctx); failed != nil {
				fail()
			}
		}
	}
	for {
		select {
		case filed, ok := <-s.in:
			if !ok {
				flush()
				return failed
			}
			if failed != nil {
				continue
			}
			s.add(filed)
			if len(s.games) >= batchGames || len(s.games) > 0 && time.Since(s.since) >= batchAge {
				flush()
			}
		case <-tick.C:
			flush()
		}
	}
}

func (s *sink) add(filed []Filed) {
	if len(s.games) == 0 {
		s.since = time.Now()
	}
	var judged []live.Judged
	for i := range filed {
		f := &filed[i]
		if f.OK {
			s.places[f.Game.Number] = len(s.games)
			s.games = append(s.games, f.Game)
			if s.Feed != nil {
				kind := live.GameEnd
				if f.Game.Marks&evidence.Forfeit != 0 || evidence.IsForfeit(f.Game.Reason) {
					kind = live.Fault
				}
				s.lives = append(s.lives, live.Event{Kind: kind, Run: s.Name, Game: &f.Live})
			}
		}
		for _, m := range f.Marked {
			if at, ok := s.places[m.Number]; ok {
				s.games[at].Marks = m.Marks
				continue
			}
			s.marked, judged = append(s.marked, m), append(judged, live.Judged{
				Number: m.Number, Marks: m.Marks,
				Words: m.Marks.String(),
			})
		}
		if s.Feed != nil {
			s.lives = append(s.lives, f.Notes...)
		}
	}
	if s.Feed != nil && len(judged) > 0 {
		s.lives = append(s.lives, live.Event{Kind: live.Verdict, Run: s.Name, Judged: judged})
	}
}

// flush commits the waiting games and publishes them.
func (s *sink) flush(ctx context.Context) error {
	if len(s.games) == 0 && len(s.marked) == 0 {
		s.Feed.Publish(s.lives...)
		s.lives = s.lives[:0]
		return nil
	}
	if err := s.db.Commit(ctx, s.games, s.marked, s.Event); err != nil {
		return err
	}
	for i := range s.lives {
		if g := s.lives[i].Game; g != nil {
			g.Marks = s.games[s.places[g.Number]].Marks
			g.Words = g.Marks.String()
		}
	}
	s.stored += int64(len(s.games))
	s.told(s.games)
	s.Feed.Publish(s.lives...)
	s.games, s.marked, s.lives = s.games[:0], s.marked[:0], s.lives[:0]
	clear(s.places)
	return nil
}
