package transfer

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"spar/arena/store"
)

// What an oracle has said travels with the games that it has said it of, beside other oracles and games of other
// numbers; an import tells how many games it read and how many were new; and once more changes nothing.
func TestValuesTravel(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	from := played(t, "{name: x, games: [classic], agents: [random, greedy], pairs: 2, record_plies: true}")
	some := func(v float64) sql.NullFloat64 { return sql.NullFloat64{Float64: v, Valid: true} }
	said := []map[int64][]store.PositionValue{
		{2: {{Ply: 0, Side: 0, Value: 0.5, Again: some(0.25), Best: "b2", BestValue: 0.5, Played: some(0.375), Legal: 9, Near: some(1), Variance: some(0.125), Shallow: some(0.75)}, {Ply: 1, Side: 1, Value: 1, Best: "a1", Legal: 8}}},
		{2: {{Ply: 3, Value: 0.0625, Best: "c3"}}, 4: {{Ply: 1, Side: 1, Value: 0.25, Best: "a2"}}},
	}
	for i, name := range []string{"exact", "mcts"} {
		id, err := from.OracleID(ctx, store.Oracle{Name: name, Rules: "classic", Spec: "{" + name + "}", Exact: i == 0, Seed: int64(7 + i)})
		if err == nil {
			err = from.AddValues(ctx, id, said[i])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	whole := exported(t, from)

	to := empty(t)
	for i, want := range []Counts{{Games: 4, Added: 4}, {Games: 4}} {
		if got, err := Import(ctx, to, bytes.NewReader(whole), "x.jsonl"); err != nil || got != want {
			t.Fatalf("import %d: %+v, %v, want %+v", i+1, got, err, want)
		}
	}
	oracles, err := to.Oracles(ctx, "classic")
	if err != nil || len(oracles) != 2 || oracles[0].Name != "exact" || !oracles[0].Exact || oracles[1].Exact || oracles[1].Seed != 8 {
		t.Fatalf("%+v, %v", oracles, err)
	}
	for i, o := range oracles {
		got, err := to.Values(ctx, o.ID)
		if d := cmp.Diff(said[i], got); err != nil || d != "" {
			t.Errorf("%s: %v %s", o.Name, err, d)
		}
	}
	var thoughts []int
	for row, err := range to.Games(ctx, store.Filter{}) {
		byPly, again := to.Thoughts(ctx, row.ID)
		if err = errors.Join(err, again); err != nil {
			t.Fatal(err)
		}
		if len(byPly) != row.Plies {
			thoughts = append(thoughts, len(byPly))
		}
	}
	if thoughts != nil {
		t.Errorf("games with %v thoughts: one a ply was recorded", thoughts)
	}

	// Refused, each with its reason, and nothing taken in.
	lines := strings.SplitAfter(string(whole), "\n")
	last := len(lines) - 2 // after it comes the empty end
	for name, c := range map[string]struct{ text, want string }{
		"an oracle too many":      {strings.Join(lines[:last], "") + strings.Replace(lines[last], `"oracle":1`, `"oracle":2`, 1), "values of oracle 2, which the file does not list"},
		"an oracle below nought":  {strings.Join(lines[:last], "") + strings.Replace(lines[last], `"oracle":1`, `"oracle":-1`, 1), "values of oracle -1, which the file does not list"},
		"a pair below nought":     {strings.Replace(string(whole), `"pair":0`, `"pair":-1`, 1), "pair -1"},
		"an opening below nought": {strings.Replace(string(whole), `"opening":0`, `"opening":-1`, 1), "opening -1"},
		"nothing":                 {"", `no line of kind "study"`},
		"a game first":            {lines[1], `its first line is of kind "game"`},
		"an unknown line":         {lines[0] + `{"kind":"song"}`, `a line of kind "song"`},
	} {
		into := empty(t)
		before := exported(t, into)
		if _, err := Import(ctx, into, strings.NewReader(c.text), "x.jsonl"); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
		if !bytes.Equal(exported(t, into), before) {
			t.Errorf("%s: something was taken in", name)
		}
	}
}
