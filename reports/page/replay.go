package page

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"spar/engines"
	"spar/reports/chart"
	"spar/reports/review"
)

// frame is a position of a game as the page draws it: all the page's program needs to know.
type frame struct {
	Board string `json:"b"`           // a letter a cell, row by row from the top left
	Ages  string `json:"a,omitempty"` // a digit or letter a cell: 1 is the oldest piece of its side, . none
	Next  []int  `json:"n,omitempty"` // pieces that leave when their side places again
	To    int    `json:"t"`           // cell of the move that led here, -1 for none
	From  int    `json:"f"`
	Gone  []int  `json:"x,omitempty"` // cells whose piece was captured
	Flips []int  `json:"v,omitempty"` // cells whose piece changed sides
	Old   []int  `json:"o,omitempty"` // cells whose piece left by age
	Win   []int  `json:"w,omitempty"` // cells of a winning line
	Hands string `json:"h,omitempty"` // pieces in hand, in words
	Say   string `json:"s"`           // what happened, in words
}

// replay is a game ready for the page.
type replay struct {
	*GameView
	Columns, Rows int
	Frames        []frame
	Sides         string // X or O for each ply
	Result        string
	Notes         string // what the board does not show, like edges that meet
}

const ageDigits = ".123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// newReplay plays a game through.
func newReplay(v *GameView) (*replay, error) {
	if v.Game == nil {
		return nil, fmt.Errorf("game %q: no rules", v.Title)
	}
	p := v.Game.NewPosition()
	if v.Origin != "" {
		s, err := v.Game.ParseState(v.Origin)
		if err != nil {
			return nil, fmt.Errorf("game %q: its origin: %w", v.Title, err)
		}
		p = engines.PositionAt(s)
	}
	r := &replay{GameView: v, Columns: v.Game.Columns(), Rows: v.Game.Rows()}
	first := picture(&p.State)
	first.Say = "Start."
	r.Frames = append(r.Frames, first)
	var sides strings.Builder
	for i, text := range v.Moves {
		m, err := p.ParseMove(text)
		if err != nil {
			return nil, fmt.Errorf("game %q: %w", v.Title, engines.PlyError{Ply: i + 1, Err: err})
		}
		side := p.Side()
		sides.WriteByte("XO"[side])
		before := r.Frames[i].Board
		p.Play(m)
		f := picture(&p.State)
		f.compare(before, m, side, v.Game.Rules().Pieces.Cap > 0)
		f.Say = r.say(i, side, text, &f)
		if p.Over() {
			f.Win = winning(&p.State)
			f.Say += " " + result(p) + "."
		}
		r.Frames = append(r.Frames, f)
	}
	r.Sides = sides.String()
	r.GameView = classified(v, r.Sides)
	r.Result = v.Result
	if r.Result == "" {
		r.Result = result(p)
	}
	switch v.Game.Rules().Board.Wrap {
	case "torus":
		r.Notes = "The left and right edges meet, and so do the upper and the lower one."
	case "columns":
		r.Notes = "The left and right edges meet."
	case "rows":
		r.Notes = "The upper and lower edges meet."
	}
	return r, nil
}

func result(p *engines.Position) string {
	who := map[engines.Result]string{engines.FirstWins: "The first player (X) wins", engines.SecondWins: "The second player (O) wins", engines.Drawn: "Draw"}[p.Result()]
	if who == "" {
		return fmt.Sprintf("Unfinished after %d plies", p.Ply())
	}
	return fmt.Sprintf("%s after %d plies (%s)", who, p.Ply(), strings.ReplaceAll(p.Reason().String(), "_", " "))
}

// picture is the board of a state.
func picture(s *engines.State) frame {
	g := s.Game()
	board, ages := []byte(strings.Join(s.Board(), "")), []byte(strings.Repeat(".", g.Cells()))
	f := frame{Board: string(board), To: -1, From: -1}
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
	if g.Rules().Pieces.Supply > 0 {
		f.Hands = fmt.Sprintf("In hand: X %d, O %d", s.Hand(0), s.Hand(1))
	}
	return f
}

// compare finds what a move did besides putting its piece down.
func (f *frame) compare(before string, m engines.Move, side int, cap bool) {
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
		case was == is || c == f.From || was == '.' && c == f.To:
		case was == '.':
			f.Flips = append(f.Flips, c) // a swap that mirrors the board
		case is != '.':
			f.Flips = append(f.Flips, c)
		case was == own && cap:
			f.Old = append(f.Old, c)
		default:
			f.Gone = append(f.Gone, c)
		}
	}
}

