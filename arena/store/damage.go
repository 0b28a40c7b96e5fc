package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"strings"
)

// mostDamage is the maximum number of faults of a file that are listed.
const mostDamage = 20

// Damage checks a study's file with SQLite's own check, and checks the references between rows. It returns the
// faults and does not change the file. It returns an error if the file cannot be read, or is not a study, for which a
// file without its first page is taken.
func Damage(ctx context.Context, path string) (faults []string, err error) {
	db, err := openDamaged(ctx, path)
	if resultCode(err) == codeCorrupt {
		return []string{err.Error()}, nil
	}
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
		faults = append(faults, fmt.Sprintf("%d rows of %s refer to missing rows of %s", n, table, parent))
	}
	return faults, orphans.Err()
}

func checkThere(path string) error {
	if _, err := os.Stat(path); err != nil {
		return fmt.Errorf("no study at %s: %w", path, err)
	}
	return CheckPath(path)
}

func openDamaged(ctx context.Context, path string) (*sql.DB, error) {
	if err := checkThere(path); err != nil {
		return nil, err
	}
	if err := probe(ctx, path); err != nil { // which also takes back what a killed writer began
		return nil, fmt.Errorf("study %s: %w", path, err)
	}
	handle, err := sql.Open(Driver, source(path, "mode=ro&_busy_timeout=5000"))
	if err != nil {
		return nil, fmt.Errorf("study %s: %w", path, err)
	}
	if _, err := schemaVersion(ctx, handle); err != nil {
		return nil, errors.Join(fmt.Errorf("study %s: %w", path, err), handle.Close())
	}
	return handle, nil
}
