package standings

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"spar/arena/campaign"
	"spar/arena/evidence"
	"spar/arena/store"
	"spar/ratings"
	"spar/reports/balance"
)

// collector aggregates the games of a study in the order of events and numbers. Its memory depends on the number of
// match-ups, not of games.
type collector struct {
	rules  map[int32]*sums
	agents map[int64]string

	open    map[pairKey]*openPair
	order   []pairKey // keys of open pairs in the order of arrival; a ring buffer of size pairsOpen
	next    int
	spare   []*openPair
	pairs   map[pairKind]tally
	singles map[seatKind]tally
	shared  []sharedPair
	odd     []cluster
	matches map[match]*variety
	events  map[int64]balance.Event
	first   map[int32]map[evidence.Part]*evidence.FirstPlayer // by rules
}

// tally counts pairs or games: all of them, and those that are not equal to an earlier one.
type tally struct{ all, fresh int64 }

func (t tally) plus(fresh bool) tally {
	if t.all++; fresh {
		t.fresh++
	}
	return t
}

// match identifies two agents under some rules. The lower number is first.
type match struct{ rules, a, b int32 }

func (s seats) match() match { return match{s.rules, min(s.first, s.second), max(s.first, s.second)} }

// variety counts the games of a match, and how many of them are distinct.
type variety struct {
	games int64
	seen  map[uint64]struct{} // hashes of the games so far; nil after many distinct ones
}

// mostSame is the maximum number of distinct games remembered for a match.
const mostSame = 4096

// add counts a game, and reports whether it is not equal to an earlier one.
func (v *variety) add(key uint64) (fresh bool) {
	v.games++
	if v.seen == nil {
		return true
	}
	if _, again := v.seen[key]; again {
		return false
	}
	if v.seen[key] = struct{}{}; len(v.seen) > mostSame {
		v.seen = nil
	}
	return true
}

// same reports whether the agents repeat the same few games. Then only the distinct ones count.
func (v *variety) same() bool { return v.seen != nil && evidence.Same(v.games, int64(len(v.seen))) }

// counted returns how many of a match's pairs or games count as evidence.
func (c *collector) counted(s seats, t tally) int64 {
	if c.matches[s.match()].same() {
		return t.fresh
	}
	return t.all
}

// Odd constants with random bits for hashing games. The last multiplication makes the highest bit depend on all
// bits.
const (
	oddFirst  = 0xbf58476d1ce4e5b9
	oddSecond = 0x94d049bb133111eb
	oddKey    = 0x9e3779b97f4a7c15
)

// pairsOpen is the maximum number of pairs whose second game has not been read. The games of a pair are adjacent
// in every schedule. If they are too far apart, they count as single games.
const pairsOpen = 4096

type pairKey struct{ event, pair int64 }

type openPair struct{ games []played }

// played is a game that counts for strength.
type played struct {
	seats
	half    uint8
	fresh   bool   // not equal to an earlier game
	opening uint64 // see evidence.Opening
}

// seats identifies the two agents of games in one stratum, with the first player first.
type seats struct {
	rules, first, second int32
	fault                evidence.Marks // Forfeit if an agent's failure ended the game
}

// seatKind holds what matters for ratings about a single game. pairKind does so for a pair with swapped seats:
// the half points of the first players of both games.
type seatKind struct {
	seats
	half uint8
}

type pairKind struct {
	seats
	half, other uint8
}

// sharedPair is a pair of a kind that began with an opening, which other pairs may share.
type sharedPair struct {
	pairKind
	fresh   bool // one of its games is not equal to an earlier game
	opening uint64
}

// cluster is a group of games with the same pair number that do not form a pair with swapped seats.
type cluster []played

// sums holds the counts for one set of rules.
type sums struct {
	played, repeated, mirrored, surplus, pending int64
	faults                                       map[int32]int64
	distinct                                     distinct
}

func newCollector() *collector {
	return &collector{
		rules:   map[int32]*sums{},
		open:    map[pairKey]*openPair{},
		order:   make([]pairKey, pairsOpen),
		pairs:   map[pairKind]tally{},
		singles: map[seatKind]tally{},
		matches: map[match]*variety{},
		first:   map[int32]map[evidence.Part]*evidence.FirstPlayer{},
	}
}

// collect reads the games of a study.
func collect(ctx context.Context, db *store.DB) (*collector, error) {
	c := newCollector()
	var err error
	if c.agents, err = db.AgentNames(ctx); err != nil {
		return nil, err
	}
	events, err := db.Events(ctx)
	if err != nil {
		return nil, err
	}
	c.events = map[int64]balance.Event{}
	for _, e := range events {
		c.events[e.ID] = balance.Planned(e)
	}
	for o, err := range db.Briefs(ctx) {
		if err != nil {
			return nil, err
		}
		c.add(&o)
	}
	for _, p := range c.open {
		c.close(p) // sums of whole numbers: the order does not matter
	}
	c.open = nil
	return c, nil
}

