package puzzles

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"spar/engines"
	"spar/engines/enginetest"
	"spar/engines/solve"
)

// Table and search find of any position what looking at all that follows finds: its value, whether one move alone has
// it and which, and the best of the others where that is so. A lost position has no such move for a search, and only
// wins have a length. Under a ply cap that comes before the end of a game the table is read under it, and a search,
// which would leave it out, tells nothing.
func TestProversOfAnyPosition(t *testing.T) {
	t.Parallel()
	for _, maxPlies := range []int{0, 7} {
		t.Run(fmt.Sprint(maxPlies), func(t *testing.T) {
			t.Parallel()
			testProvers(t, enginetest.Load(t, "classic", fmt.Sprintf("draw.max_plies=%d", maxPlies)), maxPlies == 0)
		})
	}
}

func testProvers(t *testing.T, g *engines.Game, searches bool) {
	t.Helper()
	tabled, err := newProver(t.Context(), g, Limits{Memory: 1 << 24})
	if err != nil || tabled.table == nil {
		t.Fatal(tabled, err)
	}
	defer tabled.close()
	searched := &prover{nodes: 100_000}
	rng := rand.New(rand.NewPCG(1, 2))
	seen := map[[2]int]int{} // positions by value and number of moves that keep it, up to two
	for range 60 {
		p := g.NewPosition()
		for n := 3 + rng.IntN(4); p.Ply() < n && !p.Over(); {
			moves := p.AppendMoves(nil)
			p.Play(moves[rng.IntN(len(moves))])
		}
		if p.Over() {
			continue
		}
		s := p.State
		var worths []int
		for _, m := range s.AppendMoves(nil) {
			worths = append(worths, moveWorth(&s, m))
		}
		value, keeps, other := slices.Max(worths), 0, -1
		var only engines.Move
		for i, v := range worths {
			if v == value {
				keeps++
				only = s.AppendMoves(nil)[i]
			} else {
				other = max(other, v)
			}
		}
		seen[[2]int{value, min(keeps, 2)}]++
		for name, by := range map[string]*prover{"table": tabled, "search": searched} {
			sol, unique, known, err := by.solve(t.Context(), &s)
			if name == "search" && !searches {
				if known || err != nil {
					t.Errorf("%s near the cap: known %t, %v", p.Text(), known, err)
				}
				continue
			}
			if err != nil || !known || int(sol.value) != value {
				t.Fatalf("%s of %s: %+v, known %t, %v; want %d", name, p.Text(), sol, known, err, value)
			}
			if unique != (keeps == 1 && value > -1) {
				t.Errorf("%s of %s: %d moves keep %d, one alone: %t", name, p.Text(), keeps, value, unique)
			}
			if unique && (sol.move != only || int(sol.other) != other) {
				t.Errorf("%s of %s: %+v, want %s, and %d of the others", name, p.Text(), sol, g.MoveText(only), other)
			}
			if name == "table" && (sol.plies > 0) != (sol.value == solve.Win) {
				t.Errorf("%s: %d in %d plies", p.Text(), value, sol.plies)
			}
		}
	}
	for _, kind := range [][2]int{{1, 1}, {1, 2}, {0, 1}, {0, 2}, {-1, 2}} {
		if seen[kind] == 0 {
			t.Errorf("no position of value %d with %d moves that keep it: %v", kind[0], kind[1], seen)
		}
	}
	p := g.NewPosition()
	if _, _, known, err := (&prover{nodes: 1}).solve(t.Context(), &p.State); known || err != nil {
		t.Errorf("the start is known after one position: %t, %v", known, err)
	}
}
