package watch

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"spar/arena"
	"spar/arena/evidence"
	"spar/arena/live"
	"spar/arena/store"
)

// pairsOf returns lines of pairs of a study, and what they have said since it was asked last: pair and marks.
func pairsOf(t *testing.T, db *store.DB) (p *Pairs, said func() string) {
	t.Helper()
	var out bytes.Buffer
	p = NewPairs(t.Context(), db, "cup", func(kind string, v any) error {
		line, err := json.Marshal(v)
		fmt.Fprintf(&out, "{\"kind\":%q,%s\n", kind, line[1:])
		return err
	})
	p.Hear(live.Event{Kind: live.Begin})
	return p, func() string {
		var text []string
		for line := range strings.Lines(out.String()) {
			var o struct {
				Kind  string
				Pair  int64
				Marks []string
				Why   string
				Done  int64
			}
			if err := json.Unmarshal([]byte(line), &o); err != nil {
				t.Fatal(err)
			}
			if o.Kind == "barred" {
				text = append(text, fmt.Sprintf("barred: %s, %d left", o.Why, o.Done))
				continue
			}
			text = append(text, fmt.Sprintf("%d%q", o.Pair, o.Marks))
		}
		out.Reset()
		return strings.Join(text, " ")
	}
}

func cup(t *testing.T) *store.DB {
	t.Helper()
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "cup.db"), store.Create)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func ended(number int64, marks evidence.Marks) live.Event {
	return live.Event{Kind: live.GameEnd, Game: &live.Game{
		Number: number, Pair: number / 2, Result: "first", Marks: marks,
		Words: marks.String(),
	}}
}

func judged(marks evidence.Marks, numbers ...int64) live.Event {
	e := live.Event{Kind: live.Verdict}
	for _, n := range numbers {
		e.Judged = append(e.Judged, live.Judged{Number: n, Marks: marks, Words: marks.String()})
	}
	return e
}

// A pair is told of when both its games are there and it is known what they count for, once.
func TestPairsAreToldOfWhenTheyAreJudged(t *testing.T) {
	t.Parallel()
	p, said := pairsOf(t, cup(t))
	for i, step := range []struct {
		event live.Event
		want  string
	}{
		{ended(1, 0), ""},
		{ended(0, evidence.Repeated), `0["repeated" ""]`},
		{ended(4, evidence.Pending), ""},
		{ended(5, evidence.Pending), ""},
		{ended(7, evidence.Pending), ""},
		{ended(2, 0), ""},
		{ended(3, evidence.Forfeit), `1["" "forfeit"]`},
		{judged(0, 4), ""},
		{judged(evidence.Surplus, 5, 6, 7), `2["" "surplus"]`},
		{ended(6, evidence.Surplus), `3["surplus" "surplus"]`},
		{judged(evidence.Surplus, 0, 1), ""},
	} {
		p.Hear(step.event)
		if got := said(); got != step.want {
			t.Errorf("step %d: told %s, want %s", i, got, step.want)
		}
	}
	if len(p.open) != 0 {
		t.Errorf("left: %v", p.open)
	}
}

// What the study holds of pairs is known: a half waits for the other one, a pair that is judged was told of by the run
// before. Where a machine was barred, pairs may be judged anew, and are told of again, and so are those of which a game
// is played again.
func TestPairsOfEarlierRuns(t *testing.T) {
	t.Parallel()
	db := cup(t)
	play := func(limit int64) {
		plan, err := arena.LoadPlan("cup", []byte("{name: cup, games: [classic], agents: [random, {agent: random, name: "+
			"other}], pairs: 3}"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := arena.Run(t.Context(), t.Context(), plan, db, arena.Options{Limit: limit}); err != nil {
			t.Fatal(err)
		}
	}
	play(3)
	p, said := pairsOf(t, db)
	p.Hear(ended(1, 0))
	p.Hear(ended(3, 0))
	if got := said(); got != `1["" ""]` {
		t.Errorf("after three games: told %s", got)
	}
	play(0)
	p, said = pairsOf(t, db)
	p.Hear(judged(evidence.Repeated, 3))
	if got := said(); got != "" || len(p.open) != 0 {
		t.Errorf("all is known, and told is %s, left %v", got, p.open)
	}
	p.Hear(live.Event{Kind: live.Barred, Text: "w cheats", Done: 5, Total: 6, Exact: true})
	p.Hear(judged(evidence.Surplus, 2, 3))
	p.Hear(judged(evidence.Repeated, 4))
	p.Hear(ended(5, 0))
	if got := said(); got != `barred: w cheats, 5 left 1["surplus" "surplus"] 2["repeated" ""] 2["repeated" ""]` {
		t.Errorf("judged anew: told %s", got)
	}
	p.Hear(judged(evidence.Superseded, 0))
	p.Hear(ended(0, evidence.Pending))
	p.Hear(judged(0, 0))
	if got := said(); got != `0["" ""]` || p.err != nil {
		t.Errorf("played again: told %s, %v", got, p.err)
	}
}
