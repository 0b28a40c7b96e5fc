package transfer

import (
	"context"
	"errors"
	"strings"
	"testing"

	"spar/arena/store"
	"spar/arena/store/storetest"
)

// A line that no study can have written is refused, and nothing of the file is taken in.
func TestImportRefuses(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	whole := string(exported(t, played(t, "{name: x, games: [classic], agents: [random, greedy], pairs: 1}")))
	people := string(exported(t, everything(t)))
	for _, c := range []struct{ old, now, want string }{
		{`"before":0`, `"before":-1`, `build 1 has "before": -1`},
		{`},{"before":4`, `,"before":5},{"before":4`, `build 2 has "before": 4`},
		{`"worker":"w1"`, `"worker":""`, "a worker has no name"},
		{`"table":"t1"`, `"table":""`, `table "": expected a name`},
		{`{\"id\":\"t2\"}`, `{`, `table "t2": expected a name, and its state as JSON`},
		{`"event":"people","number":0,"fun"`, `"event":"","number":0,"fun"`, "the name of an event"},
		{`"event":"people","number":0,"fun"`, `"event":"people","number":7,"fun"`, "game 7 of the event people: not listed"},
		{
			`"event":"people","number":0,"fun"`, `"event":"persons","number":0,"fun"`,
			"game 0 of the event persons: not listed",
		},
		{`"fun":5`, `"fun":6`, "fun from 1 to 5"},
		{`"fun":1`, `"fun":0`, "fun from 1 to 5"},
		{`"opening_plies":0`, `"opening_plies":-1`, "opening_plies is -1: expected 0 to"},
		{`"rules":"classic","first"`, `"rules":"rolling","first"`, `has the rules "rolling", but the label "classic"`},
		{`"version":1`, `"version":3`, "a line of version 3, expected at most 2"},
		{`"opening_plies":0`, `"opening_plies":99`, "opening_plies is 99: expected 0 to"},
		{`"worker":"local"`, `"hash":7,"worker":"local"`, "the hash of its rules and moves is "},
		{`"first":"random"`, `"first":""`, "name"},
		{`"number":1`, `"number":-1`, "expected 0 or more"},
		{`{"agent":"random",`, `{"agent":"",`, "an agent has no name"},
		{`{"agent":"random",`, `{"agent":"other",`, `the spec of "random" under "classic": not listed`},
		{`"event":"x","purpose"`, `"event":"","purpose"`, "an event has no name"},
		{`"event":"x","purpose"`, `"event":"y","purpose"`, "game 1 refers to the event x: not listed"},
		{`{"rules":"classic",`, `{"rules":"",`, "rules have no name"},
	} {
		text := strings.Replace(whole, c.old, c.now, 1)
		if text == whole {
			text = strings.Replace(people, c.old, c.now, 1)
		}
		if text == people {
			t.Fatalf("%s is not in\n%s", c.old, text)
		}
		into := storetest.New(t)
		if _, err := Import(ctx, into, strings.NewReader(text), "x.jsonl"); !errors.Is(err, ErrFile) ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.now, err, c.want)
		}
		for range into.Games(ctx, store.Filter{}) {
			t.Errorf("%s: games were taken in", c.now)
			break
		}
	}
}
