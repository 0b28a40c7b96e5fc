package transfer

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"spar/agents/eval"
	"spar/arena/evidence"
	"spar/arena/store"
	"spar/arena/study"
	"spar/configs/strict"
	"spar/engines"
	"spar/engines/env"
	"spar/engines/solve"
	"spar/ratings"
)

// Forms lists the forms in which positions can be written.
func Forms() []string { return []string{"text", "cells", "planes", "features"} }

// PositionOptions determine which positions are written, and how. The zero value selects all positions of the
// study, without a form and without exact values.
type PositionOptions struct {
	Rules string   `flag:"rules,r" needs:"positions" help:"with --positions: only games under these rules of the study"`
	With  []string `flag:"with" list:"comma" needs:"positions" help:"with --positions: formats to write: text, cells, planes, features"`
	Test  float64  `flag:"test=0.1" range:"[0,1]" needs:"positions" help:"with --positions: share of games for testing, 0 to 1"`
	// Exact is the maximum memory in bytes for solving a game; 0 = no exact values. Games that need more get no
	// exact values.
	Exact int64
	// Unsolved is called for rules that get no exact values, with the reason. It may be nil.
	Unsolved func(rules string, why error)
}

// PositionRow is a position of a stored game, with the move that was played in it. Scores are from the view of the
// side to move, 0 to 1.
type PositionRow struct {
	Game   *store.Row
	Ply    int // number of the move's ply, from 1
	At     *engines.State
	Move   engines.Move
	Action int  // code of the move, see env.Coder
	Chosen bool // an agent chose the move; false for moves of the opening
	Legal  int  // number of legal moves
	// the agent's information; nil if not recorded
	Thought    *study.Ply
	Outcome    float64 // score of the side to move at the end of the game
	Exact      float64 // exact value; NaN if unknown
	ExactPlies int     // plies to the end with best play; 0 for a draw, -1 if unknown
	// number that depends only on the opening or, without one, on the moves; evenly distributed from 0 to 1
	Key     float64
	Test    bool  // the game is for testing
	Pair    int64 // number of the game's pair, from 1, among those of the export
	Opening int64 // number of its opening, from 1, which pairs may share; 0 = none

	coder    env.Coder
	with     map[string]bool
	names    []string // names of the features
	features eval.Vector
	planes   []float32
	extras   []float32
}

// rulesOf holds what is needed for positions under one set of rules.
type rulesOf struct {
	game  *engines.Game
	coder env.Coder
	eval  *eval.Evaluator
	table *solve.Table
	// stored exact values for the first player, by game and ply; used if there is no table
	stored map[int64]map[int]float64
}

