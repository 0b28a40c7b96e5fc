package balance

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"spar/arena/campaign"
	"spar/arena/evidence"
	"spar/engines"
)

// take adds a game to all sums that it counts for. Games come in the order of the study.
func (p *pass) take(r *record, moves string) {
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
		d.take(r, len(p.valued[r.id]) > 0)
		if !again {
			d.keep(r, moves, p.total)
		}
	}
	if !r.counts() {
		return
	}
	p.timing(r)
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

// groupData holds the sums of one group of games.
type groupData struct {
	index            int32
	cells            float64 // number of cells of the board
	key, kind, agent string
	games, distinct  int64         // number of all games, and of those that are not equal to an earlier one
	ways             map[way]int64 // how often the distinct games ended in each way
	repeated         int64
	use              *boardSums

	fresh  []freshGame // the distinct games, as long as there are few
	varied bool        // there are more distinct games than fresh holds

	looked   bool              // some match-ups could stop early
	opened   bool              // some games began with openings, so the unit is the pair
	open     map[place]*record // games whose pair is incomplete
	spare    []*record         // completed pairs whose memory is reused
	ended    endings           // how games ended, for all games except repeated ones
	length   [lengths]spreadSums
	choice   *blocks // sums over the games that replay; the columns are constants below
	board    *blocks
	alive    *blocks // columns: uses of each mechanic, games with a use of each, and the number of games
	exact    *blocks
	rated    int64  // number of games with decisions in solved positions
	flawless effect // fraction of these games without a mistake
	worst    []*record
	tree     *blocks // logarithm of the size of the game tree, one row for each game
	won      *blocks // sums for games with a winner, one row for each game

	tally  tally
	swaps  int64 // number of games in which the second player swapped
	chosen firstSums
	lines  lineSums
	early  []int64   // ids of the first games, for another pass
	valued []*record // games with position values
	odd    oddGames
}

// Kinds of lengths: of all games; of the games that did not end by a cap; and of the latter by the first player's
// half points.
const (
	lengthAll = iota
	lengthFinished
	lengthLost
	lengthDrawn
	lengthWon
	lengths
)

// Columns of the sums of groupData.choice.
const (
	choiceAll = iota
	choiceForced
	choiceFree
	choiceLegal
	choiceLog
	choicePasses
	choiceColumns
)

const (
	boardCoverage = iota
	boardGames
	boardRepeats
	boardUndone
	boardEffects
	boardRemoved
	boardPlies
	boardColumns
)

const (
	exactKept = iota
	exactLoss
	exactRated
	exactColumns
)

const (
	treeLog = iota
	treeGames
	treeLegal
	treeDecisions
	treeColumns
)

const (
	wonLegal = iota
	wonDecisions
	wonPlies
	wonGames
	wonColumns
)

// mostWorst is the number of games with the largest losses that are listed.
const mostWorst = 5

func newGroup(index int32, cells int, key, kind, agent string) *groupData {
	d := &groupData{
		ways:  map[way]int64{},
		index: index, cells: float64(cells), key: key, kind: kind, agent: agent, open: map[place]*record{},
		choice: newBlocks(choiceColumns), board: newBlocks(boardColumns), alive: newBlocks(2*uses + 1),
		exact: newBlocks(exactColumns), tree: newBlocks(treeColumns), won: newBlocks(wonColumns),
	}
	for i := range d.length {
		d.length[i].rows = newBlocks(3)
	}
	return d
}

// of returns the name of the group's units.
func (d *groupData) of() string {
	if d.opened {
		return "pairs"
	}
	return "games"
}

