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

// hub tells browsers what has changed. What it sends are topics, not their contents: a browser that was away is told
// of everything it has missed once, however often that changed.
type hub struct {
	mu      sync.Mutex
	last    int64            // number of the last change
	start   int64            // number before the first one
	changed map[string]int64 // topic -> its last change
	later   map[string]bool  // topics that are told of in a while
	wait    chan struct{}    // closed at the next change
	end     chan struct{}    // closed at the end
	ending  sync.Once
	streams atomic.Int64
}

// newHub begins with a number that is above those of earlier servers, so that who was told by them is told again.
func newHub(now time.Time) *hub {
	at := now.UnixMilli()
	return &hub{last: at, start: at, changed: map[string]int64{}, later: map[string]bool{}, wait: make(chan struct{}),
		end: make(chan struct{})}
}

func (h *hub) bump(topic string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.last++
	h.changed[topic] = h.last
	close(h.wait)
	h.wait = make(chan struct{})
}

// bumpLater tells of a change after a while, once, however often it is asked to until then.
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

// since returns which of the topics have changed after number n, and a channel that is closed at the next change of
// any topic.
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

// Pace of a stream, and of how much it tells.
const (
	mostTopics = 16
	apart      = 250 * time.Millisecond // least time between two messages
	crowd      = 8                      // of streams: with twice as many, messages come half as often
	pings      = 15 * time.Second
)

// spacing is the time between two messages of a stream where so many are open: each message makes a page ask for what
// has changed, and all of them together may cost a run that is being watched little.
func spacing(streams int64) time.Duration {
	return apart * time.Duration(max(1, streams/crowd))
}

// stream begins a stream: send writes a message, and tells whether somebody still reads; leave makes room for another
// one.
func (s *Server) stream(w http.ResponseWriter) (send func(format string, args ...any) bool, leave func(), err error) {
	leave = func() { s.hub.streams.Add(-1) }
	if s.hub.streams.Add(1) > mostStreams {
		leave()
		w.Header().Set("Retry-After", "5")
		return nil, nil, failf(http.StatusServiceUnavailable, "Too many pages are open.")
	}
	rc := http.NewResponseController(w)
	// A stream lasts; the server's limit would cut it.
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

// heardTo is the number of the last message that whoever opens a stream again has heard.
func heardTo(r *http.Request) (n int64, ok bool) {
	for _, text := range []string{r.Header.Get("Last-Event-ID"), r.URL.Query().Get("since")} {
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return n, true
		}
	}
	return 0, false
}

// pause lets time pass between two messages; not ok when the stream has ended meanwhile.
func (s *Server) pause(r *http.Request) bool {
	select {
	case <-time.After(spacing(s.hub.streams.Load())):
		return true
	case <-r.Context().Done():
	case <-s.hub.end:
	}
	return false
}

// events streams what changes: one stream a page, with all its topics. A stream that is opened again says where it
// ended, and is told of what it has missed.
func (s *Server) events(w http.ResponseWriter, r *http.Request) error {
	topics := strings.Split(r.URL.Query().Get("topics"), ",")
	if len(topics) > mostTopics || topics[0] == "" {
		return failf(http.StatusBadRequest, "topics: expected 1 to %d of them, separated by commas", mostTopics)
	}
	send, leave, err := s.stream(w)
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
			s.seen(r)
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
