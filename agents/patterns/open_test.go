package patterns_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"spar/agents/patterns"
	"spar/configs/must"
	"spar/engines"
	"spar/engines/enginetest"
)

// openNet is a net of random numbers that tells cells within reach of a falling piece from others.
func openNet(t testing.TB, g *engines.Game, seed uint64) *patterns.Net {
	t.Helper()
	a := patterns.For(g)
	a.Walks, a.WalkLength = 3, 4
	a.Tables = append(a.Tables, "walk", "ring")
	l := must.Get(patterns.NewLayout(g, a))(t)
	rng := rand.New(rand.NewPCG(seed, 7))
	numbers := make([]float32, l.Params())
	for i := range numbers {
		numbers[i] = float32(rng.IntN(100)+1) / 64 // none says nothing
	}
	n := must.Get(l.New(numbers))(t)
	return n
}

// TestOpenCells plays random games under gravity, with pieces that stay, that leave, and that fall after those that
// left: what a net keeps along the way is what it counts from nothing, and the cells that it holds open are those on
// which a piece can be dropped.
func TestOpenCells(t *testing.T) {
	t.Parallel()
	for _, set := range []string{"pieces.cap=0", "pieces.cap=6", "pieces.cap=6 placement.falls=true"} {
		t.Run(set, func(t *testing.T) {
			t.Parallel()
			g := enginetest.Load(t, "connect4", strings.Fields(set)...)
			n := openNet(t, g, 1)
			followGames(t, g, n, n.NewCursor())
			_, data := must.Get2(n.With(patterns.Provenance{}))(t)
			back, err := patterns.Read(data, g)
			if err != nil || !back.Architecture().Open {
				t.Fatalf("%+v, %v: a net of open cells is read as another one", back.Architecture(), err)
			}
			k := n.NewCursor()
			rapid.Check(t, func(t *rapid.T) {
				s := g.NewState()
				k.Follow(&s)
				for range rapid.IntRange(0, 30).Draw(t, "plies") {
					next := s
					next.Play(rapid.SampledFrom(s.AppendMoves(nil)).Draw(t, "move"))
					if next.Over() {
						break
					}
					if ahead, want := k.After(&next, 0), n.Value(&next, 0); ahead != want {
						t.Fatalf("%s: %v ahead of it, %v from nothing", next.Text(), ahead, want)
					}
					k.Push(&s, &next)
					s = next
				}
				terms, value := back.Explain(&s, 0)
				if got := k.Value(&s, 0); got != value {
					t.Fatalf("%s: %v along the way, %v explained by what was read back", s.Text(), got, value)
				}
				var got, want []string
				for _, term := range terms {
					if term.Table == "psq" && term.Holds == "_" {
						got = append(got, term.Cells)
					}
				}
				for _, m := range s.AppendMoves(nil) {
					want = append(want, g.MoveText(m))
				}
				slices.Sort(got)
				slices.Sort(want)
				if !slices.Equal(got, want) {
					t.Fatalf("%s: open are %v, pieces can be dropped on %v", s.Text(), got, want)
				}
				image := s.Transform(rapid.SampledFrom(g.Symmetries()).Draw(t, "image"))
				if a, b := n.Value(&s, 0), n.Value(&image, 0); a != b {
					t.Fatalf("%s is worth %v, its image %s %v", s.Text(), a, image.Text(), b)
				}
			})
		})
	}
}
