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

// Saved counts the rows of a table that Salvage saved and lost.
type Saved struct {
	Table string `json:"table" help:"table of the study"`
	Rows  int64  `json:"rows" help:"rows that were saved"`
	Lost  int64  `json:"lost" help:"lower limit of the rows that were lost"` // number of lost rows, a lower bound
	Why   string `json:"why,omitempty" help:"reason for losses beyond the unreadable rows"`
}

// String returns the counts in words.
func (s Saved) String() string {
	text := fmt.Sprintf("saved %d rows of %s", s.Rows, s.Table)
	if s.Lost > 0 {
		text += fmt.Sprintf(", at least %d lost", s.Lost)
	}
	if s.Why != "" {
		text += ": " + s.Why
	}
	return text
}

// ErrNothing is the error for a file that has no readable row of a study.
var ErrNothing = errors.New("nothing can be saved: no page has a readable row of a study")

// Salvage copies the readable rows of a damaged study to a new file at out, which must not exist. It reads with
// SQLite as far as possible, and then from each intact page. If the event or an agent of a game is lost, it is
// replaced by one named "lost event N" or "lost agent N". Games whose rules are lost cannot be replayed and are
// dropped. Salvage judges the games again, but does not replay them to check their rows.
func Salvage(ctx context.Context, path, out string) (saved []Saved, err error) {
	if _, err := os.Stat(out); !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s exists: give a new file for what Spar saves", out)
	}
	if err := checkThere(path); err != nil {
		return nil, err
	}
	s := &salvager{}
	// opened before SQLite opens the file and closed after it: see the package
	if s.pages, err = openCarver(path); err != nil {
		return nil, err
	}
	defer s.pages.Close()
	if s.from, err = openDamaged(ctx, path); err == nil {
		defer s.from.Close()
	} else if !isDamage(err) {
		return nil, err
	}
	to, err := Open(ctx, out, Create)
	if err != nil {
		return nil, err
	}
	saved, err = s.all(ctx, to)
	if err == nil && !slices.ContainsFunc(saved, func(s Saved) bool { return s.Rows > 0 }) {
		err = fmt.Errorf("study %s: %w", path, ErrNothing)
	}
	if err = errors.Join(err, to.Close()); err != nil {
		return nil, errors.Join(err, removeStudy(out))
	}
	return saved, nil
}

// isDamage reports whether SQLite returned the error because of the file's content.
func isDamage(err error) bool {
	code := resultCode(err)
	return code == codeCorrupt || code == codeNotADB
}

// salvager is the damaged file, from which rows are saved.
type salvager struct {
	from  *sql.DB // nil if SQLite cannot open the file
	pages *carver
}

func (s *salvager) all(ctx context.Context, to *DB) (saved []Saved, err error) {
	conn, err := to.sql.Conn(ctx)
	if err != nil {
		return nil, explain(err)
	}
	defer conn.Close()
	// What rows refer to may come after them, or not at all.
	if _, err := conn.ExecContext(ctx, "PRAGMA foreign_keys = OFF"); err != nil {
		return nil, explain(err)
	}
	// parents first
	tables, err := texts(ctx, conn, "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' "+
		"ORDER BY rowid")
	if err != nil {
		return nil, explain(err)
	}
	for _, table := range tables {
		one, err := s.table(ctx, conn, table)
		if err != nil {
			return saved, fmt.Errorf("saving %s: %w", table, explain(err))
		}
		saved = append(saved, one)
	}
	if err := makeWhole(ctx, conn, saved); err != nil {
		return saved, explain(err)
	}
	if _, err := conn.ExecContext(ctx, "PRAGMA foreign_keys = ON"); err != nil {
		return saved, explain(err)
	}
	return saved, judge(ctx, conn)
}

// shape describes a table in the current schema version.
type shape struct {
	name    string
	columns []column
	own     bool // the table is WITHOUT ROWID
}

type column struct {
	name, kind string
	optional   bool // the column may be NULL
	key        int  // index in the primary key, from 1; 0 = not in it
}

