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
	in     chan []Filed
	ended  chan error // final error of the sink
	stored int64      // number of games on disk

	batch          // games that come while others are being stored
	writing *batch // games that are being stored
	spare   batch  // has memory for the next batch
}

// batch holds games and marks that are not yet stored.
type batch struct {
	games  []study.Game
	places map[int64]int // for each game, by its number, its index
	lives  []live.Event
	marked []study.Marked
	since  time.Time // time of the oldest game
	bytes  int       // approximate size in memory
}

// Limits of a batch that is not yet stored. They ensure that a finished game is on disk within a second.
const (
	batchGames = 1000
	batchAge   = 300 * time.Millisecond
)

// mostWaiting is the size of games that wait to be stored, in bytes, at which the workers pause.
const mostWaiting = 64 << 20

// newSink starts a sink. Ctx ends the patience of the Committer. If storing fails, the sink calls fail once; it hands
// over later games at the end.
func newSink(ctx context.Context, db Committer, o Conducting, fail func()) *sink {
	s := &sink{
		db: db, Conducting: o, in: make(chan []Filed, 64), ended: make(chan error, 1),
		batch: batch{places: map[int64]int{}}, spare: batch{places: map[int64]int{}},
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

func (s *sink) loop(ctx context.Context, fail func()) (failed error) {
	tick := time.NewTicker(batchAge / 2)
	defer tick.Stop()
	written := make(chan error, 1)
	for open := true; open || s.writing != nil; {
		in := s.in
		if !open || failed == nil && s.writing != nil && s.bytes+s.writing.bytes > mostWaiting {
			in = nil
		}
		due := false
		select {
		case filed, ok := <-in:
			if open = ok; ok {
				s.add(filed)
			}
		case err := <-written:
			if err == nil {
				s.publish(s.writing)
			} else if failed == nil {
				failed = err
				fail()
			}
			s.spare, s.writing = *s.writing, nil
		case <-tick.C:
			due = true
		}
		due = due || len(s.games) >= batchGames || len(s.games) > 0 && time.Since(s.since) >= batchAge
		switch {
		case s.writing != nil || failed != nil && open || open && !due:
		case len(s.games) == 0 && len(s.marked) == 0:
			s.Feed.Publish(s.lives...)
			s.lives = s.lives[:0]
		default:
			b := s.batch
			s.writing, s.batch = &b, s.spare.empty()
			go func() { written <- s.db.Commit(ctx, b.games, b.marked, s.Event) }()
		}
	}
	return failed
}

// empty returns the memory of a batch for another one.
func (b batch) empty() batch {
	clear(b.places)
	return batch{
		games:  b.games[:0],
		places: b.places,
		lives:  b.lives[:0],
		marked: b.marked[:0],
	}
}

func (s *sink) add(filed []Filed) {
	if len(s.games) == 0 {
		s.since = time.Now()
	}
	before := len(s.games)
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
	s.bytes += study.Bytes(s.games[before:])
	if s.Feed != nil && len(judged) > 0 {
		s.lives = append(s.lives, live.Event{Kind: live.Verdict, Run: s.Name, Judged: judged})
	}
}

// publish announces the games of a batch, which are on disk.
func (s *sink) publish(b *batch) {
	for i := range b.lives {
		if g := b.lives[i].Game; g != nil {
			g.Marks = b.games[b.places[g.Number]].Marks
			g.Words = g.Marks.String()
		}
	}
	s.stored += int64(len(b.games))
	s.Feed.Publish(b.lives...)
}
