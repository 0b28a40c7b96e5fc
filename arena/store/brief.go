package store

import (
	"context"
	"iter"

	"spar/arena/evidence"
)

// Brief is of a game what standings need.
type Brief struct {
	ID, Event, Pair, Hash int64
	Rules, First, Second  int32 // row numbers
	Half                  uint8 // half points of the first player: 2, 1, 0
	Marks                 evidence.Marks
}

// Briefs yields all games of the study in the order of events and numbers. It reads little and keeps nothing: a million games
// take a second or so.
func (db *DB) Briefs(ctx context.Context) iter.Seq2[Brief, error] {
	return func(yield func(Brief, error) bool) {
		// Each column of each row costs; small numbers share one.
		rows, err := db.sql.QueryContext(ctx, `SELECT id, event << 32 | rules, first << 32 | second, pair, hash,
			marks << 2 | CASE result WHEN 'first' THEN 2 WHEN 'draw' THEN 1 ELSE 0 END FROM games ORDER BY id`)
		if err != nil {
			yield(Brief{}, explain(err))
			return
		}
		defer rows.Close()
		var o Brief
		var place, players, rest int64
		fields := []any{&o.ID, &place, &players, &o.Pair, &o.Hash, &rest}
		for rows.Next() {
			err := rows.Scan(fields...)
			o.Event, o.Rules = place>>32, int32(place)
			o.First, o.Second = int32(players>>32), int32(players)
			o.Half, o.Marks = uint8(rest&3), evidence.Marks(rest>>2)
			if !yield(o, err) || err != nil {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(Brief{}, explain(err))
		}
	}
}
