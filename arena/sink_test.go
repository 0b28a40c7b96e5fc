package arena

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"spar/arena/evidence"
	"spar/arena/live"
	"spar/arena/study"
	"spar/configs/must"
)

// shelf is a Committer that remembers when each game came.
type shelf struct {
	mu     sync.Mutex
	games  map[int64]time.Time
	marks  map[int64]evidence.Marks
	calls  int
	later  []int64 // games whose marks came by an update
	broken error
}

func (s *shelf) Commit(_ context.Context, games []study.Game, marked []study.Marked, _ int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.broken != nil {
		return s.broken
	}
	s.calls++
	for _, g := range games {
		s.games[g.Number], s.marks[g.Number] = time.Now(), g.Marks
	}
	for _, m := range marked {
		s.marks[m.Number] = m.Marks
		s.later = append(s.later, m.Number)
	}
	return nil
}

func newShelf() *shelf {
	return &shelf{games: map[int64]time.Time{}, marks: map[int64]evidence.Marks{}}
}

func filedGame(n int64, marks evidence.Marks, marked ...study.Marked) Filed {
	return Filed{
		OK: true, Game: study.Game{Number: n, Reason: "line", Marks: marks}, Live: live.Game{Number: n},
		Marked: marked,
	}
}

// A finished game is on disk within a second even if no other game finishes, and readers hear of it only then.
func TestSinkDoesNotWaitForTheNextGame(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db, feed := newShelf(), live.NewFeed(time.Now)
		heard := map[int64]time.Time{}
		feed.Attach(func(e live.Event) {
			db.mu.Lock()
			defer db.mu.Unlock()
			if _, ok := db.games[e.Game.Number]; !ok {
				t.Errorf("game %d was announced before it was stored", e.Game.Number)
			}
			heard[e.Game.Number] = time.Now()
		})
		s := newSink(t.Context(), db, Conducting{Feed: feed}, func() {})
		put := map[int64]time.Time{}
		for n := range int64(3) {
			put[n] = time.Now()
			s.put([]Filed{filedGame(n, 0)})
			time.Sleep(time.Minute)
		}
		must.Do(t, s.close())
		for n, at := range put {
			if d := db.games[n].Sub(at); d > time.Second || len(heard) != 3 || heard[n].Before(db.games[n]) {
				t.Errorf("game %d is on disk after %v; %d games were announced", n, d, len(heard))
			}
		}
	})
}

// A sink that cannot store says so at once, takes what still comes, and returns the error at the end.
func TestSinkFails(t *testing.T) {
	t.Parallel()
	db := newShelf()
	db.broken = errors.New("disk full")
	failed := make(chan bool, 1)
	s := newSink(t.Context(), db, Conducting{}, func() { failed <- true })
	s.put([]Filed{filedGame(0, 0)})
	<-failed
	for n := range int64(1000) {
		s.put([]Filed{filedGame(n+1, 0)})
	}
	if err := s.close(); !errors.Is(err, db.broken) || s.stored != 0 {
		t.Errorf("%v after %d games", err, s.stored)
	}
}
