package tuning

import (
	"reflect"
	"testing"

	"spar/agents"
	"spar/agents/eval"
)

// An agent's file has the comment, what differs from the defaults of its type, and the weights in the order of the
// features; a set that is there and empty is said to be.
func TestAgentFile(t *testing.T) {
	t.Parallel()
	plain := agents.DefaultSpec()
	plain.Name, plain.Type = "x", "heuristic"
	full := plain
	full.Type, full.Description, full.Mixture.Epsilon, full.Scale, full.LateFrom = "minimax", `a "b"`, 0.25, 40, 6
	full.Weights, full.Late, full.Movement = eval.Weights{"enemy_centre": -1, "own_centre": 2.5}, eval.Weights{},
		eval.Weights{"tempo": 1e-9}
	for _, c := range []struct {
		s             agents.Spec
		comment, want string
	}{
		{plain, "", "type: heuristic\n"},
		{plain, "one\ntwo\n", "# one\n# two\ntype: heuristic\n"},
		{full, "", "type: minimax\ndescription: \"a \\\"b\\\"\"\nmixture:\n  epsilon: 0.25\nscale: 40\nlate_from: " +
			"6\nweights:\n  own_centre: 2.5\n  enemy_centre: -1\nlate_weights: {}\nmovement_weights:\n  tempo: 1e-9\n"},
	} {
		text, err := AgentYAML(c.s, c.comment)
		if err != nil || string(text) != c.want {
			t.Errorf("%v\n%s\nwant\n%s", err, text, c.want)
		}
		back, err := agents.ParseSpec("x.yaml", text, "x")
		if err != nil || !reflect.DeepEqual(back.Weights, c.s.Weights) || !reflect.DeepEqual(back.Late, c.s.Late) ||
			back.Mixture.Epsilon != c.s.Mixture.Epsilon || back.Scale != c.s.Scale {
			t.Errorf("read back: %v, %+v", err, back)
		}
	}
}
