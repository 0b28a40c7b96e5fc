package serve

import (
	"html/template"
	"net/http"
	"sync"
	"time"

	"spar/reports/page"
)

// jobs compute slow results, such as standings and balance reports, once for all readers. A result is kept until
// the study changes.
type jobs struct {
	work sync.WaitGroup
	mu   sync.Mutex
	made map[string]*job

	stale func(key string) // called when get returns an older version; may be nil
	plays func() bool      // reports whether this process plays games, which jobs slow down; may be nil
}

// job is a result, or the computation of one.
type job struct {
	version any
	ready   chan struct{} // closed when the result is ready
	value   any
	err     error
	at      time.Time
	took    time.Duration
	before  *job // the older result, used until this one is ready
}

// Number and age limits of kept results.
const (
	mostKept = 64
	fresh    = time.Second
	atOnce   = 5 * time.Millisecond  // enough for a finished job to return its result
	briefly  = 50 * time.Millisecond // wait for a newer version of an existing result
	promptly = 150 * time.Millisecond

	// during a run, a result is kept for this many times its computing time, but at most half a minute
	rests  = 50
	oldest = 30 * time.Second
)

// outlived reports whether a finished result is old enough to be replaced by a newer version.
func (j *jobs) outlived(made *job) bool {
	limit := fresh
	if j.plays != nil && j.plays() {
		limit = max(fresh, min(rests*made.took, oldest))
	}
	return time.Since(made.at) > limit
}

// get returns the result for a key and version, and calls build if there is none. It waits at most wait. It may
// return the result of an older version if that is recent or the new one is not finished. ok is false if there is
// no result yet.
func (j *jobs) get(key string, version any, wait time.Duration, build func() (any, error)) (value any, ok bool,
	err error,
) {
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

// begin starts to compute a result. The caller holds the lock; the result that it replaces is finished.
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

// await returns the result for exactly this version and waits for it. Jobs use it for results that they depend on.
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

// forget drops a result, so that the next reader causes a new one.
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

// made is a finished page and its first part. Both are empty until the page is finished.
type made struct{ front, whole template.HTML }

// whole is the query parameter that asks for all parts of a page.
const whole = "?whole=1"

// shown is what a request asks for.
func (m made) shown(r *http.Request) template.HTML {
	if r.URL.Query().Has("whole") {
		return m.whole
	}
	return m.front
}

// document shows the page that a job makes. Until it is finished, the page says so.
func (s *Server) document(key string, version any, topic, address string, build func() (*page.Document, error)) (made,
	bool, error,
) {
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
