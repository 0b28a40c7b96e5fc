package mcts

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"spar/agents/eval"
	"spar/agents/pace"
	"spar/engines"
	"spar/engines/playout"
	"spar/engines/threats"
)

// What is proved about a node.
const (
	unproved = iota
	provedFirst
	provedSecond
	provedDraw
	owned // not a proof: a thread owns the node and has not reported its results yet
)

// node is a move, with the statistics of the position after it. Points are those of the side that chose the move.
type node struct {
	// sum of results; before the first visit an estimate of the next result if there is one, otherwise 0
	points   float64
	visits   int32
	children int32 // index of the first child; 0 = not expanded
	count    uint16
	move     engines.Move
	side     uint8 // side that chose the move
	proof    uint8
	partial  bool // not all moves are children
	amafN    int32
	amaf     float32
	prior    float32 // score of the move for its chooser by the evaluation, 0 to 1; or the PUCT prior
	implicit float32 // implicit minimax value for the chooser
}

// PlainIterations is the number of simulations of a search without limits.
const PlainIterations = 1000

// Limits determine when a search ends. Without limits it runs PlainIterations simulations.
type Limits struct {
	Iterations int64
	Deadline   pace.Deadline
	Root       []engines.Move // choose among these moves only; nil = all legal ones
}

// RootMove is a move of the root with its statistics.
type RootMove struct {
	Move   engines.Move
	Visits int64
	Score  float64 // mean score of the side to move, 0 to 1; NaN if the move was never visited
	Proof  engines.Result
}

// Result is the result of a search.
type Result struct {
	// moves that Options.Final ranks best or, with a temperature, all that it can draw; in the order of the legal moves
	Best       []engines.Move
	Move       engines.Move // the move that the temperature drew, or the first of Best
	Drawn      bool         // the temperature drew Move
	Moves      []RootMove
	Score      float64
	Exact      bool
	Iterations int64 // number of simulations; 1 if the root was already proved, so that none was needed
	PV         []engines.Move
}

// Searcher searches positions of one game. Only one goroutine may use it at a time.
type Searcher struct {
	o    Options
	tree *tree
	crew []*walker // one walker for each thread
}

// tree is the search tree of one agent with its memory.
type tree struct {
	g     *engines.Game
	model eval.Model
	o     Options
	// blocks of nodes; nil from the first block that is not allocated; blocks do not move while threads search
	blocks   []*block
	used     int      // number of used nodes
	spare    []*block // memory for the other tree when one is copied for reuse
	root     int32
	rootPos  engines.State
	haveRoot bool
	seen     []uint64 // hashes of the game so far, if the rules have a repetition rule
	repeat   int
	needEval bool
	plainUCB bool // children are chosen by UCB1 without refinements
	// if exploration^2 ln N is below this, an untried move has a higher bound than any tried move
	untriedFirst float32
	inverses     [inverses]float32
	known        bool // the value of a leaf, or one of two views, was computed with its parent
	both         bool // the value of a leaf is the mean of both players' views
	logs         []float32

	team    team
	started int64 // number of simulations started
	forcing bool  // look for threats at each node
	mirrors bool  // a swap only exchanges the sides: it has the opposite of the value without it
}

// inverses is the size of the table with 1/visits. It is a power of two.
const inverses = 1 << 10

// walker is one thread that runs simulations.
type walker struct {
	*tree
	cursor   eval.Cursor
	follower eval.Follower // the cursor if it can follow moves; otherwise nil
	policy   eval.Policy   // the cursor if it gives priors and the search uses them; otherwise nil
	priors   []eval.Prior
	kids     []eval.Child
	path     []int32       // nodes of the simulation, from the root
	top      int           // index in path at which simulations start: 0, or below the root if threads share the tree
	base     engines.State // position at top
	baseLine int           // length of line at top
	own      share
	played   []engines.Move // moves of the simulation, for RAVE
	sides    []uint8
	line     []uint64 // hashes of the positions of the game so far and of the simulation
	src      *rand.PCG
	rng      *rand.Rand
	finder   *threats.Finder // nil if the rules have no wins by threats, or if the search does not look for proofs
	partial  bool            // the listed moves are not all
	playouts *playout.Random
	state    engines.State
	moves    []engines.Move
	fresh    []node // new children that have not been added to the tree
	values   []float64
	open     []uint16            // indices of children that have not been tried
	amafMark [2][amafMoves]int32 // number of the last simulation in which a side played a move
	amafSim  int32
	watch    pace.Watch
}

