package transfer

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"spar/arena"
	"spar/arena/store"
)

// A line that no study can have written is refused, and nothing of the file is taken in.
func TestImportRefuses(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	open := func() *store.DB {
		db, err := store.Open(ctx, filepath.Join(t.TempDir(), "s.db"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { db.Close() })
		return db
	}
	db := open()
	p, err := arena.LoadPlan("p.yaml", []byte("{name: x, games: [classic], agents: [random, greedy], pairs: 1}"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := arena.Run(ctx, ctx, p, db, arena.Options{}); err != nil {
		t.Fatal(err)
	}
	whole := string(exported(t, db))
	for _, c := range []struct{ old, now, want string }{
		{`"opening_plies":0`, `"opening_plies":-1`, "opening_plies is -1: expected 0 to"},
		{`"opening_plies":0`, `"opening_plies":99`, "opening_plies is 99: expected 0 to"},
		{`"first":"random"`, `"first":""`, "name"},
		{`"number":1`, `"number":-1`, "expected 0 or more"},
	} {
		text := strings.Replace(whole, c.old, c.now, 1)
		if text == whole {
			t.Fatalf("%s is not in\n%s", c.old, text)
		}
		into := open()
		if _, err := Import(ctx, into, strings.NewReader(text), "x.jsonl"); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.now, err, c.want)
		}
		for range into.Games(ctx, store.Filter{}) {
			t.Errorf("%s: games were taken in", c.now)
			break
		}
	}
}
