package arena_test

import (
	"testing"
	"time"

	"spar/agents"
	"spar/arena"
	"spar/arena/store/storetest"
	"spar/engines"
	"spar/engines/enginetest"
)

// A limit in minutes holds also where one game of slow agents takes longer than it.
func TestMinutesHold(t *testing.T) {
	t.Parallel()
	slow := agents.DefaultSpec()
	slow.Name = "slow"
	slow.Type = "mcts"
	slow.Budget = agents.Budget{Iterations: 10_000_000}
	other := slow
	other.Name = "other"
	db := storetest.New(t)
	g := enginetest.Load(t, "ctor")
	began := time.Now()
	sum, err := arena.Run(t.Context(), t.Context(), &arena.Tournament{
		Plan:  arena.Plan{Name: "slow", Format: "match", Pairs: 3, Workers: 2, Stop: arena.Stop{Minutes: 0.002}},
		Rules: []*engines.Game{g}, Labels: []string{"ctor"}, Players: []agents.Spec{slow, other},
	}, db, arena.Options{})
	if took := time.Since(began); err != nil || sum.Finished || took > 20*time.Second {
		t.Errorf("%+v after %v, %v", sum, took, err)
	}
}
