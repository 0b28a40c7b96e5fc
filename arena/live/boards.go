package live

import (
	"sync"
	"sync/atomic"
	"time"

	"spar/engines"
)

// Board is a game in progress.
type Board struct {
	Position      *engines.Position // a copy of the position after the latest ply
	First, Second string
	Number        int64
	Machine       string    // the worker that plays it; empty for this process
	until         time.Time // time after which the board is dropped, since a machine may disappear; zero = never
}

// Boards are the games in progress, one for each player. Players publish theirs a few times a second, and only while
// somebody reads them; otherwise it costs one atomic load a ply.
type Boards struct {
	until atomic.Int64 // time until which somebody watches, in nanoseconds of Unix time
	fresh atomic.Int64 // number of the latest request for newer boards
	mu    sync.Mutex
	at    map[int]Board
}

// How long a request for boards lasts, and how often a player sends its board.
const (
	lookFor   = 3 * time.Second
	showEvery = 150 * time.Millisecond
)

// Look returns the published boards by player, and asks players to publish for the next seconds.
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

// Refresh asks every player for its board at its next ply, even if it has just published one: a short game may end
// before the next regular time.
func (b *Boards) Refresh() { b.fresh.Add(1) }

// Wanted reports whether somebody reads the boards. Nobody reads nil boards.
func (b *Boards) Wanted() bool { return b != nil && time.Now().UnixNano() < b.until.Load() }

// Put publishes a board that another machine plays, for the next seconds. Players of this process are numbered from
// 0; those of machines must have other numbers.
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

// Shower publishes the boards of one player, from its goroutine. The zero value, and nil boards, publish nothing.
type Shower struct {
	Boards *Boards
	Player int
	last   int64
	fresh  int64 // number of the last answered request
}

// Show publishes the board of a game if somebody reads boards and this one was not published just before.
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

// Boards returns the boards of the feed's run; nil for a nil feed.
func (f *Feed) Boards() *Boards {
	if f == nil {
		return nil
	}
	return &f.boards
}
