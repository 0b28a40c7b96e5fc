package arena

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// matchings lists all ways to pair players, the first with each of the others in turn.
func matchings(order []int) [][][2]int {
	if len(order) == 0 {
		return [][][2]int{nil}
	}
	var out [][][2]int
	for i := 1; i < len(order); i++ {
		rest := append(slices.Clone(order[1:i]), order[i+1:]...)
		for _, m := range matchings(rest) {
			out = append(out, append([][2]int{{order[0], order[i]}}, m...))
		}
	}
	return out
}

// A round of a Swiss tournament pairs in the order of the standings with as few repeated encounters as can be; of
// several such ways the first.
func TestPairsOfARound(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(4, 4))
	for n := 0; n <= 8; n += 2 {
		for range 30 {
			f := &swiss{met: map[[2]int]int{}}
			order := rng.Perm(n)
			for range rng.IntN(3*n + 1) {
				a, b := rng.IntN(n), rng.IntN(n)
				if a != b {
					f.met[key(a, b)]++
				}
			}
			var want [][2]int
			fewest := -1
			for _, m := range matchings(order) {
				again := 0
				for _, p := range m {
					again += f.met[[2]int{min(p[0], p[1]), max(p[0], p[1])}]
				}
				if fewest < 0 || again < fewest {
					want, fewest = m, again
				}
			}
			if got := f.pairUp(order); !reflect.DeepEqual(got, want) {
				t.Errorf("%v met %v: %v, want %v with %d repeats", order, f.met, got, want, fewest)
			}
		}
	}
}
