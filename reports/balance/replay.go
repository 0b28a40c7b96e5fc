package balance

import (
	"math"
	"slices"
	"strings"

	"spar/engines"
	"spar/engines/rules"
	"spar/engines/solve"
)

// prefixPlies is the number of first plies by which openings are distinguished.
const prefixPlies = 8

// replay holds what replaying one game shows.
type replay struct {
	bad       bool    // the moves are not legal, or their number differs from the stored one
	logTree   float64 // log10 of the size of the tree: sum over plies of log10 of the number of legal moves
	legal     int32   // sum of the numbers of legal moves at the agents' plies
	decisions int32   // number of plies that agents played, without the opening
	forced    int32   // decisions with only one legal move
	logChoice float64 // sum of ln of the number of legal moves, over the plies with more than one
	passes    int32
	coverage  int32 // number of cells that were ever occupied
	visited   int32 // number of positions, with the start
	unique    int32 // number of distinct positions
	effects   int32 // moves that changed the board, except the last ply
	undone    int32 // number of these moves that were undone within two plies
	removed   int32 // number of pieces that left the board
	swapped   bool  // a player took the swap
	uses      useCounts
	rated     int32  // number of decisions with more than one move in solved positions
	kept      int32  // number of these that kept the exact value
	givenUp   int32  // half points that these decisions lost
	prefix    prefix // the first moves, in the form that is the same for all symmetric images
	prefixN   int32
}

// replayer replays games. Only one goroutine may use it.
type replayer struct {
	g *engines.Game
	// the rules without falling; nil if pieces cannot fall after a piece below has left
	still          *engines.Game
	table          *solve.Table
	cap            int // ply cap of the rules, which the table does not know; 0 = none
	start          *engines.Position
	pos            *engines.Position
	legal          []engines.Move
	moves          []engines.Move
	sides          []int // side that made each move
	counts         []int32
	boards         [][2]engines.Bits // board after each ply; the first one is the start
	struck         [][2]engines.Bits // board after each ply, before pieces fall
	hashes         []uint64
	use            []*boardSums // uses of mechanics, by group
	states         growth
	cells          []engines.Cell
	read           map[string]engines.Move // moves by their text, because parsing takes longer than playing
	logs           []float64               // natural logarithms of 0, 1, 2, ...
	met            map[sameGame]*metGame   // nil if few games are equal to an earlier one
	games, repeats int64                   // lookups in met, and how many of them found a game
	// values by the last bits of a position's hash, because a lookup in the table takes longer than a ply
	values []valuedState
}

// valuedState caches the table's answer for a position, because games often repeat positions.
type valuedState struct {
	hash    uint64
	dtw     int32
	outcome solve.Outcome
	known   known
}

// known is what is cached about a position: nothing, a value, or that the table does not have it.
type known uint8

const (
	notAsked known = iota
	notThere
	there
)

// valuedStates is the number of cached values, a power of two.
const valuedStates = 1 << 13

func newReplayer(g *engines.Game, table *solve.Table) *replayer {
	r := &replayer{
		g: g, table: table, cap: g.Rules().Draw.MaxPlies, start: g.NewPosition(), pos: g.NewPosition(),
		states: newGrowth(), read: map[string]engines.Move{}, met: map[sameGame]*metGame{},
	}
	if g.Mechanics().Has(rules.Settles) {
		r.still = withoutFalls(g)
	}
	if table != nil {
		r.values = make([]valuedState, valuedStates)
	}
	return r
}

func (r *replayer) move(text string) (engines.Move, error) {
	m, ok := r.read[text]
	if ok {
		return m, nil
	}
	m, err := r.g.ReadMove(text)
	if err == nil {
		r.read[strings.Clone(text)] = m
	}
	return m, err
}

func (r *replayer) log(n int) float64 {
	for len(r.logs) <= n {
		r.logs = append(r.logs, math.Log(float64(max(len(r.logs), 1))))
	}
	return r.logs[n]
}

// sums returns the boardSums of a group.
func (r *replayer) sums(group int32) *boardSums {
	for int(group) >= len(r.use) {
		r.use = append(r.use, nil)
	}
	if r.use[group] == nil {
		r.use[group] = newBoardSums(r.g.Cells())
	}
	return r.use[group]
}

