package oracle

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"spar/agents"
	"spar/agents/mcts"
	"spar/arena/store"
	"spar/engines"
	"spar/engines/solve"
)

// valuer evaluates positions. Only one goroutine may use it.
type valuer struct {
	g      *engines.Game
	table  *solve.Table
	search *mcts.Searcher
	limits mcts.Limits
	seed   uint64
	legal  []engines.Move
}

func newValuer(g *engines.Game, table *solve.Table, s agents.Spec, seed int64) (*valuer, error) {
	v := &valuer{g: g, table: table, seed: uint64(seed)}
	if table == nil {
		model, err := agents.Model(s, g)
		if err != nil {
			return nil, err
		}
		v.search = mcts.New(g, model, s.MCTS)
		v.limits.Iterations = s.Budget.Iterations
	}
	return v, nil
}

// game evaluates every position of a game, from the end of its opening to the position before the last ply.
func (v *valuer) game(ctx context.Context, game Game) ([]store.PositionValue, error) {
	p := v.g.NewPosition()
	var out []store.PositionValue
	for text := range strings.FieldsSeq(game.Moves) {
		m, err := p.ParseMove(text)
		if err != nil {
			return nil, fmt.Errorf("evaluating game %d: ply %d: %w", game.ID, p.Ply()+1, err)
		}
		if p.Ply() >= game.Opening {
			value, err := v.position(ctx, p, m, game.Key)
			if err != nil {
				return nil, fmt.Errorf("evaluating game %d: %w", game.ID, err)
			}
			out = append(out, value)
		}
		p.Play(m)
	}
	return out, nil
}

// stream returns the seed for the search of one position. The values of a game therefore depend only on its key,
// its moves and the seed.
func (v *valuer) stream(key uint64, ply, again int) *rand.Rand {
	return rand.New(rand.NewPCG(engines.Mix(v.seed^engines.Mix(key)), engines.Mix(uint64(2*ply+again))))
}

// position values one position. Move is the move that was played in it.
func (v *valuer) position(ctx context.Context, p *engines.Position, played engines.Move,
	key uint64,
) (store.PositionValue, error) {
	v.legal = p.AppendMoves(v.legal[:0])
	out := store.PositionValue{Ply: p.Ply(), Side: p.Side(), Legal: len(v.legal)}
	var score float64
	var worth []float64 // of each legal move, to the side to move; NaN if not known
	if v.table != nil {
		worth = make([]float64, len(v.legal))
		for i, m := range v.legal {
			value, ok := v.table.MoveValue(p, m)
			if !ok {
				return out, fmt.Errorf("the table of the solved game lacks a position after %s", p.Text())
			}
			worth[i] = (1 + float64(value.Outcome)) / 2
		}
		score = slices.Max(worth)
	} else {
		var err error
		var again float64
		if score, worth, err = v.searched(ctx, p, key, 0); err != nil {
			return out, err
		}
		var second []float64
		if again, second, err = v.searched(ctx, p, key, 1); err != nil {
			return out, err
		}
		for i, w := range second { // both searches look at every move, unless there are more moves than iterations
			worth[i] = (worth[i] + w) / 2
		}
		out.Again = number(engines.OfFirst(again, p.Side()))
	}
	out.Value = engines.OfFirst(score, p.Side())
	v.rate(&out, worth, played)
	return out, nil
}

// number returns nil for NaN.
func number(x float64) *float64 {
	if math.IsNaN(x) {
		return nil
	}
	return &x
}

// searched returns the scores of a search: for the side to move, and for each legal move.
func (v *valuer) searched(ctx context.Context, p *engines.Position, key uint64, again int) (float64, []float64, error) {
	v.search.Reset()
	r := v.search.Search(ctx, p, v.limits, v.stream(key, p.Ply(), again))
	if ctx.Err() != nil {
		return 0, nil, ctx.Err()
	}
	worth := make([]float64, len(v.legal))
	for i := range worth {
		worth[i] = math.NaN()
	}
	for _, m := range r.Moves {
		i := slices.Index(v.legal, m.Move)
		switch {
		case i < 0:
		case m.Proof != engines.Ongoing:
			worth[i] = m.Proof.Score(p.Side())
		default:
			worth[i] = m.Score
		}
	}
	return min(max(r.Score, 0), 1), worth, nil
}

// rate computes the fields that follow from the values of the moves.
func (v *valuer) rate(out *store.PositionValue, worth []float64, played engines.Move) {
	best := -1
	for i, w := range worth {
		if !math.IsNaN(w) && (best < 0 || w > worth[best]) {
			best = i
		}
	}
	if best < 0 {
		out.Best = v.g.MoveText(v.legal[0])
		return
	}
	out.Best = v.g.MoveText(v.legal[best])
	out.BestValue = worth[best]
	if i := slices.Index(v.legal, played); i >= 0 {
		out.Played = number(worth[i])
	}
}
