package live

import (
	"sync"
	"sync/atomic"
	"time"

	"spar/engines"
)

// Board is a game in progress.
type Board struct {
	Position      *engines.Position // position after the latest ply, as a copy
	First, Second string
	Number        int64
	Machine       string    // name of the worker; empty for this process
	until         time.Time // time after which the board is removed, since a machine may disappear; zero = never
}

// Boards are the games in progress, one for each player. While somebody reads them, players publish their boards a
// few times per second. Otherwise the cost is one atomic load per ply.
type Boards struct {
	until atomic.Int64 // end of the time during which somebody reads boards, in nanoseconds of Unix time
	fresh atomic.Int64 // number of the latest request for newer boards
	mu    sync.Mutex
	at    map[int]Board
}

// How long a request for boards is valid, and the interval at which a player publishes its board.
const (
	lookFor   = 3 * time.Second
	showEvery = 150 * time.Millisecond
)

// Look returns the published boards by player, and asks players to publish for the next few seconds.
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

// Refresh asks every player for its board at the next ply, even if it has just published one. A short game may end
// before the next regular update.
func (b *Boards) Refresh() { b.fresh.Add(1) }

// Wanted reports whether somebody reads the boards; false for nil.
func (b *Boards) Wanted() bool { return b != nil && time.Now().UnixNano() < b.until.Load() }

// Put publishes the board of a game that another machine plays. It is shown for a few seconds. Players of this process
// are numbered from 0; those of other machines must have other numbers.
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

// Shower publishes the boards of one player, and is used by that player's goroutine. The zero value, or one with
// nil boards, publishes nothing.
type Shower struct {
	Boards *Boards
	Player int
	last   int64
	fresh  int64 // number of the last request that was answered
}

// Show publishes the board of a game if somebody reads boards and the last publication is not too recent.
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
	s.Boards.put(s.Player, Board{
		Position: p.Clone(),
		First:    first,
		Second:   second,
		Number:   number,
	})
}

// Boards returns the boards of the feed's run; nil for a nil feed.
func (f *Feed) Boards() *Boards {
	if f == nil {
		return nil
	}
	return &f.boards
}
