package store

import (
	"context"
	"database/sql"
	"errors"
	"iter"
	"reflect"
)

// queryer is a database or a transaction: what can run a query.
type queryer interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// columns returns pointers to the fields of a struct in their order, with those of embedded structs.
func columns(to any) (out []any) {
	v := reflect.ValueOf(to).Elem()
	for i := range v.NumField() {
		if at := v.Field(i).Addr().Interface(); v.Type().Field(i).Anonymous {
			out = append(out, columns(at)...)
		} else {
			out = append(out, at)
		}
	}
	return out
}

// scan reads a row whose columns are the fields of T.
func scan[T any](rows *sql.Rows, to *T) error { return rows.Scan(columns(to)...) }

// each yields the rows of a query. The function read converts a row. It stops after an error.
func each[T any](ctx context.Context, q queryer, read func(*sql.Rows, *T) error, query string, args ...any) iter.Seq2[T,
	error] {
	return func(yield func(T, error) bool) {
		var none T
		rows, err := q.QueryContext(ctx, query, args...)
		if err != nil {
			yield(none, explain(err))
			return
		}
		defer rows.Close()
		for rows.Next() {
			var one T
			err := read(rows, &one)
			if !yield(one, explain(err)) || err != nil {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(none, explain(err))
		}
	}
}

// list returns the rows that each yields as a slice.
func list[T any](ctx context.Context, q queryer, read func(*sql.Rows, *T) error, query string, args ...any) (out []T,
	err error,
) {
	for one, err := range each(ctx, q, read, query, args...) {
		if err != nil {
			return nil, err
		}
		out = append(out, one)
	}
	return out, nil
}

// absent reports whether a query for one row found none.
func absent(err error) bool { return errors.Is(err, sql.ErrNoRows) }

// byKey returns a map from the first to the second column of a query.
func byKey[K comparable, V any](ctx context.Context, q queryer, query string, args ...any) (map[K]V, error) {
	type row struct {
		Key   K
		Value V
	}
	return mapped(ctx, q, scan[row], func(r row) (K, V) { return r.Key, r.Value }, query, args...)
}

// mapped returns a map with an entry for each row of a query.
func mapped[K comparable, V, R any](ctx context.Context, q queryer, read func(*sql.Rows, *R) error, entry func(R) (K, V),
	query string, args ...any,
) (map[K]V, error) {
	out := map[K]V{}
	for r, err := range each(ctx, q, read, query, args...) {
		if err != nil {
			return nil, err
		}
		k, v := entry(r)
		out[k] = v
	}
	return out, nil
}
