package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"spar/agents"
	"spar/arena/evidence"
	"spar/arena/study"
)

// ConflictError says that two different games have the same slot although neither depended on a clock. One of them
// was not played as planned.
type ConflictError struct {
	Event         string // name of their event
	Stored, Given study.Game
}

func (e *ConflictError) Error() string {
	game := func(g study.Game) string {
		return fmt.Sprintf("%s by %s after %q (agents %d and %d, rules %d)", g.Result, g.Reason, g.Moves, g.First, g.Second,
			g.Rules)
	}
	return fmt.Sprintf("two different games have the number %d in the event %q: %s, and %s", e.Given.Number, e.Event,
		game(e.Stored), game(e.Given))
}

// GameID computes the id of a game from its event and its number in the schedule. The id therefore does not depend
// on interruptions of a run, and ids have the order of events and numbers.
func GameID(event, number int64) int64 { return (event-1)*10_000_000_000 + number + 1 }

// Commit stores finished games of an event, and new marks of stored games, in one transaction. It ignores a game that
// is stored already (same players, rules, moves, result and reason). It also ignores another game for a taken slot if
// one of the two depended on a clock. Otherwise another game is a *ConflictError, and nothing is stored. A game
// marked superseded first frees its slot.
//
// If the study cannot be written, Commit tries again until ctx ends, and at least once. Games that it could not store are
// saved in a new file when the study is closed.
func (db *DB) Commit(ctx context.Context, games []study.Game, marked []study.Marked, event int64) error {
	wait, ctx := ctx, context.WithoutCancel(ctx)
	if db.losses != nil {
		db.known.refer(ctx, db.sql)
		db.known.add(entry{Games: games, Event: event, Marked: marked})
		db.losses.owe(db, true)
	}
	err := db.persist(ctx, wait, patience, func(tx *sql.Tx) error {
		for _, m := range marked {
			if m.Marks&evidence.Superseded == 0 {
				continue
			}
			if err := setAside(ctx, tx, event, m.Number); err != nil {
				return explain(err)
			}
		}
		if _, err := db.insert(ctx, tx, games); err != nil {
			return explain(err)
		}
		return explain(db.mark(ctx, tx, marked, event))
	})
	if err != nil {
		code := resultCode(err)
		if db.losses != nil && (passing(err) || code == codeCorrupt || code == codeNotADB) {
			db.known.wait(games)
		}
		return fmt.Errorf("storing %d games in %s: %w", len(games), db.path, err)
	}
	if db.losses != nil && len(db.known.waiting) == 0 {
		db.losses.owe(db, false)
	}
	return nil
}

// rowsAtOnce is the number of games that are inserted by one statement.
const rowsAtOnce = 32

// insertGames returns the statement that inserts a number of games, with the values that appendRow lists.
func insertGames(rows int) string {
	const row = ",(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"
	return `INSERT INTO games (id, event, number, rules, first, second, pair, opening, opening_plies, seed, moves,
		result, reason, detail, plies, first_ms, second_ms, first_nodes, second_nodes, hash, timed, worker, marks) VALUES ` +
		strings.Repeat(row, rows)[1:]
}

