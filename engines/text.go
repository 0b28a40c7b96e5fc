package engines

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"spar/engines/grid"
	"spar/engines/rules"
)

// PlyError is returned for a move that cannot be played.
type PlyError struct {
	Ply int // the number of the ply, from 1
	Err error
}

func (e PlyError) Error() string { return fmt.Sprintf("ply %d: %v", e.Ply, e.Err) }
func (e PlyError) Unwrap() error { return e.Err }

// Text writes the position as one line that ParseState reads: rows from the top with / between them, the side to
// move, the number of plies played, and the fields that the rules need:
//
//	X../.O./... X 2
//	..X/.O./X.O O 7 ages=a3,c1|b2,c3
//	(8 rows) O 31 hand=0,2 phase=move chain=c4
//
// ages lists each side's pieces, oldest first. hand has the pieces in hand, or the letters of captured pieces, left the
// placements left in the turn, quiet the plies since the last placement or capture under draw.quiet, and last the last
// move, for display. Four words may follow: pie (the side to move may swap), begun (the first turn is over), traded
// (the players have exchanged sides, see turn.pie seats) and passed. over=line:first is a finished game.
func (s *State) Text() string { return string(s.AppendText(make([]byte, 0, 128))) }

// AppendText appends the text of the position to b.
func (s *State) AppendText(b []byte) []byte {
	g := s.g
	for c := range Cell(g.grid.Cells) {
		if c > 0 && int(c)%g.grid.Columns == 0 {
			b = append(b, '/')
		}
		b = append(b, s.sign(c))
	}
	b = appendNumber(append(b, ' ', "XO"[s.side]), " ", int(s.ply))
	if g.fifo {
		b = s.appendAges(append(b, " ages="...), First)
		b = s.appendAges(append(b, '|'), Second)
	}
	if g.hands {
		b = appendPair(b, " hand=", s.hand)
	}
	if g.uses.Has(rules.Drops) && s.hand != [2]uint8{} {
		b = s.appendHand(append(b, " hand="...))
	}
	if g.supply > 0 {
		b = append(append(b, " phase="...), [...]string{"", "deploy", "move"}[s.phase]...)
	}
	if s.left != 1 || max(g.perTurn, g.firstTurn[0], g.firstTurn[1]) > 1 {
		b = appendNumber(b, " left=", int(s.left))
	}
	if s.chain != NoCell {
		b = g.appendCell(append(b, " chain="...), s.chain)
	}
	for i, set := range [2]Bits{s.dead, s.trail} {
		mark := [2]string{" dead=", " trail="}[i]
		for ; !set.Empty(); set = set.Rest() {
			b = g.appendCell(append(b, mark...), set.First())
			mark = ","
		}
	}
	if s.heading > 0 {
		b = append(append(b, " heading="...), headings()[s.heading-1]...)
	}
	if g.uses.Has(rules.CaptureWins) {
		b = appendPair(b, " captures=", s.captures)
	}
	if g.uses.Has(rules.QuietDraws) {
		b = appendNumber(b, " quiet=", int(s.quiet))
	}
	for _, mark := range [...]struct {
		on   bool
		name string
	}{
		{s.swap, " pie"},
		{g.tellsBegun && s.begun && !s.begunByDefault(), " begun"},
		{g.tellsBegun && !s.begun && s.begunByDefault(), " unbegun"},
		{g.traded, " traded"},
		{s.passed, " passed"},
		{s.taking > 0, " taking"},
		{s.grows, " promoting"},
		{s.shoots, " shooting"},
	} {
		if mark.on {
			b = append(b, mark.name...)
		}
	}
	if s.last != NoMove {
		b = append(append(b, " last="...), g.MoveText(s.last)...)
	}
	if s.result != Ongoing {
		b = append(append(b, " over="...), s.reason.String()...)
		b = append(append(b, ':'), s.result.String()...)
	}
	return b
}

func appendNumber(b []byte, name string, n int) []byte {
	return strconv.AppendInt(append(b, name...), int64(n), 10)
}

// appendPair appends a number of each side.
func appendPair(b []byte, name string, of [2]uint8) []byte {
	return appendNumber(appendNumber(b, name, int(of[First])), ",", int(of[Second]))
}

// parsePair reads what appendPair has written, without the name.
func parsePair(text string) (of [2]uint8, ok bool) {
	first, second, _ := strings.Cut(text, ",")
	x, errX := strconv.ParseUint(first, 10, 8)
	o, errO := strconv.ParseUint(second, 10, 8)
	return [2]uint8{uint8(x), uint8(o)}, errX == nil && errO == nil
}

