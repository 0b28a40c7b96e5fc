// Package rules has the vocabulary of rules files: what a YAML file can say, and what of it is allowed.
//
// [Rules] is the content of a file. [Read] reads a file with overrides and reports every mistake with its place. A knob
// is one value of it, known by its key path, like pieces.cap; [KnobValues] lists all. A knob switches on a [Mechanic],
// and the set of [Mechanics] says which fast paths of package engines may play the rules. A knob is idle if it has no
// effect under the other knobs.
//
// # Files
//
//   - The content: rules, movement, sides, pie. Its stored form: canonical, label.
//   - Reading: read. What is refused: validate*, setup, enough.
//   - Descriptions of each knob: knobs, mechanics, idle.
package rules

import (
	"slices"

	"spar/engines/grid"
)

// Rules is a rules file: every mechanic and its knobs. The zero value is not playable; start from DefaultRules.
//
// # One ply, in order
//
//  1. The mover makes the move: a placement, a step, a jump (the jumped piece leaves), stop, swap or pass.
//  2. Surround capture, if on, around the cell that a piece was just placed on or moved to.
//  3. Pieces over the cap leave, oldest first, if pieces.removal is before_win.
//  4. The mover's lines are tested, after every placement and at the end of a movement turn (not inside a chain of
//     jumps). A line ends the game; under after_win no piece is removed then.
//  5. Pieces over the cap leave if pieces.removal is after_win.
//  6. A full board: majority if win.majority, else a draw if draw.full_board.
//  7. If the turn is over and the side to move has no legal action: no_moves.
//  8. Repetition, then draw.quiet, then the ply cap.
//
// With placement.falls, unsupported pieces fall before the lines are tested in 4, and again after 5. If pieces fell
// in 4 and the mover has not won, the enemy's lines are tested too. After 5 both sides' lines are tested, the mover's
// first.
//
// # Turns
//
// A placement turn has turn.placements plies. The first turn of the game has turn.first_turn, and the second player's
// first turn has second.first_turn. A turn ends early if its player has no piece or no cell left. With a supply the
// players first deploy all pieces in hand; a player with an empty hand is skipped. Then the movement phase begins and
// lasts to the end. A movement turn is one step, one chain of jumps by one piece, or one placement from the hand.
type Rules struct {
	// Short name, used on the command line and in records.
	Name string `yaml:"name" json:"name" jsonschema:"required"`
	// Display name.
	Title string `yaml:"title" json:"title,omitempty"`
	// The family under which lists show the game.
	Family string `yaml:"family,omitempty" json:"family,omitempty" jsonschema:"enum=lines,enum=aging,enum=mills,enum=connection,enum=race,enum=capture,enum=blocking,enum=majority"`
	// What the game is, in a line.
	About string `yaml:"about,omitempty" json:"about,omitempty"`
	// Display names and colours of the sides; they do not change the game.
	Sides Sides `yaml:"sides,omitempty" json:"sides,omitzero"`
	// Size and shape of the board.
	Board grid.Board `yaml:"board" json:"board" jsonschema:"required"`
	// The start position, one text for each row from the top: X and O are pieces of the first and the second player,
	// . is an empty cell, # a cell that the board does not have. They are in addition to the supply, and older than all
	// placed pieces.
	Setup []string `yaml:"setup" json:"setup,omitempty"`
	// none, or halves: the first player's home is the bottom half of the rows, the second's the top half; the middle row
	// of an odd board belongs to neither.
	Territory string `yaml:"territory" json:"territory,omitempty" jsonschema:"enum=none,enum=halves"`
	// How many plies a turn has, and the pie rule.
	Turn Turn `yaml:"turn" json:"turn"`
	// Where pieces may be placed.
	Placement Placement `yaml:"placement" json:"placement"`
	// How many pieces there are and when they leave.
	Pieces Pieces `yaml:"pieces" json:"pieces"`
	// Groups of cells with a name, such as a throne, that kinds, custodian.hostile and turn.spares refer to.
	Cells []CellGroup `yaml:"cells" json:"cells,omitempty"`
	// Kinds of pieces, at most 8. The setup has their letters: upper case for the first player, lower case for the
	// second.
	Kinds []Kind `yaml:"kinds" json:"kinds,omitempty"`
	// How pieces move and jump (see pieces.moving for when).
	Movement Movement `yaml:"movement" json:"movement"`
	// Capture by surrounding.
	Surround Surround `yaml:"surround" json:"surround"`
	// How a game is won. No goal counts between two jumps of a turn.
	Win Win `yaml:"win" json:"win"`
	// What loses a game at once.
	Lose Lose `yaml:"lose" json:"lose,omitzero"`
	// How a game is drawn.
	Draw Draw `yaml:"draw" json:"draw"`
	// Capture by enclosing enemy pieces between two of one's own.
	Custodian Custodian `yaml:"custodian" json:"custodian,omitzero"`
	// Lines whose completion lets the player take an enemy piece.
	Mill Mill `yaml:"mill" json:"mill,omitzero"`
	// Rules of the second player that differ. A part stated here replaces that part for the second player.
	Second *SecondPlayer `yaml:"second,omitempty" json:"second,omitempty"`
	// What happens to a side that has no legal action on its turn: it loses, it wins, the game is drawn, or it passes
	// (two passes in a row end the game: by majority if win.majority, else drawn).
	NoMoves string `yaml:"no_moves" json:"no_moves,omitempty" jsonschema:"enum=loss,enum=win,enum=draw,enum=pass"`
	// The game's own clock, for play against people. Tournaments do not use it unless their file sets one.
	Clock Clock `yaml:"clock" json:"clock"`
}

