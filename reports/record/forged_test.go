package record

import (
	"database/sql"
	"path/filepath"
	"testing"

	"spar/arena"
	"spar/arena/store"
	"spar/configs/must"
)

// Plan and seed determine number, rules, agents, pair, opening and seed of every game, and its marks follow from the
// games: whatever another program changes there, Verify finds it. The same study is also checked as the validation of a
// tuning, which has no plan of a tournament.
func TestForgeriesAreFound(t *testing.T) {
	t.Parallel()
	for purpose, forgeries := range map[string]map[string]string{
		"tournament": {
			"result":              "UPDATE games SET result = 'first' WHERE result = 'second' AND id < 20",
			"reason":              "UPDATE games SET reason = 'resign' WHERE id = 3",
			"moves of another":    "UPDATE games SET (moves, plies, result, reason, hash) = (SELECT moves, plies, result, reason, hash FROM games o WHERE o.id = 61) WHERE id = 1",
			"cut short":           "UPDATE games SET moves = substr(moves, 1, 8), plies = 3, result = 'first', reason = 'agreed_draw' WHERE id = 1",
			"plies":               "UPDATE games SET plies = plies + 1 WHERE id = 5",
			"hash":                "UPDATE games SET hash = hash + 1 WHERE id = 5",
			"seats exchanged":     "UPDATE games SET first = second, second = first WHERE id = 5",
			"another agent":       "UPDATE games SET first = 3 WHERE first = 1 AND number = 0",
			"an agent's name":     "UPDATE agents SET name = 'x' WHERE id = 1",
			"names exchanged":     "UPDATE agents SET name = 'x' WHERE id = 1; UPDATE agents SET name = 'random' WHERE id = 2; UPDATE agents SET name = 'greedy' WHERE id = 1",
			"an agent's knobs":    "UPDATE agents SET spec = json_set(spec, '$.budget.depth', 9) WHERE id = 3",
			"knobs under rules":   "UPDATE effective_specs SET spec = json_set(spec, '$.scale', 9)",
			"other rules":         "UPDATE games SET rules = 3 - rules WHERE id = 5",
			"a name of rules":     "UPDATE rules SET name = 'x' || name",
			"hash of rules":       "UPDATE rules SET hash = 'x'",
			"knobs of rules":      "UPDATE rules SET canonical = replace(canonical, '\"line\":3', '\"line\":4')",
			"pairs":               "UPDATE games SET pair = number % 7",
			"opening":             "UPDATE games SET opening = opening + 1 WHERE id = 9",
			"opening far away":    "UPDATE games SET opening = 1 << 60 WHERE id = 9",
			"plies of opening":    "UPDATE games SET opening_plies = plies",
			"seed of a game":      "UPDATE games SET seed = 2 WHERE id = 9",
			"seed of the event":   "UPDATE events SET seed = 2",
			"seed everywhere":     "UPDATE events SET seed = 2, plan = replace(plan, '\"seed\":1', '\"seed\":2'); UPDATE games SET seed = 2",
			"number and id":       "UPDATE games SET number = number + 1000, id = id + 1000 WHERE id = 9",
			"negative number":     "UPDATE games SET number = -1, id = 0 WHERE id = 9",
			"id":                  "UPDATE games SET id = id + 1000 WHERE id = 9",
			"games added":         "INSERT INTO games SELECT id + 5000, event, number + 5000, rules, first, second, pair, opening, opening_plies, seed, moves, result, reason, detail, plies, first_ms, second_ms, first_nodes, second_nodes, hash, timed, worker, marks FROM games WHERE result = 'first'",
			"games deleted":       "DELETE FROM games WHERE first = 2 AND result = 'second'",
			"one game deleted":    "DELETE FROM games WHERE id = 9",
			"training":            "UPDATE games SET marks = marks | 8 WHERE first = 1",
			"surplus":             "UPDATE games SET marks = marks | 16 WHERE id = 9",
			"superseded":          "UPDATE games SET marks = 128, number = number + 1000000000, id = id + 1000000000 WHERE id = 9",
			"pending":             "UPDATE games SET marks = marks | 256 WHERE id = 9",
			"repetitions counted": "UPDATE games SET marks = 0",
			"repeated":            "UPDATE games SET marks = 4 WHERE id = 1",
			"timed":               "UPDATE games SET timed = 1, marks = marks | 32 WHERE id = 1",
			"negative time":       "UPDATE games SET first_ms = -5",
			"infinite time":       "UPDATE games SET second_ms = 9e999",
			"negative nodes":      "UPDATE games SET first_nodes = -1",
			"a fault":             "UPDATE games SET detail = 'greedy crashed' WHERE id = 1",
			"marks of no game":    "UPDATE games SET marks = -1 WHERE id = 9",
			"timed twice":         "UPDATE games SET timed = 7 WHERE id = 9",
			"very long":           "UPDATE games SET moves = replace(hex(zeroblob(1000000)), '00', 'a1 ') WHERE id = 9",
			"a game of people":    "INSERT INTO tables VALUES ('x', 'no JSON', '', NULL)",
			"plan emptied":        "UPDATE events SET plan = '{}'",
			"plan of fewer pairs": "UPDATE events SET plan = replace(plan, '\"pairs\":20', '\"pairs\":19')",
			"plan's agents":       "UPDATE events SET plan = json_remove(plan, '$.Players[2]')",
			"purpose":             "UPDATE events SET purpose = 'tuning'",
			"name of the event":   "UPDATE events SET name = 'x'",
		},
		"validation": {
			"pairs":         "UPDATE games SET pair = number % 7",
			"opening":       "UPDATE games SET opening = opening + 1 WHERE id = 9",
			"seed":          "UPDATE games SET seed = 2 WHERE id = 9",
			"another agent": "UPDATE games SET first = second WHERE id = 9",
			"surplus":       "UPDATE games SET marks = 16 WHERE id = 9",
			"training":      "UPDATE games SET marks = 8 WHERE id = 9",
			"moves":         "UPDATE games SET (moves, plies, result, reason, hash) = (SELECT moves, plies, result, reason, hash FROM games o WHERE o.id = 9) WHERE id = 1",
		},
	} {
		from := filepath.Join(t.TempDir(), "s.db")
		db := must.Get(store.Open(t.Context(), from, store.Create))(t)
		x, err := arena.LoadPlan("p.yaml", []byte("{name: p, games: [classic, vanishing], pairs: 20, openings: {plies: 1}, "+
			"seed: 1, agents: [random, greedy, {agent: minimax-2, set: {ties: first}, name: a}, {agent: minimax-2, set: "+
			"{ties: first, budget.depth: 3}, name: b}]}"))
		if err == nil && purpose == "validation" {
			x, err = arena.LoadPlan("p.yaml", []byte("{name: p, games: [vanishing], pairs: 20, openings: {plies: 1}, "+
				"seed: 1, agents: [random, greedy]}"))
			x.Purpose = purpose
		}
		if err != nil {
			t.Fatal(err)
		}
		must.Get(arena.Run(t.Context(), t.Context(), x, db, arena.Options{}))(t)
		raw := must.Get(sql.Open("sqlite3", from))(t)
		defer raw.Close()
		forgeries["as it was"] = "SELECT 1"
		for what, change := range forgeries {
			to := filepath.Join(t.TempDir(), "f.db")
			must.Get(raw.Exec("VACUUM INTO ?", to))(t)
			forged := must.Get(sql.Open("sqlite3", to))(t)
			if _, err := forged.Exec(change); err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			forged.Close()
			study, err := store.Open(t.Context(), to, 0)
			if err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			var first error
			v, err := Verify(t.Context(), study, func(err error) { first = err })
			if found := err != nil || v.Bad > 0; found != (what != "as it was") {
				t.Errorf("%s, %s: %+v, %v, %v", purpose, what, v, first, err)
			}
			study.Close()
		}
		db.Close()
	}
}