func (s *State) appendAges(b []byte, side int) []byte {
	for i, c := range s.Ages(side, nil) {
		if i > 0 {
			b = append(b, ',')
		}
		b = s.g.appendCell(b, c)
	}
	return b
}

// headings returns the names of the eight directions.
func headings() []string { return []string{"E", "SE", "S", "SW", "W", "NW", "N", "NE"} }

// letter returns X, O or . for a cell.
func (s *State) letter(c Cell) byte {
	switch {
	case s.pieces[First].Has(c):
		return 'X'
	case s.pieces[Second].Has(c):
		return 'O'
	case !s.g.grid.Board.Has(c), s.g.kinds != nil && s.blocked.Has(c):
		return grid.NoneCell
	}
	return grid.FreeCell
}

// Board returns the rows of the board from the top, with X, O and . for the cells and # for missing and blocked cells.
func (s *State) Board() []string {
	rows := make([]string, s.g.grid.Rows)
	row := make([]byte, s.g.grid.Columns)
	for y := range rows {
		for x := range row {
			row[x] = s.letter(Cell(y*s.g.grid.Columns + x))
		}
		rows[y] = string(row)
	}
	return rows
}

// ParseState reads the text of a position. A missing field has its value from the start of a game. Missing ages follow
// the order of the cells.
func (g *Game) ParseState(text string) (State, error) {
	words := strings.Fields(text)
	if traded := slices.Contains(words, "traded"); g.others != nil && traded != g.traded {
		return g.others.ParseState(text)
	}
	s := g.NewState()
	s.g = g
	s.pieces = [2]Bits{}
	s.age = [2]queue{}
	s.men = men{}
	if len(words) < 2 {
		return s, fmt.Errorf("position %q: expected rows, side to move and ply number, like X../.O./... X 2", text)
	}
	if err := s.readBoard(words[0]); err != nil {
		return s, fmt.Errorf("position: %w", err)
	}
	switch words[1] {
	case "X":
		s.side = First
	case "O":
		s.side = Second
	default:
		return s, fmt.Errorf("position: side to move %q: expected X or O", words[1])
	}
	s.ply = int32(s.pieces[0].Count() + s.pieces[1].Count())
	s.left = g.perTurn
	rest := words[2:]
	if len(rest) > 0 {
		if n, err := strconv.ParseInt(rest[0], 10, 31); err == nil && n >= 0 {
			s.ply, rest = int32(n), rest[1:]
		}
	}
	stood := g.grid.Setup(g.rules.Owners())
	supply := [2]int{g.rules.Of(First).Pieces.Supply, g.rules.Of(Second).Pieces.Supply}
	if g.traded {
		stood[0], stood[1], supply[0], supply[1] = stood[1], stood[0], supply[1], supply[0]
	}
	placed := s.pieces[0].Count() + s.pieces[1].Count() - stood[0].Count() - stood[1].Count()
	if int(s.ply) < placed {
		return s, fmt.Errorf("position %q: ply number %d: expected at least %d, one for each piece that has been placed",
			text, s.ply, placed)
	}
	s.begun = s.begunByDefault()
	switch {
	case s.ply == 0:
		s.left = uint8(g.rules.Of(int(s.side)).Turn.FirstTurn)
	case s.side == Second && !g.traded && s.ply == int32(g.firstTurn[First]):
		s.left = g.firstTurn[Second]
	}
	if g.supply > 0 {
		for side := range 2 {
			s.hand[side] = uint8(max(0, supply[side]+stood[side].Count()-s.pieces[side].Count()))
		}
		if s.hand[0] == 0 && s.hand[1] == 0 || g.apart && s.hand[s.side] == 0 {
			s.phase = phaseMove
		}
	}
	s.ageByCell()
	for _, w := range rest {
		if err := s.readField(w); err != nil {
			return s, fmt.Errorf("position: %w", err)
		}
	}
	if s.phase == phaseMove {
		s.left = 1
	}
	if s.left == 0 && !s.Over() {
		return s, fmt.Errorf("position: left 0: expected the placements left in the turn, 1 to 8")
	}
	if n := g.rules.Draw.Quiet; n > 0 && int(s.quiet) == n && !s.Over() {
		return s, fmt.Errorf("position: quiet %d: expected at most %d in a game that is not over", n, n-1)
	}
	if g.kinds != nil && s.taking > 0 && !s.choosesRow() {
		return s,
			fmt.Errorf("position %q: taking needs the chain= and heading= of a piece that can capture either of two rows", text)
	}
	legal := s.AppendMoves(nil)
	if !s.Over() && (len(legal) == 0 || legal[0] == Pass && g.rules.NoMoves != "pass") {
		return s, fmt.Errorf("position %q: the side to move has no legal move, and the position is not marked as over",
			text)
	}
	s.rehash()
	return s, nil
}