// addFirst adds a game to the first player's score.
func (c *collector) addFirst(o *store.Brief) {
	e := c.events[o.Event]
	if !o.Marks.Counts(evidence.Balance) || campaign.OfKnob(e.Event) || campaign.OfInquiry(e.Event) {
		return
	}
	parts := c.first[o.Rules]
	if parts == nil {
		parts = map[evidence.Part]*evidence.FirstPlayer{}
		c.first[o.Rules] = parts
	}
	in := []evidence.Part{{Kind: evidence.All}}
	if p, ok := evidence.PartOf(e.Purpose, c.agents[int64(o.First)], c.agents[int64(o.Second)]); ok {
		in = append(in, p)
	}
	for _, p := range in {
		f := parts[p]
		if f == nil {
			f = &evidence.FirstPlayer{}
			parts[p] = f
		}
		if p.Kind != evidence.All {
			f.Anytime = f.Anytime || e.Clear
		}
		f.Add(evidence.FirstGame{
			Event:   o.Event,
			Pair:    o.Pair,
			First:   int64(o.First),
			Second:  int64(o.Second),
			Opening: o.Opening,
			Hash:    o.Hash,
			Half:    o.Half,
		})
	}
}

// FirstPlayer returns the first player's score in a study, by rules.
func FirstPlayer(ctx context.Context, db *store.DB, level float64) (map[string]ratings.Estimate, error) {
	c, err := collect(ctx, db)
	if err != nil {
		return nil, err
	}
	names, err := db.Names(ctx, "rules")
	if err != nil {
		return nil, err
	}
	out := map[string]ratings.Estimate{}
	for _, name := range names {
		r, _, err := db.RulesNamed(ctx, name)
		if err != nil {
			return nil, err
		}
		out[name] = c.firstScore(int32(r.ID), level)
	}
	return out, nil
}

// firstScore returns the first player's score under some rules.
func (c *collector) firstScore(rules int32, level float64) ratings.Estimate {
	events := slices.SortedFunc(maps.Values(c.events), func(a, b balance.Event) int {
		return cmp.Compare(a.ID, b.ID)
	})
	tiers := balance.TierNames(events)
	parts := c.first[rules]
	if f := parts[evidence.Headline(slices.Collect(maps.Keys(parts)), tiers)]; f != nil {
		return f.Score(level)
	}
	return ratings.Estimate{}
}

func (c *collector) add(o *store.Brief) {
	c.addFirst(o)
	s := c.rules[o.Rules]
	if s == nil {
		s = &sums{faults: map[int32]int64{}}
		c.rules[o.Rules] = s
	}
	switch {
	case o.Marks&evidence.Surplus != 0:
		s.surplus++
		return
	case o.Marks&evidence.Pending != 0:
		s.pending++
		return
	case !(o.Marks &^ (evidence.Mirror | evidence.Repeated)).Counts(evidence.Strength):
		return
	case o.Marks&evidence.Mirror != 0:
		s.mirrored++
		return
	}
	s.played++
	fault := o.Marks & evidence.Forfeit
	if fault != 0 { // the faulty side has lost
		loser := o.First
		if o.Half == 2 {
			loser = o.Second
		}
		s.faults[loser]++
	}
	key := (uint64(o.Hash) + uint64(o.First)*oddFirst + uint64(o.Second)*oddSecond) * oddKey
	s.distinct.add(key)
	if o.Marks&evidence.Repeated != 0 {
		s.repeated++
		return
	}
	at := seats{o.Rules, o.First, o.Second, fault}
	v := c.matches[at.match()]
	if v == nil {
		v = &variety{seen: map[uint64]struct{}{}}
		c.matches[at.match()] = v
	}
	g := played{at, o.Half, o.Hash == 0 || v.add(key), o.Opening} // without a hash the moves are not known
	pair := pairKey{o.Event, o.Pair}
	p := c.open[pair]
	if p == nil {
		if old := c.order[c.next]; old != (pairKey{}) {
			if late := c.open[old]; late != nil {
				c.close(late)
				delete(c.open, old)
			}
		}
		p = c.fresh()
		c.open[pair] = p
		c.order[c.next] = pair
		c.next = (c.next + 1) % pairsOpen
	}
	p.games = append(p.games, g)
}

func (c *collector) fresh() *openPair {
	if n := len(c.spare); n > 0 {
		p := c.spare[n-1]
		c.spare = c.spare[:n-1]
		return p
	}
	return &openPair{games: make([]played, 0, 2)}
}

// close counts a complete pair.
func (c *collector) close(p *openPair) {
	g := p.games
	switch {
	case len(g) == 2 && g[0].second == g[1].first && g[0].first == g[1].second && g[0].rules == g[1].rules &&
		g[0].fault == g[1].fault && g[0].opening == g[1].opening:
		a, b := g[0], g[1]
		if a.first > a.second {
			a, b = b, a
		}
		k, fresh := pairKind{a.seats, a.half, b.half}, a.fresh || b.fresh
		if a.opening != 0 {
			c.shared = append(c.shared, sharedPair{k, fresh, a.opening})
		} else {
			c.pairs[k] = c.pairs[k].plus(fresh)
		}
	case g[0].opening == 0 && (len(g) == 1 || len(g) == 2 && !g[0].together(g[1])):
		for _, x := range g {
			k := seatKind{x.seats, x.half}
			c.singles[k] = c.singles[k].plus(x.fresh)
		}
	default:
		c.odd = append(c.odd, slices.Clone(g))
	}
	p.games = g[:0]
	c.spare = append(c.spare, p)
}

