package store

import (
	"context"
	"database/sql"
	"fmt"
	"iter"
	"path/filepath"
	"strings"
	"time"

	"spar/arena/evidence"
	"spar/arena/study"
	"spar/configs/strict"
)

// Table is a game played by people. A study stores it while it is in progress and afterwards.
type Table struct {
	ID      string `json:"table" help:"name of a game played by people, as in the address of its page"`
	State   string `json:"state" help:"everything stored about it, JSON as text: rules, seats, moves with times, help used, hashes of links"`
	Changed string `json:"changed" help:"when it was stored, UTC"` // RFC 3339
	Game    int64  `json:"-"`                                      // id of the finished game; 0 while it is in progress
}

// SaveTable stores the state of a game played by people. It replaces the earlier state.
func (db *DB) SaveTable(ctx context.Context, t Table) error {
	if db.losses != nil {
		db.known.add(entry{Table: &t})
	}
	return db.exec(ctx, briefly, saveTable, t.row()...)
}

const saveTable = `INSERT INTO tables (id, state, changed, game) VALUES (?,?,?,?)
	ON CONFLICT (id) DO UPDATE SET state = excluded.state, changed = excluded.changed, game = excluded.game`

func (t Table) row() []any {
	return []any{
		t.ID, study.HashTokens(t.State), time.Now().UTC().Format(time.RFC3339),
		sql.NullInt64{Int64: t.Game, Valid: t.Game != 0},
	}
}

// LoadTable returns a game played by people. The result ok is false if no such game has that id.
func (db *DB) LoadTable(ctx context.Context, id string) (t Table, ok bool, err error) {
	var game sql.NullInt64
	err = db.sql.QueryRowContext(ctx, "SELECT id, state, changed, game FROM tables WHERE id = ?", id).Scan(&t.ID, &t.State,
		&t.Changed, &game)
	if absent(err) {
		return t, false, nil
	}
	t.Game, t.State = game.Int64, study.HashTokens(t.State)
	return t, err == nil, explain(err)
}

// LatestTables yields the games played by people in the order of their last change, the latest first. A negative limit
// means all.
func (db *DB) LatestTables(ctx context.Context, limit int) iter.Seq2[Table, error] {
	return each(ctx, db.sql, func(rows *sql.Rows, t *Table) error {
		var game sql.NullInt64
		err := rows.Scan(&t.ID, &t.State, &t.Changed, &game)
		t.Game, t.State = game.Int64, study.HashTokens(t.State)
		return err
	}, "SELECT id, state, changed, game FROM tables ORDER BY changed DESC, id LIMIT ?", limit)
}

// Lines are variations of a game, which earlier versions stored with its review.
type Lines struct {
	Game    string `json:"game" help:"address of the review of a game in the browser"`
	Moves   string `json:"lines" help:"the game with variations, each in brackets after the move that it replaces"`
	Changed string `json:"changed" help:"when they were stored, UTC"` // RFC 3339
}

// Lines lists the stored variations of all games.
func (db *DB) Lines(ctx context.Context) ([]Lines, error) {
	return list(ctx, db.sql, scan[Lines], "SELECT game, moves, changed FROM lines ORDER BY game")
}

