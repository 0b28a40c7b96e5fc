package solve

import (
	"context"
	"fmt"
	"math"
	"runtime"

	"spar/engines"
	"spar/engines/rules"
)

// ProofOptions are the limits of Prove.
type ProofOptions struct {
	Nodes  uint64 // maximum number of positions to expand; 0 = no limit
	Memory int64  // memory for the tables of positions in bytes; 0 = 64 MB
	// goroutines, if the search can use several; 0 = one if Nodes is set, otherwise the number of processors. With
	// several, the number of nodes depends on timing, but the result does not
	Workers  int
	Progress func(ProofStatus) // called from time to time from the goroutine that called Prove; may be nil
	Plain    bool              // use proof-number search for every game, to check the special searches against it
	// return an error if positions need more than 128 bits, because such a search is over ten times slower
	Quick bool
}

// ProofStatus is the progress of Prove.
type ProofStatus struct {
	Nodes uint64 // number of positions expanded so far
	Limit uint64 // limit of that number; 0 = none
}

// Proof is the result of Prove for a position and its side to move. The true outcome lies between AtLeast and
// AtMost. If they are equal, the outcome is proved; otherwise Prove has not found it within the limits.
type Proof struct {
	AtLeast, AtMost Outcome
	Move            engines.Move // a move that wins if a win is proved, otherwise engines.NoMove
	Nodes           uint64       // number of positions expanded
	Method          string       // method of a line game's proof, like "threat sequence", or "pie rule"; otherwise empty
}

// Known reports whether the outcome is proved.
func (p Proof) Known() bool { return p.AtLeast == p.AtMost }

// Prove finds the outcome of a single position by proof-number search. Unlike Solve, it does not need the values
// of all positions. It asks two questions: does the side to move win, and does the other side? Each is answered by
// df-pn (Nagai, thesis, University of Tokyo 2002) with a table of bounded size. A position that neither side wins
// is a draw.
//
// As in a Table, draws by repetition and by the ply cap are ignored (see Endless), and play without end is a draw.
// If positions repeat, the answer of a search can depend on the path that led to a position (graph history
// interaction). Proofs of a win do not have this problem, because a line that repeats is never a win. Refutations
// do have it, so Prove accepts one only after it has built a certificate: a set of positions, including the first,
// in which every move of the attacker and some move of the defender leads to the set again, or to an end of the
// game that the attacker does not win. Such a set does not depend on a path. If none is found, Prove forgets the
// refutations, keeps the win that contradicted them, and starts the search again.
//
// Games in which pieces only fill the board (see field) have no cycles. They are searched by alpha-beta for the
// same two questions. The start of a line game is proved by package lines. Games that are won by connecting
// two edges are searched by virtual connections (see package connect).
//
// While the second player may still swap, the values of the openings without a pie rule decide (see pieProver).
//
// If the context ends before the outcome is known, Prove returns its error together with the bounds proved so far.
// It also returns an error for games whose positions have no keys (engines.Game.NewLargeCodec). If positions are
// large, the search also stops when their number exceeds the memory.
func Prove(ctx context.Context, s *engines.State, o ProofOptions) (Proof, error) {
	return prove(ctx, s, o, nil)
}

// solver proves every position of one kind of games by a search of its own. It keeps its table from one position to the
// next. The result ok is false for a position that it does not know.
type solver interface {
	prove(ctx context.Context, s *engines.State, o ProofOptions) (out Proof, ok bool, err error)
}

// solverOf returns the solver of a game, or nil if there is none.
func solverOf(g *engines.Game, o ProofOptions) solver { return newConnections(g, o) }

// prove is Prove with the solver of the game if it is known; nil if not.
func prove(ctx context.Context, s *engines.State, o ProofOptions, c solver) (Proof, error) {
	out := unproved()
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
	if e.Mechanics().Has(rules.RepeatWins) {
		return out, fmt.Errorf("%s has draw.repeated: %s, which proofs do not support: solve all positions instead",
			e.Name(), e.Rules().Draw.Repeated)
	}
	start := e.Adopt(s)
	if start.Over() {
		out.AtLeast = resultFor(start.Result(), start.Side())
		out.AtMost = out.AtLeast
		return out, nil
	}
	if c == nil && !o.Plain {
		c = solverOf(e, o)
	}
	if start.PieOpen() && !o.Plain {
		o.Nodes = limit
		return provePie(ctx, &start, o, c)
	}
	if c != nil {
		if p, ok, err := c.prove(ctx, &start, o); ok {
			return p, err
		}
	}
	f := newField(e)
	if g := lineGame(&start); g != nil && !o.Plain {
		var spent uint64
		if f != nil { // which also finds a move
			quick := o
			quick.Nodes = min(o.Nodes, quickNodes)
			quick.Workers = 1
			if p, err := f.prove(&budget{ctx: ctx, limit: limit}, &start, quick); err != nil || p.Known() {
				return p, err
			}
			spent = quick.Nodes
		}
		p := proveLines(ctx, g, o.Nodes-spent, o.Memory)
		if p.Nodes += spent; p.Known() {
			return p, nil
		}
		return p, ctx.Err()
	}
	if f != nil && !o.Plain {
		return f.prove(&budget{ctx: ctx, limit: limit, progress: o.Progress}, &start, o)
	}
	return proveByNumbers(&start, o, &budget{ctx: ctx, limit: limit, progress: o.Progress})
}

// proveByNumbers asks two proof-number searches whether the side to move wins, and whether the other side does.
func proveByNumbers(start *engines.State, o ProofOptions, spend *budget) (Proof, error) {
	out, e := unproved(), start.Game()
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
	mine := newProver(positions, start, start.Side(), share, spend)
	theirs := newProver(positions, start, 1-start.Side(), share, spend)
	// Half of the nodes for the first question, what is left for the second, and what that leaves for the first again.
	for _, try := range []struct {
		p     *prover
		until uint64
	}{{mine, o.Nodes / 2}, {theirs, o.Nodes}, {mine, o.Nodes}} {
		if try.p.answer == unknown {
			spend.until = try.until
			try.p.run()
		}
		if mine.answer == yes || theirs.answer == yes || spend.ctx.Err() != nil {
			break
		}
	}
	out.Nodes = spend.used
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
	return out, spend.ctx.Err()
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

// budget counts the nodes of both questions.
type budget struct {
	ctx                context.Context
	used, until, limit uint64
	told               uint64 // node count at the last progress report
	progress           func(ProofStatus)
}

// spend takes one node from the budget. It reports whether there was one.
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

// prover searches whether one side, the attacker, wins a position.
type prover struct {
	names   *names
	root    engines.State
	node    node
	budget  *budget
	table   proofTable
	proved  map[node]struct{} // wins that contradicted a refutation; kept until the end
	path    map[node]struct{} // nodes on the path from the root of the search to the current node
	frames  []*frame
	stopped bool
	answer  answer
	winning engines.Move
}

// node is a position from the attacker's view.
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

// run searches for the answer within the budget.
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
