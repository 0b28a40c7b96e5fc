package enginetest

import (
	"flag"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"spar/configs/must"
	"spar/engines"
	"spar/engines/rules"
)

var (
	longPlies = flag.Int("plies", 0, "play against the reference until every mechanic has been part of so many plies")
	longFor   = flag.Duration("for", 9*time.Minute, "with -plies: give up after this time")
	longKnob  = flag.String("knob", "", "with -plies: only the mechanics of these knobs, separated by commas")
	longSeed  = flag.Int("from", 1, "with -plies: number of the first rules")
)

// With -plies, random rules are played against the reference until every mechanic has been part of so many plies. Each
// draw favours the mechanic that has the fewest so far. The counts are printed.
func TestLongConform(t *testing.T) {
	if *longPlies == 0 {
		t.Skip("takes -plies")
	}
	until := time.Now().Add(*longFor)
	plies := map[rules.Mechanic]int{}
	draw := map[rules.Mechanic]*rapid.Generator[engines.Rules]{}
	rarest := func() rules.Mechanic {
		least := rules.Undeclared
		for one := range rules.Undeclared {
			wanted := *longKnob == "" || slices.ContainsFunc(strings.Split(*longKnob, ","),
				func(path string) bool { return rules.KnobMechanics(path).Has(one) })
			if wanted && (least == rules.Undeclared || plies[one] < plies[least]) {
				least = one
			}
		}
		return least
	}
	drawn, games, all := 0, 0, 0
	for seed := *longSeed; time.Now().Before(until); seed++ {
		favoured := rarest()
		if plies[favoured] >= *longPlies {
			break
		}
		if draw[favoured] == nil {
			draw[favoured] = RandomRulesWith(favoured)
		}
		r := draw[favoured].Example(seed)
		uses := r.Mechanics()
		g := must.Get(engines.Compile(r))(t)
		drawn++
		for game := range uint64(64) {
			p, err := playGame(g, 80, rand.New(rand.NewPCG(uint64(seed), game)))
			if err != nil {
				t.Errorf("rules %d with %d: %v\nrules: %s", seed, favoured, err, r.Canonical())
				break
			}
			games++
			all += p.Ply()
			for one := range rules.Undeclared {
				if uses.Has(one) {
					plies[one] += p.Ply()
				}
			}
		}
	}
	for one := range rules.Undeclared {
		t.Logf("%-16s %9d plies", rules.MechanicsOf(one), plies[one])
	}
	t.Logf("%-16s %9d plies in %d games of %d rules", "all", all, games, drawn)
}
