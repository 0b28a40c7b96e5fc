// Package minimax searches by alpha-beta: iterative deepening, principal variation search, a transposition table,
// move ordering and quiescence, for any rules that the engine plays.
//
// New makes a Searcher for a game and a model that evaluates positions. Searcher.Search returns the best move within
// its limits, with score, depth and expected continuation.
//
// # Selective search
//
// A search that is limited by time or nodes may skip or shorten lines that look bad (see selective.go); at equal
// time this is stronger in many games. A search to a stated depth looks at every move, so its values are those of
// minimax.
//
// # Turns of several moves
//
// The search is negamax that follows the side to move: it negates the value of a child only when the side changes.
//
// # The pie rule
//
// Where a swap only exchanges the sides (see engines.Game.PieMirrors), the search does not play it: the swap has the
// opposite of the value of the other moves. A search of the swap would see one ply less of the game than that of other
// moves, and so compare values of different depths. The value of the other moves is the mean of two depths (see even), or
// the proved one.
//
// # Draws that depend on the path
//
// The search counts repetitions as the rules do, over the game so far and the line being searched. A value that
// depends on a repetition of a position above the node is valid on this path only, so the table does not store it.
// The key of an entry includes the set of positions that the game has already repeated as often as it may: a line
// through one of them would be drawn at once. Where the ply cap lies within the depth being searched, the key
// contains the ply, and a stored win or loss counts only if it comes before the cap. The plies counted for
// draw.quiet are treated in the same way.
//
// # Threats
//
// Where the rules force a side to answer a line threat (see answers), the search examines only moves that do not
// lose at once. This changes no value. If pieces also fall, a position with one such move does not count as a ply
// (see extends). A search without a depth limit first looks for a win by continuous threats, and plays it. A search that
// only time limits also looks for such wins of both sides at its nodes (see force), and passes over moves far from all
// pieces.
//
// # The table
//
// A shallower search can use an entry of a deeper search or of another line. With a table, a score may therefore
// come from a greater depth than stated, and differ from that of a search without a table. Proved wins, losses and
// draws are the same with and without.
package minimax

import (
	"context"
	"math"
	"slices"

	"spar/agents/eval"
	"spar/agents/pace"
	"spar/engines"
	"spar/engines/rules"
	"spar/engines/threats"
)

// Scores of the search are evaluation values in hundredths, rounded to integers. A win in n plies has the score
// Win - n.
const (
	Win      = 20_000_000
	winLimit = Win - 100_000 // larger absolute scores are wins or losses
	infinity = Win + 1
	evalMax  = 10_000_000
	unit     = 100
)

// MaxDepth is the maximum depth of a search, in plies.
const MaxDepth = 120

// Options are the knobs of a search.
type Options struct {
	TableMB int // memory of the transposition table in megabytes; 0 = no table
	// alpha-beta in the order of the legal moves, without table, shortcuts, quiescence or re-searches
	Plain bool
	// number of moves searched at each node, the best by evaluation; 0 = all. The best move may be left out.
	Candidates int
	Quiescence bool // search captures beyond the horizon
	// number of threads that share the table; with more than one, results depend on timing; 0 means 1
	Threads   int
	Selective bool // a search without a depth limit reduces the depth of moves that are probably bad
	// in games won by lines, check at every node whether either side can win by continuous threats, and skip moves far
	// from all pieces: "on", "off", or "auto" for searches limited only by time
	Forced    string
	AllScores bool // compute an exact score for each root move, for choices among them; slower
}

// Limits determine when a search ends. A zero field sets no limit. A search without limits stops at MaxDepth.
type Limits struct {
	Depth    int
	Nodes    int64
	Deadline pace.Deadline
	Root     []engines.Move // search only these root moves; nil = all legal ones
}

// RootMove is a move of the root with its score.
type RootMove struct {
	Move  engines.Move
	Score int32 // exact score, or an upper bound if Bound is set
	Bound bool
}

// Result is the result of a search.
type Result struct {
	Best  []engines.Move // all moves with the best score, in the order of the legal moves
	Moves []RootMove     // every root move, in the order of the legal moves
	Score int32          // score for the side to move
	Depth int            // last completed depth
	Nodes int64
	PV    []engines.Move
	Exact bool // the score is proved by searching to the end of the game
}

// Searcher searches positions of one game. It has its own memory. Only one goroutine may use it at a time.
type Searcher struct {
	g    *engines.Game
	ev   eval.Model
	o    Options
	tt   *table
	main *worker
	more []*worker       // the other threads
	wins *threats.Finder // finds wins by threats; nil if the rules have none or the search is plain
	told *worker         // the thread whose result the last search returned
	left pace.Nodes      // remaining nodes in the common budget of all threads
	busy *busy           // moves being searched; nil if there is only one thread
}

// New returns a searcher for a game.
func New(g *engines.Game, ev eval.Model, o Options) *Searcher {
	s := &Searcher{g: g, ev: ev, o: o}
	if !o.Plain {
		s.tt = newTable(o.TableMB)
		s.wins = threats.New(g)
	}
	s.main = newWorker(s)
	if o.Threads > 1 {
		s.busy = &busy{}
	}
	for range o.Threads - 1 {
		s.more = append(s.more, newWorker(s))
	}
	return s
}

