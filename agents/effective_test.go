package agents_test

import (
	"encoding/json"
	"testing"

	"spar/agents"
	"spar/configs"
	"spar/engines"
)

// An effective spec states the weights that an agent has under the rules, and is another where they are others.
func TestEffective(t *testing.T) {
	t.Parallel()
	game := func(name string) *engines.Game {
		file, data, err := configs.Read(configs.Games, name)
		if err != nil {
			t.Fatal(err)
		}
		g, err := engines.Load(file, data)
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	spec := func(name string, set ...string) agents.Spec {
		s, err := agents.LoadSpec(name, set...)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	classic, ctor := game("classic"), game("ctor")
	greedy := spec("greedy")
	text, hash := greedy.Effective(ctor)
	var stated agents.Spec
	if err := json.Unmarshal([]byte(text), &stated); err != nil {
		t.Fatal(err)
	}
	if len(stated.Weights) == 0 || stated.Weights["own_material"] != spec("ctor/tuned").Weights["own_material"] || stated.Scale == 0 || stated.Name != "" {
		t.Errorf("greedy under ctor: %s", text)
	}
	_, elsewhere := greedy.Effective(classic)
	_, other := spec("greedy", "weights={own_need_1: 21}").Effective(ctor)
	renamed := greedy
	renamed.Name = "another name"
	_, same := renamed.Effective(ctor)
	_, random := spec("random").Effective(ctor)
	_, everywhere := spec("random").Effective(classic)
	for what, wrong := range map[string]bool{
		"other weights under other rules": hash == elsewhere, "other weights": hash == other, "another name": hash != same, "random under other rules": random != everywhere,
	} {
		if wrong {
			t.Errorf("hash of %s", what)
		}
	}
}
