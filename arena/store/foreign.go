package store

import (
	"context"
	"database/sql"
	"fmt"
	"regexp"
	"strings"

	"spar/configs/plain"
)

// checkSchema returns an error for a study in which another program has defined triggers or views, because these
// act when Spar reads or writes. Other tables and indexes are allowed.
func checkSchema(ctx context.Context, q queryer, version int) error {
	own, err := ownSchema(ctx, version)
	if err != nil {
		return err
	}
	found, err := definitions(ctx, q)
	if err != nil {
		return explain(err)
	}
	for _, f := range found {
		if sql, known := own[f.kind+" "+f.name]; !known || sql != f.sql {
			return &ForeignError{fmt.Errorf("it contains the %s %s, which Spar did not make; Spar does not write "+
				"to such a study", f.kind, plain.Quote(f.name))}
		}
	}
	return nil
}

// ownSchema returns Spar's definitions for a version of the schema, by kind and name.
func ownSchema(ctx context.Context, version int) (map[string]string, error) {
	model, err := sql.Open(Driver, ":memory:")
	if err != nil {
		return nil, err
	}
	defer model.Close()
	model.SetMaxOpenConns(1) // the database is the connection's
	if _, err := model.ExecContext(ctx, strings.Join(migrations()[:version], ";")); err != nil {
		return nil, err
	}
	all, err := definitions(ctx, model)
	own := map[string]string{}
	for _, d := range all {
		own[d.kind+" "+d.name] = d.sql
	}
	return own, err
}

// definition is the statement that defines a view or trigger, without comments and layout.
type definition struct{ kind, name, sql string }

func definitions(ctx context.Context, q queryer) ([]definition, error) {
	comment := regexp.MustCompile(`--[^\n]*`)
	return list(ctx, q, func(rows *sql.Rows, d *definition) error {
		err := rows.Scan(&d.kind, &d.name, &d.sql)
		d.sql = strings.Join(strings.Fields(comment.ReplaceAllString(d.sql, "")), " ")
		return err
	}, `SELECT type, name, ifnull(sql, '') FROM sqlite_master WHERE type IN ('trigger', 'view') ORDER BY type, rowid`)
}
