package store

import (
	"bufio"
	"context"
	"database/sql"
	"encoding/gob"
	"errors"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"

	"spar/arena/evidence"
	"spar/arena/study"
)

// journal keeps what this process has stored in a study, or has still to store, in a temporary file without a name. From
// it the games are saved if another program overwrites the study, or if it cannot be written.
type journal struct {
	mu      sync.Mutex
	file    *os.File // nil before the first entry
	out     *bufio.Writer
	encoder *gob.Encoder
	failed  error // reason why it is not complete

	waiting []study.Game // games that could not be stored
	stale   bool         // rows may not be those of the study
	rows    []rowsOf     // what games refer to
}

// entry is what one write changes.
type entry struct {
	Games  []study.Game
	Event  int64
	Marked []study.Marked // of games of the event
	Table  *Table
	Left   []int64 // ids of deleted games played by people
	Gone   string  // id of a deleted table
}

// rowsOf has the rows of a table.
type rowsOf struct {
	table string
	rows  [][]any
}

// add adds an entry.
func (j *journal) add(e entry) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.failed == nil && j.file == nil {
		if j.file, j.failed = os.CreateTemp("", "spar-games-*"); j.failed == nil {
			_ = os.Remove(j.file.Name()) // elsewhere close removes it
			j.out = bufio.NewWriter(j.file)
			j.encoder = gob.NewEncoder(j.out)
		}
	}
	if j.failed == nil {
		j.failed = j.encoder.Encode(e)
	}
}

// refer reads the rows that games refer to, if they may have changed and can be read.
func (j *journal) refer(ctx context.Context, q queryer) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.stale {
		if rows, err := parents(ctx, q); err == nil {
			j.rows, j.stale = rows, false
		}
	}
}

// outdated notes that the rows that games refer to may have changed.
func (j *journal) outdated() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.stale = true
}

// wait keeps games that could not be stored.
func (j *journal) wait(games []study.Game) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.waiting = append(j.waiting, games...)
}

// all returns the games that are not superseded, with their latest marks, and the tables of games played by people. The
// error says why some may be missing.
func (j *journal) all() (games []study.Game, tables map[string]Table, err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	places, tables := map[int64]int{}, map[string]Table{} // places of games, by id
	drop := func(id int64) {
		if at, ok := places[id]; ok {
			games[at].Marks |= evidence.Superseded
			delete(places, id)
		}
	}
	put := func(g study.Game) {
		id := GameID(g.Event, g.Number)
		if _, known := places[id]; !known {
			places[id] = len(games)
			games = append(games, g)
		}
	}
	if j.file != nil {
		err = j.out.Flush()
		from := gob.NewDecoder(io.NewSectionReader(j.file, 0, 1<<62))
		for {
			var e entry
			if stop := from.Decode(&e); stop != nil {
				if stop != io.EOF {
					err = errors.Join(err, stop)
				}
				break
			}
			for _, m := range e.Marked {
				id := GameID(e.Event, m.Number)
				if m.Marks&evidence.Superseded != 0 {
					drop(id)
				} else if at, ok := places[id]; ok {
					games[at].Marks = m.Marks
				}
			}
			for _, g := range e.Games {
				put(g)
			}
			if e.Table != nil {
				tables[e.Table.ID] = *e.Table
			}
			delete(tables, e.Gone)
			maps.DeleteFunc(tables, func(_ string, t Table) bool { return slices.Contains(e.Left, t.Game) })
			for _, id := range e.Left {
				drop(id)
			}
		}
	}
	for _, g := range j.waiting {
		put(g)
	}
	games = slices.DeleteFunc(games, func(g study.Game) bool { return g.Marks&evidence.Superseded != 0 })
	return games, tables, errors.Join(err, j.failed)
}

// close removes the file.
func (j *journal) close() {
	if j.file != nil {
		_ = j.file.Close()
		_ = os.Remove(j.file.Name())
	}
}

// parents reads the rows that games refer to.
func parents(ctx context.Context, q queryer) (all []rowsOf, err error) {
	for _, table := range strings.Fields("rules agents events builds effective_specs workers") {
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
