package minimax

import (
	"context"
	"testing"

	"spar/agents/eval"
	"spar/configs/must"
	"spar/engines"
	"spar/engines/enginetest"
)

// X wins by f5: four threats in a row, each with one reply, and then two at once. A search of a few hundred nodes
// plays that, and says how long it takes; one with a limit on its depth does not claim what lies beyond.
func TestWinsByThreats(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "gomoku9")
	state := must.Get(g.ParseState(
		"........./........./...X..O../.X..X...O/.XXO..OOO/..X.X..../..O....X./.....O.../......... X 16 last=c7",
	))(t)
	p := engines.PositionAt(state)
	s := New(g, eval.New(g, eval.Params{Scale: 100}), Options{TableMB: 1})
	r := s.Search(context.Background(), p, Limits{Nodes: 2000})
	if !r.Exact || r.Score != Win-9 || r.Nodes > 2000 || len(r.Best) != 1 || g.MoveText(r.Best[0]) != "f5" ||
		r.PV[0] != r.Best[0] {
		t.Errorf("found %d, exact %t, with %d nodes: %v", r.Score, r.Exact, r.Nodes, r.Best)
	}
	best := 0
	for _, m := range r.Moves {
		if m.Move == r.Best[0] && !m.Bound {
			best++
		}
	}
	if best != 1 || len(r.Moves) != len(p.AppendMoves(nil)) {
		t.Errorf("the moves of the root: %v", r.Moves)
	}
	if r := s.Search(context.Background(), p, Limits{Depth: 2}); r.Exact || r.Score > winLimit {
		t.Errorf("two plies deep it claims %d", r.Score)
	}
}

// A threat has to be answered under no other knobs than these; draw.repetition and pieces.cap exclude each other.
func TestAnswersHandles(t *testing.T) {
	t.Parallel()
	enginetest.Handles(t, "classic", answers, "board.wrap", "pieces.cap", "win.line", "win.overlines", "win.directions",
		"draw.repetition", "draw.max_plies", "no_moves")
	enginetest.Handles(t, "rolling", answers, "board.wrap", "pieces.cap", "pieces.removal", "pieces.removal_from_ply",
		"win.line", "win.overlines", "win.directions", "draw.max_plies", "no_moves")
}
