package agents_test

import (
	"strings"
	"testing"

	"spar/agents"
	"spar/engines/enginetest"
)

// A search has the learned evaluation that ships for exactly the rules, in the searches in which it won at equal
// time, unless the agent says something of its own.
func TestLearnedByDefault(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rules string
		set   string // an override of the rules
		agent string
		knobs []string
		want  string // the file of the evaluation; "" = weights, unless there is a kind
		kind  string // of an evaluation that is neither
	}{
		{rules: "connect4", agent: "mcts-1k", want: "connect4/learned"},
		{rules: "connect4", agent: "minimax-6", want: "connect4/learned"},
		{rules: "ctor", agent: "mcts-100", want: "ctor/learned"},
		{rules: "ctor", agent: "mcts-sharp", want: "ctor/newest"},
		{rules: "connect4", agent: "minimax", want: "connect4/learned"},
		{rules: "classic", agent: "minimax"},
		{rules: "ctor", agent: "minimax", knobs: []string{"evaluation.file=ctor/learned"}, want: "ctor/learned"},
		{rules: "vanishing", agent: "minimax-4", want: "vanishing/learned"},
		{rules: "vanishing", agent: "mcts-1k"}, // 48.2 % (44.9 to 51.6): reports/research/learned.md
		{rules: "classic", agent: "minimax-4"},
		{rules: "gomoku9", agent: "mcts-100", want: "gomoku9/learned"},
		{rules: "gomoku9", agent: "minimax-4"}, // 47.5 % (44.1 to 50.9) at 1,000 positions
		{rules: "infiltration", agent: "minimax-4", want: "infiltration/learned"},
		{rules: "infiltration", agent: "mcts-1k"}, // 48.8 % (46.5 to 51.0)
		{rules: "hex5", agent: "mcts-1k", kind: agents.Connection},
		{rules: "hex5", agent: "minimax-4", knobs: []string{"evaluation.kind=linear"}},
		{rules: "hex5", agent: "plain-alphabeta"},
		{rules: "ctor", set: "surround.threshold=4", agent: "minimax-4"}, // other rules than were learned
		{rules: "connect4", agent: "greedy"},
		{rules: "connect4", agent: "uct-1k"}, // plays random games to their ends
		{rules: "ctor", agent: "minimax-4", knobs: []string{"evaluation.kind=linear"}},
		{rules: "ctor", agent: "minimax-4", knobs: []string{"weights={own_need_1: 21}"}},
		{rules: "ctor", agent: "minimax-4", knobs: []string{"scale=50"}},
		{rules: "ctor", agent: "minimax-4", knobs: []string{"mixture.ignores_opponent=true"}},
	} {
		g := enginetest.Load(t, c.rules, strings.Fields(c.set)...)
		s := loadSpec(t, c.agent, c.knobs...).For(g)
		if s.Evaluation.File != c.want || (s.Evaluation.Net != nil) != (c.want != "") ||
			(s.Weights != nil) != (c.want+c.kind == "") || c.kind != "" && s.Evaluation.Kind != c.kind {
			t.Errorf("%s under %s %s with %v: evaluation %q, %d weights", c.agent, c.rules, c.set, c.knobs,
				s.Evaluation.File, len(s.Weights))
		}
		if again := s.For(g); again.Canonical() != s.Canonical() {
			t.Errorf("%s under %s: For is not done at once", c.agent, c.rules)
		}
		if _, err := agents.New(s, g); err != nil {
			t.Error(err)
		}
	}
}
