// Package review analyses single games: the value of each move played, the best moves, and who was ahead after
// each ply. It takes exact values from a solved table if there is one, otherwise the scores of an evaluator, which
// should be the same for the whole game. Ratings, evaluation bar and arc of exact values are those of the original
// program of classic tic-tac-toe; under its rules the classes are its own, too.
//
// # Classes
//
// The loss of a move is the expected score of the best move minus that of the move played, for the side to move,
// on the scale from 0 (loss) over 0.5 (draw) to 1 (win). It gives the class:
//
//	best        one of the best moves
//	excellent   a loss of at most 0.02; with exact values, a later win or an earlier defeat than possible
//	good        a loss of at most 0.05
//	inaccuracy  a loss of at most 0.15
//	mistake     a greater loss; with exact values, a win or a draw given away
package review

import (
	"fmt"
	"math"
	"slices"

	"spar/engines"
	"spar/engines/solve"
)

// The classes of moves.
const (
	Best       = "best"
	Excellent  = "excellent"
	Good       = "good"
	Inaccuracy = "inaccuracy"
	Mistake    = "mistake"
)

// The maximum losses of expected score for each class.
const (
	ExcellentLoss  = 0.02
	GoodLoss       = 0.05
	InaccuracyLoss = 0.15
)

// same is the difference below which two scores of an evaluator are treated as equal.
const same = 1e-9

// Review is the analysis of a game.
type Review struct {
	Plies []Ply `json:"plies"`
	// balance, -0.5 to 0.5, at the start (always 0) and after each ply; positive is good for the side from whose
	// perspective the game is reviewed
	Arc []float64 `json:"arc" help:"balance at the start and after each ply, -0.5 to 0.5"`
}

// Ply is a move with its analysis.
type Ply struct {
	Move string `json:"move" help:"move"`
	// the piece followed by the move, like Xc2
	Text string `json:"text" help:"side and move"`
	// rating of the move for the side that made it: 100-n for a win in n plies, -(100-n) for a loss, 0 for even
	Rating int `json:"rating" help:"100-n for a win in n plies, n-100 for a loss, 0 even; an agent's score from -99 to 99"`
	// the rating divided by 100, as text
	Display string `json:"display" help:"the rating divided by 100, as text"`
	// best, excellent, good, inaccuracy or mistake
	Class string `json:"class" help:"best, excellent, good, inaccuracy or mistake"`
	// like Bar, but ignores that the game has ended
	Position float64 `json:"position" help:"bar of the position, ignoring that the game has ended"`
	// height of the evaluation bar: the expected score, 0 to 1, of the side from whose perspective the game is
	// reviewed
	Bar float64 `json:"bar" help:"expected score of the perspective's side, 0 to 1"`
	// 1-0, 0-1, 0.5, Wn (a win in n more plies), or the expected score of the side from whose perspective the game is
	// reviewed
	Label string `json:"label" help:"1-0, 0-1, 0.5, Wn for a win in n more plies, or an expected score"`
	// end of the bar that has the label: white for the side from whose perspective the game is reviewed, black for
	// the other
	Side string `json:"side" help:"end of the bar that has the label: white (the side of the perspective) or black"`
	// all best moves in the position before the ply
	Best []string `json:"best" help:"all best moves in the position before the ply"`
	// expected scores of the side that made the move, 0 to 1: of the best move and of the move played
	Before float64 `json:"before" help:"expected score of the best move"`
	After  float64 `json:"after" help:"expected score after the move played"`
	Loss   float64 `json:"loss" help:"their difference"`
}

// Named returns the best move to display: the move played if it is one of the best, otherwise the first one in
// order.
func (p *Ply) Named() string {
	if len(p.Best) == 0 || slices.Contains(p.Best, p.Move) {
		return p.Move
	}
	return p.Best[0]
}

// Evaluator returns the expected score of every legal move of a position, in the order of State.AppendMoves, for the
// side to move.
type Evaluator func(*engines.Position) ([]float64, error)

// Rated is a legal move with its value for the side that makes it.
type Rated struct {
	Move   engines.Move
	Score  float64     // expected score, 0 to 1
	Value  solve.Value // exact value; only if Exact is set
	Exact  bool
	Rating int
}

// better reports whether r is a better move than o.
func (r *Rated) better(o *Rated) bool {
	if r.Exact && o.Exact {
		return r.Value.Better(o.Value)
	}
	return r.Score > o.Score+same
}

// class classifies a move by its loss of expected score, see the package's description.
func class(loss float64, best bool) string {
	switch {
	case best:
		return Best
	case loss <= ExcellentLoss+same:
		return Excellent
	case loss <= GoodLoss+same:
		return Good
	case loss <= InaccuracyLoss+same:
		return Inaccuracy
	}
	return Mistake
}

// byEvaluator rates moves by the scores of an evaluator.
func byEvaluator(evaluator Evaluator) func(*engines.Position) ([]Rated, error) {
	return func(p *engines.Position) ([]Rated, error) {
		legal := p.AppendMoves(nil)
		scores, err := evaluator(p)
		if err != nil {
			return nil, err
		}
		if len(scores) != len(legal) {
			return nil, fmt.Errorf("the evaluator rated %d of %d moves", len(scores), len(legal))
		}
		out := make([]Rated, len(legal))
		for i, score := range scores {
			if !(score >= 0 && score <= 1) {
				return nil, fmt.Errorf("the evaluator gave move %s the score %v, which is not between 0 and 1",
					p.Game().MoveText(legal[i]), score)
			}
			rating := int(math.Round(200*score - 100))
			out[i] = Rated{Move: legal[i], Score: score, Rating: min(max(rating, -99), 99)}
		}
		return out, nil
	}
}

// byTable rates moves by a solved table. Table values do not depend on the history of a game. Therefore a move that
// ends the game gets the value of the result, and a win after the ply cap becomes a draw.
func byTable(table *solve.Table) func(*engines.Position) ([]Rated, error) {
	return func(p *engines.Position) (out []Rated, err error) {
		for _, m := range p.AppendMoves(nil) {
			v, ok := table.MoveValue(p, m)
			if !ok {
				return nil, fmt.Errorf("the solved table of %s lacks a position after %s", table.Game().Name(), p.Text())
			}
			out = append(out, exactly(m, v))
		}
		return out, nil
	}
}

// exactly rates a move by its exact value. An unknown distance to the end, 0, counts as 1 ply.
func exactly(m engines.Move, v solve.Value) Rated {
	rating := int(v.Outcome) * min(max(100-v.DTW, 1), 99)
	return Rated{
		Move:   m,
		Score:  0.5 + 0.5*float64(v.Outcome),
		Value:  v,
		Exact:  true,
		Rating: rating,
	}
}

// BestMoves returns the best of rated moves: the fastest wins, otherwise all draws, otherwise the slowest losses;
// without exact values the highest expected scores.
func BestMoves(all []Rated) []Rated {
	var out []Rated
	for _, i := range bestOf(all) {
		out = append(out, all[i])
	}
	return out
}

// bestOf returns the indices of the best moves.
func bestOf(all []Rated) []int {
	var best []int
	for i := range all {
		switch {
		case len(best) == 0 || all[i].better(&all[best[0]]):
			best = append(best[:0], i)
		case !all[best[0]].better(&all[i]):
			best = append(best, i)
		}
	}
	return best
}

// round rounds to 4 decimals, without a negative zero.
func round(x float64) float64 { return math.Round(x*1e4)/1e4 + 0 }
