package agents_test

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"spar/agents"
	"spar/agents/eval"
	"spar/configs"
	"spar/configs/must"
	"spar/engines"
)

// What spar agents show prints is the agent: written to a file, it has the same weights, and so has a tier by its name.
func TestPrintedAgentsHaveTheirWeights(t *testing.T) {
	g := must.Get(engines.Named("draughts"))(t)
	specs := []agents.Spec{agents.AlphaBeta(800), agents.Varied(80), agents.TreeSearch(50), agents.Erring(agents.AlphaBeta(8000))}
	for _, s := range specs {
		named := must.Get(agents.LoadSpec(s.Name))(t)
		if !reflect.DeepEqual(named.Params, s.Params) {
			t.Errorf("%s by its name: %v, expected %v", s.Name, named.Params, s.Params)
		}
	}
	for _, name := range configs.Names(configs.Agents) {
		specs = append(specs, must.Get(agents.LoadSpec(name))(t))
	}
	bare := agents.AlphaBeta(400) // with weights of 0 from ply 6 on, not without late weights
	bare.Late, bare.LateFrom = eval.Weights{}, 6
	for _, s := range append(specs, bare) {
		s = s.For(g).Resolved()
		file := filepath.Join(t.TempDir(), "copy.yaml")
		must.Do(t, os.WriteFile(file, must.Get(s.YAML())(t), 0o600))
		if again := must.Get(agents.LoadSpec(file))(t); !reflect.DeepEqual(again.Params, s.Params) {
			t.Errorf("%s: %v, expected %v", s.Name, again.Params, s.Params)
		}
	}
	old := []byte("type: minimax\nweights: {own_centre: 1}\nlate_weights: {}\nlate_from: 0\nmovement_weights: {}\n")
	if s := must.Get(agents.ParseSpec("old.yaml", old, "old"))(t); s.Late != nil || s.Movement != nil {
		t.Errorf("what builds before printed: late weights %v, movement weights %v", s.Late, s.Movement)
	}
}
