package remote

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"spar/arena"
	"spar/configs/plain"
	"spar/engines"
	"spar/ratings"
)

// trust decides which workers are reliable. A worker is barred if its games differ on replay, if it submits impossible
// games, or if it fails significantly more often than its peers.
type trust struct {
	secret   uint64 // determines which games are checked; workers must not know it
	disputes []dispute
	// for each worker, the games that were replayed with the same result
	tested     map[string]map[arena.Slot]struct{}
	distrusted []*arena.Distrust // errors that have not been returned yet
	suspected  time.Time
}

// dispute is a game for which two workers have different results. The coordinator plays it itself to decide.
type dispute struct {
	task arena.Task
	a, b arena.Result
}

// chosen reports whether a worker's game is to be replayed. It chooses both games of a pair or neither.
func (g *ledger) chosen(w *worker, l *lease, r *arena.Result) bool {
	if l.class.Timed || l.class.Engines != "" { // a replay may give another result
		return false
	}
	share := g.check
	if w.games <= g.novelty {
		share = max(share, g.novice)
	}
	x := engines.Mix(engines.Mix(g.secret^uint64(r.Event)) ^ uint64(r.Number>>1))
	return float64(x>>11)/(1<<53) < share
}

// doubts reports whether a result needs confirmation by another machine. A forfeit does, because the machine may
// have caused it.
func (c *class) doubts(r *arena.Result) bool { return c.Engines != "" && r.Faulty != 0 }

// compare compares a replay with the first result. It returns the game's result if that is now certain.
func (g *ledger) compare(l *lease, r *arena.Result, now time.Time) *arena.Result {
	first := l.check
	switch {
	case l.class.doubts(first) && first.Faulty == r.Faulty:
		g.confirm(first.Worker, r.Slot)
		return first
	case l.class.doubts(first) && l.class.doubts(r) && g.workers[r.Worker] != nil:
		g.replay(l, r, now)
		return nil
	case l.class.doubts(first):
		if w := g.workers[first.Worker]; w != nil {
			w.alone++
		}
		return r
	case first.Alike(r) == nil:
		g.confirm(first.Worker, r.Slot)
	case g.workers[r.Worker] == nil: // our own decides
		g.decide(dispute{l.task, *first, *r}, r, now)
	default:
		g.disputes = append(g.disputes, dispute{l.task, *first, *r})
	}
	return nil
}

func (g *ledger) confirm(id string, s arena.Slot) {
	w := g.workers[id]
	if w == nil {
		return
	}
	w.checked++
	if g.tested[id] == nil {
		g.tested[id] = map[arena.Slot]struct{}{}
	}
	g.tested[id][s] = struct{}{}
}

// decide settles a dispute by the coordinator's own replay. It bars each worker whose result differs from it.
func (g *ledger) decide(d dispute, own *arena.Result, now time.Time) {
	for _, r := range []*arena.Result{&d.a, &d.b} {
		w, err := g.workers[r.Worker], r.Alike(own)
		switch {
		case err == nil && r == &d.a:
			g.confirm(r.Worker, r.Slot)
		case err != nil && w != nil:
			g.bar(r.Worker, fmt.Sprintf("its result differs from the coordinator's: %v (%d replayed games "+
				"matched)", err, w.checked), now)
			w.differed++
		}
	}
}

// bar excludes a worker and takes its games back.
func (g *ledger) bar(id, why string, now time.Time) {
	w := g.workers[id]
	if w == nil || w.barred != "" {
		return
	}
	why = plain.Line(clip(why, 500))
	w.barred = why
	g.giveAll(w, now)
	tested := g.tested[id]
	g.distrusted = append(g.distrusted, &arena.Distrust{Worker: id, Why: why, Tested: func(s arena.Slot) bool {
		_, ok := tested[s]
		return ok
	}})
	for _, l := range g.leases { // its games will be superseded: nothing is to be said of them
		if l.check != nil && l.check.Worker == id {
			g.drop(l)
		}
	}
}

// suspectLevel is the confidence level of the intervals of fault rates, high enough for frequent tests of many workers.
const suspectLevel = 0.999999

// suspect finds workers whose games fail or stop significantly more often than those of other workers.
func (g *ledger) suspect(now time.Time) {
	if now.Sub(g.suspected) < time.Second {
		return
	}
	g.suspected = now
	all := g.local
	for _, w := range g.workers {
		all.add(w.counts)
	}
	for id, w := range g.workers {
		peers := counts{all.games - w.games, all.faults - w.faults, all.late - w.late}
		for _, kind := range []struct {
			name       string
			own, other int64
		}{{"forfeited", w.faults, peers.faults}, {"made no progress", w.late, peers.late}} {
			if w.barred == "" && kind.own >= 5 {
				why := beyond(kind.name, kind.own, w.games+w.late, kind.other, peers.games+peers.late)
				if why != "" {
					g.bar(id, why, now)
				}
			}
		}
	}
}

// beyond compares a rate with that of the other workers. It returns a reason if the difference is significant,
// otherwise an empty text.
func beyond(what string, k, n, peerK, peerN int64) string {
	n, peerN = max(n, k), max(peerN, peerK)
	own := ratings.ClopperPearson(k, n, suspectLevel).Interval
	peers := ratings.ClopperPearson(peerK, peerN, suspectLevel).Interval
	if peerN == 0 || own.Lo <= peers.Hi {
		return ""
	}
	show := ratings.ClopperPearson(k, n, 0.95)
	return fmt.Sprintf("%d of its %d games %s (%.1f %%, 95 %% interval %.1f to %.1f), "+
		"significantly more than for its peers (%d of %d)", k, n, what,
		100*show.Value, 100*show.Interval.Lo, 100*show.Interval.Hi, peerK, peerN)
}

// unserved returns a replay that the coordinator should do itself because no other worker can: immediately if
// there is no other worker, otherwise after a waiting time.
func (g *ledger) unserved(now time.Time, wait time.Duration) *lease {
	for _, c := range g.classes {
		for i, l := range c.requeued {
			if l.check != nil && !l.closed && (now.Sub(l.made) >= wait || !g.served(l, now)) {
				c.requeued = slices.Delete(c.requeued, i, i+1)
				g.waiting--
				l.holder, l.moved = arena.LocalWorker, now
				return l
			}
		}
	}
	return nil
}

func (n needs) key() string { return fmt.Sprintf("%s|%d|%t|%t", n.Engines, n.Memory, n.Timed, n.Here) }

// serves reports whether a worker meets the needs of tasks. Equal means that its speed equals the coordinator's or
// that time budgets are scaled.
func (h *Hello) serves(n needs, equal bool) bool {
	if n.Here || n.Timed && !equal || n.Memory*int64(max(1, h.Slots)) > cmp.Or(h.Memory, 1<<62) {
		return false
	}
	if n.Engines == "" {
		return true
	}
	for name := range strings.SplitSeq(n.Engines, ",") {
		if !slices.Contains(h.Engines, name) {
			return false
		}
	}
	return true
}
