package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
)

// mostDamage is how many faults of a file are listed.
const mostDamage = 20

// Damage runs SQLite's own check of a study's file, and of what its rows refer to, without changing it. It returns what is wrong;
// nothing for a sound file. The error is for a file that cannot be read at all, or is no study.
func Damage(ctx context.Context, path string) (faults []string, err error) {
	db, err := openDamaged(ctx, path)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	rows, err := db.QueryContext(ctx, fmt.Sprintf("PRAGMA integrity_check(%d)", mostDamage))
	if err != nil {
		return []string{err.Error()}, ctx.Err()
	}
	defer rows.Close()
	for rows.Next() {
		var fault string
		if err := rows.Scan(&fault); err != nil {
			return append(faults, err.Error()), ctx.Err()
		}
		if fault = strings.TrimSpace(strings.TrimPrefix(fault, "*** in database main ***\n")); fault != "ok" {
			faults = append(faults, strings.Split(fault, "\n")...)
		}
	}
	if err := rows.Err(); err != nil {
		return append(faults, err.Error()), ctx.Err()
	}
	if len(faults) > 0 {
		return faults[:min(len(faults), mostDamage)], nil
	}
	orphans, err := db.QueryContext(ctx, `SELECT "table", parent, count(*) FROM pragma_foreign_key_check GROUP BY 1, 2`)
	if err != nil {
		return []string{err.Error()}, ctx.Err()
	}
	defer orphans.Close()
	for orphans.Next() {
		var table, parent string
		var n int64
		if err := orphans.Scan(&table, &parent, &n); err != nil {
			return append(faults, err.Error()), ctx.Err()
		}
		faults = append(faults, fmt.Sprintf("%d rows of %s refer to rows of %s that are not there", n, table, parent))
	}
	return faults, orphans.Err()
}

func openDamaged(ctx context.Context, path string) (*sql.DB, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("no study at %s: %w", path, err)
	}
	if err := probe(ctx, path); err != nil { // which also takes back what a killed writer began
		return nil, fmt.Errorf("study %s: %w", path, err)
	}
	handle, err := sql.Open("sqlite3", source(path, "mode=ro&_busy_timeout=5000"))
	if err != nil {
		return nil, fmt.Errorf("study %s: %w", path, err)
	}
	if _, err := schemaVersion(ctx, handle); err != nil {
		return nil, errors.Join(fmt.Errorf("study %s: %w", path, err), handle.Close())
	}
	return handle, nil
}

// Saved is what Salvage has saved of a table.
type Saved struct {
	Table string `json:"table"`
	Rows  int64  `json:"rows"`
	Lost  int64  `json:"lost"` // rows that are known to have been there, at least
}

// Salvage copies what can still be read of a damaged study into a new file at out, which must not exist. Rows whose rules, agents or
// event are lost are lost with them. The games are judged anew; whether they agree with their rows is for whoever replays them.
func Salvage(ctx context.Context, path, out string) (saved []Saved, err error) {
	if _, err := os.Stat(out); !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s exists: what is saved goes to a new file", out)
	}
	from, err := openDamaged(ctx, path)
	if err != nil {
		return nil, err
	}
	defer from.Close()
	to, err := Open(ctx, out)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	tables, err := texts(ctx, to.sql, "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rowid") // parents first
	if err != nil {
		return nil, explain(err)
	}
	for _, table := range tables {
		s, err := salvageTable(ctx, from, to.sql, table)
		if err != nil {
			return saved, fmt.Errorf("saving %s: %w", table, explain(err))
		}
		saved = append(saved, s)
	}
	return saved, to.Judge(ctx)
}

// salvageTable copies the rows of a table: from its beginning to the first damage, from its end to the last, and those between that
// an index still names, one by one.
func salvageTable(ctx context.Context, from *sql.DB, to *sql.DB, table string) (s Saved, err error) {
	s.Table = table
	columns, err := texts(ctx, to, "SELECT name FROM pragma_table_info('"+table+"')")
	if err != nil {
		return s, err
	}
	had, err := texts(ctx, from, "SELECT name FROM pragma_table_info('"+table+"')")
	if err != nil || len(had) == 0 {
		return s, ctx.Err() // an older study has no such table
	}
	columns = slices.DeleteFunc(columns, func(c string) bool { return !slices.Contains(had, c) })
	keys, err := texts(ctx, to, "SELECT name FROM pragma_table_info('"+table+"') WHERE pk > 0 ORDER BY pk")
	if err != nil {
		return s, err
	}
	tx, err := to.BeginTx(ctx, nil)
	if err != nil {
		return s, err
	}
	defer tx.Rollback() //nolint:errcheck // after a commit it does nothing
	insert, err := tx.PrepareContext(ctx, fmt.Sprintf("INSERT OR IGNORE INTO %s (%s) VALUES (?%s)", table, quote(columns), strings.Repeat(",?", len(columns)-1)))
	if err != nil {
		return s, err
	}
	defer insert.Close()
	list := "SELECT " + quote(columns) + " FROM " + table
	broken := false
	for _, order := range []string{"", " DESC"} {
		clean, err := copyRows(ctx, from, insert, len(columns), list+" ORDER BY "+strings.Join(keys, order+", ")+order)
		if err != nil {
			return s, err
		}
		if clean {
			break
		}
		broken = true
	}
	if broken && table == "games" {
		ids, _ := gameIDs(ctx, from, "SELECT event, number FROM games ORDER BY event, number") // as far as the index can be read
		for _, id := range ids {
			if _, err := copyRows(ctx, from, insert, len(columns), list+" WHERE id = ?", id); err != nil {
				return s, err
			}
			var there bool
			if err := tx.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM games WHERE id = ?)", id).Scan(&there); err != nil {
				return s, err
			}
			if !there {
				s.Lost++
			}
		}
	}
	if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM "+table).Scan(&s.Rows); err != nil {
		return s, err
	}
	return s, tx.Commit()
}

// copyRows copies what a query finds, and tells whether it came to its end. The error is for trouble with the new file.
func copyRows(ctx context.Context, from *sql.DB, insert *sql.Stmt, columns int, query string, args ...any) (clean bool, err error) {
	rows, err := from.QueryContext(ctx, query, args...)
	if err != nil {
		return false, ctx.Err()
	}
	defer rows.Close()
	values, fields := make([]any, columns), make([]any, columns)
	for i := range values {
		fields[i] = &values[i]
	}
	for rows.Next() {
		if rows.Scan(fields...) != nil {
			return false, ctx.Err()
		}
		for i, v := range values {
			if b, ok := v.([]byte); ok { // texts; no table has other bytes
				values[i] = string(b)
			}
		}
		if _, err := insert.ExecContext(ctx, values...); err != nil && !isConstraint(err) {
			return false, err
		}
	}
	return rows.Err() == nil, ctx.Err()
}

func quote(columns []string) string {
	return `"` + strings.Join(columns, `","`) + `"`
}

func texts(ctx context.Context, q queryer, query string) ([]string, error) {
	rows, err := q.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			return out, err
		}
		out = append(out, s)
	}
	return out, rows.Err()
}

// gameIDs returns the ids of games by event and number, and what kept it from reading on.
func gameIDs(ctx context.Context, q queryer, query string) ([]int64, error) {
	rows, err := q.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []int64
	for rows.Next() {
		var event, number int64
		if err := rows.Scan(&event, &number); err != nil {
			return out, err
		}
		out = append(out, gameID(event, number))
	}
	return out, rows.Err()
}