// insert adds games that the study does not have, and returns their number.
func (db *DB) insert(ctx context.Context, tx *sql.Tx, games []study.Game) (added int64, err error) {
	there, err := taken(ctx, tx, games)
	if err != nil {
		return 0, err
	}
	var fresh, again []*study.Game
	for i := range games {
		g := &games[i]
		if id := GameID(g.Event, g.Number); there[id] {
			again = append(again, g)
		} else {
			there[id] = true
			fresh = append(fresh, g)
		}
	}
	var values []any
	full, err := tx.PrepareContext(ctx, insertGames(rowsAtOnce))
	if err != nil {
		return 0, err
	}
	defer full.Close()
	for rows := range slices.Chunk(fresh, rowsAtOnce) {
		values = values[:0]
		for _, g := range rows {
			values = append(values, GameID(g.Event, g.Number), g.Event, g.Number, g.Rules, g.First, g.Second, g.Pair, g.Opening,
				g.OpeningPlies, g.Seed, g.Moves, g.Result, g.Reason, g.Detail, g.Plies, g.FirstMS, g.SecondMS, g.FirstNodes,
				g.SecondNodes, g.Hash, g.Timed, g.Worker, int64(g.Marks))
		}
		if len(rows) == rowsAtOnce {
			_, err = full.ExecContext(ctx, values...)
		} else {
			_, err = tx.ExecContext(ctx, insertGames(len(rows)), values...)
		}
		if err != nil {
			return added, fmt.Errorf("games %d to %d: %w", rows[0].Number, rows[len(rows)-1].Number, err)
		}
		added += int64(len(rows))
	}
	for _, g := range fresh {
		for _, p := range g.Thoughts {
			if _, err := tx.ExecContext(ctx, "INSERT INTO plies (game, ply, score, depth, nodes, ms, legal, pv) VALUES "+
				"(?,?,?,?,?,?,?,?)",
				GameID(g.Event, g.Number), p.Ply, p.Score, p.Depth, p.Nodes, p.MS, p.Legal, p.PV); err != nil {
				return added, fmt.Errorf("game %d, ply %d: %w", g.Number, p.Ply, err)
			}
		}
	}
	for _, g := range again {
		if err := compare(ctx, tx, *g); err != nil {
			return added, err
		}
	}
	return added, nil
}

// taken returns the ids of those games that the study already has.
func taken(ctx context.Context, q queryer, games []study.Game) (map[int64]bool, error) {
	ids := []byte{'['}
	for i, g := range games {
		if i > 0 {
			ids = append(ids, ',')
		}
		ids = strconv.AppendInt(ids, GameID(g.Event, g.Number), 10)
	}
	return byKey[int64, bool](ctx, q, "SELECT id, TRUE FROM games WHERE id IN (SELECT value FROM json_each(?))",
		string(append(ids, ']')))
}

// compare compares a game with the stored one in its slot. It reports whether the game can be skipped; a conflict
// is an error.
func compare(ctx context.Context, tx *sql.Tx, g study.Game) error {
	var s study.Game
	if err := tx.QueryRowContext(ctx, selectGames+"WHERE id = ?",
		GameID(g.Event, g.Number)).Scan(gameFields(&s)...); err != nil {
		return err
	}
	same := s.Rules == g.Rules && s.First == g.First && s.Second == g.Second && s.Moves == g.Moves &&
		s.Result == g.Result && s.Reason == g.Reason
	if same || s.Timed || g.Timed {
		return nil
	}
	c := &ConflictError{Stored: s, Given: g}
	return cmp.Or[error](tx.QueryRowContext(ctx, "SELECT name FROM events WHERE id = ?", g.Event).Scan(&c.Event), c)
}

// mark changes the marks of stored games of one event.
func (db *DB) mark(ctx context.Context, tx *sql.Tx, marked []study.Marked, event int64) error {
	if len(marked) == 0 {
		return nil
	}
	update, err := tx.PrepareContext(ctx, "UPDATE games SET marks = ? WHERE id = ?")
	if err != nil {
		return err
	}
	defer update.Close()
	for _, m := range marked {
		if m.Marks&evidence.Superseded != 0 {
			continue // it has been set aside
		}
		r, err := update.ExecContext(ctx, int64(m.Marks), GameID(event, m.Number))
		if err != nil {
			return err
		}
		if n, err := r.RowsAffected(); err != nil || n != 1 {
			return errors.Join(err, fmt.Errorf("game %d of event %d, to be marked %q, is missing", m.Number, event, m.Marks))
		}
	}
	return nil
}

