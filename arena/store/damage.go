package store

import (
	"context"
	"fmt"
	"strings"
)

// mostDamage is the maximum number of faults of a file that are listed.
const mostDamage = 20

// Damage checks a study's file with SQLite's own check, and checks the references between rows. It returns the faults
// and does not change the file. It returns an error if the file cannot be read or is not a study. A file without its
// first page is not recognised as a study.
func Damage(ctx context.Context, path string) (faults []string, err error) {
	db, err := start(path, Existing, func(db *DB) error {
		_, err := db.attach(ctx)
		return err
	})
	if resultCode(err) == codeCorrupt {
		return []string{err.Error()}, nil
	}
	if err != nil {
		return nil, err
	}
	defer db.Close()
	for _, query := range []string{
		fmt.Sprintf("PRAGMA integrity_check(%d)", mostDamage),
		`SELECT count(*) || ' rows of ' || "table" || ' refer to missing rows of ' || parent FROM pragma_foreign_key_check
		GROUP BY "table", parent`,
	} {
		for fault, err := range each(ctx, db.sql, oneText, query) {
			if err != nil {
				return append(faults, err.Error()), ctx.Err()
			}
			if fault = strings.TrimSpace(strings.TrimPrefix(fault, "*** in database main ***\n")); fault != "ok" {
				faults = append(faults, strings.Split(fault, "\n")...)
			}
		}
		if len(faults) > 0 {
			return faults[:min(len(faults), mostDamage)], nil
		}
	}
	return nil, nil
}