// Word is the value of a knob that accepts a few words. Stored rules omit the default word, for which IsZero is true.
type Word string

// IsZero reports whether the word is the default value of its knob.
func (w Word) IsZero() bool {
	switch w {
	case "", "none", "enemy", "own", "at_once", "always", "draw", "after_all":
		return true
	}
	return false
}

// Turn has the knobs for the number of plies in a turn, and for the pie rule.
type Turn struct {
	// Placements in one turn.
	Placements int `yaml:"placements" json:"placements" jsonschema:"minimum=1,maximum=8"`
	// Placements in the very first turn of the game.
	FirstTurn int `yaml:"first_turn" json:"first_turn" jsonschema:"minimum=1,maximum=8"`
	// The second player may answer the first turn with swap. true, for games that begin with placements: the second player
	// takes over the stones placed (mirrored top to bottom when the board has territories, in place otherwise), the hands
	// change owners, and the first player is to move. seats: the players exchange sides; each takes over the other's
	// pieces (which stay where they are), hand, ways to move and goals, and the first player moves next.
	Pie Choice `yaml:"pie" json:"pie" jsonschema:"enum=true,enum=false,enum=seats"`

	// The cell that each turn blocks for the rest of the game. shot: the piece that has moved shoots at an empty cell that
	// it could move to next, as a move of its own, written c2=#; anywhere: the player chooses any empty cell; left: each
	// cell that a piece leaves.
	Block Word `yaml:"block,omitempty" json:"block,omitzero" jsonschema:"enum=none,enum=shot,enum=anywhere,enum=left"`
	// Groups of cells that are never blocked.
	Spares []string `yaml:"spares" json:"spares,omitempty"`
}

// Placement has the knobs for where pieces may be placed.
type Placement struct {
	// Empty cells that may be used: anywhere, the mover's home, or the enemy's home.
	Region string `yaml:"region" json:"region,omitempty" jsonschema:"enum=anywhere,enum=home,enum=enemy"`
	// A piece falls to the lowest free cell of its column.
	Gravity bool `yaml:"gravity" json:"gravity"`
	// Under gravity, pieces above one that leaves the board also fall, before lines are tested. If the fall makes an
	// enemy line, that line decides unless the mover also has one. false: they stay in the air.
	Falls bool `yaml:"falls" json:"falls,omitempty"`
	// A staged opening: the first plies of the game have their own regions.
	Opening []Stage `yaml:"opening" json:"opening,omitempty"`
}

