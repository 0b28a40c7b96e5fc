package serve

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"spar/reports/balance"
)

// measuring is the balance report of some rules in a study, finished or in progress. All pages share it, and it is
// kept until the study changes.
type measuring struct {
	s       *Server
	o       *opened
	label   string
	version int64
}

// gamesRead is the progress of a report: how many games it has read so far.
type gamesRead struct{ done, total atomic.Int64 }

// measuring returns the report of some rules. It does not start the computation.
func (s *Server) measuring(ctx context.Context, o *opened, label string) (*measuring, error) {
	if _, ok, err := o.db.RulesNamed(ctx, label); err != nil || !ok {
		return nil, errors.Join(err, notFound("%s has no rules %q.", o.key, label))
	}
	version, err := o.versions.Now(ctx)
	return &measuring{s, o, label, version}, err
}

func (m *measuring) key() string { return "measured " + m.o.key + "." + m.label }

// report returns the report, and computes it if necessary. Pages that listen to the topic are told about progress.
func (m *measuring) report(topic string) (*balance.Report, error) {
	stop := make(chan struct{})
	defer close(stop)
	m.s.jobs.work.Go(func() {
		for tick := time.NewTicker(beatEvery); ; {
			select {
			case <-tick.C:
				m.s.hub.bump(topic)
			case <-stop:
				tick.Stop()
				return
			}
		}
	})
	value, err := m.s.jobs.await(m.key(), m.version, func() (any, error) {
		now := &gamesRead{}
		m.s.reading.Store(m.key(), now)
		defer m.s.reading.Delete(m.key())
		return balance.Study(m.s.base, m.o.db, m.label,
			balance.StudyOptions{Options: balance.Options{Progress: func(stage string, done, total int64) {
				if stage == balance.ReadingGames {
					now.done.Store(done)
					now.total.Store(total)
				}
			}}})
	})
	if err != nil {
		return nil, err
	}
	return value.(*balance.Report), nil
}

// far returns as text which percentage of the games the reports have read; empty if unknown.
func far(of []*measuring) string {
	var done, total int64
	for _, m := range of {
		if p, ok := m.s.reading.Load(m.key()); ok {
			done, total = done+p.(*gamesRead).done.Load(), total+p.(*gamesRead).total.Load()
		}
	}
	if total == 0 {
		return ""
	}
	return fmt.Sprintf(": %d %% of %d games read", 100*done/total, total)
}
