package arena_test

import (
	"strings"
	"testing"

	"spar/arena"
	"spar/arena/evidence"
	"spar/arena/store/storetest"
	"spar/arena/study"
	"spar/configs/must"
	"spar/engines"
)

const allGames = `
name: all
games: [checkerboard, classic, connect4, ctor, gomoku9, infiltration, infiltration-6x6, rolling, torus-vanishing, vanishing]
agents: [random, greedy]
pairs: 2
openings: {plies: 3}
`

// Every stored game replays to its result, and a row that was changed does not pass.
func TestStoredGamesReplay(t *testing.T) {
	t.Parallel()
	p, db := plan(t, allGames), storetest.New(t)
	run(t, p, db, 0)
	byLabel := map[string]*engines.Game{}
	for i, g := range p.Rules {
		byLabel[p.Labels[i]] = g
	}
	for _, row := range games(t, db) {
		g := byLabel[row.RulesName]
		if err := arena.Verify(g, row.Game); err != nil {
			t.Errorf("%s: %v", row.RulesName, err)
		}
		for what, change := range map[string]func(*study.Game){
			"another winner": func(r *study.Game) {
				r.Result = map[string]string{"first": "second", "second": "draw", "draw": "first"}[r.Result]
			},
			"another reason": func(r *study.Game) {
				r.Reason = map[bool]string{
					true:  "ply_cap",
					false: "line",
				}[r.Reason == "line"]
			},
			"another hash":          func(r *study.Game) { r.Hash ^= 1 },
			"a ply more":            func(r *study.Game) { r.Plies++ },
			"the last move missing": func(r *study.Game) { r.Moves = r.Moves[:strings.LastIndexByte(r.Moves, ' ')]; r.Plies-- },
			"a move after the end":  func(r *study.Game) { r.Moves += " a1"; r.Plies++ },
			"a move off the board":  func(r *study.Game) { r.Moves = "z9" + r.Moves[strings.IndexByte(r.Moves, ' '):] },
		} {
			changed := row.Game
			change(&changed)
			if arena.Verify(g, changed) == nil {
				t.Errorf("%s game %d: verified with %s", row.RulesName, row.Number, what)
			}
		}
		row.Detail, row.Marks = "1 undo", evidence.Human
		if err := arena.Verify(g, row.Game); err != nil {
			t.Error(err)
		}
	}
}

// Both games of a pair begin with the same opening, with the seats swapped; other pairs have other openings; the
// match-ups of a round share theirs.
func TestPairsShareOpenings(t *testing.T) {
	t.Parallel()
	p, db := plan(t, smallPlan, "openings.plies=3", "pairs=4"), storetest.New(t)
	run(t, p, db, 0)
	type key struct {
		rules   string
		opening int64
	}
	openings := map[key]string{}
	distinct := map[string]bool{}
	rows := games(t, db)
	for i, row := range rows {
		text := strings.Join(strings.Fields(row.Moves)[:row.OpeningPlies], " ")
		k := key{row.RulesName, row.Opening}
		if known, ok := openings[k]; ok && known != text {
			t.Errorf("game %d: opening %d of %s is %q, elsewhere %q", row.Number, row.Opening, row.RulesName, text, known)
		}
		openings[k] = text
		distinct[row.RulesName+text] = true
		if row.OpeningPlies != 3 {
			t.Errorf("game %d: an opening of %d plies, want 3", row.Number, row.OpeningPlies)
		}
		if mate := rows[i^1]; mate.Pair != row.Pair || mate.FirstName != row.SecondName || mate.SecondName != row.FirstName {
			t.Errorf("games %d and %d are no pair", row.Number, mate.Number)
		}
	}
	if len(openings) != 16 || len(distinct) < 14 {
		t.Errorf("%d openings, %d of them distinct: want 4 in each of 4 games", len(openings), len(distinct))
	}
}

// Random openings never end a game: where they are longer than games are, they are as long as they can be.
func TestLongOpeningsLeaveAGame(t *testing.T) {
	t.Parallel()
	p := plan(t, "{name: long, games: [classic], agents: [random, greedy], pairs: 20, openings: {plies: 9}}")
	db := storetest.New(t)
	run(t, p, db, 0)
	for _, row := range games(t, db) {
		if row.OpeningPlies >= row.Plies || row.OpeningPlies < 4 {
			t.Errorf("game %d: %d of %d plies are the opening", row.Number, row.OpeningPlies, row.Plies)
		}
	}
}

// The games of a knockout, a format that Spar no longer plays, are checked without its brackets.
func TestAuditOfKnockouts(t *testing.T) {
	t.Parallel()
	p, db := plan(t, smallPlan, "pairs=2"), storetest.New(t)
	run(t, p, db, 0)
	events := must.Get(db.Events(t.Context()))(t)
	e := events[0]
	e.Plan = strings.Replace(e.Plan, `"round-robin"`, `"knockout"`, 1)
	rules, players := map[string]arena.Kept{}, map[string]arena.Kept{}
	for _, row := range games(t, db) {
		for i, label := range p.Labels {
			if label == row.RulesName {
				rules[label] = arena.Kept{ID: row.Rules, Game: p.Rules[i]}
			}
		}
		for _, s := range p.Players {
			if s.Name == row.FirstName {
				players[s.Name] = arena.Kept{ID: row.First, Spec: s.Canonical()}
			}
		}
	}
	a := must.Get(arena.NewAudit(e, rules, players))(t)
	for i, row := range games(t, db) {
		bad := i == 5
		if bad {
			row.Opening++ // not that of its pair
		}
		if err := a.Take(rules[row.RulesName].Game, row.Game); (err != nil) != bad {
			t.Errorf("game %d: %v", row.Number, err)
		}
	}
}
