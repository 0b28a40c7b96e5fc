package arena

import (
	"cmp"
	"fmt"
	"slices"

	"spar/engines"
)

// swiss is the Swiss format, which pairs players with similar scores. It uses the Monrad system: in the order of
// the standings, each player is paired with the next one it has not met. If their number is odd, the lowest player
// without a bye gets one.
type swiss struct {
	t      *Tournament
	round  int
	points []float64
	met    map[[2]int]int
	byes   []int
	stages []swissRound
}

// swissRound holds the pairs of one round. They are scored before the next round is made.
type swissRound struct {
	pairs []int64
	games []pairing
}

func (f *swiss) barrier() bool { return true }

func (f *swiss) skips(int64) bool { return false }

func (f *swiss) judged(*Schedule, *slot) (string, bool) { return "", false }

func (f *swiss) estimate(t *Tournament) (int64, bool) {
	return int64(t.Rounds) * int64(len(t.Players)/2) * int64(t.Pairs) * int64(len(t.Rules)) * 2, !t.mayLeaveOut()
}

func (f *swiss) stage(s *Schedule) ([]pairing, string) {
	if n := len(f.stages); n > 0 {
		last := f.stages[n-1]
		for i, pair := range last.pairs {
			a, b := s.pairPoints(pair)
			f.points[last.games[i].a] += a
			f.points[last.games[i].b] += b
		}
	}
	if f.round == f.t.Rounds {
		return nil, fmt.Sprintf("all %d rounds played", f.t.Rounds)
	}
	f.round++
	order := f.standings(s)
	if len(order)%2 == 1 {
		order = f.giveBye(order)
	}
	var round swissRound
	next := s.end() / 2
	for _, p := range f.pairUp(order) {
		meeting := f.met[key(p[0], p[1])]
		f.met[key(p[0], p[1])]++
		for i := range f.t.Pairs {
			for rules := range f.t.Rules {
				round.games = append(round.games, pairing{rules, p[0], p[1], int64(i), meeting})
				round.pairs = append(round.pairs, next)
				next++
			}
		}
	}
	f.stages = append(f.stages, round)
	if len(round.games) == 0 {
		return nil, "no two players are left to pair"
	}
	return round.games, fmt.Sprintf("round %d of %d", f.round, f.t.Rounds)
}

// standings sorts the remaining players by points, then by their order in the plan.
func (f *swiss) standings(s *Schedule) []int {
	var order []int
	for i := range f.t.Players {
		if !s.withdrawn[i] {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(f.points[b], f.points[a]) })
	return order
}

// giveBye removes the lowest player with the fewest byes from the round; a bye scores swiss_bye times the points
// for winning all its games.
func (f *swiss) giveBye(order []int) []int {
	fewest := f.byes[order[0]]
	for _, p := range order {
		fewest = min(fewest, f.byes[p])
	}
	for i := len(order) - 1; ; i-- {
		if p := order[i]; f.byes[p] == fewest {
			f.byes[p]++
			f.points[p] += f.t.SwissBye * float64(2*f.t.Pairs*len(f.t.Rules))
			return append(append([]int{}, order[:i]...), order[i+1:]...)
		}
	}
}

func key(a, b int) [2]int { return [2]int{min(a, b), max(a, b)} }

// pairUp pairs players in order, with as few repeated encounters as possible.
func (f *swiss) pairUp(order []int) [][2]int {
	for repeats := 0; ; repeats++ {
		l := lineUp(order)
		l.steps = 20_000 // so that large fields do not take for ever; then another repeat is allowed
		if f.try(l, repeats) {
			return l.pairs
		}
	}
}

// line is the list of players that have not been paired, in order. It is a linked list, so that players can be
// removed and put back without copying.
type line struct {
	order      []int
	next, prev []int // for each player, the next and the previous unpaired one; len(order) is the end of the list
	pairs      [][2]int
	steps      int // number of steps left for the search
}

func lineUp(order []int) *line {
	n := len(order)
	l := &line{order: order, next: make([]int, n+1), prev: make([]int, n+1)}
	for i := range n + 1 {
		l.next[i], l.prev[(i+1)%(n+1)] = (i+1)%(n+1), i
	}
	return l
}

func (l *line) takeOut(i int) { l.next[l.prev[i]], l.prev[l.next[i]] = l.next[i], l.prev[i] }

func (l *line) putBack(i int) { l.next[l.prev[i]], l.prev[l.next[i]] = i, i }

// try pairs the rest of the list.
func (f *swiss) try(l *line, repeats int) bool {
	end := len(l.order)
	a := l.next[end]
	if a == end {
		return true
	}
	if l.steps--; l.steps < 0 {
		return false
	}
	l.takeOut(a)
	for b := l.next[a]; b != end; b = l.next[b] {
		again := f.met[key(l.order[a], l.order[b])]
		if again > repeats {
			continue
		}
		l.takeOut(b)
		l.pairs = append(l.pairs, [2]int{l.order[a], l.order[b]})
		if f.try(l, repeats-again) {
			return true
		}
		l.pairs = l.pairs[:len(l.pairs)-1]
		l.putBack(b)
	}
	l.putBack(a)
	return false
}

// pairPoints returns the points of the two players of a judged pair, first those of the first player of its first
// game. A game that is void because a player was withdrawn counts for the other player.
func (s *Schedule) pairPoints(pair int64) (a, b float64) {
	for i := range int64(2) {
		g := s.slot(2*pair + i)
		first := g.outcome.Score(engines.First)
		second := g.outcome.Score(engines.Second)
		if g.void {
			first, second = 0, 0
			if !s.withdrawn[g.First] {
				first = 1
			} else if !s.withdrawn[g.Second] {
				second = 1
			}
		}
		if i == 0 {
			a, b = a+first, b+second
		} else {
			a, b = a+second, b+first
		}
	}
	return a, b
}
