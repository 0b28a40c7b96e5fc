package engines

import (
	"spar/engines/grid"
	"spar/engines/rules"
)

// Reason is the reason why a game ended.
type Reason uint8

// The reasons for which a game ends.
const (
	NoReason Reason = iota
	ByLine
	ByFullBoard
	ByMajority
	ByNoMoves
	ByRepetition
	ByPlyCap
	ByPattern
	ByConnection
	ByReach
	ByElimination
	ByLosingLine
	ByCaptures
	ByQuiet
	ByTaken
	ByMate
	ByGather
	ByShutIn
	ByNoneLeft
	reasons
)

// Reasons returns the words for all reasons.
func Reasons() []string {
	var out []string
	for r := ByLine; r < reasons; r++ {
		out = append(out, r.String())
	}
	return out
}

// String returns the word used in records: line, full_board, majority, no_moves, repetition, ply_cap, pattern,
// connection, reach, elimination, losing_line, captures, quiet, taken, mate, gather, shut_in, none_left. It is empty
// for NoReason.
func (r Reason) String() string {
	return [reasons]string{
		"", "line", "full_board", "majority", "no_moves", "repetition", "ply_cap", "pattern", "connection", "reach",
		"elimination",
		"losing_line", "captures", "quiet", "taken", "mate", "gather", "shut_in", "none_left",
	}[r]
}

// shapes is a list of sets of cells, such as lines or patterns, with an index by cell. A side completes one by
// occupying all of its cells.
type shapes struct {
	windows []grid.Window
	through [grid.MaxCells][]grid.Window
	starts  [4]Bits // of lines: first cells of all windows, by direction
}

func newShapes(windows []grid.Window) *shapes {
	if len(windows) == 0 {
		return nil
	}
	t := &shapes{}
	seen := map[Bits]bool{}
	for _, w := range windows {
		if seen[w.Cells] {
			continue
		}
		seen[w.Cells] = true
		t.windows = append(t.windows, w)
		for c := range w.Cells.Each {
			t.through[c] = append(t.through[c], w)
		}
	}
	return t
}

// held reports whether pieces fill a set that contains the cell; if the cell is NoCell, whether they fill any set.
func (t *shapes) held(b Bits, arrived Cell) bool {
	list := t.windows
	if arrived != NoCell {
		list = t.through[arrived]
	}
	for i := range list {
		if w := &list[i]; b.Contains(w.Cells) && b.And(w.Guard).Empty() {
			return true
		}
	}
	return false
}

// goal holds the ways in which a side wins or loses, apart from lines.
type goal struct {
	misere    bool
	shapes    [reasons]*shapes // sets of cells that end the game if the side fills one, by the reason; nil if there are none
	edges     [2]Bits          // the edges to connect; empty if there are none
	reach     Bits
	reachKind int // the only kind that counts for reach, from 1; 0 = all
	reachSafe bool
	take      int // the kind without which the enemy loses, from 1; 0 = none
	count     int // number of pieces that must be on cells of reach
	eliminate int // the enemy loses if it has fewer pieces than this
	onBoard   bool
	captures  int  // number of captured pieces that wins; 0 = captures do not win
	full      bool // a full board wins
	either    bool // the goals below can be made by a move of either side
	gather    bool
	noneLeft  bool
	shutIn    Bits
	exits     Bits // where pieces leave the board
}

// verdict is the result of a game, with its reason; NoReason while the game is not over.
type verdict struct {
	result Result
	reason Reason
}

func (g *Game) buildGoals() {
	g.madeOnly = true
	for side := range 2 {
		w := g.rules.Of(side).Win
		g.goal[side] = goal{
			misere:    w.Misere,
			reach:     g.grid.Region(w.Reach, side),
			count:     max(1, w.ReachCount),
			reachKind: g.rules.KindNamed(w.ReachKind) + 1,
			reachSafe: w.ReachSafe,
			take:      g.rules.KindNamed(w.Take) + 1,
			eliminate: w.Eliminate,
			onBoard:   w.OnBoard,
			captures:  w.Captures,
			full:      w.Full,
			gather:    w.Gather,
			noneLeft:  w.NoneLeft,
			shutIn:    g.grid.Region(w.ShutIn, side),
			either:    w.Gather || w.NoneLeft || len(w.ShutIn) > 0 || w.ReachSafe,
		}
		t := &g.goal[side]
		t.shapes[ByPattern] = newShapes(g.grid.Patterns(w.Pattern))
		g.takes = g.takes || t.take > 0
		g.madeOnly = g.madeOnly && t.eliminate == 0 && t.take == 0 && !t.either
		if n := g.rules.Lose.Line; n > 0 {
			var windows []grid.Window
			var starts [4]Bits
			for _, r := range g.grid.Runs(n, w.Directions...) {
				windows = append(windows, r.Window(true))
				starts[r.Direction] = starts[r.Direction].With(r.Cells[0])
			}
			if lines := newShapes(windows); lines != nil {
				lines.starts, t.shapes[ByLosingLine] = starts, lines
			}
		}
		if !w.Connect.IsZero() {
			g.goal[side].edges = g.grid.Edges((w.Connect == "top_bottom") == (side == First))
		}
		g.linesLose = !g.uses.Has(rules.SharedPieces) && (g.linesLose || w.Misere && w.Line > 0 || t.shapes[ByLosingLine] != nil)
	}
}

