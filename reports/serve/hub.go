package serve

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// hub tells browsers which topics have changed, but not how. After a reconnect, a browser gets one message for
// each topic that changed meanwhile.
type hub struct {
	mu      sync.Mutex
	last    int64            // number of the latest change
	start   int64            // number before the first change
	changed map[string]int64 // number of the latest change of each topic
	later   map[string]bool  // topics whose change will be reported after a delay
	wait    chan struct{}    // closed at the next change
	end     chan struct{}    // closed when the server stops
	ending  sync.Once
	streams atomic.Int64
}

// newHub returns a hub. It starts to count at the current time, so that its numbers are greater than those of an
// earlier server.
func newHub(now time.Time) *hub {
	at := now.UnixMilli()
	return &hub{
		last:    at,
		start:   at,
		changed: map[string]int64{},
		later:   map[string]bool{},
		wait:    make(chan struct{}),
		end:     make(chan struct{}),
	}
}

func (h *hub) bump(topic string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.last++
	h.changed[topic] = h.last
	close(h.wait)
	h.wait = make(chan struct{})
}

// bumpLater reports a change of a topic after a delay. Further calls during the delay have no effect.
func (h *hub) bumpLater(topic string, after time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.later[topic] {
		return
	}
	h.later[topic] = true
	time.AfterFunc(after, func() {
		h.mu.Lock()
		delete(h.later, topic)
		h.mu.Unlock()
		h.bump(topic)
	})
}

func (h *hub) close() { h.ending.Do(func() { close(h.end) }) }

// since returns the topics that changed after number n, and a channel that closes at the next change of any topic.
func (h *hub) since(topics []string, n int64) (news []string, last int64, wait <-chan struct{}) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, t := range topics {
		at, ok := h.changed[t]
		if !ok {
			at = h.start
		}
		if at > n {
			news = append(news, t)
		}
	}
	return news, h.last, h.wait
}

func (h *hub) now() int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.last
}

// Limits of event streams.
const (
	mostTopics = 16
	leastGap   = 250 * time.Millisecond // minimum time between two messages
	crowd      = 8                      // number of streams from which messages become less frequent
	pings      = 15 * time.Second
)

// stream starts an event stream of a seat; its token is empty for the owner. The function send writes a message and
// reports whether that succeeded. The function leave ends the stream.
func (s *Server) stream(w http.ResponseWriter, token string) (send func(format string, args ...any) bool, leave func(),
	err error,
) {
	free, err := s.quotas.stream(token)
	if err != nil {
		return nil, nil, err
	}
	leave = func() { free(); s.hub.streams.Add(-1) }
	if s.hub.streams.Add(1) > mostStreams {
		leave()
		w.Header().Set("Retry-After", "5")
		return nil, nil, failf(http.StatusServiceUnavailable, "Too many pages are open.")
	}
	rc := http.NewResponseController(w)
	// The time limits of the server would cut a stream.
	if err := errors.Join(rc.SetWriteDeadline(time.Time{}), rc.SetReadDeadline(time.Time{})); err != nil {
		leave()
		return nil, nil, err
	}
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	return func(format string, args ...any) bool {
		_, err := fmt.Fprintf(w, format, args...)
		return err == nil && rc.Flush() == nil
	}, leave, nil
}

// heardTo returns the number of the last message that a browser had received before it reconnected.
func heardTo(r *http.Request) (n int64, ok bool) {
	for _, text := range []string{r.Header.Get("Last-Event-ID"), r.URL.Query().Get("since")} {
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return n, true
		}
	}
	return 0, false
}

// pause waits between two messages, longer with more streams, because each message causes a request from a page. It
// returns false if the stream has ended.
func (s *Server) pause(r *http.Request) bool {
	select {
	case <-time.After(leastGap * time.Duration(max(1, s.hub.streams.Load()/crowd))):
		return true
	case <-r.Context().Done():
	case <-s.hub.end:
	}
	return false
}

// events streams the changes of a page's topics. After a reconnect it reports what the browser missed.
func (s *Server) events(w http.ResponseWriter, r *http.Request) error {
	topics := strings.Split(r.URL.Query().Get("topics"), ",")
	if len(topics) > mostTopics || topics[0] == "" {
		return failf(http.StatusBadRequest, "topics: expected 1 to %d topics, separated by commas", mostTopics)
	}
	send, leave, err := s.stream(w, s.guest(r, topics))
	if err != nil {
		return err
	}
	defer leave()
	at := s.hub.now()
	if n, ok := heardTo(r); ok && n < at {
		at = n
	}
	release := s.watch(topics)
	defer release()
	if !send("retry: 1000\n: hello\n\n") {
		return nil
	}
	ping := time.NewTicker(pings)
	defer ping.Stop()
	for {
		news, last, wait := s.hub.since(topics, at)
		if len(news) > 0 {
			at = last
			if !s.may(r, hearTopics) { // a new link has replaced the one of this seat
				return nil
			}
			data, err := json.Marshal(map[string][]string{"topics": news})
			if err != nil {
				return err
			}
			if !send("id: %d\nevent: changed\ndata: %s\n\n", last, data) || !s.pause(r) {
				return nil
			}
			continue
		}
		select {
		case <-wait:
		case <-ping.C:
			if !send(": ping\n\n") {
				return nil
			}
		case <-r.Context().Done():
			return nil
		case <-s.hub.end:
			return nil
		}
	}
}
