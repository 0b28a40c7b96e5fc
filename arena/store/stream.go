package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"iter"

	"spar/arena/study"
)

// stream calls row with the values of each row of a query: int64, float64, string or nil, valid until row returns.
// An error of row ends the stream. It uses the driver directly, because package database/sql needs more time for
// each row than SQLite.
func (db *DB) stream(ctx context.Context, query string, args []driver.NamedValue,
	row func(values []driver.Value) error,
) error {
	conn, err := db.sql.Conn(ctx)
	if err != nil {
		return explain(err)
	}
	defer conn.Close()
	return explain(conn.Raw(func(c any) (err error) {
		asked, ok := c.(driver.QueryerContext)
		if !ok {
			return fmt.Errorf("a connection of type %T", c)
		}
		// a context that can end costs locks for each row
		rows, err := asked.QueryContext(context.WithoutCancel(ctx), query, args)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, rows.Close()) }()
		values := make([]driver.Value, len(rows.Columns()))
		for n := 0; ; n++ {
			if n%256 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			switch err := rows.Next(values); {
			case errors.Is(err, io.EOF):
				return nil
			case err != nil:
				return err
			}
			if err := row(values); err != nil {
				return err
			}
		}
	}))
}

// errEnough ends a stream if the reader needs no more rows.
var errEnough = errors.New("enough")

// number returns an integer of a row. In STRICT tables an integer column has no other type.
func number(v driver.Value) int64 {
	n, _ := v.(int64)
	return n
}

func float(v driver.Value) float64 {
	x, _ := v.(float64)
	return x
}

func text(v driver.Value) string {
	s, _ := v.(string)
	return s
}

// GamesOf yields the games under one set of rules in order, without names; it is much faster than Games. A game is
// valid until the next one is yielded. The fields opening, seed, detail, worker and timed are not set.
func (db *DB) GamesOf(ctx context.Context, rules int64) iter.Seq2[*study.Game, error] {
	// Each column of each row costs; small numbers share one. All of these operators bind alike.
	const query = `SELECT id, number, pair, hash, (event << 32) | plies, (first << 32) | second,
		(marks << 34) | (opening_plies << 2) | CASE result WHEN 'first' THEN 2 WHEN 'draw' THEN 1 ELSE 0 END,
		moves, reason, first_ms, second_ms, first_nodes, second_nodes FROM games WHERE rules = ? ORDER BY id`
	results := [...]string{"second", "draw", "first", ""}
	return func(yield func(*study.Game, error) bool) {
		g := study.Game{Rules: rules}
		err := db.stream(ctx, query, []driver.NamedValue{{Ordinal: 1, Value: rules}}, func(v []driver.Value) error {
			place := number(v[4])
			players := number(v[5])
			rest := number(v[6])
			g.ID, g.Number, g.Pair, g.Hash = number(v[0]), number(v[1]), number(v[2]), number(v[3])
			if err := errors.Join(g.Marks.Scan(rest>>34), (*shortText)(&g.Moves).Scan(v[7]),
				(*shortText)(&g.Reason).Scan(v[8])); err != nil {
				return rowError(fmt.Sprintf("game %d", g.ID), err)
			}
			g.Event, g.Plies = place>>32, int(int32(place))
			g.First = players >> 32
			g.Second = int64(int32(players))
			g.OpeningPlies = int(rest >> 2 & (1<<32 - 1))
			g.Result = results[rest&3]
			g.FirstMS, g.SecondMS, g.FirstNodes, g.SecondNodes = float(v[9]), float(v[10]), number(v[11]), number(v[12])
			if !yield(&g, nil) {
				return errEnough
			}
			return nil
		})
		if err != nil && !errors.Is(err, errEnough) {
			yield(nil, err)
		}
	}
}
