package agents_test

import (
	"slices"
	"strings"
	"testing"

	"spar/agents"
	"spar/configs"
	"spar/engines/enginetest"
)

// Mistakes in an agent's file are named, with a suggestion where one word is near another.
func TestSpecErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		want       []string // parts of the message
	}{
		{"unknown feature", "type: heuristic\nweights: {own_need: 3}", []string{"test.yaml:2:", `unknown feature "own_need"`, "did you mean own_need_"}},
		{"unknown late feature", "type: minimax\nlate_weights: {enemy_centr: 1}", []string{"enemy_centr", "enemy_centre"}},
		{"unknown movement feature", "type: mcts\nmovement_weights: {jumps: 1}", []string{`unknown feature "jumps"`}},
		{"minimax knob of mcts", "type: mcts\nminimax: {table_mb: 1}", []string{"minimax has no meaning for type mcts"}},
		{"mcts knob of minimax", "type: minimax\nmcts: {rave: 100}", []string{"mcts has no meaning for type minimax"}},
		{"budget of random", "type: random\nbudget: {depth: 3}", []string{"budget has no meaning for type random"}},
		{"weights of random", "type: random\nweights: {own_need_1: 1}", []string{"weights has no meaning for type random"}},
		{"softmax of source", "type: source\nlevel: classic/expert\nmixture: {softmax: 1}", []string{"mixture.softmax has no meaning for type source"}},
		{"ignores_opponent of random", "type: random\nmixture: {ignores_opponent: true}", []string{"mixture.ignores_opponent has no meaning"}},
		{"level of minimax", "type: minimax\nlevel: classic/expert", []string{"level has no meaning for type minimax"}},
		{"unknown level", "type: source\nlevel: checkerboard/herd", []string{`unknown level "checkerboard/herd"`, "checkerboard/hard"}},
		{"no level", "type: source", []string{"unknown level"}},
		{"unknown type", "type: minmax", []string{"minmax", "minimax"}},
		{"no type", "description: x", []string{"type"}},
		{"unknown key", "type: minimax\nbudgets: {depth: 3}", []string{"budgets", "budget"}},
		{"unknown knob", "type: mcts\nmcts: {exploraton: 1}", []string{"exploraton", "exploration"}},
		{"value out of its set", "type: mcts\nmcts: {selection: ucb}", []string{"selection", "ucb", "uct"}},
		{"too small", "type: minimax\nbudget: {depth: -1}", []string{"depth", "-1"}},
		{"too large", "type: random\nmixture: {epsilon: 1.5}", []string{"epsilon", "1.5"}},
		{"not a number", "type: minimax\nbudget: {depth: deep}", []string{"depth"}},
		{"option of two lines", "type: ugi\nugi: {command: x, options: {A: \"1\\nquit\"}}", []string{"test.yaml:2:", `option "A": expected one line`}},
		{"two mistakes at once", "type: mcts\nminimax: {table_mb: 1}\nweights: {own_ned_1: 1}", []string{"minimax has no meaning", "own_ned_1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := agents.ParseSpec("test.yaml", []byte(c.text), "test")
			if err == nil {
				t.Fatal("no error")
			}
			for _, part := range c.want {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%q is not in the message:\n%v", part, err)
				}
			}
		})
	}
}

// A spec's name is that of its file unless it states one, and overrides reach every knob.
func TestSpecNamesAndOverrides(t *testing.T) {
	t.Parallel()
	s := loadSpec(t, "minimax-4", "budget.depth=3", "minimax.table_mb=2", "mixture.epsilon=0.25")
	if s.Name != "minimax-4" || s.Budget.Depth != 3 || s.Minimax.TableMB != 2 || s.Mixture.Epsilon != 0.25 || !s.Minimax.Quiescence {
		t.Errorf("got %+v", s)
	}
	if s := loadSpec(t, "minimax-4", "minimax-4:budget.depth=3"); s.Budget.Depth != 3 || !slices.Equal(s.Chosen, []string{"budget.depth"}) {
		t.Errorf("an override that names its agent: got %+v", s)
	}
	for override, want := range map[string]string{
		"minimax-4:budget.dept=3":  `minimax-4:budget.dept=3: no key "budget.dept"; did you mean budget.depth?`,
		"minimax-2:budget.depth=3": "minimax-2:budget.depth=3: expected key=value, or minimax-4:key=value",
		"budget.depth":             "budget.depth: expected key=value",
	} {
		if _, err := agents.LoadSpec("minimax-4", override); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", override, err, want)
		}
	}
	if s := loadSpec(t, "checkerboard/hard"); s.Name != "checkerboard/hard" || s.Level != "checkerboard/hard" {
		t.Errorf("name %q, level %q", s.Name, s.Level)
	}
	if _, err := agents.LoadSpec("minimx-4"); err == nil || !strings.Contains(err.Error(), "minimax-4") {
		t.Errorf("a typo in a name: %v", err)
	}
	s, err := agents.ParseSpec("a.yaml", []byte("name: own\ntype: random"), "base")
	if err != nil || s.Name != "own" {
		t.Errorf("name %q, %v", s.Name, err)
	}
}

// The sources' levels refuse rules that they were not made for, and say which knob.
func TestLevelThatDoesNotFit(t *testing.T) {
	t.Parallel()
	for level, game := range map[string]string{"ctor/standard": "infiltration", "vanishing/standard": "checkerboard", "checkerboard/hard": "ctor"} {
		_, err := agents.New(loadSpec(t, level), enginetest.Load(t, game))
		if err == nil || !strings.Contains(err.Error(), level) || !strings.Contains(err.Error(), "needs") {
			t.Errorf("%s in %s: %v", level, game, err)
		}
	}
}

// The canonical form of every shipped agent, which records store, reads back to the same agent.
func TestCanonicalIsStable(t *testing.T) {
	t.Parallel()
	for _, name := range configs.Names(configs.Agents) {
		a, b := loadSpec(t, name).Canonical(), loadSpec(t, name).Canonical()
		if a != b || strings.Contains(a, "\n") || !strings.HasPrefix(a, "{") {
			t.Errorf("%s: %s, then %s", name, a, b)
		}
	}
}
