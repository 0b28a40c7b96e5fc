package solve

import (
	"context"
	"fmt"
	"math"
	"runtime"

	"spar/engines"
	"spar/engines/connect"
)

// ProofOptions are the limits of Prove.
type ProofOptions struct {
	Nodes    uint64            // positions to expand before giving up; 0 = no limit
	Memory   int64             // bytes for the tables of positions; 0 = 64 MB
	Workers  int               // goroutines, where the search can use more than one; 0 = one under a limit of nodes, else as many as processors. With more than one the number of nodes depends on timing, what is proved does not
	Progress func(ProofStatus) // called now and then from the goroutine that called Prove; may be nil
	Plain    bool              // proof-number search for every game, as a check of the searches for some
	Quick    bool              // give an error for a position that takes more than 128 bits: such a search is ten times slower, and more
	Certify  bool              // ask for certificates, which only games won by connecting have
}

// ProofStatus is how far Prove has come.
type ProofStatus struct {
	Nodes uint64 // expanded so far
	Limit uint64 // 0 = none
}

// Proof is what Prove found out about a position, for its side to move. It is exact as far as it goes: the true outcome
// lies between AtLeast and AtMost. Where they are equal the outcome is proved, otherwise it is unknown after Nodes.
type Proof struct {
	AtLeast, AtMost Outcome
	Move            engines.Move // a move that wins if a win is proved, otherwise engines.NoMove
	Nodes           uint64       // positions expanded

	Certificate *connect.Certificate // of the winner's strategy, if asked for; it has been checked
}

// Known reports whether the outcome is proved.
func (p Proof) Known() bool { return p.AtLeast == p.AtMost }

// Prove works out the outcome of a single position by proof-number search, without the values of most positions that
// follow from it. It asks two questions: does the side to move win, and does the other side? Each is answered by df-pn
// (Nagai, thesis, University of Tokyo 2002) with a table of bounded size; a position that neither side can be shown to
// win is a draw.
//
// As in a Table, the rules are taken without draws by repetition and ply cap (Endless), and play without end is a draw.
// Where positions repeat, the answer of a search can depend on the path that led to a position (graph history
// interaction). Proofs of a win do not suffer from that, because a line that repeats never counts as a win. A
// refutation does, so it is believed only after a certificate has been built for it: a set of positions, with the first
// one among them, in which every move of the attacker, and some move of the defender, leads into the set again or to an
// end that the attacker does not win. Such a set depends on no path. If none comes about the refutations are forgotten,
// the win that stood in the way is kept, and the search begins anew.
//
// Games in which pieces only fill the board (see field) have no cycles, and are searched by alpha-beta instead, for the
// same two questions: only moves that do not lose at once, those that threaten most first, one table of bounds. Games
// that are won by connecting two edges are searched by virtual connections (see package connect).
//
// When the context ends before the outcome is known, its error comes with what has been proved so far. A game whose
// positions have no keys (engines.Game.NewLargeCodec) gives an error, too. Where positions are large the search also stops
// once it has seen more of them than the memory holds.
func Prove(ctx context.Context, s *engines.State, o ProofOptions) (Proof, error) {
	out := Proof{AtLeast: Loss, AtMost: Win, Move: engines.NoMove}
	limit := o.Nodes
	if limit == 0 {
		o.Nodes = math.MaxUint64
	}
	if o.Workers == 0 && limit == 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Memory == 0 {
		o.Memory = 64_000_000
	}
	e, err := Endless(s.Game())
	if err != nil {
		return out, err
	}
	start := e.Adopt(s)
	if start.Over() {
		out.AtLeast = resultFor(start.Result(), start.Side())
		out.AtMost = out.AtLeast
		return out, nil
	}
	if c := newConnections(e, o); c != nil && !o.Plain {
		if stones, ok := c.b.Read(&start); ok {
			return c.prove(ctx, stones, start.Side(), o)
		}
	}
	if f := newField(e); f != nil && !o.Plain {
		return f.prove(&budget{ctx: ctx, limit: limit, progress: o.Progress}, &start, o)
	}
	codec, err := e.NewLargeCodec()
	if err != nil {
		return out, err
	}
	if o.Quick && codec.Large() {
		return out, fmt.Errorf("%s: a position takes more than 128 bits", e.Rules().Name)
	}
	share := o.Memory / 3 // for either question; the rest is for the certificates
	positions := newNames(codec, share)
	if codec.Large() {
		share /= 2
	}
	budget := &budget{ctx: ctx, limit: limit, progress: o.Progress}
	mine := newProver(positions, &start, start.Side(), share, budget)
	theirs := newProver(positions, &start, 1-start.Side(), share, budget)
	// Half of the nodes for the first question, what is left for the second, and what that leaves for the first again.
	for _, try := range []struct {
		p     *prover
		until uint64
	}{{mine, o.Nodes / 2}, {theirs, o.Nodes}, {mine, o.Nodes}} {
		if try.p.answer == unknown {
			budget.until = try.until
			try.p.run()
		}
		if mine.answer == yes || theirs.answer == yes || ctx.Err() != nil {
			break
		}
	}
	out.Nodes = budget.used
	switch {
	case mine.answer == yes:
		out.AtLeast, out.Move = Win, mine.winning
	case theirs.answer == yes:
		out.AtMost = Loss
	default:
		if mine.answer == no {
			out.AtMost = Draw
		}
		if theirs.answer == no {
			out.AtLeast = Draw
		}
	}
	if out.Known() {
		return out, nil
	}
	return out, ctx.Err()
}