// Stage is one stage of the opening: a number of plies, counted over both players, and the region for them.
type Stage struct {
	// Plies of this stage, both players counted.
	Plies int `yaml:"plies" json:"plies" jsonschema:"required,minimum=1,maximum=60"`
	// Where pieces must be placed in these plies; first_home and second_home are fixed halves, home and enemy depend on
	// the mover; cells are those that the stage lists; beside, only with remove: true, means next to an empty cell.
	Region string `yaml:"region" json:"region" jsonschema:"required,enum=anywhere,enum=home,enum=enemy,enum=first_home,enum=second_home,enum=cells,enum=beside"`
	// The cells of region: cells.
	Cells []string `yaml:"cells,omitempty" json:"cells,omitempty"`
	// true: each ply takes one of the player's own pieces off the board instead of placing one.
	Remove bool `yaml:"remove,omitempty" json:"remove,omitempty"`
}

// Pieces has the knobs for how many pieces a side has and when they leave because of their age.
type Pieces struct {
	// Pieces each side deploys from its hand; 0 = no limit.
	Supply int `yaml:"supply" json:"supply" jsonschema:"minimum=0,maximum=60"`
	// When pieces begin to move. after_all: when both hands are empty; until then a player whose hand is empty is
	// skipped. after_own: a player places while the player's own hand has pieces, and moves while it is empty.
	Moving Word `yaml:"moving" json:"moving,omitzero" jsonschema:"enum=after_all,enum=after_own"`
	// Maximum number of pieces of a side on the board; above it, the oldest leave. 0 = no cap.
	Cap int `yaml:"cap" json:"cap" jsonschema:"minimum=0,maximum=121"`
	// Whether the oldest pieces leave before or after the test for wins.
	Removal string `yaml:"removal" json:"removal,omitempty" jsonschema:"enum=before_win,enum=after_win"`
	// Pieces over the cap leave from this ply of the game on.
	RemovalFromPly int `yaml:"removal_from_ply" json:"removal_from_ply" jsonschema:"minimum=1,maximum=60"`
	// own: the first player has X, the second O; shared: both place X; choice: the player chooses X or O for each
	// placement. With shared and choice no piece belongs to a player: a goal counts for the player who completes it.
	Owner Word `yaml:"owner" json:"owner,omitzero" jsonschema:"enum=own,enum=shared,enum=choice"`
	// A side at its cap may place on the cell that its oldest piece is about to leave (with removal before_win).
	ReuseVacated bool `yaml:"reuse_vacated" json:"reuse_vacated"`
}

