package book_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"spar/agents"
	"spar/agents/book"
	"spar/configs/must"
	"spar/engines"
	"spar/engines/enginetest"
)

func build(t *testing.T, rules, agent string, o book.Options) (*book.Book, *engines.Game, error) {
	t.Helper()
	g := enginetest.Load(t, rules)
	spec := must.Get(agents.LoadSpec(agent))(t)
	a := must.Get(agents.New(spec, g))(t)
	b, err := book.Build(context.Background(), a, spec.Budget, g.NewPosition(), o)
	return b, g, err
}

// Perfect play in rolling: the first player opens in the centre and wins whatever the second does; the tree holds
// every reply and one answer to each.
func TestBookOfAWonGame(t *testing.T) {
	t.Parallel()
	b, g := must.Get2(build(t, "rolling", "perfect", book.Options{Plies: 3, Sides: [2]bool{true, false}}))(t)
	lines := b.Lines()
	if len(lines) != 8 || b.Root.Score != 1 {
		t.Errorf("%d lines, value %v: want 8 replies to the centre and a win", len(lines), b.Root.Score)
	}
	seen := map[string]bool{}
	for _, l := range lines {
		words := strings.Fields(g.JoinMoves(l.Moves))
		if len(words) != 3 || words[0] != "b2" || l.Score != 1 || seen[words[1]] {
			t.Errorf("%v, score %v", words, l.Score)
		}
		seen[words[1]] = true
	}
	// 9 first moves in three classes; after b2 and a corner or an edge, the answers up to symmetry.
	if b.Searched > 3+2*7 {
		t.Errorf("%d positions searched: symmetric ones are not merged", b.Searched)
	}
}

// Both sides' two best moves give a tree of 2 x 2 lines; a greedy book may lose a move's place when replies refute it.
func TestBookOfBothSides(t *testing.T) {
	t.Parallel()
	b, _, err := build(t, "checkerboard", "minimax-2", book.Options{Plies: 2, Width: 2, Sides: [2]bool{true, true}})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(b.Lines()); n != 4 {
		t.Errorf("%d lines", n)
	}
	var check func(n *book.Node)
	check = func(n *book.Node) {
		for i, m := range n.Moves {
			if i > 0 && m.Score > n.Moves[i-1].Score {
				t.Errorf("moves are not in order: %v", n.Moves)
			}
			if m.Next == nil {
				continue
			}
			check(m.Next)
			want := m.Next.Score
			if m.Next.Side != n.Side {
				want = 1 - want
			}
			if m.Score != want {
				t.Errorf("a move of %v leads to %v", m.Score, m.Next.Score)
			}
		}
	}
	check(b.Root)
}

func TestBookRefuses(t *testing.T) {
	t.Parallel()
	var limit *book.LimitError
	if _, _, err := build(t, "ctor", "greedy", book.Options{Plies: 3, Most: 10}); !errors.As(err, &limit) {
		t.Errorf("more than 10 positions: %v", err)
	}
	if _, _, err := build(t, "classic", "random", book.Options{Plies: 1, Sides: [2]bool{true, true}}); !errors.Is(err,
		agents.ErrNoScores) {
		t.Errorf("an agent without scores: %v", err)
	}
}
