package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"iter"

	"spar/arena/evidence"
)

// Brief holds those fields of a game that standings need.
type Brief struct {
	ID, Event, Pair, Hash int64
	Rules, First, Second  int32  // row ids
	Opening               uint64 // label of the opening, see evidence.Opening
	Half                  uint8  // half points of the first player: 2, 1 or 0
	Marks                 evidence.Marks
}

// Briefs yields all games of the study in the order of events and numbers. It reads few columns: a million games take
// about a second.
func (db *DB) Briefs(ctx context.Context) iter.Seq2[Brief, error] {
	// Each column of each row costs; small numbers share one.
	const query = `SELECT id, (event << 32) | rules, (first << 32) | second, pair, hash,
		(marks << 2) | CASE result WHEN 'first' THEN 2 WHEN 'draw' THEN 1 ELSE 0 END,
		opening_plies, iif(opening_plies > 0, substr(moves, 1, 12 * opening_plies), 0) FROM games ORDER BY id`
	return func(yield func(Brief, error) bool) {
		err := db.stream(ctx, query, nil, func(v []driver.Value) error {
			place := number(v[1])
			players := number(v[2])
			rest := number(v[5])
			o := Brief{
				ID:     number(v[0]),
				Event:  place >> 32,
				Rules:  int32(place),
				First:  int32(players >> 32),
				Second: int32(players),
				Pair:   number(v[3]),
				Hash:   number(v[4]),
				Half:   uint8(rest & 3),
				Marks:  evidence.Marks(rest >> 2),
			}
			if plies := number(v[6]); plies > 0 {
				o.Opening = evidence.Opening(int64(o.Rules), text(v[7]), int(plies))
			}
			if !yield(o, nil) {
				return errEnough
			}
			return nil
		})
		if err != nil && !errors.Is(err, errEnough) {
			yield(Brief{}, err)
		}
	}
}
