package env_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"spar/configs"
	"spar/configs/must"
	"spar/engines"
	"spar/engines/enginetest"
	"spar/engines/env"
)

// scatter returns a text of a position with pieces anywhere on the board, as full as it may be, with the fields that
// lead to rare moves.
func scatter(g *engines.Game, rng *rand.Rand) string {
	var b strings.Builder
	full := 1 + rng.IntN(8)
	start := g.NewState()
	for y, row := range start.Board() {
		if y > 0 {
			b.WriteByte('/')
		}
		for _, cell := range []byte(row) {
			if cell != '#' {
				cell = "XO......"[rng.IntN(full)%8:][0]
			}
			b.WriteByte(cell)
		}
	}
	fmt.Fprintf(&b, " %c %d", "XO"[rng.IntN(2)], rng.IntN(2)*400+rng.IntN(10))
	for _, field := range []string{" phase=move hand=0,0", " phase=move hand=1,1", " taking", " pie"} {
		if rng.IntN(3) == 0 {
			b.WriteString(field)
		}
	}
	return b.String()
}

// met returns the legal moves of many positions: those of random games, and of boards with pieces anywhere.
func met(g *engines.Game, positions int, each func(s *engines.State, legal []engines.Move)) map[engines.Move]bool {
	rng := rand.New(rand.NewPCG(1, 2))
	seen := map[engines.Move]bool{}
	look := func(s *engines.State) []engines.Move {
		legal := s.AppendMoves(nil)
		each(s, legal)
		for _, m := range legal {
			seen[m] = true
		}
		return legal
	}
	for n := 0; n < positions; n++ {
		for p := g.NewPosition(); !p.Over() && n < positions; n++ {
			legal := look(&p.State)
			p.Play(legal[rng.IntN(len(legal))])
			for range 3 {
				if s, err := g.ParseState(scatter(g, rng)); err == nil && !s.Over() {
					look(&s)
				}
			}
		}
	}
	return seen
}

// Under any rules every legal move has a number of its own, and number, move and text lead to each other.
func TestNumbersOfRandomRules(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		g := must.Get(engines.Compile(enginetest.RandomRules().Draw(t, "rules")))(t)
		c := env.NewCoder(g)
		texts := map[string]bool{}
		for n, a := range env.Actions(g) {
			m, err := g.ReadMove(a.Move)
			if err != nil || a.Action != n || c.Move(n) != m || c.Action(m) != n || texts[a.Move] {
				t.Fatalf("%s: number %d is %s, %v: %v\n%s", g.Name(), n, a.Move, c.Move(n), err, g.Rules().Canonical())
			}
			texts[a.Move] = true
		}
		met(g, 40, func(s *engines.State, legal []engines.Move) {
			numbers := map[int]bool{}
			for _, m := range legal {
				n := c.Action(m)
				if n < 0 || c.Move(n) != m || numbers[n] {
					t.Fatalf("%s: %s has the number %d\n%s", s.Text(), g.MoveText(m), n, g.Rules().Canonical())
				}
				numbers[n] = true
			}
		})
	})
}

// The shipped games have at most 1.5 numbers for each move that some position allows; for some games that number of
// moves is counted by hand.
func TestSizeOfShippedSpaces(t *testing.T) {
	t.Parallel()
	counted := map[string]int{
		"classic": 9, "wild-tictactoe": 2 * 9, "order-and-chaos": 2 * 36,
		"connect4":     42,                      // the landing cells
		"breakthrough": 2 * (7*8 + 7*14 + 7*14), // each side: straight, diagonally, captures
		"hexapawn":     2 * (2*3 + 2*4),         // steps, captures
		"reversi":      64 + 1,                  // the pass
		"pong-hau-ki":  2 * 7,                   // lines, both ways
	}
	for _, name := range configs.Names(configs.Games) {
		g := enginetest.Load(t, name)
		n := env.NewCoder(g).Actions()
		seen := len(met(g, 2000, func(*engines.State, []engines.Move) {}))
		most := 3
		if strings.HasSuffix(name, "draughts") { // pieces stay on half of the cells, and most moves of kings are rare
			most = 8
		}
		if want := counted[name]; 2*n > most*seen || n < seen || want > 0 && n != want {
			t.Errorf("%s: %d numbers, %d moves seen, %d counted", name, n, seen, want)
		}
	}
}

// The numbers of version 2. Files of other programs hold them: where this list changes, env.ActionCode does.
func TestActionCode(t *testing.T) {
	t.Parallel()
	if env.ActionCode != 2 {
		t.Fatal("list the numbers of this version")
	}
	for rules, want := range map[string]string{
		"classic":        "a1 b1 c1 a2 b2 c2 a3 b3 c3",
		"wild-tictactoe": "a1=O b1=O c1=O a2=O b2=O c2=O a3=O b3=O c3=O a1=X b1=X c1=X a2=X b2=X c2=X a3=X b3=X c3=X",
		"hexapawn": "a1-a2 b1-b2 c1-c2 a2-a1 a2-a3 b2-b1 b2-b3 c2-c1 c2-c3 a3-a2 b3-b2 c3-c2 a1xb2 b1xa2 b1xc2 c1xb2 " +
			"a2xb1 a2xb3 b2xa1 b2xc1 b2xa3 b2xc3 c2xb1 c2xb3 a3xb2 b3xa2 b3xc2 c3xb2",
		"nine-mens-morris": "xa1 xd1 xg1 xb2 xd2 xf2 xc3 xd3 xe3 xa4 xb4 xc4 xe4 xf4 xg4 xc5 xd5 xe5 xb6 xd6 xf6 xa7 xd7 " +
			"xg7 a1 d1 g1 b2 ",
	} {
		var texts []string
		for _, a := range env.Actions(enginetest.Load(t, rules)) {
			texts = append(texts, a.Move)
		}
		if got := strings.Join(texts, " "); !strings.HasPrefix(got, want) ||
			rules != "nine-mens-morris" && got != want {
			t.Errorf("%s: %s", rules, got)
		}
	}
}