// take adds a game that is not repeated. Two games of a pair that began with an opening are one unit, since they
// are not independent. Two games of different agents from the true start are one unit only for the statistics of
// endings, and only if a value never varies.
func (d *groupData) take(r *record, valued bool) {
	if r.counts() {
		d.game(r)
		if len(d.early) < matterGames && !r.bad {
			d.early = append(d.early, r.id)
		}
		if valued {
			x := *r
			d.valued = append(d.valued, &x)
		}
	}
	if r.opening == 0 {
		d.unit(r)
	}
	d.opened = d.opened || r.opening > 0
	if r.opening == 0 && r.first == r.second {
		d.ended.add([]*record{r})
		return
	}
	if other, ok := d.open[r.place()]; ok {
		delete(d.open, r.place())
		d.ended.add([]*record{other, r})
		if r.opening > 0 {
			d.unit(other, r)
		}
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

// freshGame is a game that is not equal to an earlier one.
type freshGame struct {
	record
	moves string
}

// keep records a distinct game with the number of its repetitions.
func (d *groupData) keep(r *record, moves string, total int64) {
	if d.varied = d.varied || !evidence.Same(total, int64(len(d.fresh)+1)); d.varied {
		d.fresh = nil
		return
	}
	d.fresh = append(d.fresh, freshGame{*r, strings.Clone(moves)})
}

// same reports whether the group repeats the same few games.
func (d *groupData) same() bool { return !d.varied && evidence.Same(d.games, d.distinct) }

// condensed returns the group with each distinct game counted once.
func (p *pass) condensed(d *groupData, r *replayer) *groupData {
	out := newGroup(d.index, int(d.cells), d.key, d.kind, d.agent)
	out.games, out.distinct, out.ways, out.repeated, out.looked = d.games, d.distinct, d.ways, d.repeated, d.looked
	for i := range d.fresh {
		x := &d.fresh[i]
		r.run(x.moves, &x.record)
		out.take(&x.record, len(p.valued[x.id]) > 0)
	}
	out.use = r.sums(d.index)
	return out
}

// finish adds the games whose partner is missing.
func (d *groupData) finish() {
	var alone []*record
	for _, r := range d.open {
		alone = append(alone, r)
	}
	d.open, d.spare = nil, nil
	d.lines.order()
	slices.SortFunc(alone, func(a, b *record) int { return cmp.Compare(a.at, b.at) })
	for _, r := range alone {
		d.ended.add([]*record{r})
		if r.opening > 0 {
			d.unit(r)
		}
	}
}

// game adds one game to the sums that have a row for each game.
func (d *groupData) game(r *record) {
	d.tally.add(r)
	if r.swapped {
		d.swaps++
	}
	if r.bad {
		return
	}
	d.tree.add(r.logTree, 1, float64(r.legal), float64(r.decisions))
	if r.half != 1 {
		d.won.add(float64(r.legal), float64(r.decisions), float64(r.plies), 1)
	}
	// of equals the first stay
	if r.givenUp > 0 && (len(d.worst) < mostWorst || r.givenUp > d.worst[mostWorst-1].givenUp) {
		x := *r
		d.worst = append(d.worst, &x)
		slices.SortStableFunc(d.worst, func(a, b *record) int { return cmp.Compare(b.givenUp, a.givenUp) })
		d.worst = d.worst[:min(mostWorst, len(d.worst))]
	}
	d.odd.add(r)
	if r.opening == 0 && r.prefixN > 0 {
		d.lines.add(r)
		if r.first == r.second {
			d.chosen.add(r)
		}
	}
}

// unit adds a unit: one game, or two that are not independent.
func (d *groupData) unit(rs ...*record) {
	var length [lengths][3]float64
	var choice [choiceColumns]float64
	var board [boardColumns]float64
	var alive [2*uses + 1]float64
	var exact [exactColumns]float64
	var perfect, decided, rated float64
	for _, r := range rs {
		if !r.counts() {
			continue
		}
		plies := float64(r.plies)
		for _, k := range [...]int{lengthAll, lengthFinished, lengthLost + int(r.half)} {
			if k != lengthAll && r.kind == endCap {
				break
			}
			x := &length[k]
			x[0], x[1], x[2] = x[0]+plies, x[1]+plies*plies, x[2]+1
			d.length[k].plies.add(int(r.plies))
		}
		if r.bad {
			continue
		}
		if r.decisions > 0 {
			decided++
			n, forced := float64(r.decisions), float64(r.forced)
			for i, v := range [...]float64{n, forced, n - forced, float64(r.legal), r.logChoice, float64(r.passes)} {
				choice[i] += v
			}
		}
		for i, v := range [...]float64{
			float64(r.coverage) / d.cells, 1, 1 - float64(r.unique)/float64(r.visited),
			float64(r.undone), float64(r.effects), float64(r.removed), plies,
		} {
			board[i] += v
		}
		for i, n := range r.uses {
			alive[i] += float64(n)
			alive[uses+i] += oneIf(n > 0)
		}
		alive[2*uses]++
		if r.rated > 0 {
			rated++
			perfect += oneIf(r.givenUp == 0)
			for i, v := range [...]float64{float64(r.kept), float64(r.givenUp) / 2, float64(r.rated)} {
				exact[i] += v
			}
		}
	}
	for k := range length {
		if x := &length[k]; x[2] > 0 {
			d.length[k].rows.add(x[:]...)
			d.length[k].effect.add(1, x[2], x[0], x[1])
		}
	}
	if decided > 0 {
		d.choice.add(choice[:]...)
	}
	if board[boardGames] > 0 {
		d.board.add(board[:]...)
		d.alive.add(alive[:]...)
	}
	if rated > 0 {
		d.rated += int64(rated)
		d.exact.add(exact[:]...)
		d.flawless.add(1, rated, perfect, perfect)
	}
}

// design returns the design effect of a value: the factor by which dependence between games increases the
// variance. It is 1 if games are independent.
func (d *groupData) design(e effect) float64 {
	if !d.opened {
		return 1
	}
	return e.value()
}

// effect computes the design effect of a value that is clustered.
type effect struct {
	units, games, sum, square float64 // sums over single games
	clusters, cross, sizes    float64 // sums over clusters of total², total times size, and size²
}

// add adds n equal clusters, given their size and the sum and the sum of squares of the value in each.
func (e *effect) add(times, games, sum, square float64) {
	e.units, e.games, e.sum, e.square = e.units+times, e.games+times*games, e.sum+times*sum, e.square+times*square
	e.clusters, e.cross, e.sizes = e.clusters+times*sum*sum, e.cross+times*sum*games, e.sizes+times*games*games
}

// value returns the variance of the mean divided by the variance for independent games. It is at least 1, and
// exactly 1 if there are fewer than ten clusters.
func (e *effect) value() float64 {
	if e.units < 10 || e.flat() {
		return 1
	}
	mean := e.sum / e.games
	single := e.square - e.games*mean*mean
	return max((e.clusters-2*mean*e.cross+mean*mean*e.sizes)/single, 1)
}

// flat reports whether the value is equal in all games. Then the data do not show how dependent the games of a cluster
// are.
func (e *effect) flat() bool {
	mean := e.sum / e.games
	return !(e.square-e.games*mean*mean > 1e-9*e.square)
}

// trials returns the effective number of independent games among k games. It is the number of clusters if the
// value never varies.
func (e *effect) trials(k int64) int64 {
	if e.games == 0 || !e.flat() {
		return k
	}
	return int64(math.Round(float64(k) * e.units / e.games))
}

// dist counts how often each integer from 0 occurred.
type dist struct {
	n      int64
	counts []int64
}

func (d *dist) add(x int) {
	for len(d.counts) <= x {
		d.counts = append(d.counts, 0)
	}
	d.counts[x]++
	d.n++
}

// count returns how often a number occurred.
func (d *dist) count(x int) int64 {
	if x >= len(d.counts) {
		return 0
	}
	return d.counts[x]
}

// at returns the number with the given rank. Ranks start at 0.
func (d *dist) at(rank int) float64 {
	left := int64(rank)
	for x, n := range d.counts {
		if left < n {
			return float64(x)
		}
		left -= n
	}
	return float64(len(d.counts) - 1)
}
