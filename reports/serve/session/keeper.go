package session

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
)

// keeper stores the changes of sessions, one session at a time. What fails it repeats until it is stored; meanwhile the
// sessions stay in memory, and in a file next to the study.
type keeper struct {
	mu      sync.Mutex    // taken after the lock of a session, if both are held
	waiting []*Session    // sessions with changes that are not stored yet, the longest waiting first
	wake    chan struct{} // has a value if a session has changed
	tried   chan struct{} // closed after the next attempt
	failing error         // reason of the last failure; nil if the last attempt succeeded

	storing sync.Mutex // held while a session is stored or deleted
	besides sync.Mutex // held while sessions are put aside
	kept    bool       // there may be sessions aside; besides protects it
	end     chan struct{}
	ended   chan struct{} // closed when the keeper has stopped
}

// Times of the keeper.
const (
	settles   = time.Second            // an answer waits so long for a change to be stored
	unsettled = 200 * time.Millisecond // so long if the attempt before failed
	keepAgain = time.Second            // pause before a failed attempt is repeated
)

// keep notes a change of a session and tells listeners. The caller must hold the lock of the session.
func (t *Session) keep() {
	if t.deleted {
		return
	}
	t.rec.Revision++
	if t.changedAt.IsZero() {
		t.changedAt = time.Now()
	}
	k := &t.room.keeper
	k.mu.Lock()
	if !slices.Contains(k.waiting, t) {
		k.waiting = append(k.waiting, t)
	}
	k.mu.Unlock()
	select {
	case k.wake <- struct{}{}:
	default: // it will look at this session, too
	}
	t.room.Changed(t.rec.ID)
}

// unsaved says that a session is not stored yet, and why; empty if it is stored or has just changed. The caller must
// hold the lock of the session.
func (t *Session) unsaved() string {
	switch {
	case t.failed != nil:
		return "This game is not stored yet: " + t.failed.Error() + ". Spar tries again every second."
	case !t.changedAt.IsZero() && time.Since(t.changedAt) > settles*9/10:
		return "This game is not stored yet. Spar is trying."
	}
	return ""
}

// Settle waits until the changes of a session are stored. After a second it writes them to a separate file, so that
// they outlive this process.
func (r *Sessions) Settle(t *Session) {
	var late <-chan time.Time
	for {
		waiting, tried, failing := r.keeper.state()
		if !slices.Contains(waiting, t) {
			return
		}
		if late == nil {
			if late = time.After(settles); failing != nil {
				late = time.After(unsettled)
			}
		}
		select {
		case <-tried:
		case <-late:
			_, _, _ = r.aside(false) // the page says that they are not stored
			return
		}
	}
}

// Unsaved returns the sessions whose changes are not stored yet.
func (r *Sessions) Unsaved() (out []Record) {
	waiting, _, _ := r.keeper.state()
	for _, t := range waiting {
		if v := t.View(); v.Unsaved != "" {
			out = append(out, v.Record)
		}
	}
	return out
}

// state returns the sessions that wait, a channel that is closed after the next attempt, and the reason of the last
// failure.
func (k *keeper) state() (waiting []*Session, tried <-chan struct{}, failing error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Clone(k.waiting), k.tried, k.failing
}

// keepAll stores changes until the keeper is to end.
func (r *Sessions) keepAll() {
	k := &r.keeper
	defer close(k.ended)
	for {
		var again <-chan time.Time
		if k.failing != nil { // only this goroutine writes it
			again = time.After(keepAgain)
		}
		select {
		case <-k.wake:
		case <-again:
		case <-k.end:
			r.pass(true)
			return
		}
		r.pass(false)
	}
}

// pass tries once to store each session that waits. The last pass of a process ends early if the study is locked.
func (r *Sessions) pass(last bool) {
	k := &r.keeper
	began := time.Now()
	waiting, _, before := k.state()
	var failing error
	for _, t := range waiting {
		if last && failing != nil && time.Since(began) > settles {
			break
		}
		if err := r.store(t); err != nil {
			failing = err
		}
		k.mu.Lock()
		k.failing = failing
		close(k.tried)
		k.tried = make(chan struct{})
		k.mu.Unlock()
	}
	k.mu.Lock()
	k.failing = failing
	k.mu.Unlock()
	k.besides.Lock()
	kept := k.kept
	k.besides.Unlock()
	if kept || failing != nil {
		_, _, _ = r.aside(false) // if that fails, they are in memory and tried again
	}
	if r.OnSaveError != nil && (before == nil) != (failing == nil) {
		r.OnSaveError(failing)
	}
}

// store stores a session as it is now.
func (r *Sessions) store(t *Session) error {
	r.keeper.storing.Lock()
	defer r.keeper.storing.Unlock()
	t.mu.Lock()
	v, gone := t.view(), t.deleted
	t.mu.Unlock()
	var err error
	stored := v.Record
	if !gone {
		stored, err = r.Store.Save(v)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	news := (t.failed == nil) != (err == nil)
	if t.failed = err; err == nil {
		t.rec.Game = stored.Game
		t.rec.Stored = stored.Stored
		t.rec.Earlier = stored.Earlier
		if t.rec.Revision == stored.Revision || gone {
			t.changedAt = time.Time{}
			r.keeper.mu.Lock()
			r.keeper.waiting = slices.DeleteFunc(r.keeper.waiting, func(o *Session) bool { return o == t })
			r.keeper.mu.Unlock()
		}
	}
	if news {
		r.Changed(t.rec.ID)
	}
	return err
}

// aside keeps the sessions that wait in a file next to the study, or removes the file if none waits.
func (r *Sessions) aside(last bool) (n int, where string, err error) {
	r.keeper.besides.Lock()
	defer r.keeper.besides.Unlock()
	var all []Record
	waiting, _, _ := r.keeper.state()
	for _, t := range waiting {
		all = append(all, t.View().Record)
	}
	if len(all) > 0 || r.keeper.kept {
		where, err = r.Store.SaveElsewhere(all, last)
	}
	r.keeper.kept = len(all) > 0
	return len(all), where, err
}

// Resume loads the sessions that an earlier process could not store, so that they are stored now.
func (r *Sessions) Resume() error {
	all, err := r.Store.Unstored()
	r.keeper.besides.Lock()
	r.keeper.kept = true
	r.keeper.besides.Unlock()
	for _, rec := range all {
		g, bad := r.Library.Stored(rec.Canonical)
		if bad == nil {
			_, bad = r.add(g, rec)
		}
		if bad != nil {
			err = errors.Join(err, fmt.Errorf("game %s: %w", rec.ID, bad))
		}
	}
	return err
}