// Judge marks all games of the study again, in the order of events and numbers, and stores changes. Call it after an
// import, and after adding games that later ones may repeat. Marks that do not depend on other games are kept: see
// evidence.Given.
func (db *DB) Judge(ctx context.Context) error {
	err := db.write(ctx, func(tx *sql.Tx) error { return explain(judge(ctx, tx)) })
	if err != nil {
		return fmt.Errorf("deciding which games of %s count: %w", db.path, err)
	}
	return nil
}

// JudgeAfter calls Judge if later events have games: games of this event may make them repetitions.
func (db *DB) JudgeAfter(ctx context.Context, event int64) error {
	var later bool
	err := db.sql.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM games WHERE id >= ?)",
		GameID(event+1, 0)).Scan(&later)
	if err != nil || !later {
		return explain(err)
	}
	return db.Judge(ctx)
}

// Before yields, in order, those games of earlier events that a later game of this event can repeat.
func (db *DB) Before(ctx context.Context, event int64) iter.Seq2[evidence.Facts, error] {
	return func(yield func(evidence.Facts, error) bool) {
		certain, err := certainAgents(ctx, db.sql)
		if err != nil {
			yield(evidence.Facts{}, explain(err))
			return
		}
		for f, err := range each(ctx, db.sql, func(rows *sql.Rows, f *evidence.Facts) error {
			f.Certain = true
			return rows.Scan(&f.Purpose, &f.Rules, &f.First, &f.Second, &f.Hash, &f.Given)
		}, `SELECT e.purpose, g.rules, g.first, g.second, g.hash, g.marks FROM games g JOIN events e ON e.id = g.event
			WHERE g.id < ? AND e.purpose = (SELECT purpose FROM events WHERE id = ?) AND NOT g.timed ORDER BY g.id`,
			GameID(event, 0), event) {
			if (err != nil || certain[f.First] && certain[f.Second]) && !yield(f, err) {
				return
			}
		}
	}
}

// judgeChunk is the number of games that are read before changes are written.
const judgeChunk = 50_000

func judge(ctx context.Context, q queryer) error {
	certain, err := certainAgents(ctx, q)
	if err != nil {
		return err
	}
	purposes, err := byKey[int64, string](ctx, q, "SELECT id, purpose FROM events")
	if err != nil {
		return err
	}
	var j evidence.Judge
	for last := int64(-1 << 62); ; {
		type change struct{ id, marks int64 }
		var changes []change
		rows, err := q.QueryContext(ctx, "SELECT id, event, rules, first, second, hash, reason, timed, marks FROM games "+
			"WHERE id > ? ORDER BY id LIMIT ?", last, judgeChunk)
		if err != nil {
			return err
		}
		n := 0
		for rows.Next() {
			var event int64
			var f evidence.Facts
			var marks evidence.Marks
			var reason string
			if err := rows.Scan(&last, &event, &f.Rules, &f.First, &f.Second, &f.Hash, &reason, &f.Timed, &marks); err != nil {
				return errors.Join(err, rows.Close())
			}
			n++
			f.Purpose, f.Forfeit = purposes[event], evidence.IsForfeit(reason)
			f.Certain = certain[f.First] && certain[f.Second]
			f.Given = marks
			if now := j.Mark(f); now != marks {
				changes = append(changes, change{last, int64(now)})
			}
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil {
			return err
		}
		for _, c := range changes {
			if _, err := q.ExecContext(ctx, "UPDATE games SET marks = ? WHERE id = ?", c.marks, c.id); err != nil {
				return err
			}
		}
		if n < judgeChunk {
			return nil
		}
	}
}

// certainAgents returns the agents that are deterministic according to their stored specs.
func certainAgents(ctx context.Context, q queryer) (map[int64]bool, error) {
	specs, err := byKey[int64, string](ctx, q, "SELECT id, spec FROM agents")
	out := map[int64]bool{}
	for id, text := range specs {
		var s agents.Spec
		if json.Unmarshal([]byte(text), &s) == nil { // games taken in from elsewhere come without specs
			out[id] = s.Deterministic()
		}
	}
	return out, err
}
