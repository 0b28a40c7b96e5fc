package serve

import (
	"html/template"
	"sync"
	"time"

	"spar/reports/page"
)

// jobs make what takes a while once for all readers: standings, balance reports. What was made is shown until the study has changed.
type jobs struct {
	work sync.WaitGroup
	mu   sync.Mutex
	made map[string]*job
}

// job is something that is made, or being made.
type job struct {
	version any
	ready   chan struct{} // closed when it is there
	value   any
	err     error
	at      time.Time
}

// Kept results and how old one may be while a study grows.
const (
	mostKept = 64
	fresh    = time.Second
)

// get returns what build returns, from memory where the version is the same, or the last one was made just now. Where that takes longer
// than wait, or a result is there that is only a little old, it returns what there is; ok is false when that is nothing.
func (j *jobs) get(key string, version any, wait time.Duration, build func() (any, error)) (value any, ok bool, err error) {
	j.mu.Lock()
	if j.made == nil {
		j.made = map[string]*job{}
	}
	now := j.made[key]
	if now == nil || now.version != version && now.done() && time.Since(now.at) > fresh {
		if len(j.made) >= mostKept {
			for k, old := range j.made {
				if old.done() {
					delete(j.made, k)
				}
			}
		}
		now = &job{version: version, ready: make(chan struct{})}
		j.made[key] = now
		j.work.Go(func() {
			now.value, now.err = build()
			now.at = time.Now()
			close(now.ready)
		})
	}
	j.mu.Unlock()
	select {
	case <-now.ready:
		return now.value, true, now.err
	case <-time.After(wait):
		return nil, false, nil
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

// document is a job whose result is a page: it is shown when it is there, and says until then that it is being made.
func (s *Server) document(key string, version any, topic string, build func() (*page.Document, error)) (template.HTML, bool, error) {
	value, ok, err := s.jobs.get(key, version, 250*time.Millisecond, func() (any, error) {
		defer s.hub.bump(topic)
		d, err := build()
		if err != nil {
			return nil, err
		}
		return d.Fragment()
	})
	if err != nil || !ok {
		return "", ok, err
	}
	return value.(template.HTML), true, nil
}