func resultFor(r engines.Result, side int) Outcome {
	switch r {
	case engines.Winner(side):
		return Win
	case engines.Winner(1 - side):
		return Loss
	}
	return Draw
}

// budget counts nodes for both questions.
type budget struct {
	ctx                context.Context
	used, until, limit uint64
	told               uint64 // nodes at the last report
	progress           func(ProofStatus)
}

// spend takes one node and reports whether there was one.
func (b *budget) spend() bool {
	if b.used >= b.until {
		return false
	}
	if b.used%256 == 0 && b.ctx.Err() != nil {
		return false
	}
	if b.used%4096 == 0 && b.progress != nil {
		b.progress(ProofStatus{Nodes: b.used, Limit: b.limit})
	}
	b.used++
	return true
}

// answer is the answer to "does the attacker win?".
type answer uint8

const (
	unknown answer = iota
	yes
	no
)

// prover asks whether one side, the attacker, wins a position.
type prover struct {
	names   *names
	root    engines.State
	node    node
	budget  *budget
	table   proofTable
	proved  map[node]struct{} // wins that refuted a refutation; never forgotten
	path    map[node]struct{} // from the root of the search to here
	frames  []*frame
	stopped bool
	answer  answer
	winning engines.Move
}

// node is a position from the attacker's point of view.
type node struct {
	key     engines.Key
	attacks bool // the attacker is to move
}

func newProver(positions *names, s *engines.State, attacker int, bytes int64, b *budget) *prover {
	p := &prover{
		names:   positions,
		budget:  b,
		proved:  map[node]struct{}{},
		path:    map[node]struct{}{},
		winning: engines.NoMove,
	}
	p.root.CopyFrom(s)
	p.table = newProofTable(bytes)
	k, ok := positions.of(s)
	if !ok { // a position that play cannot lead to: nothing is known of it
		p.root = engines.State{}
		return p
	}
	p.node = node{k, s.Side() == attacker}
	return p
}

// run tries to answer the question within the budget.
func (p *prover) run() {
	if p.root.Game() == nil {
		return
	}
	for p.answer == unknown {
		p.stopped = false
		pn, dn := p.search(&p.root, p.node)
		if p.stopped {
			break
		}
		switch {
		case pn == 0:
			p.answer, p.winning = yes, p.frames[0].best
		case dn == 0:
			p.answer = p.certify()
			if p.answer == unknown && !p.stopped {
				p.table.forgetRefutations()
			}
		}
		if p.stopped {
			break
		}
	}
}
