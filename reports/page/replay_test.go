package page

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"spar/configs/must"
	"spar/engines"
	"spar/engines/enginetest"
	"spar/reports/board"
)

// In vanishing each side keeps three pieces: the fourth takes the oldest away.
func TestFramesShowAgesAndWhoLeaves(t *testing.T) {
	t.Parallel()
	r := must.Get(newReplay(&GameView{
		Title: "g", Game: enginetest.Load(t, "vanishing"),
		Moves: strings.Fields("b2 a1 a2 c2 c3 b1 c1"),
	}))(t)
	six, seven := r.Frames[6], r.Frames[7]
	// After six plies: X b2 a2 c3 and O a1 c2 b1, in this order; b2 and a1 leave next.
	if d := cmp.Diff(board.Frame{
		Board: "OO.XXO..X", Ages: "13.212..3", Next: []int{4, 0}, To: 1, From: -1,
		Say: "Ply 6: O b1.",
	}, six); d != "" {
		t.Error(d)
	}
	// X c1 takes b2 (cell 4) away.
	if d := cmp.Diff(board.Frame{
		Board: "OOXX.O..X", Ages: "1331.2..2", Next: []int{3, 0}, To: 2, From: -1, Old: []int{4},
		Say: "Ply 7: X c1, the oldest leaves: b2.",
	}, seven); d != "" {
		t.Error(d)
	}
	if r.Result != "Unfinished after 7 plies" || r.Sides != "XOXOXOX" {
		t.Errorf("result %q, sides %s", r.Result, r.Sides)
	}
}

func TestFramesMarkTheWinningLine(t *testing.T) {
	t.Parallel()
	r := must.Get(newReplay(&GameView{Game: enginetest.Load(t, "classic"), Moves: strings.Fields("a1 a2 b1 b2 c1")}))(t)
	last := r.Frames[5]
	if d := cmp.Diff([]int{0, 1, 2}, last.Win); d != "" || r.Result != "X made three in a row and won, after 5 plies" {
		t.Errorf("%s, result %q", d, r.Result)
	}
}

// A step leaves its cell, a jump takes the piece between.
func TestFramesMarkStepsAndJumps(t *testing.T) {
	t.Parallel()
	g, err := engines.Load("test", []byte("name: jump\nboard: {columns: 4, rows: 2}\npieces: {supply: 2}\nmovement: "+
		"{steps: king, capture: true}\nwin: {line: 2}\nno_moves: draw\n"))
	if err != nil {
		t.Fatal(err)
	}
	r := must.Get(newReplay(&GameView{Game: g, Moves: strings.Fields("a1 c1 d2 a2 a1-b1 c1xa1")}))(t)
	if f := r.Frames[5]; f.From != 0 || f.To != 1 || f.Board != ".XO.O..X" {
		t.Errorf("after the step: %+v", f)
	}
	if f := r.Frames[6]; f.From != 2 || f.To != 0 || f.Board != "O...O..X" || len(f.Gone) != 1 || f.Gone[0] != 1 {
		t.Errorf("after the jump: %+v", f)
	}
}

func TestClassesFollowFromTheValues(t *testing.T) {
	t.Parallel()
	view := &GameView{
		Game: enginetest.Load(t, "classic"), Moves: strings.Fields("a1 b2 c3 b1"),
		Values: []float64{0.5, 0.4, 0.7, 0.72, 0.79},
	}
	// X loses 10 points of a hundred, O 30, X gains, O loses 7.
	r := must.Get(newReplay(view))(t)
	if d := cmp.Diff([]string{"inaccuracy", "mistake", "", "inaccuracy"}, r.Classes); d != "" {
		t.Error(d)
	}
	noisy := *view
	noisy.Noise = 0.06 // twice that is more than 10 points of a hundred
	r = must.Get(newReplay(&noisy))(t)
	if d := cmp.Diff([]string{"", "mistake", "", ""}, r.Classes); d != "" {
		t.Error(d)
	}
}

// Classes that were given stand, and a ply needs the values before and after it.
func TestClassesAreGivenOrNeedTwoValues(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		given  []string
		values []float64
		want   []string
	}{
		{[]string{"", "best"}, []float64{0.9, 0.1, 0.9}, []string{"", "best"}},
		{nil, []float64{0.9}, nil},
		{nil, []float64{0.9, 0.1}, []string{"mistake", ""}},
	} {
		r := must.Get(newReplay(&GameView{
			Game: enginetest.Load(t, "classic"), Moves: strings.Fields("a1 b2"), Values: c.values,
			Classes: c.given,
		}))(t)
		if d := cmp.Diff(c.want, r.Classes); d != "" {
			t.Errorf("%v: %s", c.values, d)
		}
	}
}

func TestGamesThatCannotBeReplayedSayWhere(t *testing.T) {
	t.Parallel()
	for want, v := range map[string]GameView{
		`game "odd": no rules`: {Title: "odd"},
		"ply 2":                {Title: "odd", Game: enginetest.Load(t, "classic"), Moves: []string{"a1", "a1"}},
	} {
		must.Refuse(newReplay(&v))(t, want)
	}
}
