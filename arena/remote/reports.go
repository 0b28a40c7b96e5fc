package remote

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"spar/arena/live"
	"spar/arena/study"
)

// Timing of the log messages about demand.
const (
	wantedAfter = 2 * time.Second // delay of the message, since workers arrive one after the other
	wantedEvery = time.Minute
)

// unmetNeed records since when no worker has met a need, and when that was last logged.
type unmetNeed struct{ since, told time.Time }

// demand counts, by class, the games that no connected worker can play. It is empty if this process plays games. It
// excludes checks, which the coordinator can do itself. The caller must hold the lock.
func (c *Coordinator) demand() map[string]int {
	if len(c.players) > 0 {
		return nil
	}
	out := map[string]int{}
	for key, k := range c.ledger.classes {
		if !k.tidy() || c.served(k.needs) {
			continue
		}
		for _, l := range slices.Concat(k.requeued, k.queue) {
			if !l.closed && l.check == nil {
				out[key]++
			}
		}
	}
	return out
}

// served reports whether a connected worker meets the needs.
func (c *Coordinator) served(n needs) bool {
	for _, w := range c.ledger.workers {
		if w.here && w.barred == "" && w.serves(n, c.equal(w.Speed)) {
			return true
		}
	}
	return false
}

// stuck reports whether no remaining game can be played by a connected worker. The caller must hold the lock.
func (c *Coordinator) stuck() bool {
	n := 0
	for _, games := range c.demand() {
		n += games
	}
	return n > 0 && n == len(c.ledger.leases) && c.settled()
}

// reportDemand logs at intervals what a worker would need to play the games of the demand. If there is no worker,
// it logs nothing. The caller must hold the lock.
func (c *Coordinator) reportDemand(now time.Time) {
	games := map[string]int{} // by what is missing: other needs of theirs are met
	if c.hands() > 0 {
		for key, n := range c.demand() {
			games["some games need a worker with "+c.missing(c.ledger.classes[key].needs)] += n
		}
	}
	maps.DeleteFunc(c.unmet, func(wish string, _ *unmetNeed) bool { return games[wish] == 0 })
	var wishes []string
	for _, wish := range slices.Sorted(maps.Keys(games)) {
		l := c.unmet[wish]
		if l == nil {
			l = &unmetNeed{since: now}
			c.unmet[wish] = l
		}
		if now.Sub(l.since) < wantedAfter {
			continue
		}
		if l.told.IsZero() || now.Sub(l.told) >= wantedEvery {
			c.o.Log(fmt.Sprintf("%s (%d so far)", wish, games[wish]))
			l.told = now
		}
		wishes = append(wishes, wish)
	}
	c.wish = strings.Join(wishes, "; ")
}

// missing returns the needs that no connected worker meets. If each need is met by some worker but no worker meets
// all, it returns all needs.
func (c *Coordinator) missing(n needs) string {
	var all, rest []string
	part := func(n needs, text string) {
		all = append(all, text)
		if !c.served(n) {
			rest = append(rest, text)
		}
	}
	if n.Engines != "" {
		for name := range strings.SplitSeq(n.Engines, ",") {
			part(needs{Engines: name}, fmt.Sprintf("--engine %s=COMMAND", name))
		}
	}
	if n.Memory > 0 {
		part(needs{Memory: n.Memory}, fmt.Sprintf("%d MB of memory for each simultaneous game (--memory, --workers)",
			(n.Memory+999_999)/1_000_000))
	}
	if n.Here {
		part(needs{Here: true},
			"the coordinator's tables, which only the coordinator has (leave out coordinate_only, or the key \"table\")")
	}
	if n.Timed {
		part(needs{Timed: true}, "about the coordinator's speed (or set scale_time in the --machines file)")
	}
	if len(rest) == 0 {
		rest = all
	}
	return strings.Join(rest, " and ")
}

// Lost returns the names of the workers that stopped answering without signing off and have not returned.
func (c *Coordinator) Lost() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var lost []string
	for id, w := range c.ledger.workers {
		if w.lost {
			lost = append(lost, id)
		}
	}
	slices.Sort(lost)
	return lost
}

// record passes the records of the machines to Options.Record.
func (c *Coordinator) record(now time.Time, must bool) error {
	if c.o.Record == nil || !must && now.Sub(c.recorded) < recordEvery {
		return nil
	}
	c.recorded = now
	var rows []study.Worker
	for _, w := range c.ledger.workers {
		if w.Slots > 0 { // it was here
			rows = append(rows, w.row())
		}
	}
	if len(rows) == 0 {
		return nil
	}
	slices.SortFunc(rows, func(a, b study.Worker) int { return a.Joined.Compare(b.Joined) })
	if err := c.o.Record(rows); err != nil && must { // or it is stored with the next list
		return fmt.Errorf("storing the list of workers: %w", err)
	}
	return nil
}

// tell publishes the list of workers.
func (c *Coordinator) tell(now time.Time) {
	if c.o.Feed == nil || now.Sub(c.told) < tellEvery {
		return
	}
	c.told = now
	var ms []live.Machine
	for id, w := range c.ledger.workers {
		if w.Slots > 0 {
			ms = append(ms, live.Machine{
				Worker: id, Slots: w.Slots, Here: w.here, Games: w.games, Rate: w.rate,
				Holds: len(w.holds), Faults: w.faults, Barred: w.barred, Lost: w.lost,
			})
		}
	}
	slices.SortFunc(ms, func(a, b live.Machine) int { return strings.Compare(a.Worker, b.Worker) })
	c.o.Feed.Publish(live.Event{Kind: live.Machines, Machines: ms})
}
