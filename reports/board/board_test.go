package board

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"spar/configs/must"
	"spar/engines"
	"spar/engines/enginetest"
)

// What a replay shows after its last move.
func TestReplay(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		game, moves, sides string
		set                []string
		want               Frame
	}{
		{"classic", "", "", nil, Frame{Board: ".........", To: -1, From: -1, Say: "Start."}},
		{"classic", "b2 a1", "XO", nil, Frame{Board: "O...X....", To: 0, From: -1, Say: "Ply 2: O a1."}},
		{"classic", "a1 b1 a2 b2 a3", "XOXOX", nil, Frame{
			Board: "XO.XO.X..", To: 6, From: -1, Win: []int{0, 3, 6},
			Say: "Ply 5: X a3. X made three in a row and won, after 5 plies.",
		}},
		{"classic", "c1 b1 a2 b2 a3 b3", "XOXOXO", nil, Frame{
			Board: ".OXXO.XO.", To: 7, From: -1, Win: []int{1, 4, 7},
			Say: "Ply 6: O b3. O made three in a row and won, after 6 plies.",
		}},
		{"vanishing", "a1 b1 a2 b2 c3 c1", "XOXOXO", nil, Frame{
			Board: "XOOXO...X", Ages: "11322...3", Next: []int{0, 1}, To: 2, From: -1, Say: "Ply 6: O c1.",
		}},
		{"vanishing", "a1 b1 a2 b2 c3 c1 b3", "XOXOXOX", nil, Frame{
			Board: ".OOXO..XX", Ages: ".1312..32", Next: []int{3, 1}, To: 7, From: -1, Old: []int{0},
			Say: "Ply 7: X b3, the oldest leaves: a1.",
		}},
		{
			"tapatan", "a1 b1 c2 a2 b3 c3 c2-c1", "XOXOXOX", nil,
			Frame{Board: "XOXO...XO", To: 2, From: 5, Hands: "In hand: X 0, O 0", Say: "Ply 7: X c2-c1."},
		},
		{"dodgem", "b3-b2 a2-a3 b2-b1 a3-b3 xb1", "XOXOX", nil, Frame{Board: "O......OX", To: 1, From: -1, Say: "Ply 5: Blue xb1."}},
		{"tapatan", "a1", "X", nil, Frame{
			Board: "X........", To: 0, From: -1, Hands: "In hand: X 2, O 3",
			Say: "Ply 1: X a1.",
		}},
	} {
		g := enginetest.Load(t, c.game, c.set...)
		frames, sides, err := Replay(g.NewPosition(), strings.Fields(c.moves))
		if err != nil || sides != c.sides || len(frames) != len(c.sides)+1 {
			t.Fatalf("%s %s: %d frames of %s, %v", c.game, c.moves, len(frames), sides, err)
		}
		if got := frames[len(frames)-1]; !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s %s: %+v\nwant %+v", c.game, c.moves, got, c.want)
		}
	}
}

func TestReplaySaysWhichPly(t *testing.T) {
	t.Parallel()
	var e engines.PlyError
	if _, _, err := Replay(enginetest.Load(t, "classic").NewPosition(), []string{"a1", "a1"}); !errors.As(err, &e) ||
		e.Ply != 2 {
		t.Errorf("%v", err)
	}
}

// Results are those of the rules; a game that has not ended says so.
func TestResult(t *testing.T) {
	t.Parallel()
	for moves, want := range map[string]string{
		"a1":                         "Unfinished after 1 ply",
		"b2 a1 c1 a3 a2 c2 b3 b1 c3": "The board is full: a draw, after 9 plies",
	} {
		p := enginetest.Load(t, "classic").NewPosition()
		must.Get2(Replay(p, strings.Fields(moves)))(t)
		if got := Result(p); got != want {
			t.Errorf("%s: %q, want %q", moves, got, want)
		}
	}
}