// New returns a searcher for a game.
func New(g *engines.Game, model eval.Model, o Options) *Searcher {
	if o.MaxNodes == 0 {
		o.MaxNodes = DefaultOptions().MaxNodes
	}
	t := &tree{g: g, model: model, o: o, repeat: g.Rules().Draw.Repetition, mirrors: g.PieMirrors()}
	t.blocks, t.spare = blocksFor(o.MaxNodes), blocksFor(o.MaxNodes)
	t.team.shared, t.team.told.L = o.Threads > 1, &t.team.mu
	t.needEval = o.Selection == "puct" || o.Bias > 0 || o.Implicit > 0
	t.plainUCB = !t.needEval && o.RAVE == 0
	if o.FPU > 2 { // a mean is at most 1, and the bound adds at most the root
		t.untriedFirst = float32((o.FPU - 2) * (o.FPU - 2))
	}
	for i := range t.inverses {
		t.inverses[i] = 1 / float32(i)
	}
	t.both = o.Perspective == "both"
	t.logs = make([]float32, 1<<14)
	for i := range t.logs {
		t.logs[i] = float32(math.Log(float64(max(1, i))))
	}
	s := &Searcher{o: o, tree: t}
	for range max(1, o.Threads) {
		s.crew = append(s.crew, newWalker(t))
	}
	return s
}

func newWalker(t *tree) *walker {
	w := &walker{
		tree:   t,
		cursor: t.model.Cursor(),
		src:    rand.NewPCG(0, 0),
	}
	w.follower, _ = w.cursor.(eval.Follower)
	if t.o.Selection == "puct" {
		w.policy, _ = w.cursor.(eval.Policy)
	}
	w.rng = rand.New(w.src)
	if t.o.Solver {
		w.finder = threats.New(t.g)
	}
	w.playouts = playout.New(t.g, w.src, false)
	return w
}

// Reset empties the tree, so that the next search does not depend on earlier ones.
func (s *Searcher) Reset() { s.tree.haveRoot = false }

// Search looks for the best move of a position that is not over. All random numbers come from rng. With several
// threads the result also depends on their scheduling.
func (s *Searcher) Search(ctx context.Context, p *engines.Position, l Limits, rng *rand.Rand) Result {
	if l.Iterations == 0 && l.Deadline.IsZero() {
		l.Iterations = PlainIterations
	}
	for _, w := range s.crew {
		w.src.Seed(rng.Uint64(), rng.Uint64())
		w.playouts.Discard()
		w.watch = pace.New(ctx, l.Deadline)
		w.own = share{most: w.own.most}
	}
	t := s.tree
	swaps := false
	if kept := p.State; t.mirrors && len(l.Root) == 0 && kept.Decline() {
		swaps, l.Root = true, kept.AppendMoves(nil)
	}
	t.plant(ctx, p, l.Deadline)
	t.started = 0
	// with a fixed number of simulations, leaves of a policy get their own values: better, but slower
	timed := !l.Deadline.IsZero()
	t.known = t.needEval && t.o.Rollout == "none" && (s.crew[0].policy == nil || timed)
	t.forcing = t.o.Solver && threats.Defends(t.g) && t.needEval && (t.o.Forced == "on" || t.o.Forced != "off" && timed)
	s.crew[0].prepare(l)
	if l.Iterations == 0 {
		l.Iterations = math.MaxInt64
	}
	var others sync.WaitGroup
	for _, w := range s.crew[1:] {
		others.Go(func() { w.search(l.Iterations) })
	}
	s.crew[0].search(l.Iterations)
	others.Wait()
	r := s.result(p, l, max(1, min(t.started, l.Iterations)), rng)
	if swaps {
		r.swap(t.g)
	}
	return r
}

// swap adds the swap, with the opposite of the score of the other moves, and chooses it if it is better. A search of the
// swap would share the simulations with the other moves, and compare values of different depths.
func (r *Result) swap(g *engines.Game) {
	r.Moves = append(r.Moves, RootMove{Move: engines.Swap, Visits: r.Iterations, Score: 1 - r.Score})
	if r.Score >= 0.5 {
		return
	}
	r.Score, r.Exact = 1-r.Score, r.Exact && g.Rules().Draw.MaxPlies == 0 // the swap is a ply, too
	r.Move, r.Drawn = engines.Swap, false
	r.Best = []engines.Move{engines.Swap}
	r.PV = r.Best
}

// result chooses among the moves of the root.
func (s *Searcher) result(p *engines.Position, l Limits, iterations int64, rng *rand.Rand) Result {
	side := p.Side()
	t := s.tree
	r := Result{Iterations: iterations}
	for _, m := range p.AppendMoves(nil) {
		if len(l.Root) > 0 && !slices.Contains(l.Root, m) {
			continue
		}
		rm := RootMove{Move: m, Score: math.NaN()}
		if c := t.find(t.root, m); c != 0 {
			n := t.node(c)
			if rm.Visits = int64(n.visits); rm.Visits > 0 {
				rm.Score = n.points / float64(rm.Visits)
			}
			if n.proof != unproved {
				rm.Proof = engines.Result(n.proof)
				rm.Score = rm.Proof.Score(side)
			}
		}
		r.Moves = append(r.Moves, rm)
	}
	r.choose(s.o, side, rng)
	r.PV = s.Line(r.Move)
	return r
}

