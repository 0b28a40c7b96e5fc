// Package threats finds wins by continuous threats. Each move of the attacker threatens to complete a line, so
// that the defender has only one reply, until the attacker threatens two lines at once. Such a search is narrow
// and deep. A win that it finds is proved; if it finds none, nothing is proved.
//
// A [Finder] works for one game. Under rules in which a threat has other answers there is no Finder.
package threats

import (
	"math"

	"spar/engines"
	"spar/engines/grid"
	"spar/engines/rules"
)

// handled returns the mechanics under which a threat has exactly one answer: a piece on the cell that completes the
// line. Pieces are placed anywhere, one per turn, and stay. Under other mechanics there is no search for wins by
// threats.
func handled() rules.Mechanics {
	return rules.MechanicsOf(rules.Wraps, rules.Falling, rules.Lines, rules.ExactLines, rules.LineRegions,
		rules.LineDirections, rules.Majorities, rules.FullBoards, rules.Repetitions, rules.PlyCaps, rules.Passes,
		rules.StuckDraws)
}

// Finder looks for wins in positions of one game. Only one goroutine may use it. After New it allocates no memory.
type Finder struct {
	b     *board
	most  int  // maximum number of plies of a game
	limit int  // depth limit of the current pass
	cut   bool // the current pass reached its depth limit
	left  int
	side  int // the attacker
	ply   int // plies played before the attack
	best  engines.Cell
	// cells of both sides' pieces since the attack began
	mine, replies engines.Bits
	zone          engines.Bits // of the last win, see Defence
}

// Budget is the maximum number of positions that a threat search visits before the main search starts. Such a threat
// search takes less than a millisecond.
const Budget = 1000

// deep is the maximum number of consecutive threats in a win.
const deep = 16

// Handles reports whether there is a finder for the rules of a game.
func Handles(g *engines.Game) bool {
	uses := g.Mechanics()
	return uses.Only(handled()) && uses.Has(rules.Lines) && g.Rules().Win.Line >= 3
}

// Defends reports whether Defence works under the rules of a game: the rules that Handles accepts, except those with
// gravity.
func Defends(g *engines.Game) bool { return Handles(g) && !g.Rules().Placement.Gravity }

// New returns a finder, or nil for rules that it does not handle.
func New(g *engines.Game) *Finder {
	r := g.Rules()
	if !Handles(g) {
		return nil
	}
	f := OnBoard(g.BoardCells(), [2][]grid.Window{g.Windows(0), g.Windows(1)})
	if r.Placement.Gravity {
		f.b.columns = uint(g.Columns())
		f.b.floor = f.b.cells.AndNot(f.b.cells.Back(f.b.columns))
	}
	if r.Draw.MaxPlies > 0 {
		f.most = r.Draw.MaxPlies
	}
	return f
}

// OnBoard returns a finder for a game in which each side places one piece a turn on any empty cell, and the first to
// complete one of its lines wins.
func OnBoard(cells engines.Bits, lines [2][]grid.Window) *Finder {
	return &Finder{b: newBoard(cells, lines), most: math.MaxInt}
}

// Attack searches as Win does, for a side that is to move on a board with the given pieces. It returns the zone of the
// win; see Defence.
func (f *Finder) Attack(pieces [2]engines.Bits, side, budget int) (zone engines.Bits, ok bool) {
	f.b.set(pieces)
	plies, _ := f.wins(side, 0, budget)
	return f.zone, plies > 0
}

// Win looks for a win of the side to move in up to budget positions, first with few threats. It returns the first
// move, the number of plies to the end of the game (0 if it found no win), and the number of positions searched.
func (f *Finder) Win(s *engines.State, budget int) (first engines.Move, plies, looked int) {
	if s.Over() {
		return engines.NoMove, 0, 0
	}
	f.b.set(pieces(s))
	plies, looked = f.wins(s.Side(), s.Ply(), budget)
	return engines.PlaceMove(f.best), plies, looked
}