// begunByDefault reports whether the first turn is over, judging only by the side to move and the ply number.
func (s *State) begunByDefault() bool {
	return s.g.traded || s.side == Second || int(s.ply) >= s.g.rules.Turn.FirstTurn
}

func (s *State) readBoard(text string) error {
	g := s.g
	rows := strings.Split(text, "/")
	if len(rows) != g.grid.Rows {
		return fmt.Errorf("the position has %d rows, but the board of %s has %d", len(rows), g.rules.Name, g.grid.Rows)
	}
	for y, row := range rows {
		if len(row) != g.grid.Columns {
			return fmt.Errorf("row %d of the position has %d cells, but the board of %s has %d", y+1, len(row), g.rules.Name,
				g.grid.Columns)
		}
		for x := range row {
			c := Cell(y*g.grid.Columns + x)
			side, kind, ok := g.rules.KindAt(row[x])
			if !ok {
				side = -1
			}
			switch {
			case row[x] == grid.NoneCell && g.grid.Board.Has(c) && g.uses.Has(rules.Blocks):
				s.blocked = s.blocked.With(c)
			case (row[x] == grid.NoneCell || side >= 0) && g.grid.Board.Has(c) == (side < 0):
				return fmt.Errorf("row %d of the board: %q on %s does not match the cells of %s", y+1, row[x],
					g.grid.NameOf(c), g.rules.Name)
			case side >= 0:
				s.pieces[side] = s.pieces[side].With(c)
				s.setKind(c, kind)
			case row[x] != grid.FreeCell && row[x] != grid.NoneCell:
				return fmt.Errorf("row %d of the board: %q is neither a piece (%s) nor . for an empty cell", y+1, row[x], g.signs())
			}
		}
	}
	if air := g.grid.Floating(s.all()); g.uses.Has(rules.Settles) && !air.Empty() {
		return fmt.Errorf(
			"the piece on %s is not supported: under placement.falls of %s, each piece is on the floor or on another piece",
			g.grid.NameOf(air.First()),
			g.rules.Name,
		)
	}
	return nil
}

