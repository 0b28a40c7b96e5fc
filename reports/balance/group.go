package balance

import (
	"cmp"
	"maps"
	"slices"

	"spar/arena/campaign"
	"spar/arena/evidence"
	"spar/engines"
)

// take adds a game to all sums that it counts for. Games come in the order of the study.
func (p *pass) take(r *record) {
	again := p.met(r)
	p.ended(r, again)
	s := &p.study
	s.Opened = s.Opened && r.opening > 0
	d := r.group
	if d != nil {
		d.games++
		if !again {
			d.distinct++
			d.ways[way{r.reason, r.kind}]++
		}
	}
	if r.marks&evidence.Repeated != 0 {
		s.Repeated++
		if d != nil {
			d.repeated++
		}
		return
	}
	if r.marks&evidence.Timed != 0 {
		s.Timed++
	}
	if r.bad {
		s.BadGames++
	}
	switch r.kind {
	case endForfeit:
		s.Forfeits++
	case endAdjudicated:
		s.Decided++
	}
	if d != nil {
		d.take(r)
		if !again {
			d.keep(r, p.total)
		}
	}
	if !r.counts() {
		return
	}
	p.matched(r, again)
	if !r.bad && r.prefixN > 0 && r.opening >= 1 && p.data.Events[r.event].Purpose == campaign.PurposeFirstMove {
		p.forced.add(r)
	}
}

// met reports whether an equal game with the same purpose came before. It counts the distinct games.
func (p *pass) met(r *record) bool {
	purpose := ""
	if p.mirrored {
		purpose = p.data.Events[r.event].Purpose
	}
	bit, ok := p.scopes[purpose]
	if !ok {
		bit = 1 << min(len(p.scopes), 31)
		p.scopes[purpose] = bit
	}
	key := engines.Mix(uint64(r.hash) ^ engines.Mix(uint64(r.first)<<32|uint64(r.second)))
	before := p.seen[key]
	if before == 0 {
		p.study.Distinct++
	}
	if before&bit == 0 {
		p.seen[key] = before | bit
	}
	return before&bit != 0
}

// groupData holds the games of one group, as sums.
type groupData struct {
	p                *pass
	key, kind, agent string
	games, distinct  int64         // number of all games, and of those that are not equal to an earlier one
	ways             map[way]int64 // how often the distinct games ended in each way
	repeated         int64

	fresh  []*record // the distinct games, as long as there are few
	varied bool      // there are more distinct games than fresh holds

	looked bool              // some match-ups could stop early
	open   map[place]*record // games whose pair is incomplete
	spare  []*record         // completed pairs whose memory is reused
	sums   []sums            // of the measures, in the order of measures()
	first  evidence.FirstPlayer
	lines  lineSums  // openings of the games from the start position
	valued []*record // games with position values
}

func newGroup(p *pass, key, kind, agent string) *groupData {
	d := &groupData{
		p:     p,
		ways:  map[way]int64{},
		key:   key,
		kind:  kind,
		agent: agent,
		open:  map[place]*record{},
	}
	for _, m := range measures() {
		if m.sums != nil {
			d.sums = append(d.sums, m.sums(d))
		}
	}
	return d
}

// sumsOf returns the sums of one measure.
func sumsOf[T sums](d *groupData) T {
	var none T
	for _, x := range d.sums {
		if s, ok := x.(T); ok {
			return s
		}
	}
	return none
}

// take adds a game that is not repeated. The two games of a pair are one unit, since they are not independent: they
// share an opening, or the two agents.
func (d *groupData) take(r *record) {
	if r.counts() {
		d.first.Add(evidence.FirstGame{
			Event:   int64(r.event),
			Pair:    r.pair,
			First:   int64(r.first),
			Second:  int64(r.second),
			Opening: r.label,
			Hash:    r.hash,
			Half:    r.half,
		})
	}
	if r.opening == 0 && r.first == r.second {
		d.unit(r)
		return
	}
	if other, ok := d.open[r.place()]; ok {
		delete(d.open, r.place())
		d.unit(other, r)
		d.spare = append(d.spare, other)
		return
	}
	x := &record{}
	if n := len(d.spare); n > 0 {
		x, d.spare = d.spare[n-1], d.spare[:n-1]
	}
	*x = *r
	d.open[r.place()] = x
}

// keep records a distinct game, as long as the group may turn out to have only few.
func (d *groupData) keep(r *record, total int64) {
	if d.varied = d.varied || !evidence.Same(total, int64(len(d.fresh)+1)); d.varied {
		d.fresh = nil
		return
	}
	x := *r
	d.fresh = append(d.fresh, &x)
}

// condensed returns the group with each distinct game counted once.
func (d *groupData) condensed() *groupData {
	out := newGroup(d.p, d.key, d.kind, d.agent)
	out.games = d.games
	out.distinct = d.distinct
	out.ways = d.ways
	out.repeated = d.repeated
	out.looked = d.looked
	for _, r := range d.fresh {
		out.take(r)
	}
	out.first = d.first
	return out
}

// finish adds the games whose partner is missing.
func (d *groupData) finish() {
	alone := slices.SortedFunc(maps.Values(d.open), func(a, b *record) int {
		return cmp.Compare(a.at, b.at)
	})
	d.open, d.spare = nil, nil
	defer d.lines.order()
	for _, r := range alone {
		d.unit(r)
	}
}

// unit adds a unit to the measures: one game, or two that are not independent.
func (d *groupData) unit(rs ...*record) {
	for _, r := range rs {
		if !r.counts() {
			continue
		}
		if len(d.p.valued[r.id]) > 0 {
			x := *r
			d.valued = append(d.valued, &x)
		}
		if !r.bad && r.opening == 0 && r.prefixN > 0 {
			d.lines.add(r)
		}
	}
	for _, x := range d.sums {
		x.Add(rs)
	}
}