// together reports whether two games of a pair have the same two agents and stratum.
func (g played) together(h played) bool {
	return g.rules == h.rules && g.fault == h.fault && min(g.first, g.second) == min(h.first, h.second) &&
		max(g.first, g.second) == max(h.first, h.second)
}

func (s seats) compare(t seats) int {
	return cmp.Or(cmp.Compare(s.rules, t.rules), cmp.Compare(s.first, t.first), cmp.Compare(s.second, t.second),
		cmp.Compare(s.fault, t.fault))
}

// table returns the table of results for the games under the rules in labels. The labels become the names of the
// strata.
func (c *collector) table(labels map[int32]string) (*ratings.Table, error) {
	var b ratings.Builder
	outcomes := [3]ratings.Outcome{ratings.SecondWins, ratings.Draw, ratings.FirstWins}
	stratum := func(s seats) string { return evidence.Stratum(labels[s.rules], s.fault) }
	wanted := func(s seats) bool { _, ok := labels[s.rules]; return ok }
	for _, k := range slices.SortedFunc(maps.Keys(c.pairs), func(x, y pairKind) int {
		return cmp.Or(x.compare(y.seats), cmp.Compare(x.half, y.half), cmp.Compare(x.other, y.other))
	}) {
		if n := c.counted(k.seats, c.pairs[k]); n > 0 && wanted(k.seats) {
			first, second := c.agents[int64(k.first)], c.agents[int64(k.second)]
			if err := b.AddPairs(first, second, stratum(k.seats), outcomes[k.half], outcomes[k.other], n); err != nil {
				return nil, err
			}
		}
	}
	for _, k := range slices.SortedFunc(maps.Keys(c.singles),
		func(x, y seatKind) int { return cmp.Or(x.compare(y.seats), cmp.Compare(x.half, y.half)) }) {
		var n [3]int64
		n[k.half] = c.counted(k.seats, c.singles[k])
		if wanted(k.seats) {
			if err := b.AddCount(c.agents[int64(k.first)], c.agents[int64(k.second)], stratum(k.seats), n[2], n[1],
				n[0]); err != nil {
				return nil, err
			}
		}
	}
	for _, p := range c.shared {
		if wanted(p.seats) && (p.fresh || !c.matches[p.match()].same()) {
			if err := b.AddOpeningPairs(c.agents[int64(p.first)], c.agents[int64(p.second)], stratum(p.seats),
				outcomes[p.half], outcomes[p.other], 1, p.opening); err != nil {
				return nil, err
			}
		}
	}
	for i, games := range c.odd {
		for _, g := range games {
			if !wanted(g.seats) || !g.fresh && c.matches[g.match()].same() {
				continue
			}
			if err := b.Add(ratings.Game{
				First:   c.agents[int64(g.first)],
				Second:  c.agents[int64(g.second)],
				Result:  outcomes[g.half],
				Stratum: stratum(g.seats),
				Pair:    fmt.Sprint(i),
				Opening: g.opening,
			}); err != nil {
				return nil, err
			}
		}
	}
	return b.Table(), nil
}

// pool returns the pool of the games under some rules. The parameter rules is one label, or empty for all rules.
func (c *collector) pool(rules string, labels map[int32]string, level float64) (*Pool, error) {
	t, err := c.table(labels)
	if err != nil {
		return nil, err
	}
	p := &Pool{
		Title:  cmp.Or(rules, "all games"),
		Rules:  rules,
		Table:  t,
		Faults: map[string]int64{},
		First:  map[string]ratings.Estimate{},
	}
	for id, label := range labels {
		p.First[label] = c.firstScore(id, level)
	}
	surplus, pending := int64(0), int64(0)
	for id, s := range c.rules {
		if _, ok := labels[id]; !ok {
			continue
		}
		n, exact := s.distinct.count()
		p.Played += s.played
		p.Distinct += n
		p.repeated += s.repeated
		p.mirrored += s.mirrored
		p.estimated = p.estimated || !exact
		surplus += s.surplus
		pending += s.pending
		for agent, n := range s.faults {
			p.Faults[c.agents[int64(agent)]] += n
		}
	}
	for _, m := range slices.SortedFunc(maps.Keys(c.matches), func(x, y match) int {
		return cmp.Or(cmp.Compare(x.rules, y.rules), cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b))
	}) {
		if _, ok := labels[m.rules]; ok && c.matches[m].same() {
			p.Note("%s and %s always play the same games of %s: only the %d distinct games of the %d count",
				c.agents[int64(m.a)], c.agents[int64(m.b)],
				labels[m.rules], len(c.matches[m].seen), c.matches[m].games)
		}
	}
	if surplus > 0 {
		p.Note("Spar skips games that were still in progress when a match-up was decided") // how many depends on the workers
	}
	if pending > 0 {
		p.Note("%d finished games do not count yet: earlier games are still in progress", pending)
	}
	return p, nil
}
