package engines

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"spar/engines/grid"
	"spar/engines/rules"
)

// Move is one ply: a placement, a step, a jump, Stop, Swap or Pass. Moves can be compared with ==. A Move has a meaning
// only for its Game.
type Move uint16

// The moves without a cell.
const (
	Stop Move = kindWord<<kindShift | iota // ends a chain of jumps that could continue
	Swap                                   // the second player uses the pie rule
	Pass                                   // the only move of a side without a legal action, under no_moves: pass
)

// NoMove is the value for "no move".
const NoMove Move = 1<<(kindShift+2) - 1

// MoveBits is the number of bits of a Move that are used.
const MoveBits = kindShift + 2

// kindShift is the bit position of a move's kind, above the two cells.
const kindShift = 2 * grid.CellBits

const (
	kindPlace = iota
	kindStep
	kindJump
	kindWord
)

func placeMove(c Cell) Move       { return Move(c) | Move(NoCell)<<grid.CellBits }
func stepMove(from, to Cell) Move { return Move(to) | Move(from)<<grid.CellBits | kindStep<<kindShift }

func jumpMove(from, to Cell) Move { return Move(to) | Move(from)<<grid.CellBits | kindJump<<kindShift }

// PlaceMove returns the move that places a piece on a cell.
func PlaceMove(c Cell) Move { return placeMove(c) }

// StepMove returns the move of a piece from one cell to another.
func StepMove(from, to Cell) Move { return stepMove(from, to) }

// JumpMove returns the move of a piece that captures on its way from one cell to another.
func JumpMove(from, to Cell) Move { return jumpMove(from, to) }

func (m Move) kind() int { return int(m >> kindShift) }

// The kinds of placement. They are stored in the bits that other moves use for the starting cell.
const (
	placeOwn    = NoCell - iota // a piece of the player's own side
	placeRemove                 // takes a piece off the board
	placeX                      // a piece that the player chose
	placeO
	placeShot // blocks a cell
)

func (m Move) place() Cell       { return Cell(m >> grid.CellBits & CellMask) }
func (m Move) as(what Cell) Move { return m&CellMask | Move(what)<<grid.CellBits }
func removeMove(c Cell) Move     { return placeMove(c).as(placeRemove) }

// IsRemoval reports whether the move only takes a piece off the board.
func (m Move) IsRemoval() bool { return m.kind() == kindPlace && m.place() == placeRemove }

// IsShot reports whether the move blocks a cell.
func (m Move) IsShot() bool { return m.kind() == kindPlace && m.place() == placeShot }

func shotMove(c Cell) Move { return placeMove(c).as(placeShot) }

// To returns the cell on which a placement, step or jump ends, or NoCell for other moves.
func (m Move) To() Cell {
	if m.kind() == kindWord && !m.IsDrop() {
		return NoCell
	}
	return Cell(m & CellMask)
}

// From returns the cell from which a step or jump starts, or NoCell for other moves.
func (m Move) From() Cell {
	if m.kind() == kindWord || m.kind() == kindPlace {
		return NoCell
	}
	return Cell(m >> grid.CellBits & CellMask)
}

// IsPlacement reports whether the move puts a new piece on the board.
func (m Move) IsPlacement() bool {
	return m.kind() == kindPlace && m.place() != placeRemove && m.place() != placeShot || m.IsDrop()
}

// IsJump reports whether the move captures by jumping.
func (m Move) IsJump() bool { return m.kind() == kindJump }

// CellName returns the name of a cell: column letter, row number from the top.
func (g *Game) CellName(c Cell) string {
	return string(g.appendCell(make([]byte, 0, 4), c))
}

func (g *Game) appendCell(b []byte, c Cell) []byte {
	return strconv.AppendInt(append(b, byte('a'+int(c)%g.grid.Columns)), int64(int(c)/g.grid.Columns+1), 10)
}

// ParseCell reads the name of a cell.
func (g *Game) ParseCell(text string) (Cell, error) {
	col, row := 0, 0
	if _, err := fmt.Sscanf(text, "%c%d", &col, &row); err != nil || len(text) > 3 ||
		fmt.Sprintf("%c%d", col, row) != text {
		return NoCell, fmt.Errorf("%q is not a cell: expected a column letter and a row number, like c2", text)
	}
	if col < 'a' || col >= 'a'+g.grid.Columns || row < 1 || row > g.grid.Rows {
		return NoCell, fmt.Errorf("cell %s is not on the board (a1 to %s)", text, g.CellName(Cell(g.grid.Cells-1)))
	}
	c := Cell((row-1)*g.grid.Columns + col - 'a')
	if !g.grid.Board.Has(c) {
		return NoCell, fmt.Errorf("the board has no cell %s", text)
	}
	return c, nil
}

