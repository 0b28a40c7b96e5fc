package store

import (
	"context"
	"database/sql"
	"errors"
	"sync"

	"spar/arena/study"
)

// unstored keeps games that could not be stored, and the rows that games refer to. From them a new file is made if the
// study cannot be written.
type unstored struct {
	mu      sync.Mutex
	waiting []study.Game
	stale   bool // rows may not be those of the study
	rows    []rowsOf
}

// rowsOf has the rows of a table.
type rowsOf struct {
	table string
	rows  [][]any
}

// refer reads the rows that games refer to, if they may have changed and can be read.
func (j *unstored) refer(ctx context.Context, q queryer) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.stale {
		if rows, err := parents(ctx, q); err == nil {
			j.rows, j.stale = rows, false
		}
	}
}

// outdated notes that the rows that games refer to may have changed.
func (j *unstored) outdated() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.stale = true
}

// wait keeps games that could not be stored.
func (j *unstored) wait(games []study.Game) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.waiting = append(j.waiting, games...)
}

// parents reads the rows that games refer to.
func parents(ctx context.Context, q queryer) (all []rowsOf, err error) {
	for _, table := range []string{"rules", "agents", "events", "builds", "effective_specs", "workers"} {
		of := rowsOf{table: table}
		of.rows, err = list(ctx, q, func(rows *sql.Rows, row *[]any) error {
			columns, err := rows.Columns()
			*row = make([]any, len(columns))
			at := make([]any, len(columns))
			for n := range at {
				at[n] = &(*row)[n]
			}
			return errors.Join(err, rows.Scan(at...))
		}, "SELECT * FROM "+table)
		if err != nil {
			return nil, err
		}
		all = append(all, of)
	}
	return all, nil
}