// Movement has the knobs for how pieces move in the movement phase.
type Movement struct {
	// Steps of one cell to an empty neighbour: in 8 directions (king), along rows and columns (rook), diagonally
	// (bishop), or none.
	Steps string `yaml:"steps,omitempty" json:"steps,omitempty" jsonschema:"enum=none,enum=king,enum=rook,enum=bishop"`
	// A piece may jump over an adjacent enemy piece, in 8 directions, to the empty cell behind it.
	Capture bool `yaml:"capture" json:"capture"`
	// true: the piece that jumped may jump again in the same turn, or stop. must: it jumps again as long as it can, and
	// a long jump ends where it can jump again, if there is such a cell.
	MultiJump Choice `yaml:"multi_jump,omitempty" json:"multi_jump" jsonschema:"enum=true,enum=false,enum=must"`
	// true: a side that can capture at the start of its turn must capture. most: it must capture as many pieces as it
	// can in the turn.
	ForcedCapture Choice `yaml:"forced_capture,omitempty" json:"forced_capture" jsonschema:"enum=true,enum=false,enum=most"`
	// return: a piece that was jumped over or replaced returns to its owner's hand; remove: it leaves the game; stay:
	// jumps capture nothing; switch_to_hand: it, or a piece that was enclosed, goes to the hand of its captor, who may
	// drop it on an empty cell as a turn of its own, written P@c2.
	Captured string `yaml:"captured,omitempty" json:"captured,omitempty" jsonschema:"enum=return,enum=remove,enum=stay,enum=switch_to_hand"`

	// Directions of steps, as the mover sees them (forward is away from the mover's own side: up for the first player;
	// north, south, east and west are the same for both). Default: all.
	Directions []string `yaml:"directions" json:"directions,omitempty" jsonschema:"enum=king,enum=rook,enum=bishop,enum=forward,enum=backward,enum=sideways,enum=forward_diagonal,enum=backward_diagonal,enum=north,enum=south,enum=east,enum=west"`
	// Steps go any distance over empty cells; on a wrapped board, never back to the cell where they start.
	Slide bool `yaml:"slide" json:"slide,omitempty"`
	// A slide to an empty cell goes as far as it can.
	ToEnd bool `yaml:"to_end" json:"to_end,omitempty"`
	// line: a step goes exactly as many cells as there are pieces of both sides on its line, over empty cells; with
	// take_slide it may end on an enemy piece.
	Distance Word `yaml:"distance,omitempty" json:"distance,omitzero" jsonschema:"enum=none,enum=line"`
	// Steps over several cells go over the player's own pieces, too.
	PassOwn bool `yaml:"pass_own" json:"pass_own,omitempty"`
	// A step may capture the unbroken row of enemy pieces that begins right in front of it (approach), or right behind
	// where it started (withdraw). If both are possible, the player chooses one in the next ply. With multi_jump the piece
	// can go on capturing, but not to a cell that it has visited in that turn, nor in the direction of its last step.
	Lines []string `yaml:"line_capture" json:"line_capture,omitempty" jsonschema:"enum=approach,enum=withdraw"`
	// Directions in which a piece at the edge may leave the board, which is a move of its own, written xc1.
	Exits []string `yaml:"exits" json:"exits,omitempty" jsonschema:"enum=king,enum=rook,enum=bishop,enum=forward,enum=backward,enum=sideways,enum=forward_diagonal,enum=backward_diagonal,enum=north,enum=south,enum=east,enum=west"`
	// Moves to an empty cell over anything, like "1,2" for the knight's: this many columns and rows away, in either
	// order and in all four quadrants.
	Leaps []string `yaml:"leaps" json:"leaps,omitempty"`
	// A step leaves the piece where it was and puts a new one on the neighbouring cell. The move is written as that
	// cell: c2. Leaps still move the piece.
	Clone bool `yaml:"clone" json:"clone,omitempty"`
	// Directions in which a piece captures a neighbouring enemy piece by moving onto its cell.
	Take []string `yaml:"take" json:"take,omitempty" jsonschema:"enum=king,enum=rook,enum=bishop,enum=forward,enum=backward,enum=sideways,enum=forward_diagonal,enum=backward_diagonal,enum=north,enum=south,enum=east,enum=west"`
	// Directions of jumps. Default: all.
	Jumps []string `yaml:"jumps" json:"jumps,omitempty" jsonschema:"enum=king,enum=rook,enum=bishop,enum=forward,enum=backward,enum=sideways,enum=forward_diagonal,enum=backward_diagonal,enum=north,enum=south,enum=east,enum=west"`
	// Whose pieces are jumped over; the player's own pieces stay.
	JumpOver Word `yaml:"jump_over,omitempty" json:"jump_over,omitzero" jsonschema:"enum=enemy,enum=friend,enum=any"`
	// Jumps of one turn continue in the same direction.
	Straight bool `yaml:"straight" json:"straight,omitempty"`

	// Knobs for kinds of pieces, which all rules may use.

	// A slide may end on the cell of an enemy piece and capture it.
	TakeSlide bool `yaml:"take_slide" json:"take_slide,omitempty"`
	// A leap may end on the cell of an enemy piece and capture it.
	TakeLeaps bool `yaml:"take_leaps" json:"take_leaps,omitempty"`
	// true: a jump goes over any number of empty cells before the jumped piece, and ends on any empty cell behind it, as
	// far as the cells are empty. next: it ends on the cell right behind.
	LongJumps Choice `yaml:"long_jumps" json:"long_jumps,omitzero" jsonschema:"enum=true,enum=false,enum=next"`
	// after_turn: pieces that are jumped over stay until the turn ends, and cannot be jumped over again.
	CapturedLeave Word `yaml:"captured_leave,omitempty" json:"captured_leave,omitzero" jsonschema:"enum=at_once,enum=after_turn"`
	// A longer step from the rows nearest to the player's own side.
	First First `yaml:"first" json:"first,omitzero"`
	// A side with at most this many pieces and none in hand may move a piece to any empty cell instead of a step;
	// 0 = off.
	Fly int `yaml:"fly" json:"fly,omitempty" jsonschema:"minimum=0,maximum=60"`
}

