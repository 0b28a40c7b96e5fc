package store

import (
	"context"
	"database/sql"
	"fmt"
	"iter"
	"strings"

	"spar/arena/evidence"
	"spar/arena/study"
)

// Outcomes yields the games of an event by number, with those fields that a schedule needs: number, agents,
// result, reason, hash, marks and whether the game depended on a clock. It skips superseded games, which have no
// slot.
func (db *DB) Outcomes(ctx context.Context, event int64) iter.Seq2[study.Game, error] {
	return each(ctx, db.sql, func(rows *sql.Rows, g *study.Game) error {
		return rows.Scan(&g.ID, &g.Number, &g.Rules, &g.First, &g.Second, &g.Opening, &g.Result, &g.Reason, &g.Hash, &g.Timed,
			&g.Marks)
	}, `SELECT id, number, rules, first, second, opening, result, reason, hash, timed, marks FROM games
		WHERE event = ? AND number < ? ORDER BY number`, event, aside)
}

// Finished yields the stored games of an event by number, except superseded ones.
func (db *DB) Finished(ctx context.Context, event int64) iter.Seq2[study.Game, error] {
	return db.query(ctx, "WHERE event = ? AND number < ? ORDER BY number", event, aside)
}

// Filter selects games. An empty field selects everything.
type Filter struct {
	Agent   string `flag:"agent,a" help:"only games of this agent, in either seat"`
	Rules   string `flag:"rules,r" help:"only games under these rules, by their label in the study"`
	Lost    string `flag:"lost-by" help:"only games that this agent lost"`
	Opening string `flag:"opening" help:"only games that begin with these moves, separated by spaces"`
	Result  string `flag:"result" one:"first second draw" help:"only games with this result: first, second or draw"`
	Reason  string `flag:"reason" help:"only games that ended for this reason: line, full_board, repetition, forfeit_illegal, ..."`
	Faults  bool   `flag:"faults" help:"only forfeited games"`
	Min     int    `flag:"min-plies" help:"only games of at least this many plies"`
	Max     int    `flag:"max-plies" help:"only games of at most this many plies"`
	Order   string `flag:"sort" one:"id plies -plies ms odd" help:"order of the list: id, plies, -plies, ms (slowest first) or odd (unusual first)"`
	Limit   int    `flag:"limit=20" help:"list at most this many games; 0 = all"`
	Event   string
	ID      int64
	After   int64 // with order id: only games with a greater id
	Last    bool  // with order id: backwards from the last game
	Until   int64 // with order id: only games up to this id
}

// faulty is evidence.IsForfeit as an SQL condition.
const faulty = "reason GLOB '" + evidence.Fault + "*'"

// oddnessOf measures how unusual a game is, as the sum of two terms. One is how rare its result is between these
// two agents in these seats: all games divided by those with the result. The other is the squared distance of its
// length from the mean under the rules, in standard deviations.
const (
	oddnessOf = `WITH counted AS (SELECT rules, first, second, result, count(*) AS n FROM games GROUP BY 1, 2, 3, 4),
		met AS (SELECT rules, first, second, sum(n) AS n FROM counted GROUP BY 1, 2, 3),
		lengths AS (SELECT rules, avg(plies) AS mean, avg(plies * plies) AS square FROM games GROUP BY 1) `
	oddness = ` JOIN counted c ON c.rules = g.rules AND c.first = g.first AND c.second = g.second AND c.result = g.result
		JOIN met m ON m.rules = g.rules AND m.first = g.first AND m.second = g.second JOIN lengths l ON l.rules = g.rules`
	byOddness = "m.n * 1.0 / c.n + (g.plies - l.mean) * (g.plies - l.mean) / max(l.square - l.mean * l.mean, 1) DESC, g.id"
)

// Row is a game with the names of its event, rules and agents.
type Row struct {
	study.Game
	EventName, RulesName, FirstName, SecondName string
	RulesJSON                                   string
}

// Games yields the games that a filter selects, with names.
func (db *DB) Games(ctx context.Context, f Filter) iter.Seq2[Row, error] {
	var where []string
	var args []any
	add := func(on bool, cond string, values ...any) {
		if on {
			where = append(where, cond)
			args = append(args, values...)
		}
	}
	add(f.Agent != "", "(a.name = ? OR b.name = ?)", f.Agent, f.Agent)
	add(f.Rules != "", "r.name = ?", f.Rules)
	add(f.Result != "", "g.result = ?", f.Result)
	add(f.Reason != "", "g.reason = ?", f.Reason)
	add(f.Event != "", "e.name = ?", f.Event)
	add(f.ID != 0, "g.id = ?", f.ID)
	add(f.Lost != "", "(a.name = ? AND g.result = 'second' OR b.name = ? AND g.result = 'first')", f.Lost, f.Lost)
	add(f.Faults, "g."+faulty)
	add(f.Opening != "", "substr(g.moves || ' ', 1, length(?) + 1) = ? || ' '", f.Opening, f.Opening)
	add(f.Min > 0, "g.plies >= ?", f.Min)
	add(f.Max > 0, "g.plies <= ?", f.Max)
	add(f.After > 0 && !f.Last, "g.id > ?", f.After)
	add(f.After > 0 && f.Last, "g.id < ?", f.After)
	add(f.Until > 0 && !f.Last, "g.id <= ?", f.Until)
	add(f.Until > 0 && f.Last, "g.id >= ?", f.Until)
	// Within a window games are examined in their order: an index of the runs or the rules would find all of theirs,
	// and sort them.
	plus := ""
	if f.Until > 0 {
		plus = "+"
	}
	query := `SELECT g.id, g.event, g.number, g.rules, g.first, g.second, g.pair, g.opening, g.opening_plies,
		g.seed, g.moves, g.result, g.reason, g.detail, g.plies, g.first_ms, g.second_ms, g.first_nodes,
		g.second_nodes, g.hash, g.timed, g.worker, g.marks,
		e.name, r.name, a.name, b.name, r.canonical
		FROM games g JOIN events e ON e.id = ` + plus + `g.event JOIN rules r ON r.id = ` + plus + `g.rules
		JOIN agents a ON a.id = g.first JOIN agents b ON b.id = g.second`
	if f.Order == "odd" {
		query = oddnessOf + query + oddness
	}
	if len(where) > 0 {
		query += " WHERE " + strings.Join(where, " AND ")
	}
	order := map[string]string{
		"": "g.id", "id": "g.id", "plies": "g.plies, g.id", "-plies": "g.plies DESC, g.id",
		"ms":  "g.first_ms+g.second_ms DESC, g.id",
		"odd": byOddness,
	}[f.Order]
	if f.Last && order == "g.id" {
		order += " DESC"
	}
	query += " ORDER BY " + order
	if f.Limit > 0 {
		query += fmt.Sprintf(" LIMIT %d", f.Limit)
	}
	return each(ctx, db.sql, func(rows *sql.Rows, r *Row) error {
		return rows.Scan(append(gameFields(&r.Game), &r.EventName, &r.RulesName, &r.FirstName, &r.SecondName,
			&r.RulesJSON)...)
	}, query, args...)
}

