package solve

import (
	"context"
	"fmt"

	"spar/engines"
	"spar/engines/rules"
)

// space holds the states: all classes of equivalent positions that play can reach, numbered, with the moves
// between them. A class is represented by a key of the codec.
type space struct {
	g     *engines.Game
	codec *engines.Codec
	mix   mixer
	set   *set
	ends  *set // positions in which games end; nil if they are not counted

	segments   []segment
	edges      int64  // number of moves to ongoing positions, including dropped ones
	dropped    bool   // the moves were dropped to save memory
	refused    int64  // memory in bytes at which the moves were dropped; 0 if they were not dropped
	most       uint64 // number of states from which explore gives up; 0 = no limit
	mostValues int    // largest number of different values for which a value fits in one byte
}

// segment is the expansion of consecutive states from first on. Each state starts with a word: 16 bits for its
// number of moves, and 16 bits for its value as far as the moves that end the game determine it (see values). For
// each move to an ongoing position a word follows: the number of the new state shifted by one, with the lowest bit
// set if the same side moves again.
type segment struct {
	first, n uint32
	words    []uint32
}

const segmentStates = 512

// newSpace returns the space of a game without draws by repetition; see Endless.
func newSpace(g *engines.Game) (*space, error) {
	e, err := Endless(g)
	if err != nil {
		return nil, err
	}
	codec, err := e.NewCodec()
	if err != nil {
		return nil, err
	}
	m := newMixer(codec.Bits())
	return &space{g: e, codec: codec, mix: m, set: newSet(m), mostValues: 256}, nil
}

// bytes returns the peak memory for solving if no more states are found. It is the maximum of two amounts: the
// keys, the moves in both directions, and 6 bytes for each state; or the slots of the set, old and new, while it
// grows.
func (sp *space) bytes() int64 {
	n := int64(sp.set.len())
	keys := n * 8 * int64(sp.set.words)
	forwards := 4 * (n + sp.edges)
	return keys + forwards + max(int64(len(sp.set.slots))*8*5/3, 6*n+4*sp.edges)
}

// explore finds every state. If that needs more than o.Memory bytes (0 = no limit), it drops the moves and only counts
// states, as long as the count fits the limit. It then returns a MemoryError. It reports the given number of bytes.
func (sp *space) explore(ctx context.Context, o Options, bytes func() int64) error {
	limit, workers := o.Memory, o.workers()
	start := sp.g.NewState()
	k, _, ok := sp.codec.Canonical(&start)
	if !ok {
		return fmt.Errorf("%s: the game is over at its start", sp.g.Name())
	}
	if err := sp.set.grow(ctx, 1, workers); err != nil {
		return err
	}
	sp.set.add(sp.mix.mix(k))
	crew := make([]expander, workers)
	for i := range crew {
		crew[i].space = sp
	}
	branching := mostMoves(sp.g)
	for done := uint32(0); done < sp.set.len(); {
		found := uint64(sp.set.len())
		take := uint32(min(found-uint64(done), max(1<<14, found/4)/branching+64))
		room := found + uint64(take)*branching
		if err := sp.checkRoom(limit, room); err != nil {
			return err
		}
		if err := sp.set.grow(ctx, room, workers); err != nil {
			return err
		}
		if sp.ends != nil {
			if err := sp.growEnds(ctx, limit, uint64(take)*branching, workers); err != nil {
				return err
			}
		}
		fresh := make([]segment, (take+segmentStates-1)/segmentStates)
		err := parallel(ctx, workers, len(fresh), func(w, i int) error {
			first := done + uint32(i)*segmentStates
			var err error
			fresh[i], err = crew[w].expand(first, min(segmentStates, done+take-first))
			return err
		})
		if err != nil {
			return err
		}
		done += take
		for _, s := range fresh {
			sp.edges += int64(len(s.words)) - int64(s.n)
		}
		if !sp.dropped {
			sp.segments = append(sp.segments, fresh...)
		}
		if err := sp.checkLimit(limit, done == sp.set.len()); err != nil {
			return err
		}
		if found := uint64(sp.set.len()); sp.most > 0 && found >= sp.most && uint64(done) < found {
			return ErrStates
		}
		o.report(0, uint64(done), uint64(sp.set.len()), bytes(), float64(done)/float64(sp.set.len()))
	}
	return nil
}

// growEnds makes room for more final positions, within the limit of both sets together.
func (sp *space) growEnds(ctx context.Context, limit int64, more uint64, workers int) error {
	n := uint64(sp.ends.len()) + more
	if limit > 0 && sp.set.bytes()+sp.ends.whileGrowing(n) > limit {
		return &MemoryError{
			Rules:   sp.g.Name(),
			Classes: uint64(sp.set.len()),
			Bytes:   sp.set.bytes() + sp.ends.whileGrowing(n),
			Limit:   limit,
		}
	}
	return sp.ends.grow(ctx, n, workers)
}

// mostMoves returns an upper bound of the number of moves of a position.
func mostMoves(g *engines.Game) uint64 {
	if g.Mechanics().Any(rules.PieceMechanics()) { // lines that bend may lead to a cell in two ways
		return 2 * uint64(len(g.PossibleMoves()))
	}
	most := 0
	for side := range 2 {
		r := g.Rules().Of(side)
		m := &r.Movement
		n := g.Cells() + 2 // a swap and a pass among them
		if r.Pieces.Owner == "choice" {
			n += g.Cells()
		}
		ways := 0
		if m.Capture || m.Steps != "none" {
			ways = 16 // eight steps and eight jumps
		}
		if len(m.Take) > 0 {
			ways += 8
		}
		if ways += 8 * len(m.Leaps); m.Slide || m.Fly > 0 {
			ways += g.Cells()
		}
		pieces := g.Cells()
		if len(r.Setup) == 0 {
			pieces = min(pieces, g.Rules().Pieces.Supply+g.Rules().Of(engines.Second).Pieces.Supply)
		}
		most = max(most, n+ways*pieces)
	}
	return uint64(most)
}

