package store

import (
	"context"
	"database/sql"
	"slices"
	"time"

	"spar/arena/evidence"
	"spar/arena/study"
)

// Played counts the games of one event that one worker played under one set of rules.
type Played struct {
	Event  int64 // id of the event
	Rules  int64
	Worker string
	Games  int64
	Counts int64 // number of games that count for strength or balance
	Faults int64 // number of games that ended because an agent failed
	Timed  int64 // number of games that depended on a clock
	Spent  time.Duration
	Nodes  int64
}

// Played counts the games of the study by worker, event and rules.
func (db *DB) Played(ctx context.Context) ([]Played, error) {
	return list(ctx, db.sql, func(rows *sql.Rows, p *Played) error {
		var ms float64
		err := rows.Scan(&p.Event, &p.Rules, &p.Worker, &p.Games, &p.Counts, &p.Faults, &p.Timed, &ms, &p.Nodes)
		p.Spent = time.Duration(ms * float64(time.Millisecond))
		return err
	}, `SELECT event, rules, worker, count(*), sum((marks & ?) = 0 OR (marks & ?) = 0), sum(`+faulty+`), sum(timed),
		sum(first_ms + second_ms), sum(first_nodes + second_nodes)
		FROM games GROUP BY event, rules, worker ORDER BY event, rules, worker`,
		int64(evidence.Strength.Without()), int64(evidence.Balance.Without()))
}

// Kind is a group of games with the same event, agents, rules, reason and marks. Only these fields of Row are set.
type Kind struct {
	Row
	Games int64
	Plies int64 // of all these games together
}

// Kinds counts the games of the study by group.
func (db *DB) Kinds(ctx context.Context) ([]Kind, error) {
	return list(ctx, db.sql, func(rows *sql.Rows, k *Kind) error {
		g := &k.Game
		return rows.Scan(&g.Event, &g.Rules, &g.First, &g.Second, &g.Reason, &g.Timed, &g.Marks, &k.Games, &k.Plies,
			&k.EventName, &k.RulesName, &k.FirstName, &k.SecondName, &k.RulesJSON)
	}, `WITH kinds AS (
			SELECT event, rules, first, second, reason, timed, marks, count(*) AS games, sum(plies) AS plies
			FROM games GROUP BY event, rules, first, second, reason, timed, marks)
		SELECT g.event, g.rules, g.first, g.second, g.reason, g.timed, g.marks, g.games, g.plies,
			e.name, r.name, a.name, b.name, r.canonical
		FROM kinds g JOIN events e ON e.id = g.event JOIN rules r ON r.id = g.rules
			JOIN agents a ON a.id = g.first JOIN agents b ON b.id = g.second`)
}

// StoredRules are rules as the study stores them.
type StoredRules struct {
	ID        int64  `json:"-"`
	Name      string `json:"rules" help:"label"` // with overrides
	Hash      string `json:"hash" help:"hash of the knobs"`
	Canonical string `json:"knobs" help:"every knob, JSON as text"`
}

// Rules lists the rules of the study.
func (db *DB) Rules(ctx context.Context) ([]StoredRules, error) {
	return list(ctx, db.sql, scan[StoredRules], "SELECT id, name, hash, canonical FROM rules ORDER BY id")
}

// Stretch holds the games of an event that one program on one machine stored, in one or more runs.
type Stretch struct {
	Event  int64  `json:"-"` // id of the event
	Before int64  `json:"before" help:"games of the event that were stored before this program continued it"`
	Games  int64  `json:"-"` // number of games that the program stored
	Since  string `json:"since" help:"when this program started, UTC"`
	study.Build
}

