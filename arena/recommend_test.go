package arena_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"spar/agents"
	"spar/arena"
	"spar/engines"
)

func recommend(t *testing.T, ctx context.Context, rules string, names []string,
	o arena.Recommending,
) (arena.Recommendation, error) {
	t.Helper()
	g, err := engines.Named(rules)
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range names {
		s, err := agents.LoadSpec(name)
		if err != nil {
			t.Fatal(err)
		}
		if slices.Contains(names[:i], name) {
			s.Name += " again"
		}
		o.Candidates = append(o.Candidates, s)
	}
	return arena.Recommend(ctx, g, o)
}

// Whoever is better is told, and who equals another is not told apart; the sequential stop saves games; workers change
// nothing.
func TestRecommend(t *testing.T) {
	t.Parallel()
	budget := agents.Budget{Nodes: 100, Iterations: 100}
	for _, c := range []struct {
		rules string
		names []string
		want  string
		games int // at most
	}{
		{"connect4", []string{"random", "mcts-100", "uct-1k"}, "connect4: mcts-100 is the best default at 100 simulations " +
			"(mcts) or positions (minimax)", 6 * 48},
		{"connect4", []string{"random", "greedy"}, "connect4: greedy is the best default at 100 simulations (mcts) or " +
			"positions (minimax)", 24},
		{"connect4", []string{"greedy", "greedy"}, "connect4: no significant difference between greedy and greedy again at " +
			"100 simulations (mcts) or positions (minimax)", 192},
		{"classic", []string{"minimax-6", "perfect"}, "classic: no significant difference between minimax-6 and perfect at " +
			"100 simulations (mcts) or positions (minimax)", 192},
	} {
		var first arena.Recommendation
		for _, workers := range []int{1, 3} {
			looked := 0
			r, err := recommend(t, context.Background(), c.rules, c.names, arena.Recommending{
				Budget: budget, Workers: workers,
				Seed: 1, Interim: func(arena.Recommendation) { looked++ },
			})
			if err != nil {
				t.Fatal(err)
			}
			if r.String() != c.want || r.Games > c.games || !r.Finished || looked == 0 {
				t.Errorf("%s after %d games\n%+v\nwant %s", r, r.Games, r, c.want)
			}
			if workers == 1 {
				first = r
			} else if diff := cmp.Diff(first, r, cmpopts.IgnoreUnexported(arena.Candidate{}, arena.Duel{}),
				cmpopts.IgnoreFields(arena.Candidate{}, "Decision")); diff != "" {
				t.Error(diff)
			}
		}
	}
}

// An interrupt brings what is known, and no answer.
func TestRecommendIsInterrupted(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	r, err := recommend(t, ctx, "connect4", []string{"greedy", "greedy"},
		arena.Recommending{Workers: 1, Interim: func(arena.Recommendation) { cancel() }})
	if err == nil || r.Finished || r.Games < 24 || !strings.Contains(r.String(), "stopped before a decision") {
		t.Errorf("%v %s after %d games", err, r, r.Games)
	}
}