// MoveText writes a move: c2, c2-d3, c2xe4 (a jump, or a capture by replacement), xc2 (takes a piece off), c2=X and
// c2=O (a piece of the player's choice), c2=# (blocks a cell), P@c2 (drops a captured piece), stop, swap or pass.
func (g *Game) MoveText(m Move) string {
	switch {
	case m == Stop:
		return "stop"
	case m == Swap:
		return "swap"
	case m == Pass:
		return "pass"
	case m == NoMove:
		return "-"
	case m.becomes() >= 0:
		return "=" + string(g.kinds.of[Second][m.becomes()].sign)
	}
	to := g.CellName(m.To())
	switch {
	case m.IsDrop() && g.Kinds() == 0:
		return "@" + to
	case m.IsDrop():
		return string(g.kindSign(First, m.drops())) + "@" + to
	case m.kind() == kindStep:
		return g.CellName(m.From()) + "-" + to
	case m.kind() == kindJump:
		return g.CellName(m.From()) + "x" + to
	case m.place() == placeRemove:
		return "x" + to
	case m.place() == placeX:
		return to + "=X"
	case m.place() == placeO:
		return to + "=O"
	case m.place() == placeShot:
		return to + "=#"
	}
	return to
}

// MoveTexts writes a list of moves.
func (g *Game) MoveTexts(ms []Move) []string {
	out := make([]string, len(ms))
	for i, m := range ms {
		out[i] = g.MoveText(m)
	}
	return out
}

// ReadMove reads the text of a move. It does not check whether the move is legal.
func (g *Game) ReadMove(text string) (Move, error) {
	switch text {
	case "stop":
		return Stop, nil
	case "swap":
		return Swap, nil
	case "pass":
		return Pass, nil
	}
	if cell, piece, chosen := strings.Cut(text, "="); chosen && g.chosen && (piece == "X" || piece == "O") {
		c, err := g.ParseCell(cell)
		return placeMove(c).as(map[string]Cell{"X": placeX, "O": placeO}[piece]), err
	}
	if cell, shot := strings.CutSuffix(text, "=#"); shot && g.uses.Has(rules.Blocks) {
		c, err := g.ParseCell(cell)
		return shotMove(c), err
	}
	if letter, cell, drop := strings.Cut(text, "@"); drop && g.uses.Has(rules.Drops) {
		side, kind, ok := First, 0, letter == ""
		if len(letter) == 1 && g.Kinds() > 0 {
			side, kind, ok = g.rules.KindAt(letter[0])
		}
		if !ok || side != First {
			return NoMove, fmt.Errorf("%q: expected a capital letter of %s before @", text, g.signs())
		}
		c, err := g.ParseCell(cell)
		return dropMove(kind, c), err
	}
	if step, letter, ok := strings.Cut(text, "="); ok && g.Kinds() > 0 {
		if _, kind, ok := g.rules.KindAt((letter + "?")[0]); ok && step == "" && len(letter) == 1 {
			return kindMove(kind), nil
		}
		return NoMove, fmt.Errorf("%q: a choice of kind is a move of its own: expected = and a letter of %s", text, g.signs())
	}
	if strings.HasPrefix(text, "x") && (g.mill != nil || g.removals != nil || g.uses.Any(rules.Exits, rules.LineCaptures)) {
		c, err := g.ParseCell(text[1:])
		return removeMove(c), err
	}
	make, sep := stepMove, "-"
	if strings.Contains(text, "x") {
		make, sep = jumpMove, "x"
	}
	if from, to, two := strings.Cut(text, sep); two {
		a, err := g.ParseCell(from)
		if err != nil {
			return NoMove, err
		}
		b, err := g.ParseCell(to)
		if err != nil {
			return NoMove, err
		}
		return make(a, b), nil
	}
	c, err := g.ParseCell(text)
	if err != nil {
		return NoMove, err
	}
	return placeMove(c), nil
}

// ParseMove reads a move that must be legal in s. The error says why a move is illegal.
func (s *State) ParseMove(text string) (Move, error) {
	if s.Over() {
		return NoMove, fmt.Errorf("move %s after the end of the game", text)
	}
	m, err := s.g.ReadMove(text)
	if err != nil {
		return NoMove, err
	}
	var space [256]Move
	if legal := s.AppendMoves(space[:0]); !slices.Contains(legal, m) {
		return NoMove, fmt.Errorf("illegal move %s: %s", text, s.whyIllegal(m, legal))
	}
	return m, nil
}