// winning returns the cells of the completed lines of the winner.
func winning(s *engines.State) []int {
	if s.Reason() != engines.ByLine {
		return nil
	}
	side := engines.First
	if s.Result() == engines.SecondWins {
		side = engines.Second
	}
	var all engines.Bits
	for _, w := range s.Game().Windows(side) {
		if s.Pieces(side).Contains(w.Cells) && s.Pieces(side).And(w.Guard).Empty() {
			all = all.Or(w.Cells)
		}
	}
	var out []int
	for _, c := range all.Cells(nil) {
		out = append(out, int(c))
	}
	return out
}

// say describes a ply in one line, for the reader of the screen and for those who hear it.
func (r *replay) say(i, side int, move string, f *frame) string {
	words := []string{fmt.Sprintf("Ply %d: %c %s", i+1, "XO"[side], move)}
	for _, w := range []struct {
		cells []int
		what  string
	}{{f.Gone, "captures"}, {f.Flips, "turns over"}, {f.Old, "the oldest leaves:"}} {
		if len(w.cells) > 0 {
			words = append(words, w.what+" "+r.names(w.cells))
		}
	}
	return strings.Join(words, ", ") + "."
}

func (r *replay) names(cells []int) string {
	var out []string
	for _, c := range cells {
		out = append(out, r.Game.CellName(engines.Cell(c)))
	}
	return strings.Join(out, " ")
}

// classified returns the view with the classes of its moves. Where nobody gave them they follow from the values: the loss of
// a ply is what the mover's expected score fell by, with the limits of package review. A loss of less than twice the noise of
// the values is no loss.
func classified(v *GameView, sides string) *GameView {
	if v.Classes != nil || len(v.Values) < 2 {
		return v
	}
	w := *v
	w.Classes = make([]string, len(v.Moves))
	for i := range v.Moves {
		if i+1 >= len(v.Values) {
			break
		}
		loss := v.Values[i] - v.Values[i+1]
		if sides[i] == 'O' {
			loss = -loss
		}
		switch {
		case math.IsNaN(loss):
		case loss > max(review.InaccuracyLoss, 2*v.Noise):
			w.Classes[i] = review.Mistake
		case loss > max(review.GoodLoss, 2*v.Noise):
			w.Classes[i] = review.Inaccuracy
		}
	}
	return &w
}

// Shown is the ply that the page shows at first.
func (r *replay) Shown() int {
	if r.Look > 0 && r.Look < len(r.Frames) {
		return r.Look
	}
	return len(r.Frames) - 1
}

// share is the first player's expected score after a ply, in words; empty where nobody knows.
func (r *replay) share(ply int) string {
	if ply >= len(r.Values) || math.IsNaN(r.Values[ply]) {
		return ""
	}
	return chart.Text(r.Values[ply], chart.Percent, 0)
}

func (r *replay) class(ply int) string {
	if ply < 1 || ply > len(r.Classes) {
		return ""
	}
	return r.Classes[ply-1]
}

// square is a cell of the board as the template draws it.
type square struct {
	Class string
	Piece string
	Age   string
	Words string // for those who hear the page
}

// squares draws a frame, as the page's program does for the others.
func (r *replay) squares(f *frame) [][]square {
	out := make([][]square, r.Rows)
	for c := range len(f.Board) {
		s := square{Piece: string(f.Board[c])}
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
		add(slices.Contains(f.Next, c), "next", "leaves next")
		add(c == f.To, "to", "last move")
		add(c == f.From, "from", "moved from here")
		add(slices.Contains(f.Gone, c), "gone", "captured")
		add(slices.Contains(f.Flips, c), "flip", "turned over")
		add(slices.Contains(f.Old, c), "old", "left by age")
		add(slices.Contains(f.Win, c), "win", "winning line")
		if s.Piece == "." {
			s.Piece = ""
		}
		if f.Ages != "" && f.Ages[c] != '.' {
			s.Age = fmt.Sprint(strings.IndexByte(ageDigits, f.Ages[c]))
		}
		s.Class, s.Words = strings.Join(class, " "), strings.Join(words, ", ")
		out[c/r.Columns] = append(out[c/r.Columns], s)
	}
	return out
}