// Positions calls take with each position of a study. A row is valid until take returns. It uses the games that
// count for learning, without forfeits and games played by people.
func Positions(ctx context.Context, db *store.DB, o PositionOptions, take func(*PositionRow) error) (err error) {
	with := map[string]bool{}
	for _, form := range o.With {
		if !slices.Contains(Forms(), form) {
			return fmt.Errorf("%w: %q%s", ErrForm, form, strict.Suggest(form, Forms()))
		}
		with[form] = true
	}
	thoughts, err := db.HasThoughts(ctx)
	if err != nil {
		return err
	}
	known := map[int64]*rulesOf{}
	pairs, openings := map[[2]int64]int64{}, map[uint64]int64{}
	row := PositionRow{with: with, names: eval.Names()}
	for game, rowErr := range db.Games(ctx, store.Filter{Rules: o.Rules}) {
		if rowErr != nil {
			return rowErr
		}
		if !game.Marks.Counts(evidence.Learning) {
			continue
		}
		r := known[game.Rules]
		if r == nil {
			if r, err = prepare(ctx, db, &game, &o); err != nil {
				return err
			}
			known[game.Rules] = r
		}
		said := map[int]study.Ply{}
		if thoughts {
			if said, err = db.Thoughts(ctx, game.ID); err != nil {
				return err
			}
		}
		label := evidence.Opening(game.Rules, game.Moves, game.OpeningPlies)
		row.Game, row.Key = &game, splitKey(&game)
		row.Pair = number(pairs, [2]int64{game.Event, game.Pair})
		row.Opening = 0
		if label != 0 {
			row.Opening = number(openings, label)
		}
		row.Test = row.Key < o.Test
		if err := r.positions(&row, said, take); err != nil {
			return fmt.Errorf("game %d: %w", game.ID, err)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

func prepare(ctx context.Context, db *store.DB, game *store.Row, o *PositionOptions) (*rulesOf, error) {
	g, err := engines.Stored(game.RulesJSON)
	if err != nil {
		return nil, err
	}
	r := &rulesOf{game: g, coder: env.NewCoder(g), eval: eval.New(g, eval.Params{})}
	if o.Exact == 0 {
		return r, nil
	}
	r.table, err = solve.Solve(ctx, g, solve.Options{Memory: o.Exact})
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err == nil:
		return r, nil
	}
	var storedErr error
	if r.stored, storedErr = storedExact(ctx, db, game.RulesName); storedErr != nil {
		return nil, storedErr
	}
	if len(r.stored) == 0 && o.Unsolved != nil {
		o.Unsolved(game.RulesName, err)
	}
	return r, nil
}

// storedExact reads the stored exact values of positions under rules.
func storedExact(ctx context.Context, db *store.DB, rules string) (map[int64]map[int]float64, error) {
	oracles, err := db.Oracles(ctx, rules)
	if err != nil {
		return nil, err
	}
	out := map[int64]map[int]float64{}
	for _, o := range oracles {
		if !o.Exact {
			continue
		}
		values, err := db.Values(ctx, o)
		if err != nil {
			return nil, err
		}
		for game, positions := range values {
			if out[game] == nil {
				out[game] = map[int]float64{}
			}
			for _, v := range positions {
				out[game][v.Ply] = v.Value
			}
		}
	}
	return out, nil
}

// positions passes the positions of one game to take.
func (r *rulesOf) positions(row *PositionRow, said map[int]study.Ply, take func(*PositionRow) error) error {
	game, with := row.Game, row.with
	result, ok := engines.ParseResult(game.Result)
	if !ok {
		return fmt.Errorf("unknown result %q", game.Result)
	}
	p := r.game.NewPosition()
	row.At, row.coder = &p.State, r.coder
	for text := range strings.FieldsSeq(game.Moves) {
		m, err := p.ParseMove(text)
		if err != nil {
			return engines.PlyError{Ply: p.Ply() + 1, Err: err}
		}
		row.Ply, row.Move, row.Action, row.Legal = p.Ply()+1, m, r.coder.Action(m), p.MoveCount()
		row.Chosen = row.Ply > game.OpeningPlies
		row.Outcome = result.Score(p.Side())
		row.Thought = nil
		if t, ok := said[row.Ply]; ok {
			row.Thought = &t
		}
		row.Exact, row.ExactPlies = math.NaN(), -1
		if r.table != nil {
			if v, ok := r.table.Lookup(&p.State); ok {
				v = v.Under(r.game.Rules().Draw.MaxPlies, p.Ply())
				row.Exact = v.Outcome.Points()
				row.ExactPlies = v.DTW
			}
		} else if v, ok := r.stored[game.ID][p.Ply()]; ok {
			row.Exact = engines.OfFirst(v, p.Side())
		}
		if with["features"] {
			row.features = r.eval.Features(&p.State, p.Side())
		}
		if with["planes"] {
			row.planes = env.FillPlanes(row.planes[:0], &p.State, p.Side())
			row.extras = env.FillExtras(row.extras[:0], &p.State, p.Side())
		}
		if err := take(row); err != nil {
			return err
		}
		p.Play(m)
	}
	return nil
}

// number returns the number of a key, from 1 in the order of first use.
func number[K comparable](known map[K]int64, key K) int64 {
	n, ok := known[key]
	if !ok {
		n = int64(len(known)) + 1
		known[key] = n
	}
	return n
}

// splitKey maps the opening of a game evenly to the range 0 to 1, or all its moves if it began from the start. Games
// with the same opening, which depend on each other, and identical games are never in both training and test data.
func splitKey(g *store.Row) float64 {
	hash := uint64(g.Hash)
	if g.OpeningPlies > 0 {
		hash = ratings.Label(evidence.OpeningMoves(g.Moves, g.OpeningPlies))
	}
	return float64(engines.Scatter(hash)>>11) / (1 << 53)
}

// split returns "train" or "test", the part to which the game belongs.
func (r *PositionRow) split() string {
	if r.Test {
		return "test"
	}
	return "train"
}
