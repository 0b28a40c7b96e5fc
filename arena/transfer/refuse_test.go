package transfer

import (
	"context"
	"errors"
	"strings"
	"testing"

	"spar/arena/store"
)

// A line that no study can have written is refused, and nothing of the file is taken in.
func TestImportRefuses(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	whole := string(exported(t, played(t, "{name: x, games: [classic], agents: [random, greedy], pairs: 1}")))
	for _, c := range []struct{ old, now, want string }{
		{`"opening_plies":0`, `"opening_plies":-1`, "opening_plies is -1: expected 0 to"},
		{`"opening_plies":0`, `"opening_plies":99`, "opening_plies is 99: expected 0 to"},
		{`"first":"random"`, `"first":""`, "name"},
		{`"number":1`, `"number":-1`, "expected 0 or more"},
		{`{"agent":"random",`, `{"agent":"",`, "an agent has no name"},
		{`{"agent":"random",`, `{"agent":"other",`, `an effective spec of "random" under "classic": not listed`},
		{`"event":"x","purpose"`, `"event":"","purpose"`, "an event has no name"},
		{`"event":"x","purpose"`, `"event":"y","purpose"`, "game 1 refers to the event x: not listed"},
		{`{"rules":"classic",`, `{"rules":"",`, "rules have no name"},
	} {
		text := strings.Replace(whole, c.old, c.now, 1)
		if text == whole {
			t.Fatalf("%s is not in\n%s", c.old, text)
		}
		into := empty(t)
		if _, err := Import(ctx, into, strings.NewReader(text), "x.jsonl"); !errors.Is(err, ErrFile) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.now, err, c.want)
		}
		for range into.Games(ctx, store.Filter{}) {
			t.Errorf("%s: games were taken in", c.now)
			break
		}
	}
}
