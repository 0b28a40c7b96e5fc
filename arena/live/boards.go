package live

import (
	"sync"
	"sync/atomic"
	"time"

	"spar/engines"
)

// Board is a game that is being played.
type Board struct {
	Position      *engines.Position // after its latest ply; a copy
	First, Second string
	Number        int64
	Machine       string    // where it is played; empty for this process
	until         time.Time // when it is forgotten, as a machine may go away; zero for never
}

// Boards are the games that are being played now, one of each player. Players show theirs only while somebody looks, a
// few times a second; otherwise it costs them one load a ply.
type Boards struct {
	until atomic.Int64 // somebody looks until then, in nanoseconds of the Unix time
	fresh atomic.Int64 // how often boards were asked for that are not older than the question
	mu    sync.Mutex
	at    map[int]Board
}

// How long a look lasts, and how often a player shows its board.
const (
	lookFor   = 3 * time.Second
	showEvery = 150 * time.Millisecond
)

// Look returns the boards that were shown, by player, and asks players to show them for the next seconds.
func (b *Boards) Look() map[int]Board {
	b.until.Store(time.Now().Add(lookFor).UnixNano())
	b.mu.Lock()
	defer b.mu.Unlock()
	out := make(map[int]Board, len(b.at))
	now := time.Now()
	for player, board := range b.at {
		if !board.until.IsZero() && now.After(board.until) {
			delete(b.at, player)
			continue
		}
		out[player] = board
	}
	return out
}

// Refresh asks every player for its board at its next ply, however lately it has shown one: a short game is over before
// the next is due.
func (b *Boards) Refresh() { b.fresh.Add(1) }

// Wanted tells whether somebody looks. Nil boards are not looked at.
func (b *Boards) Wanted() bool { return b != nil && time.Now().UnixNano() < b.until.Load() }

// Put shows a board that another machine plays, for the next seconds. Players of this process have the numbers from 0:
// those of machines are to be others.
func (b *Boards) Put(player int, board Board) {
	board.until = time.Now().Add(lookFor)
	b.put(player, board)
}

func (b *Boards) put(player int, board Board) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.at == nil {
		b.at = map[int]Board{}
	}
	b.at[player] = board
}

// Shower shows the boards of one player, from its goroutine. The zero value, and nil boards, show nothing.
type Shower struct {
	Boards *Boards
	Player int
	last   int64
	fresh  int64 // the latest question that was answered
}

// Show shows the board of a game, if somebody looks and it was not shown just now.
func (s *Shower) Show(p *engines.Position, first, second string, number int64) {
	if s.Boards == nil {
		return
	}
	until := s.Boards.until.Load()
	if until == 0 {
		return
	}
	now, fresh := time.Now().UnixNano(), s.Boards.fresh.Load()
	if now > until || now-s.last < int64(showEvery) && fresh == s.fresh {
		return
	}
	s.last, s.fresh = now, fresh
	s.Boards.put(s.Player, Board{Position: p.Clone(), First: first, Second: second, Number: number})
}

// Boards are the boards of the run that the stream is of; nil for a nil feed.
func (f *Feed) Boards() *Boards {
	if f == nil {
		return nil
	}
	return &f.boards
}