// Defence looks for a win that the opponent of the side to move would have if the side to move passed. If it finds one,
// every move outside the returned zone allows that win. The second result is the number of positions searched. Under
// gravity Defence does not search, because a move opens the cell above.
func (f *Finder) Defence(s *engines.State, budget int) (zone engines.Bits, looked int) {
	if s.Over() || f.b.columns > 0 || s.Ply()+2 >= f.most {
		return zone, 0
	}
	f.b.set(pieces(s))
	plies, looked := f.wins(1-s.Side(), s.Ply()+1, budget)
	if plies > 0 {
		zone = f.zone
	}
	return zone, looked
}

func pieces(s *engines.State) [2]engines.Bits { return [2]engines.Bits{s.Pieces(0), s.Pieces(1)} }

// Near returns the cells at most two steps from a piece, or all cells if there is no piece.
func (f *Finder) Near(s *engines.State) engines.Bits {
	cells := s.Pieces(0).Or(s.Pieces(1))
	if cells.Empty() {
		return f.b.cells
	}
	for range 2 {
		for b := cells; !b.Empty(); b = b.Rest() {
			cells = cells.Or(s.Game().Neighbours(b.First()))
		}
	}
	return cells
}

func (f *Finder) wins(side, ply, budget int) (plies, looked int) {
	f.left, f.side, f.ply = budget, side, ply
	for f.limit, f.cut = 1, true; plies == 0 && f.cut && f.left > 0 && f.limit <= deep; f.limit++ {
		f.cut = false
		plies = f.attack(0)
	}
	if ply+plies > f.most { // the game ends before
		plies = 0
	}
	return plies, budget - f.left
}

// attack returns the number of plies in which the attacker, who is to move, wins, or 0, and stores its first move in
// best. The parameter at is the number of earlier threats.
func (f *Finder) attack(at int) int {
	b := f.b
	own := &b.sides[f.side]
	enemy := &b.sides[1-f.side]
	open := b.open()
	if wins := own.near[0].And(open); !wins.Empty() {
		f.best = wins.First()
		f.finish(wins)
		return 1
	}
	moves := own.near[1].And(open)
	if moves.Empty() {
		return 0
	}
	if at == f.limit {
		f.cut = true
		return 0
	}
	if answer := enemy.near[0].And(open); !answer.Empty() {
		if moves = moves.And(answer); answer.Count() > 1 {
			return 0
		}
	}
	for ; !moves.Empty(); moves = moves.Rest() {
		if f.left--; f.left < 0 {
			f.left = 0
			return 0
		}
		m, plies := moves.First(), 0
		b.place(f.side, m, 1)
		f.mine = f.mine.With(m)
		if then := b.open(); f.ply+2*at+1 < f.most && enemy.near[0].And(then).Empty() {
			switch threats := own.near[0].And(then); threats.Count() {
			case 0:
			case 1:
				if f.ply+2*at+2 < f.most {
					reply := threats.First()
					b.place(1-f.side, reply, 1)
					f.replies = f.replies.With(reply)
					if plies = f.attack(at + 1); plies > 0 {
						plies += 2
					}
					f.replies = f.replies.Without(reply)
					b.place(1-f.side, reply, -1)
				}
			default:
				f.finish(threats)
				plies = 3
			}
		}
		f.mine = f.mine.Without(m)
		b.place(f.side, m, -1)
		if plies > 0 {
			f.best = m
			return plies
		}
	}
	return 0
}

// finish computes the zone of a win at its end: the cells of the attack and of the replies, the cells that now complete a
// line, and those with which the defender could have made a threat in between.
func (f *Finder) finish(last engines.Bits) {
	enemy := &f.b.sides[1-f.side]
	f.zone = f.mine.Or(f.replies).Or(last)
	before := f.b.sides[f.side].pieces.AndNot(f.mine)
	for i, l := range enemy.lines {
		if enemy.state[i]&31 <= 2 && before.And(l).Empty() {
			f.zone = f.zone.Or(l)
		}
	}
}
