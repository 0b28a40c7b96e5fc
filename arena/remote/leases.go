package remote

import (
	"slices"
	"time"
)

// next takes from a queue the first lease that a worker may play.
func (g *ledger) next(id string, can func(*class) bool, now time.Time) *lease {
	var best *class
	for _, c := range g.classes {
		if can(c) && c.tidy() && (best == nil || c.since().Before(best.since())) && g.suits(c, id, now) {
			best = c
		}
	}
	if best == nil {
		return nil
	}
	return g.pop(best, id, now)
}

// tidy removes closed leases from the fronts of the queues. It reports whether leases are left.
func (c *class) tidy() bool {
	for len(c.requeued) > 0 && c.requeued[len(c.requeued)-1].closed {
		c.requeued = c.requeued[:len(c.requeued)-1]
	}
	for len(c.queue) > 0 && c.queue[0].closed {
		c.queue = c.queue[1:]
	}
	return len(c.requeued)+len(c.queue) > 0
}

func (c *class) since() time.Time {
	if n := len(c.requeued); n > 0 {
		return c.requeued[n-1].moved
	}
	return c.queue[0].moved
}

// suits reports whether the class has a lease that the worker may play.
func (g *ledger) suits(c *class, id string, now time.Time) bool {
	return len(c.queue) > 0 || slices.ContainsFunc(c.requeued,
		func(l *lease) bool { return !l.closed && g.fits(l, id, now) })
}

// fits reports whether a worker may play a lease. A worker never checks its own games, and gets a lease that was
// taken from it only if there is no other worker.
func (g *ledger) fits(l *lease, id string, now time.Time) bool {
	if l.check != nil {
		return l.check.Worker != id && !slices.Contains(l.was, id)
	}
	return !slices.Contains(l.was, id) || !g.own && !g.served(l, now)
}

// served reports whether there is a worker that may play a lease and has not had it before.
func (g *ledger) served(l *lease, now time.Time) bool {
	for id, w := range g.workers {
		if g.plays(w, now) && g.serves(w, l.class) && !slices.Contains(l.was, id) &&
			(l.check == nil || l.check.Worker != id) {
			return true
		}
	}
	return false
}

func (g *ledger) pop(c *class, id string, now time.Time) *lease {
	for i := len(c.requeued) - 1; i >= 0; i-- {
		if l := c.requeued[i]; !l.closed && g.fits(l, id, now) {
			c.requeued = slices.Delete(c.requeued, i, i+1)
			return l
		}
	}
	l := c.queue[0]
	c.queue[0] = nil
	c.queue = c.queue[1:]
	return l
}

// give returns a lease to its queue.
func (g *ledger) give(l *lease, now time.Time) {
	if w := g.workers[l.holder]; w != nil {
		delete(w.holds, l.place())
	}
	l.was = append(l.was, l.holder)
	if len(l.was) > 8 {
		l.was = l.was[1:]
	}
	l.holder, l.moved = "", now
	l.class.requeued = append(l.class.requeued, l)
	g.waiting++
}

// drop removes a lease.
func (g *ledger) drop(l *lease) {
	if l.holder == "" {
		g.waiting--
	} else if w := g.workers[l.holder]; w != nil {
		delete(w.holds, l.place())
	}
	l.closed = true
	delete(g.leases, l.place())
}