// First has the knobs for a longer first step, like that of a pawn, from the rows nearest to the player's own side.
type First struct {
	// Rows nearest to the player's own side, from which a piece may step further; 0 = none.
	Rows int `yaml:"rows" json:"rows,omitempty" jsonschema:"minimum=0,maximum=11"`
	// Maximum number of cells of such a step, over empty cells.
	Steps int `yaml:"steps" json:"steps,omitempty" jsonschema:"minimum=0,maximum=10"`
}

// IsZero reports whether first steps are as long as any others.
func (f First) IsZero() bool { return f == First{} }

// Custodian has the knobs for capture by enclosing: a run of enemy pieces lies between the piece that arrived and
// another piece of the same owner.
type Custodian struct {
	// The enclosed pieces change sides (flip), or leave the game; none: off.
	Effect Word `yaml:"effect" json:"effect,omitzero" jsonschema:"enum=none,enum=flip,enum=remove"`
	// Exact number of pieces that a run must have to be captured; 0 = any number.
	Length int `yaml:"length" json:"length,omitempty" jsonschema:"minimum=0,maximum=10"`
	// Directions of runs. Default: all.
	Directions []string `yaml:"directions" json:"directions,omitempty" jsonschema:"enum=king,enum=rook,enum=bishop"`
	// Groups of cells (see cells) that enclose like a piece of either side while they are empty.
	Hostile []string `yaml:"hostile" json:"hostile,omitempty"`
	// A piece may be placed only where it captures by enclosing.
	Must bool `yaml:"must" json:"must,omitempty"`
}

// IsZero reports whether the rules have no capture by enclosing.
func (c Custodian) IsZero() bool {
	return c.Effect.IsZero() && c.Length == 0 && len(c.Directions) == 0 && len(c.Hostile) == 0 && !c.Must
}

// Mill is a line whose completion lets the mover take an enemy piece of choice. A piece in a mill cannot be taken
// unless all enemy pieces are in mills.
type Mill struct {
	// Length of the run of own pieces that the arriving piece completes; 0 = off.
	Line int `yaml:"line" json:"line,omitempty" jsonschema:"minimum=0,maximum=16"`
	// A longer run does not count.
	Exact bool `yaml:"exact" json:"exact,omitempty"`
	// Only pieces that have moved count, not placements.
	Moved bool `yaml:"moved" json:"moved,omitempty"`
}

// IsZero reports whether the rules have no mills.
func (m Mill) IsZero() bool { return m == Mill{} }

// SecondPlayer has the rules of the second player that differ from the first player's. A part given here replaces the
// whole part of the first player; keys that it omits have their defaults.
type SecondPlayer struct {
	// Placements in the second player's first turn.
	FirstTurn *int `yaml:"first_turn,omitempty" json:"first_turn,omitempty" jsonschema:"minimum=1,maximum=8"`
	// Pieces that the second player deploys from the hand.
	Supply *int `yaml:"supply,omitempty" json:"supply,omitempty" jsonschema:"minimum=0,maximum=60"`
	// How the second player's pieces move.
	Movement *Movement `yaml:"movement,omitempty" json:"movement,omitempty"`
	// How the second player wins.
	Win *Win `yaml:"win,omitempty" json:"win,omitempty"`
}

// Of returns the rules of one side: for the second player, the parts under second replace the others.
func (r Rules) Of(side int) Rules {
	if own := r.Second; side == 1 && own != nil {
		if own.FirstTurn != nil {
			r.Turn.FirstTurn = *own.FirstTurn
		}
		if own.Supply != nil {
			r.Pieces.Supply = *own.Supply
		}
		if own.Movement != nil {
			r.Movement = *own.Movement
		}
		if own.Win != nil {
			r.Win = *own.Win
		}
	}
	return r
}

// FirstTurn returns the number of placements in a side's first turn: turn.first_turn for the first player, and for
// the second player second.first_turn if it is set, otherwise turn.placements.
func (r *Rules) FirstTurn(side int) int {
	if side == grid.First {
		return r.Turn.FirstTurn
	}
	if own := r.Second; own != nil && own.FirstTurn != nil {
		return *own.FirstTurn
	}
	return r.Turn.Placements
}