// addBuild records that an event is continued by another build than before.
func addBuild(ctx context.Context, q queryer, event int64, b study.Build) error {
	if b == (study.Build{}) {
		return nil
	}
	var last study.Build
	err := q.QueryRowContext(ctx, "SELECT version, commit_hash, go_version, cpu, command FROM builds WHERE event = ? "+
		"ORDER BY id DESC LIMIT 1", event).
		Scan(columns(&last)...)
	if err == nil && last == b {
		return nil
	}
	if err != nil && !absent(err) {
		return explain(err)
	}
	return insertBuild(ctx, q, event, nil, time.Now().UTC().Format(time.RFC3339), b)
}

// insertBuild adds a build whose games start after a number of games of the event; nil means after all of its
// games.
func insertBuild(ctx context.Context, q queryer, event int64, before *int64, since string, b study.Build) error {
	_, err := q.ExecContext(ctx, `INSERT INTO builds (event, games, since, version, commit_hash, go_version, cpu, command)
		VALUES (?1, coalesce(?2, (SELECT count(*) FROM games WHERE event = ?1)), ?3, ?4, ?5, ?6, ?7, ?8)`,
		append([]any{event, before, since}, columns(&b)...)...)
	return explain(err)
}

// Builds lists the builds that stored the games of the study, by event and time. It omits builds without games.
func (db *DB) Builds(ctx context.Context) ([]Stretch, error) {
	all, err := list(ctx, db.sql, scan[Stretch],
		`SELECT event, games, coalesce(lead(games) OVER (PARTITION BY event ORDER BY id),
			(SELECT count(*) FROM games g WHERE g.event = b.event)) - games,
		since, version, commit_hash, go_version, cpu, command FROM builds b ORDER BY event, id`)
	return slices.DeleteFunc(all, func(s Stretch) bool { return s.Games <= 0 }), err
}

// Cost is the time that an agent used for decisions, over all games.
type Cost struct {
	// numbers of games and decisions; an agent makes about half of the plies after the opening
	Games, Decisions float64
	MS, Nodes        float64
}

// Costs returns the cost of each agent's decisions, by name. Empty rules mean all rules. It skips training games.
func (db *DB) Costs(ctx context.Context, rules string) (map[string]Cost, error) {
	type row struct {
		Name string
		Cost
	}
	return mapped(ctx, db.sql, scan[row], func(r row) (string, Cost) { return r.Name, r.Cost }, `
		SELECT a.name, count(*), sum(max(plies - opening_plies, 0)) / 2.0, sum(ms), sum(nodes) FROM (
			SELECT rules, first AS agent, plies, opening_plies, first_ms AS ms, first_nodes AS nodes, marks FROM games
			UNION ALL SELECT rules, second, plies, opening_plies, second_ms, second_nodes, marks FROM games) g
		JOIN agents a ON a.id = g.agent JOIN rules r ON r.id = g.rules
		WHERE (marks & ?) = 0 AND (? = '' OR r.name = ?) GROUP BY a.name`,
		int64(evidence.Strength.Without()), rules, rules)
}

// Sizes are the numbers of rows of a study.
type Sizes struct{ Games, Rules, Agents, Events int64 }

// Sizes counts the rows of a study.
func (db *DB) Sizes(ctx context.Context) (n Sizes, err error) {
	err = db.sql.QueryRowContext(ctx,
		`SELECT (SELECT count(*) FROM games), (SELECT count(*) FROM rules), (SELECT count(*) FROM agents),
		(SELECT count(*) FROM events)`).
		Scan(columns(&n)...)
	return n, explain(err)
}

// RulesTotal counts, for one set of rules, the results of games that count for balance.
type RulesTotal struct {
	Rules        string
	Games        int64
	First, Draws int64   // wins of the first player, draws, and wins of the second player
	Plies        float64 // mean length in plies
}

// RulesTotals counts the games of each set of rules, by name, as the study's view first_player does.
func (db *DB) RulesTotals(ctx context.Context) ([]RulesTotal, error) {
	return list(ctx, db.sql, scan[RulesTotal],
		"SELECT rules, games, first, draws, mean_plies FROM first_player ORDER BY rules")
}
