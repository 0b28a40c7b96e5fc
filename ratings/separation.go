package ratings

import (
	"maps"
	"slices"
)

// Status is the basis of the estimate of a player or an advantage.
type Status string

// The possible statuses.
const (
	// StatusOK: maximum likelihood, two-sided interval.
	StatusOK Status = "ok"
	// StatusUnboundedAbove: the player won every game against all players rated below; the estimate is from the
	// prior, and the lower bound is one-sided.
	StatusUnboundedAbove Status = "unbounded_above"
	// StatusUnboundedBelow: the player lost every game against all players rated above; the estimate is from the
	// prior, and the upper bound is one-sided.
	StatusUnboundedBelow Status = "unbounded_below"
	// StatusUnbounded: the player beat all players of one part of the group and lost to all of another.
	StatusUnbounded Status = "unbounded"
	// StatusUnplaced: only one-sided results connect the player to the group, so the rating comes from the prior.
	StatusUnplaced Status = "unplaced"
	// StatusConfounded: the first-player advantage cannot be separated from the rating differences; the error
	// includes the prior of the advantage.
	StatusConfounded Status = "confounded"
	// StatusNoInformation: there are no games, or only draws, which do not determine differences.
	StatusNoInformation Status = "no_information"
	// StatusPrior: the estimate is finite only because of the prior.
	StatusPrior Status = "prior"
	// StatusAnchor: the player whose rating was fixed.
	StatusAnchor Status = "anchor"
	// StatusNotIdentified: an advantage that cannot be separated from the ratings.
	StatusNotIdentified Status = "not_identified"
	// StatusFixed: an advantage held at 0 by request.
	StatusFixed Status = "fixed"
)

// separation records which quantities of a table have finite estimates: which pairings have a likelihood with a
// finite maximum, and which players they connect.
type separation struct {
	t        *Table
	strataOf []int // for each stratum of the table, the stratum of the fit
	k        int
	adv      []bool // for each stratum of the fit, whether it has an advantage
	anchors  []int  // players whose distances are known

	weak   []int // groups of players that games connect
	nWeak  int
	active []bool // pairings whose likelihood has a finite maximum
	sided  []bool // pairings that are dropped because the advantage alone explains all their results
	comp   []int  // components of the players that active pairings connect
	nComp  int
	runs   []int // for each stratum of the fit, +1 or -1 if its advantage is infinite
	ident  []bool
}

func newSeparation(t *Table, strataOf []int, adv []bool, anchors []int) *separation {
	e := &separation{
		t:        t,
		strataOf: strataOf,
		k:        len(adv),
		adv:      adv,
		anchors:  anchors,
		runs:     make([]int, len(adv)),
	}
	e.active = slices.Repeat([]bool{true}, len(t.pairings))
	e.sided = make([]bool, len(t.pairings))
	e.weak, e.nWeak = weakComponents(len(t.players), e.linked(e.isActive))
	e.settle()
	return e
}

// linked returns the pairings that use accepts, and anchors as if they had beaten each other: their distances are
// finite.
func (e *separation) linked(use func(x int) bool) (pairs []Pairing) {
	for x, p := range e.t.pairings {
		if use(x) {
			pairs = append(pairs, p)
		}
	}
	for i := 1; i < len(e.anchors); i++ {
		pairs = append(pairs, Pairing{
			First:  e.anchors[i-1],
			Second: e.anchors[i],
			Wins:   1,
			Losses: 1,
		})
	}
	return pairs
}

func (e *separation) isActive(x int) bool { return e.active[x] }

// settle repeatedly drops the data that would drive estimates to infinity: pairings between strong components, and
// strata in which one seat won everything. The rest has the maximum that the whole likelihood approaches in the limit.
func (e *separation) settle() {
	n, pairs := len(e.t.players), e.t.pairings
	for changed := true; changed; {
		changed = false
		strong, _ := scoredAgainst(n, e.linked(e.isActive)).strong()
		for x, p := range pairs {
			if e.active[x] && strong[p.First] != strong[p.Second] {
				e.active[x], changed = false, true
			}
		}
		if e.dropSided() {
			changed = true
		}
	}
	e.comp, e.nComp = weakComponents(n, e.linked(e.isActive))
	e.ident = identifiable(n, pairs, e.active, e.adv, e.strataOf)
}