func shapeOf(ctx context.Context, q queryer, table string) (t shape, err error) {
	t.name = table
	if err := q.QueryRowContext(ctx, "SELECT wr FROM pragma_table_list(?)", table).Scan(&t.own); err != nil {
		return t, err
	}
	t.columns, err = list(ctx, q, func(rows *sql.Rows, c *column) error {
		return rows.Scan(&c.name, &c.kind, &c.optional, &c.key)
	}, `SELECT name, type, "notnull" = 0 OR dflt_value IS NOT NULL, pk FROM pragma_table_info(?)`, table)
	return t, err
}

// keys returns the columns of the primary key.
func (t shape) keys() []string {
	keys := slices.DeleteFunc(slices.Clone(t.columns), func(c column) bool { return c.key == 0 })
	slices.SortFunc(keys, func(a, b column) int { return a.key - b.key })
	return names(keys)
}

func names(columns []column) []string {
	var out []string
	for _, c := range columns {
		out = append(out, c.name)
	}
	return out
}

// takes converts a row from a page to a row of the table, if possible. Columns of later schema versions may be
// missing.
func (t shape) takes(r row) bool {
	if len(r.fields) == 0 || len(r.fields) > len(t.columns) {
		return false
	}
	for _, c := range t.columns[len(r.fields):] {
		if !c.optional {
			return false
		}
	}
	for i, f := range r.fields {
		c := t.columns[i]
		if c.key > 0 && c.kind == "INTEGER" && !t.own { // its value is the row's own key
			if f != nil {
				return false
			}
			r.fields[i] = r.key
			continue
		}
		fits := f == nil && c.optional
		switch f.(type) {
		case int64:
			fits = c.kind != "TEXT"
		case float64:
			fits = c.kind == "REAL"
		case string:
			fits = c.kind == "TEXT"
		}
		if !fits {
			return false
		}
	}
	return true
}

// table copies the rows of a table: from the start to the first damage, then from the end back to the last damage,
// and then those of all readable pages.
func (s *salvager) table(ctx context.Context, to *sql.Conn, name string) (saved Saved, err error) {
	saved.Table = name
	t, err := shapeOf(ctx, to, name)
	if err != nil {
		return saved, err
	}
	tx, err := to.BeginTx(ctx, nil)
	if err != nil {
		return saved, err
	}
	defer tx.Rollback() //nolint:errcheck // after a commit it does nothing
	clean := false
	if s.from != nil {
		if clean, err = copyTable(ctx, s.from, tx, t); err != nil {
			return saved, err
		}
	}
	if !clean {
		if err := s.carveTable(ctx, tx, t); err != nil {
			return saved, err
		}
		if name == "games" && s.from != nil {
			if saved.Lost, err = missing(ctx, s.from, tx); err != nil {
				return saved, err
			}
		}
	}
	if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM "+name).Scan(&saved.Rows); err != nil {
		return saved, err
	}
	return saved, tx.Commit()
}

// copyTable copies the rows that SQLite can read, and reports whether it read all of them.
func copyTable(ctx context.Context, from *sql.DB, tx *sql.Tx, t shape) (clean bool, err error) {
	had, err := texts(ctx, from, "SELECT name FROM pragma_table_info('"+t.name+"')")
	if err != nil || len(had) == 0 {
		return err == nil, ctx.Err() // an older study has no such table
	}
	columns := slices.DeleteFunc(names(t.columns), func(c string) bool { return !slices.Contains(had, c) })
	insert, err := prepareInsert(ctx, tx, t.name, columns)
	if err != nil {
		return false, err
	}
	defer insert.Close()
	for _, order := range []string{"", " DESC"} {
		clean, err := copyRows(ctx, from, insert, len(columns), "SELECT "+quote(columns)+" FROM "+t.name+" ORDER BY "+
			strings.Join(t.keys(), order+", ")+order)
		if err != nil || clean {
			return clean, err
		}
	}
	return false, nil
}

