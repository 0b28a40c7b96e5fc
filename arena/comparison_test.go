package arena_test

import (
	"context"
	"errors"
	"testing"

	"spar/agents"
	"spar/arena"
	"spar/engines"
)

// Whoever is better is found, whichever comes first, and neither of two equals; workers change nothing.
func TestBetter(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rules string
		names [2]string
		want  int
	}{
		{"connect4", [2]string{"random", "mcts-100"}, 1},
		{"connect4", [2]string{"greedy", "random"}, 0},
		{"connect4", [2]string{"greedy", "greedy"}, -1},
		{"classic", [2]string{"minimax-6", "perfect"}, -1},
	} {
		g, err := engines.Named(c.rules)
		if err != nil {
			t.Fatal(err)
		}
		o := arena.Comparison{Budget: agents.Budget{Nodes: 100, Iterations: 100}, Pairs: 48, Seed: 1}
		for i, name := range c.names {
			if o.Agents[i], err = agents.LoadSpec(name); err != nil {
				t.Fatal(err)
			}
			o.Agents[i].Name = string(rune('a' + i))
		}
		for _, o.Workers = range []int{1, 3} {
			if got, err := o.Better(t.Context(), g); err != nil || got != c.want {
				t.Errorf("%s, %v: %d, %v; want %d", c.rules, c.names, got, err, c.want)
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if got, err := o.Better(ctx, g); got != -1 || !errors.Is(err, context.Canceled) {
			t.Errorf("after an interrupt: %d, %v", got, err)
		}
	}
}
