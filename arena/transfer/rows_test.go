package transfer

import (
	"database/sql"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"spar/agents/eval"
	"spar/arena/store"
	"spar/arena/study"
	"spar/engines"
	"spar/engines/enginetest"
	"spar/engines/env"
)

// The rows of a game: every ply with its number from 1, the legal moves before it, whether an agent chose it, what the game was worth to
// the side that moves, what it said, and the exact value for that side where the study holds one of the position.
func TestRowsOfAGame(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	r := &rulesOf{game: g, coder: env.NewCoder(g), eval: eval.New(g, eval.Params{}), stored: map[int64]map[int]float64{7: {0: 0.5, 3: 1, 4: 1}, 8: {1: 0}}}
	var game store.Row
	game.ID, game.Moves, game.OpeningPlies = 7, "a1 b1 a2 b2 a3", 2
	thought := study.Ply{Ply: 4, Nodes: 99}
	for result, want := range map[string]string{
		"first":  "1 9 f 1 0.5; 2 8 f 0 -; 3 7 t 1 -; 4 6 t 0 0 said; 5 5 t 1 1",
		"second": "1 9 f 0 0.5; 2 8 f 1 -; 3 7 t 0 -; 4 6 t 1 0 said; 5 5 t 0 1",
		"draw":   "1 9 f 0.5 0.5; 2 8 f 0.5 -; 3 7 t 0.5 -; 4 6 t 0.5 0 said; 5 5 t 0.5 1",
	} {
		game.Result = result
		var got []string
		row := &PositionRow{Game: &game, with: map[string]bool{}}
		err := r.positions(row, map[int]study.Ply{4: thought, 9: {}}, func(x *PositionRow) error {
			exact, said := "-", ""
			if !math.IsNaN(x.Exact) {
				exact = fmt.Sprint(x.Exact)
			}
			if x.Thought != nil {
				if said = " said"; x.Thought.Nodes != 99 {
					t.Errorf("ply %d: %+v", x.Ply, *x.Thought)
				}
			}
			got = append(got, fmt.Sprintf("%d %d %s %g %s%s", x.Ply, x.Legal, map[bool]string{false: "f", true: "t"}[x.Chosen], x.Outcome, exact, said))
			if x.ExactPlies != -1 || x.At.Ply() != x.Ply-1 || g.MoveText(x.Move) != strings.Fields(game.Moves)[x.Ply-1] {
				t.Errorf("ply %d: %+v", x.Ply, x)
			}
			return nil
		})
		if err != nil || strings.Join(got, "; ") != want {
			t.Errorf("%s: %s, %v; want %s", result, strings.Join(got, "; "), err, want)
		}
	}
	// What cannot be read is told with its ply; who takes the rows may end them.
	game.Moves, game.Result = "a1 b1 a1", "first"
	rows := 0
	count := func(*PositionRow) error { rows++; return nil }
	var ply engines.PlyError
	if err := r.positions(&PositionRow{Game: &game}, nil, count); !errors.As(err, &ply) || ply.Ply != 3 || rows != 2 {
		t.Errorf("%v after %d rows", err, rows)
	}
	enough := errors.New("enough")
	if err := r.positions(&PositionRow{Game: &game}, nil, func(*PositionRow) error { return enough }); !errors.Is(err, enough) {
		t.Errorf("%v", err)
	}
	game.Result = "nobody"
	if err := r.positions(&PositionRow{Game: &game}, nil, count); err == nil || err.Error() != `unknown result "nobody"` {
		t.Errorf("%v", err)
	}
	if a, b := (&PositionRow{Test: true}).split(), (&PositionRow{}).split(); a != "test" || b != "train" {
		t.Errorf("%s and %s", a, b)
	}
}

// Of equal changes the first is the swing; a change to nothing is one, too, and a score from before another is compared with the last that
// was given, however long ago. Moves that are none are told.
func TestSwingsByHand(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	for _, c := range []struct {
		scores map[int]float64 // of the mover, by ply; the second player's are turned round
		ply    int             // 0: no swing
		size   float64
	}{
		{nil, 0, 0},
		{map[int]float64{3: 0.5}, 0, 0},
		{map[int]float64{1: 0.5, 3: 0.5}, 3, 0},
		{map[int]float64{1: 0.5, 2: 0.5}, 2, 0},
		{map[int]float64{1: 0.25, 3: 0.5, 5: 0.75}, 3, 0.25},
		{map[int]float64{1: 0.25, 2: 0.25}, 2, 0.5},
		{map[int]float64{1: 0.5, 2: 0.25, 3: 0.25, 4: 0.75}, 3, 0.5},
		{map[int]float64{1: 1, 5: 0}, 5, 1},
		{map[int]float64{2: 0, 4: 1, 5: 0.125}, 4, 1},
	} {
		var said []study.Ply
		for ply := range 6 {
			if x, ok := c.scores[ply]; ok {
				said = append(said, study.Ply{Ply: ply, Score: sql.NullFloat64{Float64: x, Valid: true}})
			}
		}
		s, ok, err := swing(g, "a1 b1 a2 b2 a3", said)
		if err != nil || ok != (c.ply > 0) || ok && (s.Ply != c.ply || math.Abs(s.Size()-c.size) > 1e-12) {
			t.Errorf("%v: %+v, %t, %v; want ply %d, %g", c.scores, s, ok, err, c.ply, c.size)
		}
	}
	if _, ok, err := swing(g, "a1 a1", nil); err == nil || ok {
		t.Errorf("%t, %v", ok, err)
	}
}
