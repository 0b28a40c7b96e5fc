// Package board describes positions for pages: a [Frame] has the content of each cell with its label. [Replay] makes
// the frames of a game, one for each ply. Reports, reviews and pages for playing show the same frames.
package board

import (
	"fmt"
	"html/template"
	"slices"
	"strings"

	"spar/engines"
	"spar/engines/rules"
)

// Frame is a position as a page draws it. It has everything that the page's script needs.
type Frame struct {
	Board string `json:"b"` // one letter for each cell, row by row from the top left
	// for each cell the letter of the kind of its piece, a capital, or .; empty if the rules have no kinds
	Kinds string `json:"k,omitempty"`
	// one digit or letter for each cell: 1 is the oldest piece of its side; . means no age
	Ages  string `json:"a,omitempty"`
	Next  []int  `json:"n,omitempty"` // cells whose piece leaves by age when its side next places a piece
	To    int    `json:"t"`           // target cell of the last move; -1 if there is none
	From  int    `json:"f"`
	Gone  []int  `json:"x,omitempty"` // cells whose piece was captured by the last move
	Flips []int  `json:"v,omitempty"` // cells whose piece changed sides by the last move
	Old   []int  `json:"o,omitempty"` // cells whose piece left by age
	Win   []int  `json:"w,omitempty"` // cells of the line that decided the game
	Hands string `json:"h,omitempty"` // pieces in hand, in words
	Say   string `json:"s"`           // description of the last move
}

const ageDigits = ".123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// Of returns the frame of a state without a last move.
func Of(s *engines.State) Frame {
	g := s.Game()
	board := []byte(strings.Join(s.Board(), ""))
	ages := []byte(strings.Repeat(".", g.Cells()))
	f := Frame{Board: string(board), To: -1, From: -1, Say: "Start."}
	if g.Kinds() > 0 {
		f.Kinds = strings.ToUpper(string(s.Signs()))
	}
	if limit := g.Rules().Pieces.Cap; limit > 0 {
		for side := range 2 {
			cells := s.Ages(side, nil)
			for i, c := range cells {
				ages[c] = ageDigits[min(i+1, len(ageDigits)-1)]
			}
			if len(cells) >= limit {
				f.Next = append(f.Next, int(cells[0]))
			}
		}
		f.Ages = string(ages)
	}
	if hands := s.HandsText(); hands != "" {
		f.Hands = "In hand: " + hands
	}
	return f
}

// Signs returns the cells with the letters of the pieces' kinds, capitals for the first player. If the rules have no
// kinds, it returns Board.
func (f *Frame) Signs() string {
	out := []byte(f.Board)
	for c := range f.Kinds {
		switch f.Board[c] {
		case 'X':
			out[c] = f.Kinds[c]
		case 'O':
			out[c] = f.Kinds[c] - 'A' + 'a'
		}
	}
	return string(out)
}

// PieceName returns the name of the piece on a cell. It is empty if the cell is empty.
func (f *Frame) PieceName(g *engines.Game, c int) string {
	r := g.Rules()
	if side, kind, ok := r.KindAt(f.Signs()[c]); ok {
		return g.KindName(side, kind)
	}
	return ""
}

// Play plays a legal move and returns the frame after it, with the effects of the move. The parameter before is
// the frame before the move.
func Play(p *engines.Position, m engines.Move, before *Frame) Frame {
	side := p.Side()
	p.Play(m)
	f := Of(&p.State)
	f.compare(before.Board, m, side, p.Game().Rules().Pieces.Cap > 0)
	g := p.Game()
	f.Say = strings.Join(append([]string{fmt.Sprintf("Ply %d: %s %s", p.Ply(), g.SideName(side), g.MoveText(m))},
		f.Effects(g, "captures ", "turns over ", "the oldest leaves: ")...), ", ") + "." // screen readers read it, too
	if p.Over() {
		_, f.Win = made(&p.State)
		f.Say += " " + Result(p) + "."
	}
	return f
}

// Replay plays moves. It returns the frames from the start on, and the side that made each move, X or O.
func Replay(p *engines.Position, moves []string) (frames []Frame, sides string, err error) {
	frames = []Frame{Of(&p.State)}
	movers := make([]byte, 0, len(moves))
	for i, text := range moves {
		m, err := p.ParseMove(text)
		if err != nil {
			return nil, "", engines.PlyError{Ply: i + 1, Err: err}
		}
		movers = append(movers, "XO"[p.Side()])
		frames = append(frames, Play(p, m, &frames[i]))
	}
	return frames, string(movers), nil
}

// Title returns the display name of a game.
func Title(g *engines.Game) string {
	if t := g.Rules().Title; t != "" {
		return t
	}
	return g.Name()
}

// Winner says who won, as in "The first player (X) won", or that the game was a draw.
func Winner(g *engines.Game, r engines.Result) string {
	text := map[engines.Result]string{
		engines.FirstWins: "The first player (X) won", engines.SecondWins: "The second player (O) won",
		engines.Drawn: "Draw",
	}[r]
	if !g.Rules().Pieces.Owner.IsZero() {
		text = strings.NewReplacer(" (X)", "", " (O)", "").Replace(text)
	}
	return g.NameSides(text)
}

