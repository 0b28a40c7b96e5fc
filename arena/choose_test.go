package arena

import (
	"testing"

	"spar/agents"
)

// sleeper counts how often it was put to sleep.
type sleeper struct {
	agents.Agent
	slept int
}

func (s *sleeper) Sleep() { s.slept++ }

// Only agents that do not play in a game are put to sleep for it.
func TestOthersRest(t *testing.T) {
	t.Parallel()
	var all [3]sleeper
	keys := [3]agentKey{{rules: "r", spec: "a"}, {rules: "r", spec: "a", opposite: true}, {rules: "r", spec: "b"}}
	p := &Player{awake: map[agentKey]agents.Sleeper{}}
	for i, k := range keys {
		p.awake[k] = &all[i]
	}
	for _, game := range [][2]int{{0, 1}, {2, 0}, {2, 0}} {
		p.restOthers([2]agentKey{keys[game[0]], keys[game[1]]})
	}
	if got := [3]int{all[0].slept, all[1].slept, all[2].slept}; got != [3]int{0, 2, 1} {
		t.Errorf("put to sleep %v times, want 0, 2 and 1", got)
	}
}