// Allocate allocates the table at its full size, so that this does not take time from the first search with a time
// limit.
func (s *Searcher) Allocate() {
	if s.tt != nil {
		s.tt.fit(Limits{})
	}
}

// Reset forgets earlier searches, so that the next one does not depend on them.
func (s *Searcher) Reset() {
	if s.tt != nil {
		s.tt.reset()
	}
	for _, w := range append(s.more, s.main) {
		w.reset()
	}
}

// worker is one thread of a search.
type worker struct {
	s        *Searcher
	cursor   eval.Cursor
	follower eval.Follower // the cursor if it can follow moves; else nil
	frontier bool          // compute the values of all children of a node above the horizon together
	stack    []frame
	moves    []engines.Move
	// for each ply, the moves that are searched later because other threads are searching them
	later []engines.Move
	order []int64
	// by side and cell of the opponent's last move: the reply that caused a cutoff
	counter  [2][engines.CellSpace]engines.Move
	history  [2]history // history of each side
	path     []uint64   // hashes of the game so far and of the current line
	seen     int        // length of the game's part of path
	pathSalt uint64
	nodes    int64
	granted  int64      // number of nodes that this thread may still count before it asks for more
	cost     int64      // work units of a node, for the clock
	due      int64      // node count at which the clock is checked next, at most granted
	watch    pace.Watch // the clock and the context
	stopped  bool
	// number of values so far that are not exact, because they depend on something other than ends of games: an
	// evaluation at the horizon, a table entry based on one, or an omitted move
	guesses   int64
	taint     int // lowest index in path of a position whose repetition the value of the current node depends on
	rules     engines.Rules
	answers   bool             // the result of answers
	forcing   bool             // the current search looks for threats at nodes
	finder    *threats.Finder  // for the nodes of this thread
	extends   bool             // the result of extends
	board     engines.Bits     // the set of all cells
	scores    []RootMove       // scores in the current iteration, by index of the root move
	lines     [][]engines.Move // expected line after each root move, including it; empty if its score is not exact
	depth     int              // depth of the current iteration
	last      int              // ply of the horizon in textbook alpha-beta
	capPly    int
	quietCap  int // value of draw.quiet in the rules
	repeat    int
	mirrors   bool             // a swap only exchanges the sides, see pie
	pies      map[uint64]int32 // values of positions of the current search in which a swap is allowed, see even
	selection selection        // state of the selective search, see selective.go
}

// frame is the memory of one ply of the search.
type frame struct {
	state   engines.State
	killers [2]engines.Move
	pv      []engines.Move
	_       [8]byte // whole cache lines: copies across them are slow
}

func newWorker(s *Searcher) *worker {
	w := &worker{
		s:      s,
		cursor: s.ev.Cursor(),
		stack:  make([]frame, MaxDepth+64),
		moves:  make([]engines.Move, 0, 8192),
		order:  make([]int64, 0, 8192),
	}
	w.follower, _ = w.cursor.(eval.Follower)
	w.cost = 1
	if c, ok := w.cursor.(eval.Costly); ok {
		w.cost = int64(c.Cost())
	}
	w.rules = s.g.Rules()
	w.capPly = w.rules.Draw.MaxPlies
	w.repeat = w.rules.Draw.Repetition
	if w.capPly == 0 {
		w.capPly = math.MaxInt32
	}
	if w.quietCap = w.rules.Draw.Quiet; w.quietCap == 0 {
		w.quietCap = math.MaxInt32
	}
	w.answers, w.extends = answers(s.g), extends(s.g)
	w.mirrors = s.g.PieMirrors() && !s.o.Plain
	for c := range s.g.Cells() {
		w.board = w.board.With(engines.Cell(c))
	}
	moves := engines.CellSpace
	if s.g.Moves() || s.g.Mechanics().Any(rules.Mills, rules.Removals) {
		moves = engines.CellSpace * engines.CellSpace
	}
	w.history = [2]history{{counts: make([]int32, moves)}, {counts: make([]int32, moves)}}
	for i := range w.stack {
		w.stack[i].pv = make([]engines.Move, 0, MaxDepth+64)
	}
	w.selection = newSelection(s.g, s.ev)
	w.reset()
	return w
}

func (w *worker) reset() {
	for side := range w.counter {
		w.history[side].reset()
		for i := range w.counter[side] {
			w.counter[side][i] = engines.NoMove
		}
	}
	for i := range w.stack {
		w.stack[i].killers = [2]engines.Move{engines.NoMove, engines.NoMove}
	}
	w.selection.reset()
}