// Colours returns four colours for the page: those of the first player's pieces and of the letters on them, then the
// same for the second player. It is empty if the rules state none.
func Colours(g *engines.Game) string {
	x, o := g.Side(engines.First), g.Side(engines.Second)
	if x.Hex() == "" {
		return ""
	}
	return strings.Join([]string{x.Hex(), x.Ink(), o.Hex(), o.Ink()}, " ")
}

// Coloured returns the HTML attribute that gives the pieces in an element the colours of their sides. It is empty if
// the rules state none.
func Coloured(g *engines.Game) template.HTMLAttr {
	if colours := Colours(g); colours != "" {
		return template.HTMLAttr(fmt.Sprintf(` data-sides="%s"`, colours))
	}
	return ""
}

// compare finds the effects of a move other than placing its piece.
func (f *Frame) compare(before string, m engines.Move, side int, cap bool) {
	if to := m.To(); to != engines.NoCell {
		f.To = int(to)
	}
	if from := m.From(); from != engines.NoCell && !m.IsPlacement() {
		f.From = int(from)
	}
	own := "XO"[side]
	for c := range len(before) {
		was, is := before[c], f.Board[c]
		switch {
		case was == is || c == f.From || c == f.To && (was == '.' || was == own): // an own piece there leaves by choice
		case was == '.' || is != '.': // the former by a swap that mirrors the board
			f.Flips = append(f.Flips, c)
		case was == own && cap:
			f.Old = append(f.Old, c)
		default:
			f.Gone = append(f.Gone, c)
		}
	}
}

// Leaving returns the cells whose pieces the last move removed from the board, by capture or by age.
func (f *Frame) Leaving() []int { return slices.Concat(f.Gone, f.Old) }

// Effects names the cells that a move captures, turns over or empties by age, each list after its verb.
func (f *Frame) Effects(g *engines.Game, captures, turns, leaves string) (out []string) {
	if slices.Contains(f.Flips, f.To) { // by moving there
		turns = captures
	}
	for i, cells := range [][]int{f.Gone, f.Flips, f.Old} {
		if len(cells) > 0 {
			out = append(out, [3]string{captures, turns, leaves}[i]+Names(g, cells))
		}
	}
	return out
}

// Names returns the names of cells, separated by spaces.
func Names(g *engines.Game, cells []int) string {
	var out []string
	for _, c := range cells {
		out = append(out, g.CellName(engines.Cell(c)))
	}
	return strings.Join(out, " ")
}

// Square is a cell of the board as a page draws it.
type Square struct {
	Class string
	Piece string        // X, O or the letter of a kind; empty without a piece
	Age   string        // 1 is the oldest piece of its side; empty if the rules have no ages
	Words string        // description for screen readers
	Lines template.HTML // lines of the whole board; only set in its last cell
}

// goalClasses are the CSS classes of cells of the first and of the second player's goal.
var goalClasses = [2]string{"goal1", "goal2"}

// Squares returns the cells of a frame, row by row.
func (f *Frame) Squares(g *engines.Game) [][]Square {
	columns, gaps := g.Columns(), Gaps(g)
	out := make([][]Square, len(f.Board)/columns)
	for c := range len(f.Board) {
		s := Square{Piece: string(f.Board[c])}
		if f.Kinds != "" {
			s.Piece = f.Kinds[c : c+1]
		}
		class := []string{}
		words := []string{}
		add := func(on bool, name, say string) {
			if on {
				class = append(class, name)
				if say != "" {
					words = append(words, say)
				}
			}
		}
		add(f.Board[c] == 'X', "X", "")
		add(f.Board[c] == 'O', "O", "")
		blocked := f.Board[c] == '#' && g.BoardCells().Has(engines.Cell(c)) && g.Mechanics().Has(rules.Blocks)
		add(blocked, "blocked", "blocked")
		add(f.Board[c] == '#' && !blocked, "hole", "no cell")
		add(slices.Contains(gaps, c), "gap", "")
		for side, name := range goalClasses {
			add(g.GoalCells(side).Has(engines.Cell(c)), name, "goal of "+g.SideName(side))
		}
		add(slices.Contains(f.Next, c), "next", "leaves next")
		add(c == f.To, "to", "last move")
		add(c == f.From, "from", "moved from here")
		add(slices.Contains(f.Gone, c), "gone", "captured")
		turned := "turned over"
		if c == f.To { // by moving there
			turned = "captured"
		}
		add(slices.Contains(f.Flips, c), "flip", turned)
		add(slices.Contains(f.Old, c), "old", "left by age")
		add(slices.Contains(f.Win, c), "win", "decisive line")
		s.Piece = strings.Trim(s.Piece, ".#")
		if f.Ages != "" && f.Ages[c] != '.' {
			s.Age = fmt.Sprint(strings.IndexByte(ageDigits, f.Ages[c]))
		}
		s.Class, s.Words = strings.Join(class, " "), strings.Join(words, ", ")
		if c == len(f.Board)-1 {
			s.Lines = f.lines(g)
		}
		out[c/columns] = append(out[c/columns], s)
	}
	return out
}
