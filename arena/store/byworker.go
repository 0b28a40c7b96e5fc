package store

import (
	"context"
	"database/sql"

	"spar/arena/evidence"
)

// Cell counts, by result, the games that one worker played between two agents in these seats.
type Cell struct {
	Worker               string
	Rules, First, Second int64
	Games, Faults        int64
	Points, Squares      float64 // sums of the first player's scores and of their squares
	Superseded           int64
}

// ByWorker returns the games of each worker, sorted by the workers' names. It skips games that do not count; of
// superseded games it has only the number.
func (db *DB) ByWorker(ctx context.Context) ([]Cell, error) {
	without := evidence.Surplus | evidence.Pending | evidence.Human
	return list(ctx, db.sql, func(rows *sql.Rows, c *Cell) error {
		return rows.Scan(&c.Worker, &c.Rules, &c.First, &c.Second, &c.Games, &c.Faults, &c.Points, &c.Squares, &c.Superseded)
	}, `SELECT worker, rules, first, second, sum(good), sum(good AND `+faulty+`), sum(good * score),
		sum(good * score * score), sum(NOT good)
		FROM (SELECT *, (marks & ?) = 0 AS good, CASE result WHEN 'first' THEN 1.0 WHEN 'draw' THEN 0.5 ELSE 0.0 END AS score FROM games WHERE (marks & ?) = 0)
		GROUP BY worker, rules, first, second ORDER BY worker`, int64(evidence.Superseded), int64(without))
}
