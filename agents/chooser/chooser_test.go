package chooser_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"spar/agents/chooser"
	"spar/configs/must"
	"spar/engines/bulk"
)

func line(t *testing.T, text string) *chooser.Line {
	t.Helper()
	var l chooser.Line
	must.Do(t, json.Unmarshal([]byte(text), &l))
	return &l
}

// An answer depends on its line, number and seed, not on the lines before it.
func TestLinesAreIndependent(t *testing.T) {
	t.Parallel()
	lines := []string{
		`{"rules":"vanishing","moves":["b2"]}`,
		`{"rules":"vanishing","moves":["b2","a1"],"agent":"random"}`,
		`{"rules":"classic","moves":[],"agent":"random"}`,
		`{"rules":"vanishing","set":{"board.columns":4},"moves":["b2"]}`,
		`{"rules":"vanishing","moves":["b2"]}`,
	}
	ask := func(k *chooser.Chooser, i int) chooser.Choice {
		c := must.Get(k.Choose(context.Background(), line(t, lines[i]), uint64(i)))(t)
		return c
	}
	together := &chooser.Chooser{Agent: "mcts-100", Seed: 3}
	for i := len(lines) - 1; i >= 0; i-- {
		alone := &chooser.Chooser{Agent: "mcts-100", Seed: 3}
		if diff := cmp.Diff(ask(alone, i), ask(together, i)); diff != "" {
			t.Errorf("line %d: %s", i, diff)
		}
	}
	if err := together.Close(); err != nil {
		t.Error(err)
	}
}

// The line's agent comes first, then its level, then the agent of all lines. X to move completes a line by c1, which
// all but the random agent see.
func TestWhoChooses(t *testing.T) {
	t.Parallel()
	k := &chooser.Chooser{Agent: "random", Games: bulk.Games{Rules: "classic"}}
	const win = `"moves":["a1","a2","b1","b2"]`
	for _, c := range []struct {
		line            string
		best            string
		score, searches bool
	}{
		{`{"agent":"minimax-2","level":"beginner",` + win + `}`, "c1", true, true},
		{`{"rules":"classic","level":"expert",` + win + `}`, "c1", false, false},
		{`{` + win + `}`, "c1 c2 a3 b3 c3", false, false},
		{`{"agent":"greedy","position":"XX./OO./... X 4"}`, "c1", true, true},
	} {
		got, err := k.Choose(context.Background(), line(t, c.line), 1)
		if err != nil {
			t.Fatalf("%s: %v", c.line, err)
		}
		if best := strings.Join(got.Best, " "); best != c.best || !strings.Contains(best, got.Move) ||
			c.score && (got.Score == nil || *got.Score != 1) ||
			c.searches && got.Nodes < 1 {
			t.Errorf("%s: %+v", c.line, got)
		}
	}
	for text, want := range map[string]string{
		`{"agent":"randm","moves":[]}`:                         "did you mean random",
		`{"rules":"classic","level":"experts","moves":[]}`:     `classic/experts`,
		`{"moves":["a1","b1","a2","b2","a3"]}`:                 "the game is over (result: first, reason: line)",
		`{"moves":["a1","a1"]}`:                                "ply 2: illegal move a1",
		`{"rules":"checkerboard","agent":"classic/expert"}`:    "classic",
		`{"rules":"classic","set":{"pieces.cp":4},"moves":[]}`: "did you mean pieces.cap",
	} {
		must.Refuse(k.Choose(context.Background(), line(t, text), 1))(t, want)
	}
	must.Refuse(new(chooser.Chooser).Choose(context.Background(), line(t, `{"rules":"classic"}`), 1))(t, "no agent")
}
