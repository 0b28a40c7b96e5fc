package enginetest

import (
	"flag"
	"math/rand/v2"
	"testing"
	"time"

	"spar/engines"
)

var (
	longPlies = flag.Int("plies", 0, "play against the reference until every mechanic has been part of so many plies")
	longFor   = flag.Duration("for", 9*time.Minute, "with -plies: give up after this time")
	longSeed  = flag.Int("from", 1, "with -plies: number of the first rules")
)

// With -plies, random rules are played against the reference until every mechanic has been part of so many plies; rules whose
// mechanics all have enough are left out. The counts are printed.
func TestLongConform(t *testing.T) {
	if *longPlies == 0 {
		t.Skip("takes -plies")
	}
	draw, until := RandomRules(), time.Now().Add(*longFor)
	plies := map[engines.Mechanics]int{}
	lacking := engines.Undeclared - 1 // every mechanic that has a bit
	games, all := 0, 0
	for seed := *longSeed; lacking != 0 && time.Now().Before(until); seed++ {
		r := draw.Example(seed)
		uses := r.Mechanics()
		if uses&lacking == 0 {
			continue
		}
		g, err := engines.Compile(r)
		if err != nil {
			t.Fatal(err)
		}
		for game := range uint64(6) {
			n, err := playGame(g, 80, rand.New(rand.NewPCG(uint64(seed), game)))
			if err != nil {
				t.Errorf("rules %d: %v\nrules: %s", seed, err, r.Canonical())
				break
			}
			games++
			all += n
			for bit := engines.Mechanics(1); bit < engines.Undeclared; bit <<= 1 {
				if uses&bit != 0 {
					if plies[bit] += n; plies[bit] >= *longPlies {
						lacking &^= bit
					}
				}
			}
		}
	}
	for bit := engines.Mechanics(1); bit < engines.Undeclared; bit <<= 1 {
		t.Logf("%-16s %9d plies", bit, plies[bit])
	}
	t.Logf("%-16s %9d plies in %d games", "all", all, games)
}