// whyIllegal returns a reason why the move is illegal.
func (s *State) whyIllegal(m Move, legal []Move) string {
	g := s.g
	target := m.To()
	occupied := s.occupied()
	if s.grows {
		return "the player must choose what the piece on " + g.CellName(s.chain) + " becomes; write " + g.JoinMoves(legal)
	}
	if s.taking > 0 && s.g.kinds != nil {
		return "this move must choose which row it captures; write " + g.JoinMoves(legal)
	}
	if s.shoots {
		return "this move must block an empty cell; write " + g.MoveText(legal[0]) + " or another one"
	}
	if s.chain != NoCell {
		return "the piece on " + g.CellName(s.chain) + " must jump again; write " + g.JoinMoves(legal)
	}
	if len(legal) == 1 && legal[0] == Pass {
		return "the only legal move is pass"
	}
	switch m.kind() {
	case kindWord:
		switch {
		case !m.IsDrop():
		case s.stock[s.side][m.drops()] == 0:
			return "no such piece in hand"
		case occupied.Has(target):
			return "the cell is occupied"
		case legal[0].IsJump() && g.kinds.forced:
			return "a capture is forced"
		case g.kinds.safe[s.side] >= 0 && s.exposes(m):
			return "it leaves the " + g.rules.Kinds[g.kinds.safe[s.side]].Name + " attacked"
		default:
			return "a piece of that kind cannot be dropped there"
		}
		return "not allowed now"
	case kindPlace:
		switch {
		case m.place() == placeRemove && s.taking == 0 && !s.removing():
			return "no piece may be removed now"
		case m.place() == placeRemove:
			return "that piece may not be removed"
		case s.taking > 0 || s.removing():
			return "this move must remove a piece"
		case g.must && !s.brackets(int(s.side)).Has(target):
			return "a placement must enclose a piece, and this one does not"
		}
		there := func(m2 Move) bool { return m2.To() == target && m2.From() != NoCell }
		switch {
		case occupied.Has(target):
			return "the cell is occupied"
		case legal[0].IsJump() && g.mover[s.side&1].forced:
			return "a capture is forced"
		case s.phase == phaseMove && g.mover[s.side&1].clone:
			return "none of the player's pieces is within a step of this cell"
		case s.phase != phasePlace && s.hand[s.side] == 0 && slices.ContainsFunc(legal, there):
			return "no piece in hand; to move one there, write " + g.MoveText(legal[slices.IndexFunc(legal, there)])
		case s.phase != phasePlace && s.hand[s.side] == 0:
			return "no piece in hand, and none of the player's pieces can move there"
		case g.gravity:
			return "it is not the lowest free cell of its column"
		}
		return "the cell is outside the region for this ply"
	}
	switch {
	case s.phase != phaseMove:
		return "pieces cannot move in this phase"
	case !s.pieces[s.side].Has(m.From()):
		return "the player has no piece on " + g.CellName(m.From())
	case occupied.Has(target):
		return g.CellName(target) + " is occupied"
	case m.kind() == kindStep && len(legal) > 0 && legal[0].IsJump() && g.mover[s.side&1].forced:
		return "a capture is forced"
	}
	if s.g.kinds != nil && s.g.kinds.safe[s.side] >= 0 && m.kind() != kindPlace && s.exposes(m) {
		return "it leaves the " + g.rules.Kinds[g.kinds.safe[s.side]].Name + " attacked"
	}
	if placeThere := placeMove(target); m.kind() == kindStep && g.mover[s.side&1].clone &&
		slices.Contains(legal, placeThere) {
		return "the piece stays and a copy is placed on the next cell; write " + g.MoveText(placeThere)
	}
	return fmt.Sprintf("the piece on %s cannot get to %s in one move", g.CellName(m.From()), g.CellName(target))
}

// JoinMoves writes a list of moves with spaces between them.
func (g *Game) JoinMoves(ms []Move) string {
	b := make([]byte, 0, 4*len(ms))
	for i, m := range ms {
		if i > 0 {
			b = append(b, ' ')
		}
		if m.kind() == kindPlace && m.place() == placeOwn { // nearly all
			c := int(m & CellMask)
			b = append(b, byte('a'+c%g.grid.Columns))
			b = strconv.AppendInt(b, int64(c/g.grid.Columns+1), 10)
			continue
		}
		b = append(b, g.MoveText(m)...)
	}
	return string(b)
}