// selectGames reads the columns listed in gameFields.
const selectGames = `SELECT id, event, number, rules, first, second, pair, opening, opening_plies, seed, moves, result,
	reason, detail, plies, first_ms, second_ms, first_nodes, second_nodes, hash, timed, worker, marks FROM games `

func gameFields(g *study.Game) []any {
	return []any{
		&g.ID, &g.Event, &g.Number, &g.Rules, &g.First, &g.Second, &g.Pair, &g.Opening, &g.OpeningPlies, &g.Seed,
		(*shortText)(&g.Moves), &g.Result, (*shortText)(&g.Reason), (*shortText)(&g.Detail), &g.Plies, &g.FirstMS, &g.SecondMS,
		&g.FirstNodes, &g.SecondNodes, &g.Hash, &g.Timed,
		&g.Worker, &g.Marks,
	}
}

func (db *DB) query(ctx context.Context, tail string, args ...any) iter.Seq2[study.Game, error] {
	return each(ctx, db.sql, func(rows *sql.Rows, g *study.Game) error {
		return rows.Scan(gameFields(g)...)
	},
		selectGames+tail, args...)
}

// Names lists the names in a table: rules, agents or events. For the table "reasons" it lists the reasons why games
// ended.
func (db *DB) Names(ctx context.Context, table string) ([]string, error) {
	query, ok := map[string]string{
		"rules": "SELECT name FROM rules ORDER BY name", "agents": "SELECT name FROM agents ORDER BY name",
		"events":  "SELECT name FROM events ORDER BY id",
		"reasons": "SELECT DISTINCT reason FROM games ORDER BY reason",
	}[table]
	if !ok {
		return nil, fmt.Errorf("no names in table %q", table)
	}
	return list(ctx, db.sql, oneText, query)
}

// oneText reads a row that has one text.
func oneText(rows *sql.Rows, s *string) error { return rows.Scan(s) }

// HasThoughts reports whether the study has agents' information about any ply.
func (db *DB) HasThoughts(ctx context.Context) (has bool, err error) {
	err = db.sql.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM plies)").Scan(&has)
	return has, explain(err)
}

// Thoughts returns the agents' information about the plies of a game, in the order of plies; empty if it was not
// recorded.
func (db *DB) Thoughts(ctx context.Context, game int64) (map[int]study.Ply, error) {
	return mapped(ctx, db.sql, scan[study.Ply], func(p study.Ply) (int, study.Ply) { return p.Ply, p },
		"SELECT ply, score, depth, nodes, ms, legal, pv FROM plies WHERE game = ?", game)
}

// AgentSpecs returns the stored specs of the agents, by name.
func (db *DB) AgentSpecs(ctx context.Context) (map[string]string, error) {
	return byKey[string, string](ctx, db.sql, "SELECT name, spec FROM agents")
}

// Window returns the id of the n-th game after the game with id after or, if back is true, before it. If there are
// fewer games, it returns the id of the last one in that direction; 0 if there is none. If after is 0, it counts from
// the first game or, if back is true, from the last.
func (db *DB) Window(ctx context.Context, after, n int64, back bool) (id int64, err error) {
	query := `SELECT coalesce((SELECT id FROM games WHERE id > ?1 ORDER BY id LIMIT 1 OFFSET ?2 - 1),
		(SELECT max(id) FROM games WHERE id > ?1), 0)`
	if back {
		query = `SELECT coalesce((SELECT id FROM games WHERE ?1 IN (0) OR id < ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2 - 1),
			(SELECT min(id) FROM games WHERE ?1 IN (0) OR id < ?1), 0)`
	}
	err = db.sql.QueryRowContext(ctx, query, after, n).Scan(&id)
	return id, explain(err)
}

// Neighbours returns the ids of the games before and after a game, or 0 if there is none.
func (db *DB) Neighbours(ctx context.Context, id int64) (before, after int64, err error) {
	err = db.sql.QueryRowContext(ctx, "SELECT coalesce((SELECT max(id) FROM games WHERE id < ?1), 0), coalesce((SELECT "+
		"min(id) FROM games WHERE id > ?1), 0)", id).Scan(&before, &after)
	return before, after, explain(err)
}