// FinishTable stores a finished game played by people as the next game of its event and returns the game's id. It
// creates the event if needed. A mark excludes the game from ratings and measurements. It also stores the table of the
// game: both or neither, so that no game is stored twice. The function "of" returns the table for the game's id; it may
// be nil.
func (db *DB) FinishTable(ctx context.Context, event string, g study.Game, of func(id int64) (Table, error)) (int64,
	error,
) {
	var t Table
	err := db.persist(ctx, ctx, briefly, func(tx *sql.Tx) error {
		e, _, err := beginEvent(ctx, tx, db.path, study.Event{
			Name: event, Purpose: evidence.PurposeHuman, Plan: "{}",
			Build: study.ThisBuild(),
		})
		if err == nil {
			err = addBuild(ctx, tx, e.ID, e.Build)
		}
		if err != nil {
			return err
		}
		g.Event = e.ID
		g.Marks = new(evidence.Judge).Mark(evidence.Facts{
			Purpose: evidence.PurposeHuman, First: g.First, Second: g.Second,
			Timed: g.Timed,
		})
		if err := tx.QueryRowContext(ctx, "SELECT coalesce(max(number), -1) + 1 FROM games WHERE event = ?",
			e.ID).Scan(&g.Number); err != nil {
			return explain(err)
		}
		g.Pair = g.Number
		if _, err = db.insert(ctx, tx, []study.Game{g}); err != nil || of == nil {
			return explain(err)
		}
		t, err = of(GameID(g.Event, g.Number))
		if err == nil {
			_, err = tx.ExecContext(ctx, saveTable, t.row()...)
		}
		return explain(err)
	})
	if err == nil && db.losses != nil {
		db.known.outdated() // the event, and the players
		db.known.refer(ctx, db.sql)
		e := entry{Games: []study.Game{g}}
		if of != nil {
			e.Table = &t
		}
		db.known.add(e)
	}
	return GameID(g.Event, g.Number), err
}

// ErrNotOfPeople is returned if a game cannot be deleted because no person played in it.
var ErrNotOfPeople = strict.Mistake("only games played by people can be deleted")

// DeleteHumanGames deletes finished games played by people with their plies, values, variations, opinions and tables,
// in one transaction.
func (db *DB) DeleteHumanGames(ctx context.Context, ids []int64) error {
	if db.losses != nil {
		db.known.add(entry{Left: ids})
	}
	return db.persist(ctx, ctx, briefly, func(tx *sql.Tx) error {
		for _, id := range ids {
			var human bool
			err := tx.QueryRowContext(ctx, "SELECT e.purpose = ? FROM games g JOIN events e ON e.id = g.event WHERE g.id = ?",
				evidence.PurposeHuman, id).Scan(&human)
			switch {
			case absent(err):
				return fmt.Errorf("%w: the study holds no game %d", ErrNotOfPeople, id)
			case err != nil:
				return explain(err)
			case !human:
				return fmt.Errorf("%w: agents played game %d", ErrNotOfPeople, id)
			}
			if err := db.deleteGame(ctx, tx, id); err != nil {
				return err
			}
		}
		return nil
	})
}

func (db *DB) deleteGame(ctx context.Context, tx *sql.Tx, id int64) error {
	for _, from := range []string{
		"opinions WHERE game", "tables WHERE game", "plies WHERE game",
		"position_values WHERE game", "games WHERE id",
	} {
		if _, err := tx.ExecContext(ctx, "DELETE FROM "+from+" = ?", id); err != nil {
			return explain(err)
		}
	}
	// under which serve keeps its lines
	page := fmt.Sprintf("/g/%s.%d", strings.TrimSuffix(filepath.Base(db.path), ".db"), id)
	_, err := tx.ExecContext(ctx, "DELETE FROM lines WHERE game = ?", page)
	return explain(err)
}

// DeleteTable deletes a table and the given finished games played by people, if they still exist.
func (db *DB) DeleteTable(ctx context.Context, id string, games []int64) error {
	if db.losses != nil {
		db.known.add(entry{Left: games, Gone: id})
	}
	return db.persist(ctx, ctx, briefly, func(tx *sql.Tx) error {
		for _, game := range games {
			if err := db.deleteGame(ctx, tx, game); err != nil {
				return err
			}
		}
		_, err := tx.ExecContext(ctx, "DELETE FROM tables WHERE id = ?", id)
		return explain(err)
	})
}

// Opinion is a person's opinion of a game. Only earlier versions asked for opinions.
type Opinion struct {
	Game      int64  `json:"-"`
	Fun       int    `json:"fun" help:"1 to 5"`
	Again     bool   `json:"again" help:"would play it again"`
	Confusing string `json:"confusing,omitempty" help:"what confused the person, in the person's words"`
	Said      string `json:"said" help:"when, UTC"` // RFC 3339
}

// Opinions lists the opinions about all games.
func (db *DB) Opinions(ctx context.Context) ([]Opinion, error) {
	return list(ctx, db.sql, scan[Opinion], "SELECT game, fun, again, confusing, said FROM opinions ORDER BY id")
}