func (sp *space) checkLimit(limit int64, complete bool) error {
	n := uint64(sp.set.len())
	need := max(sp.bytes(), sp.refused) // the set may have needed more while it grew than all does in the end
	refusal := &MemoryError{
		Rules:    sp.g.Name(),
		Classes:  n,
		Complete: complete,
		Bytes:    need,
		Limit:    limit,
	}
	switch {
	case n > maxStates:
		return refusal
	case limit <= 0 || need <= limit:
		return nil
	}
	sp.giveUp(need)
	if complete || sp.set.bytes() > limit {
		return refusal
	}
	return nil
}

// giveUp drops the moves, because solving would need the given number of bytes. From then on, explore only counts
// states.
func (sp *space) giveUp(need int64) {
	kept := 4 * (int64(sp.set.len()) + sp.edges)
	sp.dropped, sp.segments, sp.refused = true, nil, max(sp.refused, need)
	sweep(kept)
}

// checkRoom returns an error if the set would exceed the limit by growing to n states. It first drops the moves.
func (sp *space) checkRoom(limit int64, n uint64) error {
	if limit <= 0 {
		return nil
	}
	kept := int64(0)
	if !sp.dropped {
		kept = 4 * (int64(sp.set.len()) + sp.edges)
	}
	need := kept + sp.set.whileGrowing(n)
	if need <= limit {
		return nil
	}
	if kept > 0 {
		sp.giveUp(need)
		if sp.set.whileGrowing(n) <= limit {
			return nil
		}
	}
	return &MemoryError{
		Rules:   sp.g.Name(),
		Classes: uint64(sp.set.len()),
		Bytes:   max(sp.bytes(), sp.set.whileGrowing(n)),
		Limit:   limit,
	}
}

// expander is the memory of one worker.
type expander struct {
	space       *space
	state, next engines.State
	moves       []engines.Move
	children    []engines.Key
	same        []uint32
	states      []expanded
	batch       batch
	words       []uint32
}

// expanded is a state whose moves have been played.
type expanded struct {
	known uint16
	end   uint32 // index of the end of its children in the list of all children
}

const batchStates = 64 // number of states whose children are added to the set together

// expand plays every move of n states and adds the positions that follow to the set.
func (e *expander) expand(first, n uint32) (segment, error) {
	e.words = e.words[:0]
	for id := first; id < first+n; id += batchStates {
		if err := e.expandBatch(id, min(batchStates, first+n-id)); err != nil {
			return segment{}, err
		}
	}
	out := segment{first: first, n: n}
	if !e.space.dropped {
		out.words = append(make([]uint32, 0, len(e.words)), e.words...)
	} else {
		out.words = e.words // counted, not kept
	}
	return out, nil
}

func (e *expander) expandBatch(first, n uint32) error {
	sp := e.space
	e.children = e.children[:0]
	e.same = e.same[:0]
	e.states = e.states[:0]
	for id := first; id < first+n; id++ {
		known, err := e.moveAll(sp.mix.unmix(sp.set.key(id)))
		if err != nil {
			return err
		}
		e.states = append(e.states, expanded{known, uint32(len(e.children))})
	}
	ids := sp.set.addAll(e.children, &e.batch)
	at := uint32(0)
	for _, s := range e.states {
		header := len(e.words)
		e.words = append(e.words, 0)
		// Once a state is won nothing depends on its moves, except which colours can be reached.
		if !isWin(s.known) || sp.codec.Exchanges() {
			for ; at < s.end; at++ {
				e.words = append(e.words, ids[at]<<1|e.same[at])
			}
		}
		at = s.end
		e.words[header] = uint32(len(e.words)-header-1)<<16 | uint32(s.known)
	}
	return nil
}

// moveAll appends the mixed keys of the ongoing positions that the moves lead to. It returns the value as far as
// the moves that end the game determine it.
func (e *expander) moveAll(k engines.Key) (known uint16, err error) {
	sp := e.space
	sp.codec.Decode(k, &e.state)
	side := e.state.Side()
	e.moves = e.state.AppendMoves(e.moves[:0])
	won, open := false, len(e.moves)
	for _, m := range e.moves {
		e.next.CopyFrom(&e.state)
		e.next.Play(m)
		if sp.ends != nil && e.next.Over() {
			end, ok := sp.codec.Final(&e.next)
			if !ok {
				return 0, fmt.Errorf("%s: final position %q cannot be encoded", sp.g.Name(), e.next.Text())
			}
			sp.ends.add(sp.mix.mix(end))
		}
		switch e.next.Result() {
		case engines.Ongoing:
			child, _, ok := sp.codec.Canonical(&e.next)
			if !ok {
				return 0, fmt.Errorf("%s: position %q cannot be encoded", sp.g.Name(), e.next.Text())
			}
			e.children = append(e.children, sp.mix.mix(child))
			same := uint32(0)
			if e.next.Side() == side {
				same = 1
			}
			e.same = append(e.same, same)
		case engines.Winner(side):
			won = true
		case engines.Winner(1 - side):
			open--
		}
	}
	switch {
	case won:
		return winIn(1), nil
	case open == 0:
		return lossIn(1), nil
	}
	return undecided | uint16(open), nil
}
