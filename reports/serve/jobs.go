package serve

import (
	"sync"
	"time"
)

// jobs computes slow results, such as standings and balance reports, once for all readers. It keeps a result until
// the study changes.
type jobs struct {
	work sync.WaitGroup
	mu   sync.Mutex
	made map[string]*job

	stale func(key string) // called when get returns a result of an older version; may be nil
	plays func() bool      // reports whether this process is playing games, which jobs would slow down; may be nil
}

// job is a result, or its computation in progress.
type job struct {
	version any
	ready   chan struct{} // closed when the result is ready
	value   any
	err     error
	at      time.Time
	took    time.Duration
	before  *job // the previous result, which is used until this one is ready
}

// Limits for kept results.
const (
	mostKept = 64
	fresh    = time.Second
	atOnce   = 5 * time.Millisecond  // wait for a job that has no older result: enough if it is almost finished
	briefly  = 50 * time.Millisecond // wait for a newer version if there is an older result
	promptly = 150 * time.Millisecond

	// while games are played, a result is kept for this multiple of its computing time, but at most half a minute
	rests  = 50
	oldest = 30 * time.Second
)

// outlived reports whether a finished result is old enough to be computed again for a newer version.
func (j *jobs) outlived(made *job) bool {
	limit := fresh
	if j.plays != nil && j.plays() {
		limit = max(fresh, min(rests*made.took, oldest))
	}
	return time.Since(made.at) > limit
}

// get returns the result for a key and version. If there is none, it calls build, and waits for it at most for the
// time wait. It may return the result of an older version if that is recent or the new one is not ready. The
// result ok is false if there is no result yet.
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

// begin starts to compute a result. The caller must hold the lock. The result that is replaced must be finished.
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

// forget deletes a result, so that the next reader starts a new computation.
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

// made returns the result of a job as jobs.get does. It tells the pages that listen to a topic when the job has ended.
func made[T any](s *Server, key string, version any, wait time.Duration, topic string, build func() (T, error)) (out T,
	ok bool, err error,
) {
	value, ok, err := s.jobs.get(key, version, wait, func() (any, error) {
		if topic != "" {
			defer s.hub.bump(topic)
		}
		return build()
	})
	out, _ = value.(T)
	return out, ok, err
}