// verdict returns how the game ends by the goals of both sides after a ply of side. Arrived is the changed cell, or
// NoCell if several cells have changed.
func (s *State) verdict(side int, arrived Cell) verdict {
	g := s.g
	if g.shared || g.chosen { // what lies on the board may be anybody's goal: the mover's comes first
		for _, of := range [2]int{side, 1 - side} {
			if v := s.made(of, First, arrived); v.reason != NoReason {
				return v
			}
			if v := s.made(of, Second, arrived); g.chosen && v.reason != NoReason {
				return v
			}
		}
		return verdict{}
	}
	if g.madeOnly {
		return s.made(side, side, arrived)
	}
	if v := s.made(side, side, arrived); v.reason != NoReason && v.reason != ByLosingLine {
		if v.reason == ByGather && g.goal[1-side].gather && s.gathered(1-side) {
			v.result = Drawn
		}
		return v
	} else if s.pieces[1-side].Count() < g.goal[side].eliminate && s.eliminated(1-side) {
		return verdict{Winner(side), ByElimination}
	} else if s.pieces[side].Count() < g.goal[1-side].eliminate && s.eliminated(side) {
		return verdict{Winner(1 - side), ByElimination}
	} else if g.takes && s.bereft(1-side) {
		return verdict{Winner(side), ByTaken}
	} else if g.takes && s.bereft(side) {
		return verdict{Winner(1 - side), ByTaken}
	} else if t := &g.goal[1-side]; t.either && s.given(t, 1-side) != NoReason {
		winner := 1 - side
		if t.misere {
			winner = side
		}
		return verdict{Winner(winner), s.given(t, 1-side)}
	} else {
		return v
	}
}

// made returns the goal that a side has completed with pieces of one colour.
func (s *State) made(side, colour int, arrived Cell) verdict {
	g := s.g
	t, own := &g.goal[side&1], s.pieces[colour&1]
	why := NoReason
	switch {
	case g.line.Has(side, own, arrived):
		why = ByLine
	case t.shapes[ByPattern] != nil && t.shapes[ByPattern].held(own, arrived):
		why = ByPattern
	case !t.edges[0].Empty() && g.grid.Connects(own, &t.edges, arrived):
		why = ByConnection
	case !t.reach.Empty() && s.arrived(t, colour).Count() >= t.count:
		why = ByReach
	case t.either && s.given(t, colour) != NoReason:
		why = s.given(t, colour)
	case t.captures > 0 && int(s.captures[side&1]) >= t.captures:
		return verdict{Winner(side), ByCaptures}
	case t.shapes[ByLosingLine] != nil && t.shapes[ByLosingLine].held(own, arrived):
		return verdict{Winner(1 - side), ByLosingLine}
	default:
		return verdict{}
	}
	if t.misere {
		side = 1 - side
	}
	return verdict{Winner(side), why}
}

// given returns the goal of a side that a move of either side has made.
func (s *State) given(t *goal, side int) Reason {
	own := s.pieces[side&1]
	switch {
	case s.phase != phaseMove:
	case t.gather && s.gathered(side):
		return ByGather
	case !t.shutIn.And(own).Empty() && s.shutOff(t, side):
		return ByShutIn
	case t.reachSafe && s.arrived(t, side).Count() >= t.count:
		return ByReach
	case t.noneLeft && own.Empty() && s.hand[side&1] == 0:
		return ByNoneLeft
	}
	return NoReason
}

// gathered reports whether the pieces of a side are one connected group.
func (s *State) gathered(side int) bool {
	own := s.pieces[side&1]
	if own.Empty() {
		return false
	}
	group := s.g.grid.Bit[own.First()]
	for front := group; !front.Empty(); {
		fresh := s.g.grid.Neighbours[front.First()].And(own).AndNot(group)
		group, front = group.Or(fresh), front.Rest().Or(fresh)
	}
	return group == own
}

