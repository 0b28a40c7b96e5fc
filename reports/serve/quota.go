package serve

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"
)

// Limits for one seat, and for everybody who has no token. The owner has none of them. With the default limit of 1024
// open files, the owner can connect whatever others do.
const (
	mostStrangers   = 64               // connections without a token
	mostConnections = 24               // connections of a seat
	mostSeatStreams = 12               // event streams of a seat
	mostGames       = 6                // games that a seat may start at once
	nextGame        = 20 * time.Second // time until a seat may start one more
)

// quotas counts what each seat uses. Its keys are the tokens of seats.
type quotas struct {
	mu      sync.Mutex
	open    map[string][]*connection // the oldest first; the key is empty for connections without a token
	streams map[string]int
	games   map[string]time.Time // when all games of a seat will be allowed again
}

// connection is an open connection of a browser.
type connection struct {
	net.Conn
	key   string
	owner bool
}

type connectionKey struct{}

// connect counts a new connection. It is one without a token until a request has one.
func (q *quotas) connect(ctx context.Context, c net.Conn) context.Context {
	made := &connection{Conn: c}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.add(made, mostStrangers)
	return context.WithValue(ctx, connectionKey{}, made)
}

// add counts a connection. One too many closes the oldest, so that a new browser is heard. The caller must hold the lock.
func (q *quotas) add(c *connection, most int) {
	all := append(q.open[c.key], c)
	if len(all) > most {
		_ = all[0].Close() // the server then forgets it
		all = all[1:]
	}
	q.open[c.key] = all
}

// remove no longer counts a connection. The caller must hold the lock.
func (q *quotas) remove(c *connection) {
	q.open[c.key] = slices.DeleteFunc(q.open[c.key], func(o *connection) bool { return o == c })
	if len(q.open[c.key]) == 0 {
		delete(q.open, c.key)
	}
}

// closed no longer counts a connection that has ended.
func (q *quotas) closed(c net.Conn, now http.ConnState) {
	if now != http.StateClosed && now != http.StateHijacked {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, all := range q.open {
		at := slices.IndexFunc(all, func(o *connection) bool { return o.Conn == c })
		if at >= 0 {
			q.remove(all[at])
			return
		}
	}
}

// claim counts the connection of a request for a seat, or no longer counts it if the owner uses it.
func (q *quotas) claim(r *http.Request, key string, owner bool) {
	c, ok := r.Context().Value(connectionKey{}).(*connection)
	if !ok {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if c.owner || !owner && c.key == key {
		return
	}
	q.remove(c)
	if c.key, c.owner = key, owner; !owner {
		q.add(c, mostConnections)
	}
}

// stream counts an event stream of a seat until the function leave is called.
func (q *quotas) stream(key string) (leave func(), err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if key != "" && q.streams[key] >= mostSeatStreams {
		return nil, failf(http.StatusTooManyRequests, "Too many pages are open: at most %d for each seat.", mostSeatStreams)
	}
	q.streams[key]++
	return func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		if q.streams[key]--; q.streams[key] == 0 {
			delete(q.streams, key)
		}
	}, nil
}

// game counts a game that a seat starts. It returns an error if the seat has started too many recently.
func (q *quotas) game(key string) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	now := time.Now()
	at := q.games[key]
	if at.Before(now) {
		at = now
	}
	if at = at.Add(nextGame); at.Sub(now) > mostGames*nextGame {
		return &failure{
			http.StatusTooManyRequests,
			fmt.Sprintf("You have started %d games in a short time. Wait %v.", mostGames, nextGame),
		}
	}
	q.games[key] = at
	return nil
}
