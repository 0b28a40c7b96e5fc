package solve

import (
	"strings"
	"testing"

	"spar/configs/must"
	"spar/engines"
	"spar/engines/enginetest"
)

// The positions that play can lead to, with and without those in which the game has ended. Sources: tic-tac-toe 5478 in
// all, 958 of them final, is well known; connect four 4x4 has 161,029, final ones included (published).
func TestCountPositions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		game       string
		set        []string
		all, ended uint64 // 0: not known from elsewhere
	}{
		{"classic", nil, 5478, 958},
		{"connect4", []string{"board.columns=4", "board.rows=4"}, 161_029, 0},
	} {
		ongoing, ended, err := CountPositions(t.Context(), enginetest.Load(t, c.game, c.set...), Options{Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		if ongoing+ended != c.all || c.ended > 0 && ended != c.ended {
			t.Errorf("%s %v: %d positions, %d of them final; want %d, %d", c.game, c.set, ongoing+ended, ended, c.all,
				c.ended)
		}
	}
	// The sum of the orbits of the states up to symmetry is the number of positions as they stand.
	g := enginetest.Load(t, "tapatan")
	table := must.Get(Solve(t.Context(), g, Options{}))(t)
	ongoing, _, err := CountPositions(t.Context(), g, Options{})
	if err != nil || ongoing != table.Summary().States {
		t.Errorf("%d positions, %v; the table has %d", ongoing, err, table.Summary().States)
	}
}

// A line may be made with the piece that would else have left: such final positions, of one piece more than any other,
// are counted as walking through the game finds them.
func TestCountOfLinesMadeBeforeAPieceLeaves(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "vanishing", "board.rows=2", "pieces.cap=2", "pieces.removal=after_win",
		"draw.repetition=0")
	seen := [2]map[string]bool{{}, {}}      // going on, ended
	lies := func(s *engines.State) string { // board, side and ages
		fields := strings.Fields(s.Text())
		return strings.Join(append(fields[:2:2], fields[3]), " ")
	}
	var walk func(s *engines.State)
	walk = func(s *engines.State) {
		over := 0
		if s.Over() {
			over = 1
		}
		key := lies(s)
		if seen[over][key] {
			return
		}
		seen[over][key] = true
		for _, m := range s.AppendMoves(nil) {
			next := *s
			next.Play(m)
			walk(&next)
		}
	}
	start := g.NewState()
	walk(&start)
	ongoing, ended, err := CountPositions(t.Context(), g, Options{})
	if err != nil || ongoing != uint64(len(seen[0])) || ended != uint64(len(seen[1])) || ended == 0 {
		t.Errorf("%d go on and %d have ended, %v; want %d and %d", ongoing, ended, err, len(seen[0]), len(seen[1]))
	}
}