func (e *separation) dropSided() (dropped bool) {
	type points struct{ first, second bool } // which seat scored in some game
	took := make([]points, e.k)
	for x, p := range e.t.pairings {
		if t := &took[e.strataOf[p.Stratum]]; e.active[x] {
			t.first = t.first || p.Wins+p.Draws > 0
			t.second = t.second || p.Losses+p.Draws > 0
		}
	}
	for x, p := range e.t.pairings {
		s := e.strataOf[p.Stratum]
		if !e.active[x] || !e.adv[s] || took[s].first && took[s].second {
			continue
		}
		e.active[x], e.sided[x], dropped, e.runs[s] = false, true, true, 1
		if took[s].second {
			e.runs[s] = -1
		}
	}
	return dropped
}

// dropSeparated handles separation of ratings and advantage together (Albert & Anderson 1984, Biometrika 71:1).
// Given an iterate that diverges, it drops the diverging pairings in which one side has all points. If only these
// pairings identified an advantage, that advantage has no finite value. The ratings in its stratum have none
// either, so the prior determines the whole stratum.
func (e *separation) dropSeparated(p *likelihood, theta []float64) {
	before := e.ident
	p.remote(theta, func(d *datum) { e.active[d.source] = false })
	e.settle()
	for s, ok := range before {
		if !ok || e.ident[s] {
			continue
		}
		for x, g := range e.t.pairings {
			if e.strataOf[g.Stratum] == s && e.active[x] {
				e.active[x], e.sided[x] = false, true
			}
		}
		e.settle()
	}
}

// order relates the final components. There is a path from a to b in g, and from b to a in back, if a scored
// against b directly or through others.
type order struct {
	g, back graph
}

func (e *separation) order() order {
	var there, back []Pairing
	for x, p := range e.t.pairings {
		if p.First, p.Second = e.comp[p.First], e.comp[p.Second]; p.First != p.Second && !e.sided[x] {
			there = append(there, p)
			p.First, p.Second = p.Second, p.First
			back = append(back, p)
		}
	}
	return order{scoredAgainst(e.nComp, there), scoredAgainst(e.nComp, back)}
}

// reference returns the component of a weak group that has the most players, or -1 if several have the most.
func (e *separation) reference(group int) int {
	size := make(map[int]int)
	for i, c := range e.comp {
		if e.weak[i] == group {
			size[c]++
		}
	}
	most := slices.Max(slices.Collect(maps.Values(size)))
	best := -1
	for c, n := range size {
		if n == most && best >= 0 {
			return -1
		} else if n == most {
			best = c
		}
	}
	return best
}

// statuses returns the status of each player as far as it follows from separation, and the reference component of
// each weak group (-1 if there is none).
func (e *separation) statuses() (status []Status, ref []int) {
	status = make([]Status, len(e.t.players))
	ref = make([]int, e.nWeak)
	parts := make([]map[int]bool, e.nWeak)
	for i, g := range e.weak {
		if parts[g] == nil {
			parts[g] = make(map[int]bool)
		}
		parts[g][e.comp[i]] = true
	}
	ofComp := make([]Status, e.nComp)
	o := e.order()
	for g := range e.nWeak {
		comps := slices.Sorted(maps.Keys(parts[g]))
		if len(comps) == 1 {
			ref[g], ofComp[comps[0]] = comps[0], StatusOK
			continue
		}
		ref[g] = e.reference(g)
		if ref[g] < 0 {
			for _, c := range comps {
				ofComp[c] = relation(len(o.g[c]) > 0, len(o.back[c]) > 0, StatusUnbounded)
			}
			continue
		}
		below := o.g.reach([]int{ref[g]})
		above := o.back.reach([]int{ref[g]})
		for _, c := range comps {
			ofComp[c] = relation(above[c], below[c], StatusPrior)
			if ofComp[c] == StatusPrior && !above[c] && len(o.g[c])+len(o.back[c]) > 0 {
				ofComp[c] = StatusUnplaced
			}
		}
		ofComp[ref[g]] = StatusOK
	}
	for i, c := range e.comp {
		status[i] = ofComp[c]
	}
	return status, ref
}

func relation(above, below bool, both Status) Status {
	switch {
	case above && below:
		return both
	case above:
		return StatusUnboundedAbove
	case below:
		return StatusUnboundedBelow
	}
	return StatusPrior
}