// sameGame identifies a game by its moves, so that only one of several equal games is replayed.
type sameGame struct {
	moves   string
	opening int32
	half    uint8
	group   *groupData
}

// metGame is a game that has been replayed.
type metGame struct {
	replay
	plies int32
	again int64 // repetitions since the replay that have not been added to the sums over games
}

// mostMet is the maximum number of games that are remembered.
const mostMet = 1 << 13

// run replays one game and writes the result to its record.
func (r *replayer) run(moves string, rec *record) {
	if !rec.counts() {
		return
	}
	key := sameGame{moves, rec.opening, rec.half, rec.group}
	if r.met != nil {
		r.games++
		if old := r.met[key]; old != nil && old.plies == rec.plies {
			rec.replay = old.replay
			old.again++
			r.repeats++
			return
		}
		if r.games%mostMet == 0 && 4*r.repeats < r.games {
			r.finish() // to look for equal games takes longer than there are such
		}
	}
	rec.bad = !r.play(moves, rec) || len(r.moves) != int(rec.plies)
	if rec.bad {
		return
	}
	rec.prefix, rec.prefixN = r.canonical(), int32(min(len(r.moves), prefixPlies))
	r.count(rec, 1)
	slices.Sort(r.hashes)
	rec.visited, rec.unique = int32(len(r.hashes)), int32(len(slices.Compact(r.hashes)))
	r.undone(rec)
	if r.met != nil && len(r.met) < mostMet {
		r.met[key] = &metGame{replay: rec.replay, plies: rec.plies}
	}
}

// count adds n games that equal the one just replayed to the sums over games.
func (r *replayer) count(rec *record, times int64) {
	for i, h := range r.hashes {
		if i > 0 {
			r.states.add(i, h, times)
		}
	}
	if rec.group == nil {
		return
	}
	r.board(rec, times)
	use := r.sums(rec.group.index)
	for i := int(rec.opening); i < len(r.moves); i++ {
		use.choose(i, int(r.counts[i]), times)
	}
}

// finish adds the repetitions that are still missing, and forgets the replayed games.
func (r *replayer) finish() {
	for key, old := range r.met {
		rec := record{opening: key.opening, half: key.half, group: key.group}
		if old.again > 0 && r.play(key.moves, &rec) {
			r.count(&rec, old.again)
		}
	}
	r.met = nil
}

// play replays the moves and stores in r the boards, hashes and numbers of legal moves of all positions.
func (r *replayer) play(moves string, rec *record) bool {
	p := r.pos
	p.CopyFrom(r.start)
	r.moves, r.sides, r.counts, r.boards, r.struck, r.hashes = r.moves[:0], r.sides[:0], r.counts[:0], r.boards[:0],
		r.struck[:0], r.hashes[:0]
	see := func() {
		r.boards = append(r.boards, [2]engines.Bits{p.Pieces(engines.First), p.Pieces(engines.Second)})
		r.hashes = append(r.hashes, p.Hash())
	}
	see()
	value, known := r.value()
	for text := range strings.FieldsSeq(moves) {
		m, err := r.move(text)
		if err != nil || p.Over() {
			return false
		}
		r.legal = p.AppendMoves(r.legal[:0])
		if !slices.Contains(r.legal, m) {
			return false
		}
		n, side, ply := len(r.legal), p.Side(), int32(len(r.moves))
		did := seen{
			rules: r.g.Mechanics(), move: m, mover: side, moving: p.Moving(), chained: p.Chain() != engines.NoCell,
			before: r.boards[ply],
		}
		air := aloft(r.still, &p.State, m)
		p.Play(m)
		r.moves, r.sides, r.counts = append(r.moves, m), append(r.sides, side), append(r.counts, int32(n))
		rec.logTree += r.log(n) / math.Ln10
		rec.swapped = rec.swapped || m == engines.Swap
		see()
		before, was := value, known
		value, known = r.value()
		if ply >= rec.opening {
			rec.legal += int32(n)
			rec.decisions++
			switch {
			case n == 1:
				rec.forced++
			default:
				rec.logChoice += r.log(n)
			}
			if m == engines.Pass {
				rec.passes++
			}
			if was && known && n > 1 {
				rec.rated++
				if lost := int32(before-value) * int32(1-2*side); lost > 0 {
					rec.givenUp += lost
				} else {
					rec.kept++
				}
			}
		}
		did.fell(r.still, air, r.boards[ply+1])
		r.struck = append(r.struck, did.struck)
		rec.uses.count(&did)
	}
	return true
}

