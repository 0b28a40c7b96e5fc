package main

import (
	"bytes"
	"context"
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	"spar/arena/store"
	"spar/configs/must"
)

// A study whose agents had other weights than this build's is refused when it is gone on with, and the difference
// named; a game whose moves are not those that its agents make is found.
func TestRecordsOfOtherBuilds(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "s.db")
	spar := func(args ...string) (int, string, string) {
		var out, problems bytes.Buffer
		code := run(context.Background(), args, strings.NewReader(""), &out, &problems)
		return code, out.String(), problems.String()
	}
	play := []string{"match", "minimax-2", "greedy", "--rules", "vanishing", "--pairs", "4", "--db", path}
	if code, _, problems := spar(append(play, "--limit", "4")...); code != exitOK {
		t.Fatal(problems)
	}
	change := func(query string) {
		t.Helper()
		db := must.Get(sql.Open(store.Driver, "file:"+path))(t)
		defer db.Close()
		must.Get(db.Exec(query))(t)
	}
	change(`CREATE TABLE kept AS SELECT * FROM effective_specs`)
	change(
		`UPDATE effective_specs SET spec = json_set(spec, '$.weights.own_need_1', 19), hash = 'of another build' WHERE agent = (SELECT id FROM agents WHERE name = 'greedy')`,
	)
	code, _, problems := spar(play...)
	if code != exitUsage || !strings.Contains(problems, "by other versions of its agents (weights of greedy under vanishing)") {
		t.Errorf("resumed with other weights: exit %d, %s", code, problems)
	}
	change(
		`UPDATE effective_specs SET spec = json_set(spec, '$.minimax.quiescence', json('false')), hash = 'of a third' WHERE agent = (SELECT id FROM agents WHERE name = 'minimax-2')`,
	)
	if code, _, problems = spar(play...); code != exitUsage ||
		!strings.Contains(problems, "minimax-2 under vanishing: minimax.quiescence was false, is true") {
		t.Errorf("resumed with another knob: exit %d, %s", code, problems)
	}
	change(`DELETE FROM effective_specs; INSERT INTO effective_specs SELECT * FROM kept; DROP TABLE kept`)
	if code, _, problems = spar(play...); code != exitOK {
		t.Fatal(problems)
	}
	// The two games of a pair change places: both are legal, and neither is what its agents play.
	change(
		`UPDATE games SET moves = (SELECT moves FROM games o WHERE o.id = 2), plies = (SELECT plies FROM games o WHERE o.id =
2),
		result = (SELECT result FROM games o WHERE o.id = 2), reason = (SELECT reason FROM games o WHERE o.id = 2) WHERE id = 1`,
	)
	code, out, problems := spar("verify", path, "--replay")
	if code != exitFailed || !strings.Contains(out, "The agents replayed 8 games: 1 differ") ||
		!strings.Contains(problems, "game 1: ply ") {
		t.Errorf("another game: exit %d, %s%s", code, out, problems)
	}
}
