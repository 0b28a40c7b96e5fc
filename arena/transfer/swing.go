package transfer

import (
	"context"
	"iter"
	"math"
	"strings"

	"spar/arena/store"
	"spar/arena/study"
	"spar/engines"
)

// Swing is the largest change of the first player's expected score between two consecutive recorded scores of a
// game, whichever agent gave them.
type Swing struct {
	Ply int `json:"ply" help:"with --swing: the ply at which the first player's expected score changed most"`
	// expected scores of the first player before and after, 0 to 1
	From float64 `json:"from" help:"expected score before"`
	To   float64 `json:"to" help:"expected score after"`
}

// Size returns the absolute value of the change, 0 to 1.
func (s Swing) Size() float64 { return math.Abs(s.To - s.From) }

// Swings yields those of the games selected by a filter whose swing is at least the value least, with the swing.
// Games without recorded scores have no swing. The filter's limit applies to the games that are yielded.
func Swings(ctx context.Context, db *store.DB, f store.Filter, least float64) iter.Seq2[SwungRow, error] {
	limit := f.Limit
	f.Limit = 0
	return func(yield func(SwungRow, error) bool) {
		rules := map[int64]*engines.Game{}
		found := 0
		for row, err := range thoughtful(ctx, db, f) {
			if err != nil {
				yield(SwungRow{}, err)
				return
			}
			g := rules[row.Rules]
			if g == nil {
				if g, err = engines.Stored(row.RulesJSON); err != nil {
					yield(SwungRow{}, err)
					return
				}
				rules[row.Rules] = g
			}
			s, ok, err := swing(g, row.Moves, row.Thoughts)
			if err != nil {
				yield(SwungRow{}, err)
				return
			}
			if !ok || s.Size() < least {
				continue
			}
			if found++; !yield(SwungRow{row, s}, nil) || found == limit {
				return
			}
		}
	}
}

// SwungRow is a game together with its swing.
type SwungRow struct {
	store.Row
	Swing Swing
}

// swing returns the largest change of score. The result ok is false if fewer than two scores are known.
func swing(g *engines.Game, moves string, thoughts []study.Ply) (s Swing, ok bool, err error) {
	score := map[int]float64{}
	for _, t := range thoughts {
		if t.Score.Valid {
			score[t.Ply] = t.Score.Float64
		}
	}
	p := g.NewPosition()
	before, known := 0.0, false
	for text := range strings.FieldsSeq(moves) {
		side := p.Side()
		if err := p.PlayText([]string{text}); err != nil {
			return s, false, err
		}
		now, said := score[p.Ply()]
		if !said {
			continue
		}
		if side == 1 {
			now = 1 - now
		}
		if known && (!ok || math.Abs(now-before) > s.Size()) {
			s, ok = Swing{Ply: p.Ply(), From: before, To: now}, true
		}
		before, known = now, true
	}
	return s, ok, nil
}