// withoutFalls returns the game with rules in which pieces stay in place when a piece below leaves.
func withoutFalls(g *engines.Game) *engines.Game {
	r := g.Rules()
	r.Placement.Falls = false
	still, err := engines.Compile(r)
	if err != nil {
		return nil // cannot be: nothing needs pieces to fall
	}
	return still
}

// aloft returns the position after a ply if no piece falls; nil if there are no such rules (nil).
func aloft(still *engines.Game, s *engines.State, m engines.Move) *engines.State {
	if still == nil {
		return nil
	}
	t := still.Adopt(s)
	t.Play(m)
	return &t
}

// fell records what the ply captured and how many pieces then fell. Its arguments are the pieces before the fall
// (see aloft) and after it.
func (x *seen) fell(still *engines.Game, aloft *engines.State, after [2]engines.Bits) {
	x.struck = after
	if aloft == nil {
		return
	}
	if x.struck = [2]engines.Bits{aloft.Pieces(engines.First), aloft.Pieces(engines.Second)}; x.struck != after {
		x.falls = still.Falling(x.struck[0].Or(x.struck[1]))
	}
}

// value returns the exact score of the first player in the last position, in half points, if the game is solved.
func (r *replayer) value() (int, bool) {
	p := r.pos
	if r.table == nil {
		return 0, false
	}
	if p.Over() {
		return int(2 * p.Result().Score(engines.First)), true
	}
	hash := r.hashes[len(r.hashes)-1]
	at := &r.values[hash%valuedStates]
	if at.known == notAsked || at.hash != hash {
		*at = valuedState{hash: hash, known: notThere}
		if v, ok := r.table.Lookup(&p.State); ok {
			at.outcome, at.dtw, at.known = v.Outcome, int32(v.DTW), there
		}
	}
	if at.known == notThere {
		return 0, false
	}
	v := solve.Value{Outcome: at.outcome, DTW: int(at.dtw)}.Under(r.cap, p.Ply())
	if p.Side() == engines.First {
		return 1 + int(v.Outcome), true
	}
	return 1 - int(v.Outcome), true
}

// canonical returns the smallest image of the first moves under the symmetries of the rules. The image of a
// shorter sequence is a prefix of that of a longer one.
func (r *replayer) canonical() (best prefix) {
	moves := r.moves[:min(len(r.moves), prefixPlies)]
	for i, image := range r.g.Symmetries() {
		var now prefix
		better := i == 0
		for k, m := range moves {
			now[k] = engines.TransformMove(m, image)
			if !better {
				if now[k] > best[k] {
					break
				}
				better = now[k] < best[k]
			}
		}
		if better {
			best = now
		}
	}
	for i := len(moves); i < len(best); i++ {
		best[i] = engines.NoMove
	}
	return best
}

// changed returns the cells on which two boards differ.
func changed(a, b *[2]engines.Bits) engines.Bits {
	differ := func(x, y engines.Bits) engines.Bits { return x.AndNot(y).Or(y.AndNot(x)) }
	return differ(a[0], b[0]).Or(differ(a[1], b[1]))
}

// undone counts the moves whose effect on the board disappears within two plies, and the pieces that left the
// board.
func (r *replayer) undone(rec *record) {
	for t := 1; t < len(r.boards); t++ {
		before, after := &r.boards[t-1], &r.boards[t]
		gone := int32(before[0].Count() + before[1].Count() - after[0].Count() - after[1].Count())
		if r.moves[t-1].IsPlacement() {
			gone++
		}
		rec.removed += gone
		effect := changed(before, after)
		if t+1 == len(r.boards) || effect.Empty() {
			continue
		}
		rec.effects++
		for k := t + 1; k <= min(t+2, len(r.boards)-1); k++ {
			if changed(before, &r.boards[k]).And(effect).Empty() {
				rec.undone++
				break
			}
		}
	}
}