func (s *State) readField(word string) error {
	key, value, _ := strings.Cut(word, "=")
	switch key {
	case "ages":
		return s.readAges(value)
	case "hand":
		if s.g.uses.Has(rules.Drops) {
			if !s.readHand(value) {
				return fmt.Errorf("hand %q: expected the letters of captured pieces, %s", value, s.g.signs())
			}
			break
		}
		hand, ok := parsePair(value)
		if !ok || max(hand[0], hand[1]) > grid.MaxCells || !s.g.hands {
			return fmt.Errorf("hand %q: expected two numbers of pieces, like 0,2, in a game with a supply", value)
		}
		s.hand = hand
	case "phase":
		switch {
		case value == "deploy" && s.g.supply > 0:
			s.phase = phaseDeploy
		case value == "move" && s.g.supply > 0:
			s.phase = phaseMove
		default:
			return fmt.Errorf("phase %q: expected deploy or move, in a game with a supply", value)
		}
	case "left":
		n, err := strconv.Atoi(value)
		if err != nil || n < 0 || n > 8 {
			return fmt.Errorf("left %q: expected the placements left in the turn, 0 to 8", value)
		}
		s.left = uint8(n)
	case "chain":
		c, err := s.g.ParseCell(value)
		if err != nil {
			return err
		}
		if !s.pieces[s.side].Has(c) || !s.g.multiJump && s.g.kinds == nil {
			return fmt.Errorf("chain %s: this cell holds no piece of the side to move that could be in the middle of a chain",
				value)
		}
		s.chain = c
	case "dead", "trail":
		for name := range strings.SplitSeq(value, ",") {
			c, err := s.g.ParseCell(name)
			k := s.g.kinds
			switch {
			case err != nil:
				return err
			case key == "dead" && (k == nil || !k.late || !s.pieces[1-s.side].Has(c)):
				return fmt.Errorf("dead %s: this cell holds no enemy piece that is removed when the turn ends", name)
			case key == "dead":
				s.dead = s.dead.With(c)
			case s.chain == NoCell || !s.g.uses.Has(rules.LineCaptures):
				return fmt.Errorf("trail %s needs chain= before it, and rules with line captures", name)
			default:
				s.trail = s.trail.With(c)
			}
		}
	case "promoting":
		if s.chain == NoCell || s.g.kinds == nil || len(s.g.kinds.of[s.side][s.kindAt(s.chain)].becomes) < 2 {
			return fmt.Errorf("promoting: expected chain= before it, the cell of a piece that can promote to several kinds")
		}
		s.grows = true
	case "shooting":
		if s.shoots = s.chain != NoCell && s.g.uses.Has(rules.Blocks) && !s.shots(s.chain).Empty(); !s.shoots {
			return fmt.Errorf("shooting: expected chain= before it, the cell of a piece that can shoot")
		}
	case "pie":
		s.swap = s.g.pie
	case "begun", "unbegun":
		s.begun = key == "begun"
	case "passed":
		s.passed = true
	case "traded":
		if !s.g.traded {
			return fmt.Errorf("traded: players never exchange seats in %s (turn.pie is not seats)", s.g.rules.Name)
		}
	case "taking":
		if s.g.mill == nil && !s.g.uses.Has(rules.LineCaptures) {
			return fmt.Errorf("taking: %s has no mills or line captures", s.g.rules.Name)
		}
		if s.taking = takingMoved; s.phase != phaseMove {
			s.taking = takingPlaced
		}
	case "heading":
		d := slices.Index(headings(), value)
		if d < 0 || s.chain == NoCell {
			return fmt.Errorf("heading %q: expected one of %s, after chain=", value, strings.Join(headings(), ", "))
		}
		s.heading = uint8(d + 1)
	case "captures":
		taken, ok := parsePair(value)
		if !ok || int(taken[First]) > s.g.goal[First].captures || int(taken[Second]) > s.g.goal[Second].captures {
			return fmt.Errorf("captures %q: expected two numbers of pieces, like 0,2, in a game that is won by captures",
				value)
		}
		s.captures = taken
	case "quiet":
		n, err := strconv.Atoi(value)
		if most := s.g.rules.Draw.Quiet; err != nil || n < 0 || n > most || most == 0 {
			return fmt.Errorf("quiet %q: expected a number of plies, at most %d (draw.quiet of %s)", value, most, s.g.rules.Name)
		}
		s.quiet = uint16(n)
	case "last":
		m, err := s.g.ReadMove(value)
		if err != nil {
			return err
		}
		s.last = m
	case "over":
		return s.readOver(value)
	default:
		return fmt.Errorf(
			"unknown field %q: expected ages, hand, phase, left, chain, heading, captures, quiet, pie, begun, unbegun, "+
				"traded, passed, taking, dead, promoting, shooting, trail, last or over",
			word,
		)
	}
	return nil
}

func (s *State) readOver(value string) error {
	reason, result, _ := strings.Cut(value, ":")
	for r := FirstWins; r <= Drawn; r++ {
		for why := ByLine; why < reasons; why++ {
			if r.String() == result && why.String() == reason {
				s.result, s.reason = r, why
				return nil
			}
		}
	}
	return fmt.Errorf("over %q: expected reason:result, like line:first", value)
}

func (s *State) readAges(value string) error {
	sides := strings.Split(value, "|")
	if !s.g.fifo || len(sides) != 2 {
		return fmt.Errorf("ages %q: expected the pieces of both sides, oldest first, like a1,b2|c3, in a game with "+
			"pieces.cap", value)
	}
	for side, list := range sides {
		s.age[side] = queue{}
		var stated Bits
		for name := range strings.SplitSeq(list, ",") {
			if name == "" {
				continue
			}
			c, err := s.g.ParseCell(name)
			if err != nil {
				return err
			}
			if !s.pieces[side].Has(c) || stated.Has(c) {
				return fmt.Errorf("ages: %s has no piece of %c, or is listed twice", name, "XO"[side])
			}
			stated = stated.With(c)
			s.age[side].push(c)
		}
		if stated != s.pieces[side] {
			return fmt.Errorf("ages: %c has %d pieces, but the text lists %d", "XO"[side], s.pieces[side].Count(),
				stated.Count())
		}
	}
	return nil
}