// Search looks for the best move of a position that is not over.
func (s *Searcher) Search(ctx context.Context, p *engines.Position, l Limits) Result {
	if s.tt != nil {
		s.tt.fit(l)
		s.tt.search()
	}
	s.left.Limit(l.Nodes)
	s.told = s.main
	if r, ok := s.byThreats(p, l); ok {
		return r
	}
	if len(s.more) == 0 {
		return s.main.search(ctx, p, l)
	}
	s.busy.clear()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type found struct {
		Result
		by *worker
	}
	done := make(chan found, 1+len(s.more))
	for _, w := range append([]*worker{s.main}, s.more...) {
		q := p.Clone()
		go func() {
			done <- found{w.search(ctx, q, l), w}
			cancel() // whoever is through first ends the others
		}()
	}
	var best Result
	nodes := int64(0)
	for range 1 + len(s.more) {
		r := <-done
		nodes += r.Nodes
		if best.Moves == nil || r.Depth > best.Depth || r.Depth == best.Depth && r.Exact && !best.Exact {
			best, s.told = r.Result, r.by
		}
	}
	best.Nodes = nodes
	return best
}

// byThreats looks for a win by continuous threats before the search and returns its result. It does not look for
// one if the caller wants scores of all moves or a fixed depth.
func (s *Searcher) byThreats(p *engines.Position, l Limits) (Result, bool) {
	if s.wins == nil || l.Depth > 0 || len(l.Root) > 0 || s.o.AllScores || s.o.Candidates > 0 {
		return Result{}, false
	}
	budget := threats.Budget
	if l.Nodes > 0 {
		budget = int(min(l.Nodes/8, threats.Budget))
	}
	m, plies, looked := s.wins.Win(&p.State, budget)
	if plies == 0 {
		s.left.Limit(max(l.Nodes-int64(looked), min(l.Nodes, 1)))
		return Result{}, false
	}
	r := Result{
		Best:  []engines.Move{m},
		Score: Win - int32(plies),
		Depth: plies,
		Nodes: int64(looked),
		PV:    []engines.Move{m},
		Exact: true,
	}
	for _, other := range p.AppendMoves(nil) {
		x := RootMove{Move: other, Score: Win - 1, Bound: true} // for all that is known
		if other == m {
			x.Score, x.Bound = r.Score, false
		}
		r.Moves = append(r.Moves, x)
	}
	s.main.forget(len(r.Moves))
	return r, true
}

// Line returns the expected continuation after a move in the position searched last, starting with the move. It is
// nil if the move's score is not exact.
func (s *Searcher) Line(m engines.Move) []engines.Move {
	if s.told == nil {
		return nil
	}
	for _, line := range s.told.lines {
		if len(line) > 0 && line[0] == m {
			return slices.Clone(line)
		}
	}
	return nil
}

func (w *worker) prepare(ctx context.Context, p *engines.Position, l Limits) {
	w.nodes, w.granted, w.due, w.stopped = 0, 0, 0, false
	w.watch = pace.New(ctx, l.Deadline)
	w.path = append(w.path[:0], p.Seen()...)
	w.seen = len(w.path)
	w.pathSalt = 0
	if w.repeat > 0 {
		counts := map[uint64]int{}
		for _, h := range w.path {
			counts[h]++
		}
		for h, n := range counts { // a sum does not depend on the order
			if n >= w.repeat-1 {
				w.pathSalt += h * 0x9e3779b97f4a7c15
			}
		}
	}
	w.frontier = false
	clear(w.pies)
	o := &w.s.o
	w.forcing = w.s.wins != nil && threats.Defends(w.s.g) && !o.AllScores && o.Candidates == 0 &&
		(o.Forced == "on" || o.Forced != "off" && !l.Deadline.IsZero() && l.Depth == 0 && l.Nodes == 0)
	if w.forcing && w.finder == nil {
		w.finder = threats.New(w.s.g)
	}
	w.selection.on = w.s.o.Selective && l.Depth == 0 && !w.s.o.AllScores && w.s.o.Candidates == 0
	w.stack[0].state.CopyFrom(&p.State)
	if w.follower != nil {
		w.follower.Follow(&p.State)
	}
	for side := range w.history {
		w.history[side].fade()
	}
}

// enter counts a node and reports whether the search continues.
func (w *worker) enter() bool {
	if w.nodes >= w.due && !w.refill() {
		return false
	}
	w.nodes++
	return true
}

// refill checks the clock. It grants nodes until the next check, as far as the budget allows.
func (w *worker) refill() bool {
	if w.stopped = w.stopped || w.watch.Look(); w.stopped {
		return false
	}
	if w.nodes == w.granted {
		share := w.s.left.Take()
		if w.granted += share; share == 0 {
			w.stopped = true
			return false
		}
	}
	w.due = min(w.nodes+max(1, int64(w.watch.Next())/w.cost), w.granted)
	return true
}

// evaluate returns the static value for a side, rounded and limited to the range of evaluations.
func (w *worker) evaluate(s *engines.State, side int) int32 {
	return whole(w.cursor.Value(s, side))
}

func whole(value float64) int32 {
	return int32(math.RoundToEven(max(-evalMax, min(evalMax, value*unit))))
}

// overScore returns the score of a finished game for a side, at a distance of ply plies from the root.
func (w *worker) overScore(s *engines.State, side, ply int) int32 {
	switch s.Result() {
	case engines.Winner(side):
		return Win - int32(ply)
	case engines.Drawn:
		return 0
	}
	return -Win + int32(ply)
}
