package page

import (
	"fmt"
	"math"

	"spar/engines/explain"
	"spar/reports/board"
	"spar/reports/chart"
	"spar/reports/review"
)

// replay is a game prepared for the page.
type replay struct {
	*GameView
	Columns, Rows int
	Frames        []board.Frame
	Sides         string // X or O for each ply
	Result        string
	Notes         string // features that the board does not show, such as wrapped edges
}

// newReplay replays a game.
func newReplay(v *GameView) (*replay, error) {
	if v.Game == nil {
		return nil, fmt.Errorf("game %q: no rules", v.Title)
	}
	p := v.Game.NewPosition()
	r := &replay{
		GameView: v,
		Columns:  v.Game.Columns(),
		Rows:     v.Game.Rows(),
		Notes:    explain.Edges(v.Game),
	}
	var err error
	if r.Frames, r.Sides, err = board.Replay(p, v.Moves); err != nil {
		return nil, fmt.Errorf("game %q: %w", v.Title, err)
	}
	r.GameView = classified(v, r.Sides)
	r.Result = v.Result
	if r.Result == "" {
		r.Result = board.Result(p)
	}
	return r, nil
}

// classified returns the view with the classes of its moves. Missing classes follow from the values: the loss of a
// ply is the decrease of the mover's expected score, with the limits of package review. A loss of less than twice
// the noise of the values does not count.
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

// Shown returns the ply that the page shows first.
func (r *replay) Shown() int {
	if r.Look != 0 && r.Look < len(r.Frames) {
		return max(r.Look, 0)
	}
	return len(r.Frames) - 1
}

// share describes the first player's expected score after a ply; empty if unknown.
func (r *replay) share(ply int) string {
	if ply >= len(r.Values) || math.IsNaN(r.Values[ply]) {
		return ""
	}
	return chart.Text(r.Values[ply], chart.Percent, 0)
}

// better returns the move that would have been best at a ply; empty if the ply is a best move or this is unknown.
func (r *replay) better(ply int) string {
	if ply < 1 || ply > len(r.Best) || r.Best[ply-1] == r.Moves[ply-1] {
		return ""
	}
	return r.Best[ply-1]
}

func (r *replay) class(ply int) string {
	if ply < 1 || ply > len(r.Classes) {
		return ""
	}
	return r.Classes[ply-1]
}