// Surround is capture by surrounding. It captures an enemy piece next to the arriving piece if at least Threshold of
// its up to 8 neighbours are pieces of the mover. It finds all captures of one pass before it makes any.
type Surround struct {
	// Number of the mover's pieces around an enemy piece that captures it; 0 = off.
	Threshold int `yaml:"threshold" json:"threshold" jsonschema:"minimum=0,maximum=8"`
	// Captured pieces change sides (becoming the mover's youngest, in cell order), or leave the game.
	Effect string `yaml:"effect" json:"effect,omitempty" jsonschema:"enum=convert,enum=remove"`
	// false: one pass over the neighbours of the arriving piece. true: passes over the whole board until there are no
	// more captures.
	Cascade bool `yaml:"cascade" json:"cascade"`
}

// Win has the knobs for how a game is won.
type Win struct {
	// Own pieces on consecutive cells of a row, column or diagonal that win; 0 = lines do not count.
	Line int `yaml:"line" json:"line" jsonschema:"minimum=0,maximum=16"`
	// true: a longer run wins too. false: only a run of exactly that length, measured on the whole board.
	Overlines bool `yaml:"overlines" json:"overlines"`
	// Directions in which win.line and lose.line count. Default: all.
	Directions []string `yaml:"directions" json:"directions,omitempty" jsonschema:"enum=rows,enum=columns,enum=diagonals"`
	// Where all cells of a winning line must lie: anywhere, or in the enemy's home.
	Region string `yaml:"region" json:"region,omitempty" jsonschema:"enum=anywhere,enum=enemy"`
	// When the board is full, the side with more pieces wins; equal numbers are a draw.
	Majority bool `yaml:"majority" json:"majority"`

	// Pieces added to the second player's when win.majority counts them; negative: to the first player's.
	Komi int `yaml:"komi" json:"komi,omitempty" jsonschema:"minimum=-121,maximum=121"`
	// Shapes of own pieces that win: square (2x2), or cell offsets like "0,0 1,0 1,1" (column, row), in any rotation
	// or reflection.
	Pattern []string `yaml:"pattern" json:"pattern,omitempty"`
	// The two sides that the first player connects by a chain of the player's own neighbouring pieces to win; the second
	// player connects the other two.
	Connect Word `yaml:"connect" json:"connect,omitzero" jsonschema:"enum=none,enum=top_bottom,enum=left_right"`
	// Where one of the player's own pieces wins: far and near (the last and the first row as the player sees it), left,
	// right, or cells.
	Reach []string `yaml:"reach" json:"reach,omitempty"`
	// Own pieces needed on the goal cells of win.reach; 0 = one.
	ReachCount int `yaml:"reach_count" json:"reach_count,omitempty" jsonschema:"minimum=0,maximum=60"`
	// The only kind of piece that counts for win.reach.
	ReachKind string `yaml:"reach_kind" json:"reach_kind,omitempty"`
	// A piece counts for win.reach only while no enemy piece attacks it, whoever moved.
	ReachSafe bool `yaml:"reach_safe" json:"reach_safe,omitempty"`
	// A side wins when the enemy has fewer pieces than this, including those in hand; 0 = off.
	Eliminate int `yaml:"eliminate" json:"eliminate,omitempty" jsonschema:"minimum=0,maximum=60"`
	// A kind of piece: a side wins when the enemy has no piece of it left.
	Take string `yaml:"take" json:"take,omitempty"`
	// A kind of piece: a side wins when it attacks an enemy piece of this kind and the enemy has no legal move. No move
	// may leave the player's own piece of this kind attacked.
	Mate string `yaml:"mate" json:"mate,omitempty"`
	// win.eliminate does not count pieces in hand, and applies only in the movement phase.
	OnBoard bool `yaml:"on_board" json:"on_board,omitempty"`
	// A side wins when all its pieces are connected by neighbouring cells, whoever moved, in the movement phase; if
	// that holds for both sides after a move, the game is a draw.
	Gather bool `yaml:"gather" json:"gather,omitempty"`
	// A side wins when it has a piece on one of these cells (words as in reach) whose neighbouring cells all hold enemy
	// pieces, whoever moved, in the movement phase.
	ShutIn []string `yaml:"shut_in" json:"shut_in,omitempty"`
	// A side wins when it has no piece left.
	NoneLeft bool `yaml:"none_left" json:"none_left,omitempty"`
	// A side wins when its moves have captured or converted this many enemy pieces; 0 = off.
	Captures int `yaml:"captures" json:"captures,omitempty" jsonschema:"minimum=0,maximum=60"`
	// This side wins when the board is full and no other goal decides. Set it for one player only (see second).
	Full bool `yaml:"full" json:"full,omitempty"`
	// A player who reaches a goal loses instead of winning. This applies to all goals except captures, eliminate,
	// majority and full.
	Misere bool `yaml:"misere" json:"misere,omitempty"`
}

