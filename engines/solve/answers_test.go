package solve_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"spar/configs/must"
	"spar/engines/enginetest"
	"spar/engines/solve"
)

// What the tables of vanishing, rolling and classic say in words: vanishing is won in 13 by an edge, rolling in 9 by
// the centre, classic is a draw by any opening.
func TestSummary(t *testing.T) {
	t.Parallel()
	for rules, want := range map[string]struct {
		outcome string
		best    int
		answer  string
	}{
		"vanishing": {"first player wins in 13 plies", 4, `{"moves":"","value":"win","dtw":13,"best":["b1","a2","c2","b3"]}`},
		"rolling":   {"first player wins in 9 plies", 1, `{"moves":"","value":"win","dtw":9,"best":["b2"]}`},
		"classic":   {"draw", 9, `{"moves":"","value":"draw","dtw":null,"best":["a1","b1","c1","a2","b2","c2","a3","b3","c3"]}`},
	} {
		table, err := solve.Small(context.Background(), enginetest.Load(t, rules))
		if err != nil || table == nil {
			t.Fatal(table, err)
		}
		s := table.Summary()
		if s.Outcome() != want.outcome || len(s.Best) != want.best || len(s.Openings) != 9 ||
			s.Win+s.Loss+s.Draw != s.States {
			t.Errorf("%s: %s, %+v", rules, s.Outcome(), s)
		}
		start := enginetest.Load(t, rules).NewPosition()
		a, err := table.Answer(start)
		if text, bad := json.Marshal(a); err != nil || bad != nil || string(text) != want.answer {
			t.Errorf("%s: %s, %v, %v", rules, text, err, bad)
		}
		over := start.Clone()
		must.Do(t, over.PlayText([]string{"a1", "a2", "b1", "b2", "c1"}))
		if a, err := table.Answer(over); err == nil || err.Error() != "the game is over (result: first, reason: line)" ||
			len(a.Best) != 0 {
			t.Errorf("%s, a game that is over: %+v, %v", rules, a, err)
		}
	}
	if table, err := solve.Small(context.Background(), enginetest.Load(t, "connect4")); table != nil || err != nil {
		t.Errorf("connect4 is small: %v, %v", table, err)
	}
	if table, err := solve.Within(context.Background(), enginetest.Load(t, "vanishing"), 1000); table != nil ||
		err != nil {
		t.Errorf("vanishing fits in 1000 bytes: %v, %v", table, err)
	}
}

// Vanishing is won in 13 plies. Under a cap of 13 that counts; under one of 12 the game is a draw, and after any
// opening: only what loses by then loses.
func TestAnswerUnderAPlyCap(t *testing.T) {
	t.Parallel()
	table, err := solve.Small(context.Background(), enginetest.Load(t, "vanishing"))
	if err != nil || table == nil {
		t.Fatal(table, err)
	}
	for maxPlies, want := range map[int]string{
		13: `{"moves":"","value":"win","dtw":13,"best":["b1","a2","c2","b3"]}`,
		12: `{"moves":"","value":"draw","dtw":null,"best":["a1","b1","c1","a2","b2","c2","a3","b3","c3"]}`,
	} {
		a, err := table.Answer(enginetest.Load(t, "vanishing", fmt.Sprintf("draw.max_plies=%d", maxPlies)).NewPosition())
		if text, bad := json.Marshal(a); err != nil || bad != nil || string(text) != want {
			t.Errorf("under a cap of %d: %s, %v, %v", maxPlies, text, err, bad)
		}
	}
}
