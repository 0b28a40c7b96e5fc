package arena

import (
	"strings"
	"testing"

	"spar/engines"
	"spar/engines/enginetest"
)

func playedOut(t *testing.T, g *engines.Game, moves string) *engines.Position {
	t.Helper()
	p := g.NewPosition()
	for _, text := range strings.Fields(moves) {
		m, err := p.ParseMove(text)
		if err != nil {
			t.Fatal(err)
		}
		p.Play(m)
	}
	return p
}

// What is proved within the search has its value: a win that is there at once, or after every answer, for either side,
// and a draw that nobody can avoid. What is open is worth something between, more to who is ahead, and the same every
// time.
func TestWorthOfPositions(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	e := newEven(g)
	for moves, want := range map[string]float64{
		"a1 b1 a2 b2":             1,   // a3
		"c3 a1 b1 a2 b2":          0,   // a3, by the second
		"a1 b1 a2 c1":             1,   // a3
		"a1 c3 a3 a2 c1":          1,   // two lines at once, whatever is answered
		"a1 b2 c3 c1 a3 a2 c2 b3": 0.5, // one cell is left
		"a1 b2 c3 c1 a3 a2 c2":    0.5,
	} {
		p := playedOut(t, g, moves)
		if got := e.score(&p.State); got != want {
			t.Errorf("after %s: %g, want %g", moves, got, want)
		}
	}
	// Stones fall into the one column that is left, and nobody has a choice: the last but one in b fills a line from a1
	// to c3, the last in d one from b1 to d1.
	narrow := enginetest.Load(t, "connect4", "board.columns=4", "board.rows=3", "win.line=3")
	e = newEven(narrow)
	for moves, want := range map[string]float64{"a3 a2 a1 d3 c3 d2 d1 c2 c1": 1, "a3 a2 b3 b2 d3 b1 a1 c3 c2 c1": 0} {
		p := playedOut(t, narrow, moves)
		if got := e.score(&p.State); got != want || p.MoveCount() != 1 {
			t.Errorf("after %s: %g, want %g", moves, got, want)
		}
	}
	wide := enginetest.Load(t, "classic", "board.columns=7", "board.rows=7", "win.line=5")
	e = newEven(wide)
	score := func(moves string) float64 {
		p := playedOut(t, wide, moves)
		v := e.score(&p.State)
		if again := e.score(&p.State); again != v || v <= 0 || v >= 1 {
			t.Errorf("after %s: %g, then %g", moves, v, again)
		}
		return v
	}
	ahead, behind := score("d4 a1 d5 g7"), score("a1 d4 g7 d5")
	if ahead < 0.55 || behind > 0.5 || ahead < behind+0.1 {
		t.Errorf("with two in the centre %g, against two in the centre %g", ahead, behind)
	}
}