// carveTable adds the rows found on pages.
func (s *salvager) carveTable(ctx context.Context, tx *sql.Tx, t shape) error {
	inserts := map[int]*sql.Stmt{} // by the number of columns of a row
	for r := range s.pages.rows(ctx, t.own) {
		if !t.takes(r) {
			continue
		}
		insert := inserts[len(r.fields)]
		if insert == nil {
			var err error
			if insert, err = prepareInsert(ctx, tx, t.name, names(t.columns[:len(r.fields)])); err != nil {
				return err
			}
			defer insert.Close()
			inserts[len(r.fields)] = insert
		}
		if _, err := insert.ExecContext(ctx, r.fields...); err != nil && !isConstraint(err) {
			return err
		}
	}
	return ctx.Err()
}

// missing counts the games that are in an index but could not be saved.
func missing(ctx context.Context, from *sql.DB, tx *sql.Tx) (n int64, err error) {
	// as far as the index can be read
	ids, _ := gameIDs(ctx, from, "SELECT event, number FROM games ORDER BY event, number")
	for _, id := range ids {
		var there bool
		if err := tx.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM games WHERE id = ?)", id).Scan(&there); err != nil {
			return 0, err
		}
		if !there {
			n++
		}
	}
	return n, ctx.Err()
}

// makeWhole adds placeholders for lost rows that others refer to. It removes rows that are useless without such a
// row.
func makeWhole(ctx context.Context, q queryer, saved []Saved) error {
	lose := func(table, query string) error {
		result, err := q.ExecContext(ctx, query)
		if err != nil {
			return err
		}
		n, err := result.RowsAffected()
		s := &saved[slices.IndexFunc(saved, func(s Saved) bool { return s.Table == table })]
		s.Lost += n
		if strings.HasPrefix(query, "DELETE") {
			s.Rows -= n
			if n > 0 && table == "games" {
				s.Why = fmt.Sprintf("%d are readable, but their rules are lost, and no game can be replayed without rules", n)
			}
		}
		return err
	}
	// What kind of event it was the marks of its games tell: 8 is training, 64 human.
	if err := lose("events", `INSERT INTO events (id, name, purpose, plan, seed, created)
		SELECT event, 'lost event ' || event, iif(max(marks & 8), 'tuning', iif(max(marks & 64), 'human', 'tournament')), '{}', 0, ''
		FROM games WHERE event NOT IN (SELECT id FROM events) AND rules IN (SELECT id FROM rules) GROUP BY event`); err != nil {
		return err
	}
	if err := lose("agents", `INSERT INTO agents (id, name, spec) SELECT DISTINCT id, 'lost agent ' || id, '{}'
		FROM (SELECT first AS id, rules FROM games UNION SELECT second, rules FROM games)
		WHERE id NOT IN (SELECT id FROM agents) AND rules IN (SELECT id FROM rules)`); err != nil {
		return err
	}
	for _, s := range saved { // parents first
		rows, err := texts(
			ctx,
			q,
			`SELECT '"' || "from" || '" IS NOT NULL AND "' || "from" || '" NOT IN (SELECT id FROM ' || "table" || ')' FROM pragma_foreign_key_list('`+s.Table+`')`,
		)
		if err != nil {
			return err
		}
		if len(rows) > 0 {
			if err := lose(s.Table, "DELETE FROM "+s.Table+" WHERE "+strings.Join(rows, " OR ")); err != nil {
				return err
			}
		}
	}
	return nil
}

func prepareInsert(ctx context.Context, tx *sql.Tx, table string, columns []string) (*sql.Stmt, error) {
	return tx.PrepareContext(ctx, fmt.Sprintf("INSERT OR IGNORE INTO %s (%s) VALUES (?%s)", table, quote(columns),
		strings.Repeat(",?", len(columns)-1)))
}

// copyRows copies the rows of a query, and reports whether it read all of them. The error is about the new file.
func copyRows(ctx context.Context, from *sql.DB, insert *sql.Stmt, columns int, query string, args ...any) (clean bool,
	err error,
) {
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

// gameIDs returns the ids of games, ordered by event and number, and the error at which reading stopped.
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