// shutOff reports whether all neighbours of a piece of a side, on a cell of its goal, are enemies.
func (s *State) shutOff(t *goal, side int) bool {
	for b := t.shutIn.And(s.pieces[side&1]); !b.Empty(); b = b.Rest() {
		near := s.g.grid.Neighbours[b.First()]
		if !near.Empty() && s.pieces[(1-side)&1].Contains(near) {
			return true
		}
	}
	return false
}

// arrived returns the pieces that are on the cells of a goal to reach.
func (s *State) arrived(t *goal, colour int) Bits {
	there := s.pieces[colour&1].And(t.reach)
	if t.reachKind > 0 {
		there = s.OfKind(colour, t.reachKind-1).And(t.reach)
	}
	for b := there; t.reachSafe && !b.Empty(); b = b.Rest() {
		c := b.First()
		if s.attacked(colour, s.g.grid.Bit[c], s.pieces[(1-colour)&1], s.all()) {
			there = there.Without(c)
		}
	}
	return there
}

// eliminated reports whether a side with too few pieces on the board has lost.
func (s *State) eliminated(side int) bool {
	if t := &s.g.goal[1-side]; !t.onBoard {
		return s.pieces[side].Count()+int(s.hand[side]) < t.eliminate
	}
	return s.phase == phasePlace || s.Mobile(side)
}

// Targets returns the cells that a side must reach, or from which it must leave the board, and whether doing so
// loses. The set is empty if no goal names cells.
func (g *Game) Targets(side int) (cells Bits, lose bool) {
	return g.goal[side].reach.Or(g.goal[side].exits), g.goal[side].misere
}

// Distance returns the number of moves that a side's nearest piece needs to reach a goal cell over cells that are empty
// now. The maximum, columns plus rows, also means that no way is open. Distance is 0 if the side has no goal cells, or
// if pieces do not move.
func (s *State) Distance(side int) (moves int) {
	g, t, w, from := s.g, &s.g.goal[side&1], &s.g.mover[side&1], s.pieces[side&1]
	if t.reach.Empty() || t.misere || !g.Moves() {
		return 0
	}
	if t.reachKind > 0 {
		from = s.OfKind(side, t.reachKind-1)
	}
	free, far := g.grid.Board.AndNot(s.occupied()), g.grid.Columns+g.grid.Rows
	for ; from.And(t.reach).Empty(); moves++ {
		next := from
		for d, on := range w.steps {
			for n, b := 0, from; on && !b.Empty() && n < g.grid.Cells; n++ {
				b = g.grid.Shift(b, d).And(free)
				if next = next.Or(b); !w.slide {
					break
				}
			}
		}
		if next == from || moves == far {
			return far
		}
		from = next
	}
	return moves
}

// Aim says what brings a side nearer to goals other than lines.
type Aim struct {
	Ahead   Bits // its cells to reach, and the enemy's home
	Shunned Bits // cells to reach if reaching them loses
	Fewer   bool // having fewer pieces helps: its goal is to have no piece left, or all pieces in one group
}

// Aim returns the aim of a side. The caller must not change it.
func (g *Game) Aim(side int) *Aim { return &g.aims[side&1] }

func (g *Game) buildAims() {
	for side := range g.aims {
		t, a := &g.goal[side], &g.aims[side]
		cells, lose := g.Targets(side)
		if a.Ahead = g.home[1-side].Or(cells); lose {
			a.Ahead, a.Shunned = a.Ahead.AndNot(cells), cells
		}
		a.Fewer = (t.noneLeft || t.gather) && !t.misere
	}
}

// GoalCells returns the cells of a side's goal: its targets, and the edges to connect. It is empty if no goal of the
// side names cells or edges.
func (g *Game) GoalCells(side int) Bits {
	t, _ := g.Targets(side)
	return t.Or(g.goal[side].edges[0]).Or(g.goal[side].edges[1])
}

// GoalOwner returns the side whose goal cells contain a cell, or -1 if those of both sides or of neither do.
func (g *Game) GoalOwner(c Cell) int {
	first, second := g.GoalCells(First).Has(c), g.GoalCells(Second).Has(c)
	switch {
	case first == second:
		return -1
	case first:
		return First
	}
	return Second
}

// Shapes returns the sets of cells that end a game for a reason if a side holds one: lines, patterns or losing lines,
// each once. It is empty for other reasons. The caller must not change the slice.
func (g *Game) Shapes(side int, why Reason) []grid.Window {
	if of := g.goal[side].shapes[why]; of != nil {
		return of.windows
	} else if why == ByLine {
		return g.line.Windows[side]
	}
	return nil
}

// Edges returns the two sets of cells that a side must connect to win. They are empty if connecting is not its goal.
func (g *Game) Edges(side int) [2]Bits { return g.goal[side].edges }