// Pieces that change sides, are captured or leave by age are told from each other, and from what the move itself did.
func TestWhatAMoveDid(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "reversi6")
	p := g.NewPosition()
	before := Of(&p.State)
	m := p.AppendMoves(nil)[0]
	f := Play(p, m, &before)
	if len(f.Flips) != 1 || f.To != int(m.To()) || f.From != -1 || len(f.Gone)+len(f.Old) != 0 ||
		!strings.Contains(f.Say, ", turns over "+Names(g, f.Flips)+".") {
		t.Errorf("%+v", f)
	}
	for _, c := range []struct {
		was, is string
		cap     bool
		want    Frame
	}{
		{"XO.", "X.X", false, Frame{Gone: []int{1}, Flips: []int{2}}},
		{"XO.", ".O.", true, Frame{Old: []int{0}}},
		{"XO.", ".O.", false, Frame{Gone: []int{0}}},
		{"XO.", "X..", true, Frame{Gone: []int{1}}},
		{"XO.", "OX.", true, Frame{Flips: []int{0, 1}}},
	} {
		f := Frame{Board: c.is, To: -1, From: -1}
		f.compare(c.was, engines.NoMove, 0, c.cap)
		if c.want.Board, c.want.To, c.want.From = c.is, f.To, f.From; !reflect.DeepEqual(f, c.want) {
			t.Errorf("%s to %s: %+v, want %+v", c.was, c.is, f, c.want)
		}
	}
}

// A piece that takes another's cell turns nothing over.
func TestTakingAPlace(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "los-alamos")
	frames, _ := must.Get2(Replay(g.NewPosition(), strings.Fields("c5-c4 d2-d3 c4xd3")))(t)
	got := frames[3]
	if square := slices.Concat(got.Squares(g)...)[got.To]; got.Say != "Ply 3: White c4xd3, captures d3." || len(got.Flips) != 1 ||
		square.Words != "last move, captured" {
		t.Error(got.Say, square)
	}
}

// A square says its piece, its age and all that happened there.
func TestSquares(t *testing.T) {
	t.Parallel()
	f := Frame{
		Board: "X.O#.....", Ages: "1.a......", Next: []int{0}, To: 0, From: 1, Gone: []int{4}, Flips: []int{2},
		Old: []int{5}, Win: []int{2},
	}
	rows := f.Squares(enginetest.Load(t, "classic"))
	if len(rows) != 3 || len(rows[2]) != 3 {
		t.Fatalf("%d rows", len(rows))
	}
	for i, want := range []Square{
		{"X next to", "X", "1", "leaves next, last move", ""},
		{"from", "", "", "moved from here", ""},
		{"O flip win", "O", "10", "turned over, decisive line", ""},
		{"hole", "", "", "no cell", ""},
		{"gone", "", "", "captured", ""},
		{"old", "", "", "left by age", ""},
		{},
	} {
		if got := rows[i/3][i%3]; got != want {
			t.Errorf("%d: %+v, want %+v", i, got, want)
		}
	}
	if got := f.Leaving(); !reflect.DeepEqual(got, []int{4, 5}) {
		t.Errorf("leaving: %v", got)
	}
}

// Ages are a digit or letter each, and who has as many pieces as he may sees the next to leave.
func TestAges(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "vanishing", "board.columns=11", "board.rows=11", "win.line=11", "pieces.cap=40")
	s := g.NewState()
	for range 81 { // cell by cell, X and O in turn: nobody fills a line, and X has moved his first piece
		s.Play(s.AppendMoves(nil)[len(s.AppendMoves(nil))-1])
	}
	f := Of(&s)
	count := map[byte]int{}
	for i := range f.Ages {
		count[f.Ages[i]]++
	}
	if count['1'] != 2 || count['a'] != 2 || count['z'] != 2 || count['E'] != 2 || count['F'] != 0 || len(f.Next) != 2 ||
		f.Ages[f.Next[0]] != '1' || f.Ages[f.Next[1]] != '1' {
		t.Errorf("%v, next %v of %s", count, f.Next, f.Ages)
	}
}
