package balance

import (
	"slices"
	"strings"

	"spar/engines"
	"spar/engines/rules"
)

// prefixPlies is the number of first plies by which openings are distinguished.
const prefixPlies = 8

// replay holds what replaying one game shows.
type replay struct {
	bad     bool     // the moves are not legal, or their number differs from the stored one
	legal   []uint16 // numbers of legal moves at the plies that agents played, without the opening
	sides   []uint8  // who moved at these plies
	swapped bool     // a player took the swap
	uses    useCounts
	prefix  prefix // the first moves, in the form that is the same for all symmetric images
	prefixN int32
}

// replayer replays games. Only one goroutine may use it.
type replayer struct {
	g *engines.Game
	// the rules without falling; nil if pieces cannot fall after a piece below has left
	still          *engines.Game
	start, pos     *engines.Position
	legal, moves   []engines.Move
	read           map[string]engines.Move // moves by their text, because parsing takes longer than playing
	met            map[sameGame]replay     // nil if few games are equal to an earlier one
	games, repeats int64                   // lookups in met, and how many of them found a game
}

func newReplayer(g *engines.Game) *replayer {
	r := &replayer{
		g:     g,
		start: g.NewPosition(),
		pos:   g.NewPosition(),
		read:  map[string]engines.Move{},
		met:   map[sameGame]replay{},
	}
	if g.Mechanics().Has(rules.Settles) {
		r.still = withoutFalls(g)
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

// sameGame identifies a game by its moves, so that only one of several equal games is replayed.
type sameGame struct {
	moves          string
	opening, plies int32
}

// mostMet is the maximum number of games that are remembered.
const mostMet = 1 << 13

// run replays one game and writes the result to its record.
func (r *replayer) run(moves string, rec *record) {
	if !rec.counts() {
		return
	}
	key := sameGame{moves, rec.opening, rec.plies}
	if r.met != nil {
		r.games++
		if old, ok := r.met[key]; ok {
			rec.replay = old
			r.repeats++
			return
		}
		if r.games%mostMet == 0 && 4*r.repeats < r.games {
			r.met = nil // to look for equal games takes longer than there are such
		}
	}
	rec.bad = !r.play(moves, rec) || len(r.moves) != int(rec.plies)
	if rec.bad {
		return
	}
	rec.prefix = r.canonical()
	rec.prefixN = int32(min(len(r.moves), prefixPlies))
	if r.met != nil && len(r.met) < mostMet {
		r.met[key] = rec.replay
	}
}

// play replays the moves.
func (r *replayer) play(moves string, rec *record) bool {
	p := r.pos
	p.CopyFrom(r.start)
	r.moves = r.moves[:0]
	rec.legal, rec.sides = make([]uint16, 0, max(0, rec.plies-rec.opening)), nil
	pieces := func() [2]engines.Bits {
		return [2]engines.Bits{p.Pieces(engines.First), p.Pieces(engines.Second)}
	}
	for text := range strings.FieldsSeq(moves) {
		m, err := r.move(text)
		if err != nil || p.Over() {
			return false
		}
		r.legal = p.AppendMoves(r.legal[:0])
		if !slices.Contains(r.legal, m) {
			return false
		}
		did := seen{
			rules:   r.g.Mechanics(),
			move:    m,
			mover:   p.Side(),
			moving:  p.Moving(),
			chained: p.Chain() != engines.NoCell,
			before:  pieces(),
		}
		air := aloft(r.still, &p.State, m)
		if p.Ply() >= int(rec.opening) {
			rec.legal, rec.sides = append(rec.legal, uint16(len(r.legal))), append(rec.sides, uint8(did.mover))
		}
		p.Play(m)
		r.moves = append(r.moves, m)
		rec.swapped = rec.swapped || m == engines.Swap
		did.fell(r.still, air, pieces())
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
