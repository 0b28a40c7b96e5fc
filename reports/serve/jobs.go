package serve

import (
	"html/template"
	"net/http"
	"sync"
	"time"

	"spar/reports/page"
)

// jobs make what takes a while once for all readers: standings, balance reports. What was made is shown until the
// study has changed.
type jobs struct {
	work sync.WaitGroup
	mu   sync.Mutex
	made map[string]*job

	stale func(key string) // told when what was returned is of an older version than asked for
	plays func() bool      // a run of this process plays, and what readers cost is taken from it; nil = none ever does
}

// job is something that is made, or being made.
type job struct {
	version any
	ready   chan struct{} // closed when it is there
	value   any
	err     error
	at      time.Time
	took    time.Duration
	before  *job // what it replaces, shown until it is there
}

// Kept results and how old one may be while a study grows.
const (
	mostKept = 64
	fresh    = time.Second
	atOnce   = 5 * time.Millisecond  // what there is has the time to say so
	briefly  = 50 * time.Millisecond // to wait for something of which an older version is there
	promptly = 150 * time.Millisecond

	// While a run plays, what takes long is made again only after so many times as long, half a minute at most.
	rests  = 50
	oldest = 30 * time.Second
)

// outlived tells whether a result that is there may be replaced by one of a newer version.
func (j *jobs) outlived(made *job) bool {
	limit := fresh
	if j.plays != nil && j.plays() {
		limit = max(fresh, min(rests*made.took, oldest))
	}
	return time.Since(made.at) > limit
}

// get returns what build returns, from memory where the version is the same, or the last one was made just now. Where
// that takes longer than wait, or a result is there that is only a little old, it returns what there is, of an older
// version if need be; ok is false when that is nothing.
func (j *jobs) get(key string, version any, wait time.Duration, build func() (any, error)) (value any, ok bool,
	err error) {
	j.mu.Lock()
	if j.made == nil {
		j.made = map[string]*job{}
	}
	now := j.made[key]
	if now == nil || now.version != version && now.done() && j.outlived(now) {
		now = j.begin(key, version, build)
	}
	before := now.before
	j.mu.Unlock()
	if j.stale != nil && (now.version != version || before != nil) {
		defer j.stale(key)
	}
	if before != nil {
		wait = min(wait, briefly)
	}
	select {
	case <-now.ready:
		return now.value, true, now.err
	case <-time.After(max(wait, atOnce)):
	}
	if before != nil {
		return before.value, true, nil
	}
	return nil, false, nil
}

// begin has something made. The caller holds the lock, and what it replaces is done.
func (j *jobs) begin(key string, version any, build func() (any, error)) *job {
	before := j.made[key]
	if before != nil && before.err != nil {
		before = nil
	}
	if len(j.made) >= mostKept {
		for k, old := range j.made {
			if old.done() {
				delete(j.made, k)
			}
		}
	}
	now := &job{version: version, ready: make(chan struct{}), before: before}
	j.made[key] = now
	j.work.Go(func() {
		began := time.Now()
		now.value, now.err = build()
		now.at = time.Now()
		now.took = now.at.Sub(began)
		j.mu.Lock()
		now.before = nil
		j.mu.Unlock()
		close(now.ready)
	})
	return now
}

// await returns what build returns for just this version, from memory where it is there. Jobs that rest on another one
// wait so for it.
func (j *jobs) await(key string, version any, build func() (any, error)) (any, error) {
	for {
		j.mu.Lock()
		if j.made == nil {
			j.made = map[string]*job{}
		}
		now := j.made[key]
		if now == nil || now.version != version && now.done() {
			now = j.begin(key, version, build)
		}
		j.mu.Unlock()
		<-now.ready
		if now.version == version {
			return now.value, now.err
		}
	}
}

// forget drops a result, so that the next reader has it made again.
func (j *jobs) forget(key string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if old := j.made[key]; old != nil && old.done() {
		delete(j.made, key)
	}
}

func (j *job) done() bool {
	select {
	case <-j.ready:
		return true
	default:
		return false
	}
}

// made is a page for a document that is made in the background, and its front; both are empty until it is.
type made struct{ front, whole template.HTML }

// whole asks a page for the parts of its document that are not seen at first.
const whole = "?whole=1"

// shown is what a request asks for.
func (m made) shown(r *http.Request) template.HTML {
	if r.URL.Query().Has("whole") {
		return m.whole
	}
	return m.front
}

// document is a job whose result is a page: it is shown when it is there, and says until then that it is being made.
// The address, of which the query is enough, answers with the whole.
func (s *Server) document(key string, version any, topic, address string, build func() (*page.Document, error)) (made,
	bool, error) {
	value, ok, err := s.jobs.get(key, version, promptly, func() (any, error) {
		defer s.hub.bump(topic)
		d, err := build()
		if err != nil {
			return nil, err
		}
		var m made
		m.front, m.whole, err = d.Fragments(address)
		return m, err
	})
	if err != nil || !ok {
		return made{}, ok, err
	}
	return value.(made), true, nil
}
