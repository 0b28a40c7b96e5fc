package record

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"spar/arena/store"
	"spar/arena/study"
	"spar/configs/must"
)

// An event on a busy machine is named: its agents had limits of wall time and thought for ten seconds, in which the
// process had four of processor time. Counts, processor time, programs, other machines and an idle machine give no
// warning.
func TestBusy(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		players, worker string
		cpu             float64
		want            bool
	}{
		"busy":         {`{"type":"mcts"},{"type":"mcts"}`, "", 4, true},
		"idle":         {`{"type":"mcts"},{"type":"mcts"}`, "", 9, false},
		"elsewhere":    {`{"type":"mcts"},{"type":"mcts"}`, "machine 2", 4, false},
		"a program":    {`{"type":"ugi"},{"type":"mcts"}`, "", 4, false},
		"counts":       {`{"type":"mcts","budget":{"nodes":9}},{"type":"mcts","budget":{"nodes":9}}`, "", 4, false},
		"one of two":   {`{"type":"mcts","budget":{"nodes":9}},{"type":"mcts"}`, "", 4, true},
		"cpu":          {`{"type":"mcts","budget":{"seconds":1,"clock":"cpu"}},{"type":"random","budget":{"depth":1}}`, "", 4, false},
		"never ended":  {`{"type":"mcts"},{"type":"mcts"}`, "", 0, false},
		"no such plan": {`"mcts"`, "", 4, false},
	} {
		db := must.Get(store.Open(t.Context(), filepath.Join(t.TempDir(), "s.db"), store.Create))(t)
		e, err := db.BeginEvent(t.Context(), study.Event{
			Name: "cup", Purpose: "tournament", Plan: `{"Plan":{"budget":{"seconds":0.01}},"Players":[` + c.players + `]}`,
		})
		if err != nil {
			t.Fatal(err)
		}
		rules := must.Get(db.RulesID(t.Context(), "classic", "1", "{}"))(t)
		agent := must.Get(db.AgentID(t.Context(), "a", "{}"))(t)
		if err := db.Commit(t.Context(), []study.Game{{
			Event: e.ID, Rules: rules, First: agent, Second: agent, Moves: "b2", Result: "first", Reason: "line", Plies: 1,
			FirstMS: 6000, SecondMS: 4000, Timed: true, Worker: c.worker,
		}}, nil, 0); err != nil {
			t.Fatal(err)
		}
		if c.cpu > 0 {
			must.Do(t, db.EndEvent(t.Context(), e.ID, time.Now(), 10, c.cpu))
		}
		got, err := Busy(t.Context(), db)
		if err != nil || len(got) > 1 || (len(got) == 1) != c.want || c.want && !strings.Contains(got[0], "10s") ||
			c.want && !strings.Contains(got[0], "4.0s of processor time (40 %)") {
			t.Errorf("%s: %q, %v", name, got, err)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
}
