package agents_test

import (
	"encoding/json"
	"testing"

	"spar/agents"
	"spar/configs/must"
	"spar/engines/enginetest"
)

// An effective spec states the weights that an agent has under the rules, and is another where they are others.
func TestEffective(t *testing.T) {
	t.Parallel()
	classic, ctor := enginetest.Load(t, "classic"), enginetest.Load(t, "ctor")
	greedy := loadSpec(t, "greedy")
	text, hash := greedy.Effective(ctor)
	var stated agents.Spec
	must.Do(t, json.Unmarshal([]byte(text), &stated))
	if len(stated.Weights) == 0 ||
		stated.Weights["own_material"] != loadSpec(t, "ctor/tuned").Weights["own_material"] ||
		stated.Scale == 0 ||
		stated.Name != "" {
		t.Errorf("greedy under ctor: %s", text)
	}
	_, elsewhere := greedy.Effective(classic)
	_, other := loadSpec(t, "greedy", "weights={own_need_1: 21}").Effective(ctor)
	renamed := greedy
	renamed.Name = "another name"
	_, same := renamed.Effective(ctor)
	_, random := loadSpec(t, "random").Effective(ctor)
	_, everywhere := loadSpec(t, "random").Effective(classic)
	for what, wrong := range map[string]bool{
		"other weights under other rules": hash == elsewhere, "other weights": hash == other, "another name": hash != same,
		"random under other rules": random != everywhere,
	} {
		if wrong {
			t.Errorf("hash of %s", what)
		}
	}
}