// choose applies the final rule. It prefers a proved win, then, among moves that are not proved losses, the one
// with the most visits or the best mean. Among losses it takes the one that took longest to prove.
func (r *Result) choose(o Options, side int, rng *rand.Rand) {
	rank := func(m *RootMove) float64 {
		switch {
		case m.Proof == engines.Winner(side):
			return math.Inf(1)
		case m.Proof == engines.Winner(1-side):
			return -1 + float64(m.Visits)*1e-12
		case o.Final == "max" && m.Visits > 0:
			return m.Score
		case o.Final == "max":
			return -0.5
		}
		return float64(m.Visits)
	}
	best := math.Inf(-1)
	for i := range r.Moves {
		best = max(best, rank(&r.Moves[i]))
	}
	allDecided := true
	for i := range r.Moves {
		m := &r.Moves[i]
		if rank(m) == best {
			r.Best = append(r.Best, m.Move)
			r.Score, r.Exact = m.Score, m.Proof == engines.Winner(side)
		}
		allDecided = allDecided && m.Proof != engines.Ongoing
	}
	if allDecided && best > -0.9 &&
		!math.IsInf(best, 1) { // every move is proved: a draw beats a loss whatever the visits
		r.Best = r.Best[:0]
		for i := range r.Moves {
			if m := &r.Moves[i]; m.Proof == engines.Drawn {
				r.Best = append(r.Best, m.Move)
				r.Score, r.Exact = m.Score, true
			}
		}
	}
	r.Exact = r.Exact || allDecided // a proved draw is exact only if no other move can be better
	r.Move = r.Best[0]
	if o.Temperature <= 0 || best == math.Inf(1) {
		return
	}
	total, weights := 0.0, make([]float64, len(r.Moves))
	most := 1.0
	for i := range r.Moves {
		most = max(most, float64(r.Moves[i].Visits))
	}
	for i := range r.Moves {
		if r.Moves[i].Proof != engines.Winner(1-side) {
			weights[i] = math.Pow(float64(r.Moves[i].Visits)/most, 1/o.Temperature)
			total += weights[i]
		}
	}
	if total == 0 {
		return // every move is a proved loss, or none was visited
	}
	at := rng.Float64() * total
	r.Best = r.Best[:0]
	for i, w := range weights {
		if w > 0 {
			r.Best = append(r.Best, r.Moves[i].Move)
		}
		if at -= w; at < 0 && w > 0 && !r.Drawn {
			r.Move, r.Drawn = r.Moves[i].Move, true
		}
	}
}

func (t *tree) find(parent int32, m engines.Move) int32 {
	n := t.node(parent)
	for i, c := range t.children(n) {
		if c.move == m {
			return n.children + int32(i)
		}
	}
	return 0
}

// Line returns the expected continuation after a move in the position searched last; it starts with the move.
func (s *Searcher) Line(m engines.Move) []engines.Move {
	return s.tree.principal(s.tree.find(s.tree.root, m), []engines.Move{m})
}

// principal returns the line of the most visited children.
func (t *tree) principal(at int32, pv []engines.Move) []engines.Move {
	for at != 0 && t.node(at).count > 0 && len(pv) < 64 {
		best, most := int32(0), int32(0)
		n := t.node(at)
		for i, c := range t.children(n) {
			if c.visits > most {
				best, most = n.children+int32(i), c.visits
			}
		}
		if best == 0 {
			break
		}
		pv = append(pv, t.node(best).move)
		at = best
	}
	return pv
}

// plant makes a position the root of the tree. If the tree is reused, it keeps the subtree below the moves played
// since the last search. Copying takes at most a quarter of the time until the deadline.
func (t *tree) plant(ctx context.Context, p *engines.Position, deadline pace.Deadline) {
	t.seen = append(t.seen[:0], p.Seen()...)
	if t.haveRoot && t.o.Reuse {
		if at := t.descendant(&p.State); at != 0 {
			watch := pace.New(ctx, deadline.Part(0.25))
			t.keep(at, &watch)
			t.rootPos.CopyFrom(&p.State)
			return
		}
	}
	t.rootPos.CopyFrom(&p.State)
	t.haveRoot = true
	t.plantRoot(node{side: uint8(1 - p.Side()), prior: 0.5, implicit: 0.5})
}

// descendant returns the node of a position up to four plies below the old root, if there is one. If the rules
// have repetition it returns none, since old proofs could depend on the history of the old root.
func (t *tree) descendant(s *engines.State) int32 {
	ahead := s.Ply() - t.rootPos.Ply()
	if ahead < 0 || ahead > 4 || t.repeat > 0 {
		return 0
	}
	return t.walk(t.root, &t.rootPos, s, ahead)
}

func (t *tree) walk(at int32, from, to *engines.State, ahead int) int32 {
	if ahead == 0 {
		if from.Hash() == to.Hash() && from.Quiet() == to.Quiet() && from.Pieces(0) == to.Pieces(0) &&
			from.Pieces(1) == to.Pieces(1) {
			return at
		}
		return 0
	}
	var next engines.State
	n := t.node(at)
	for i, c := range t.children(n) {
		next.CopyFrom(from)
		next.Play(c.move)
		if ahead == 1 && c.move != to.Last() {
			continue
		}
		if found := t.walk(n.children+int32(i), &next, to, ahead-1); found != 0 {
			return found
		}
	}
	return 0
}
