package solve

import (
	"cmp"
	"fmt"
	"slices"

	"spar/configs/plain"
	"spar/engines"
)

// Exact is an exact value in JSON form.
type Exact struct {
	Value string `json:"value" help:"value for the side to move: win, loss or draw"`
	DTW   *int   `json:"dtw" help:"plies to the end with best play; null for a draw and for a win by repetition"`
}

func exactOf(v Value) Exact {
	if v.DTW == 0 {
		return Exact{Value: v.Outcome.String()}
	}
	return Exact{v.Outcome.String(), &v.DTW}
}

// Summary describes a solved game in numbers and words.
type Summary struct {
	Rules string `json:"rules" help:"name of the rules"`
	// result of best play from the start: first, second or draw
	Value string `json:"value" help:"who wins from the start: first, second or draw"`
	// plies to the end with best play from the start; null for a draw and for a win by repetition
	DTW      *int             `json:"dtw" help:"plies to the end from the start; null for a draw and for a win by repetition"`
	States   uint64           `json:"states" help:"number of ongoing positions"`
	Win      uint64           `json:"win" help:"states in which the side to move wins"`
	Loss     uint64           `json:"loss" help:"states in which it loses"`
	Draw     uint64           `json:"draw" help:"states that are draws"`
	MaxDTW   int              `json:"max_dtw" help:"longest distance to the end"`
	Openings map[string]Exact `json:"openings" help:"value and dtw of each first move, for the first player"`
	Best     []string         `json:"best" help:"the best first moves"` // in reading order
	Bytes    int64            `json:"bytes" help:"size of the table in bytes"`
	Reduced  uint64           `json:"reduced" help:"number of states up to symmetry"`
	Peak     int64            `json:"peak_bytes" help:"estimated peak memory for solving, in bytes"`
}

// Summary returns the summary of the table.
func (t *Table) Summary() Summary {
	st := t.Stats()
	r := Summary{
		Rules:    t.g.Name(),
		Value:    st.Winner(),
		DTW:      exactOf(st.Root).DTW,
		States:   st.States,
		Win:      st.Win,
		Loss:     st.Loss,
		Draw:     st.Draw,
		MaxDTW:   st.MaxDTW,
		Openings: map[string]Exact{},
		Bytes:    t.Bytes(),
		Reduced:  st.Reduced,
		Peak:     st.PeakBytes,
	}
	var best Value
	for _, o := range st.Openings {
		r.Openings[o.Move] = exactOf(o.Value)
		if len(r.Best) == 0 || o.Better(best) {
			r.Best, best = nil, o.Value
		}
		if o.Value == best {
			r.Best = append(r.Best, o.Move)
		}
	}
	slices.SortFunc(r.Best, func(a, b string) int { // by row, then column
		return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a[1:], b[1:]), cmp.Compare(a, b))
	})
	return r
}

// Outcome returns in words who wins and after how many plies.
func (r *Summary) Outcome() string {
	switch {
	case r.DTW != nil:
	case r.Value == engines.Drawn.String():
		return r.Value
	default:
		return r.Value + " player wins by repetition"
	}
	return fmt.Sprintf("%s player wins in %d %s", r.Value, *r.DTW, plain.If(*r.DTW == 1, "ply", "plies"))
}

// Answer holds the values of a position and its moves, from the view of the side to move.
type Answer struct {
	// moves that lead to the position
	Moves string `json:"moves" help:"moves that lead to the position"`
	// position before the moves; default: the start of the game
	Position string `json:"position,omitempty" help:"position before the moves; absent for the start of the game"`
	Exact
	Best []string `json:"best" help:"every best move"`
}

// Answer looks up a position. Unlike the table itself it takes into account the ply cap of the position's rules.
func (t *Table) Answer(p *engines.Position) (Answer, error) {
	a := Answer{Moves: t.g.JoinMoves(p.Played()), Position: p.Origin(), Best: []string{}}
	v, ok := t.Lookup(&p.State)
	switch {
	case p.Over():
		return a, fmt.Errorf("the game is over (result: %s, reason: %s)", p.Result(), p.Reason())
	case !ok:
		return a, fmt.Errorf("%s is not in the table: play cannot reach it", p.Text())
	}
	a.Exact = exactOf(v.Under(p.Game().Rules().Draw.MaxPlies, p.Ply()))
	for _, r := range t.Best(&p.State) {
		a.Best = append(a.Best, t.g.MoveText(r.Move))
	}
	return a, nil
}