// Lose has the knobs for what makes a player lose at once, unless the same ply wins.
type Lose struct {
	// Own pieces on consecutive cells that lose, longer runs too; 0 = off. With win.misere the run of win.line loses,
	// too.
	Line int `yaml:"line" json:"line,omitempty" jsonschema:"minimum=0,maximum=16"`
}

// IsZero reports whether no rule makes a player lose at once.
func (l Lose) IsZero() bool { return l == Lose{} }

// Draw has the knobs for how a game is drawn.
type Draw struct {
	// A full board without a winner is a draw.
	FullBoard bool `yaml:"full_board" json:"full_board"`
	// The game ends at this occurrence of the same position (board, ages where there is a cap, side to move, hands, phase,
	// piece that may continue the turn); the start counts as its first. 0 = off; 1 is not allowed. It is a draw, unless
	// draw.repeated says otherwise.
	Repetition int `yaml:"repetition" json:"repetition" jsonschema:"minimum=0,maximum=100"`
	// Result of draw.repetition: a draw, a win of the first or the second player, or a loss of the player whose move
	// repeats the position.
	Repeated Word `yaml:"repeated" json:"repeated,omitzero" jsonschema:"enum=draw,enum=first_wins,enum=second_wins,enum=mover_loses"`
	// Draw after this many plies in a row that neither place nor capture a piece; a step with movement.clone places one,
	// stop, swap and pass count as plies; 0 = off.
	Quiet int `yaml:"quiet" json:"quiet,omitempty" jsonschema:"minimum=0,maximum=10000"`
	// Draw after this many plies without a result; 0 = off.
	MaxPlies int `yaml:"max_plies" json:"max_plies" jsonschema:"minimum=0,maximum=100000"`
}

// NoSide means neither First nor Second.
const NoSide = -1

// RepeatWinner returns the side that wins when either player repeats a position, or NoSide if there is none.
func (d Draw) RepeatWinner() int {
	return slices.Index([]Word{"first_wins", "second_wins"}, d.Repeated)
}

// Clock is a limit on the time of a whole game.
type Clock struct {
	// Seconds for the whole game, both sides together; a game that reaches the limit is a draw. 0 = off.
	Seconds float64 `yaml:"seconds" json:"seconds,omitempty" jsonschema:"minimum=0,maximum=86400"`
}

// DefaultRules returns the value of every knob that a file omits: one placement per turn on any empty cell, no
// captures, no movement, no winning lines.
func DefaultRules() Rules {
	return Rules{
		Board:     grid.Board{Wrap: "none", Shape: "square"},
		Territory: "none",
		Turn:      Turn{Placements: 1, FirstTurn: 1, Pie: NoPie, Block: "none"},
		Placement: Placement{Region: "anywhere"},
		Pieces:    Pieces{Removal: "before_win", RemovalFromPly: 1, Owner: "own", Moving: "after_all"},
		Movement: Movement{
			Steps: "none", MultiJump: "false", ForcedCapture: "false", Captured: "remove",
			JumpOver: "enemy", CapturedLeave: "at_once", Distance: "none",
		},
		Custodian: Custodian{Effect: "none"},
		Surround:  Surround{Effect: "convert"},
		Win:       Win{Overlines: true, Region: "anywhere", Connect: "none"},
		Draw:      Draw{FullBoard: true, Repeated: "draw"},
		NoMoves:   "loss",
	}
}
