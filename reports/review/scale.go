package review

import (
	"fmt"
	"slices"

	"spar/engines"
	"spar/engines/solve"
)

// Scale rates and classifies the moves of one game. Judge.Scale makes it. Pages that show a game in progress use
// it for each position.
type Scale struct {
	Source string // Exact, or the name of the agent that gave the scores
	rate   func(*engines.Position) ([]Rated, error)
	ranked bool // classes are those of the original program of classic tic-tac-toe
}

// isClassic reports whether a game has the rules of classic tic-tac-toe, whatever its name.
func isClassic(g *engines.Game) bool {
	classic, err := engines.Named("classic")
	if err != nil {
		return false
	}
	want, errWant := solve.RulesHash(classic)
	have, err := solve.RulesHash(g)
	d := g.Rules().Draw
	return errWant == nil && err == nil && want == have && d.Repetition == 0 && (d.MaxPlies == 0 || d.MaxPlies >= g.Cells())
}

// rankedClass classifies a move by the rank of its rating among the distinct ratings of the position, as the original
// program of classic tic-tac-toe does.
func rankedClass(all []Rated, rating int) string {
	better := map[int]bool{}
	for _, r := range all {
		if r.Rating > rating {
			better[r.Rating] = true
		}
	}
	switch rank := len(better); {
	case rank == 0 && rating > 0:
		return Best
	case rank == 1 && rating > 0:
		return Excellent
	case rank == 0, rating > 0:
		return Good
	case rating == 0:
		return Inaccuracy
	}
	return Mistake
}

// Rate rates every legal move of a position that is not over, in the order of State.AppendMoves.
func (s *Scale) Rate(p *engines.Position) ([]Rated, error) { return s.rate(p) }

// Play plays a legal move and describes it. All holds the ratings of the moves in the position before. Perspective is
// the side from whose view the bar is drawn.
func (s *Scale) Play(p *engines.Position, m engines.Move, all []Rated, perspective int) Ply {
	g := p.Game()
	text := g.MoveText(m)
	played := &all[slices.IndexFunc(all, func(r Rated) bool { return r.Move == m })]
	ply := Ply{
		Move: text, Text: "XO"[p.Side():p.Side()+1] + text, Rating: played.Rating,
		Display: fmt.Sprintf("%.2f", float64(played.Rating)/100),
	}
	for _, i := range bestOf(all) {
		ply.Best = append(ply.Best, g.MoveText(all[i].Move))
		ply.Before = round(all[i].Score)
	}
	loss := max(all[bestOf(all)[0]].Score-played.Score, 0)
	ply.After, ply.Loss, ply.Class = round(played.Score), round(loss), class(loss, slices.Contains(ply.Best, text))
	if s.ranked {
		ply.Class = rankedClass(all, played.Rating)
	}
	sign := 1.0
	if p.Side() != perspective {
		sign = -1
	}
	expected := 0.005 * float64(played.Rating)
	if !played.Exact {
		expected = played.Score - 0.5
	}
	p.Play(m)
	ply.Position = round(0.5 + sign*expected)
	ply.Bar = ply.Position
	switch {
	case p.Over():
		ply.Bar = p.Result().Score(perspective)
		ply.Label = map[float64]string{0: "0-1", 0.5: "0.5", 1: "1-0"}[ply.Bar]
	case !played.Exact:
		ply.Label = fmt.Sprintf("%.2f", ply.Bar)
	case ply.Rating == 0:
		ply.Label = "0.5"
	default:
		if ply.Label = "W"; played.Value.DTW > 0 {
			ply.Label = fmt.Sprintf("W%d", played.Value.DTW-1)
		}
	}
	ply.Side = "white"
	if ply.Bar < 0.5 {
		ply.Side = "black"
	}
	return ply
}

// review plays the moves and describes each.
func (s *Scale) review(g *engines.Game, moves []string, perspective int) (*Review, error) {
	p := g.NewPosition()
	out := &Review{Plies: []Ply{}, Arc: []float64{0}}
	for _, text := range moves {
		m, err := p.ParseMove(text)
		if err != nil {
			return nil, engines.PlyError{Ply: p.Ply() + 1, Err: err}
		}
		all, err := s.rate(p)
		if err != nil {
			return nil, engines.PlyError{Ply: p.Ply() + 1, Err: err}
		}
		ply := s.Play(p, m, all, perspective)
		out.Plies = append(out.Plies, ply)
		out.Arc = append(out.Arc, round(ply.Position-0.5))
	}
	return out, nil
}
