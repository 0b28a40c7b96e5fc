package ratings

import (
	"flag"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"spar/configs/must"
)

var (
	long   = flag.Bool("long", false, "run the coverage simulations at full size")
	update = flag.Bool("update", false, "with -long: rewrite reports/research/coverage.md")
)

// world is a way in which two games of a pair come about.
type world struct {
	name    string
	opening float64 // sd in Elo of an advantage shared by both games
	copies  float64 // chance that the second game repeats the first for each player
}

var worlds = []world{
	{"independent games", 0, 0},
	{"unbalanced openings (sd 250)", 250, 0},
	{"second game copies 60 %", 0, 0.6},
}

const worldDraws = 0.3

// draw returns an outcome with expected score p.
func drawOutcome(rng *rand.Rand, p, deq float64) Outcome {
	d := drawShare(p, deq)
	switch u := rng.Float64(); {
	case u < p-d/2:
		return FirstWins
	case u < p+d/2:
		return Draw
	}
	return SecondWins
}

// pair plays x first against y, then y first: the outcomes from the first
// player's side of each game. gap is x over y in Elo.
func (w world) pair(rng *rand.Rand, gap, adv, deq float64) (r1, r2 Outcome) {
	if w.opening > 0 {
		adv += w.opening * rng.NormFloat64()
	}
	r1 = drawOutcome(rng, ExpectedScore(gap+adv), deq)
	if rng.Float64() < w.copies {
		return r1, 2 - r1
	}
	return r1, drawOutcome(rng, ExpectedScore(-gap+adv), deq)
}

// expected returns the expected scores of the two games.
func (w world) expected(gap, adv float64) (p1, p2 float64) {
	const steps = 400
	for k := range steps {
		z := 0.0
		if w.opening > 0 {
			z = math.Sqrt2 * math.Erfinv(2*(float64(k)+0.5)/steps-1) * w.opening
		}
		p1 += ExpectedScore(gap+adv+z) / steps
		p2 += ExpectedScore(-gap+adv+z) / steps
	}
	return p1, w.copies*(1-p1) + (1-w.copies)*p2
}

// design is a round robin with pairs swapped pairs in each match-up.
type design struct {
	elo   []float64
	adv   float64
	pairs int
}

func (d design) table(t testing.TB, w world, rng *rand.Rand) *Table {
	var b Builder
	for i := range d.elo {
		for j := range i {
			for range d.pairs {
				r1, r2 := w.pair(rng, d.elo[i]-d.elo[j], d.adv, worldDraws)
				must.Do(t, b.AddPairs(fmt.Sprint(i), fmt.Sprint(j), "", r1, r2, 1))
			}
		}
	}
	return b.Table()
}

// truth is what the estimates converge to: the fit of the expected scores.
func (d design) truth(t testing.TB, w world) *Fit {
	var b Builder
	const many = 1e9
	for i := range d.elo {
		for j := range i {
			p1, p2 := w.expected(d.elo[i]-d.elo[j], d.adv)
			x, y := fmt.Sprint(i), fmt.Sprint(j)
			for _, err := range []error{
				b.AddCount(x, y, "", int64(many*p1), 0, int64(many*(1-p1))),
				b.AddCount(y, x, "", int64(many*p2), 0, int64(many*(1-p2))),
			} {
				if err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	return mustFit(t, b.Table(), Options{})
}

// report collects rows of reports/research/coverage.md in a fixed order.
type report struct {
	mu   sync.Mutex
	rows map[string]string
}

func (r *report) add(key, row string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.rows[key] = row
}

func (r *report) section(prefix string) string {
	var b strings.Builder
	for _, k := range slices.Sorted(maps.Keys(r.rows)) {
		if strings.HasPrefix(k, prefix) {
			b.WriteString(r.rows[k] + "\n")
		}
	}
	return b.String()
}

func replicates(short, full int) int {
	if *long {
		return full
	}
	return short
}

// allowance is the distance from nominal that a correct rate keeps with near
// certainty: the bound asked for at full size, 4 standard errors else.
func allowance(p, full float64, n int) float64 {
	if *long {
		return full
	}
	return full/2 + 4*math.Sqrt(p*(1-p)/float64(n))
}

func TestCoverage(t *testing.T) {
	t.Parallel()
	rep := &report{rows: make(map[string]string)}
	t.Run("group", func(t *testing.T) {
		t.Run("intervals", func(t *testing.T) { t.Parallel(); coverIntervals(t, rep) })
		t.Run("openings", func(t *testing.T) { t.Parallel(); coverOpenings(t, rep) })
		t.Run("sprt", func(t *testing.T) { t.Parallel(); coverSPRT(t, rep) })
	})
	text := fmt.Sprintf(`# Coverage

Written by `+"`go test ./ratings -run TestCoverage -long -update`"+`; seeds are fixed, so a rerun
gives the same table. Draws: %.0f %% between equals.

## Intervals

Share of nominal 95 %% intervals that hold the value the estimate converges to, %d replicates.
Two players: gap 100, advantage 50, 100 pairs. Six players: 220 to -220, advantage 80, 20 pairs a match-up.
"Gap" is the first player against the last.

| design | world | errors | gap | advantage | mean width of the gap's interval |
|---|---|---|---|---|---|
%s
## Openings that change the games

Share of nominal 95 %% intervals that hold the truth, in %%, and in brackets their mean width relative to that of an
interval of constant width that holds in 95 %%, %d replicates. Each match-up plays each opening once in both seats. For
each opening the worlds draw an advantage of the seat, a strength of each agent, and a strength of each agent in each
seat; the estimator knows nothing of these. The truth comes from 40,000 openings and a solver of its own. "Ranks": all
rank ranges of a tournament hold. "LOS": likelihoods of superiority of the weaker agent above 97.5 %%, in %%.

| design | world | first against last | neighbours | rating | advantage | first player's score | ranks | LOS |
|---|---|---|---|---|---|---|---|---|
%s
## Sequential test

Bounds [0, 50], α = β = 5 %%, truth exactly on a bound, overshoot corrected, %d runs each.

| data | world | type I | type II | games under H0 | median-unbiased estimate: share above truth (H1) | coverage of its 95 %% interval (H1) |
|---|---|---|---|---|---|---|
%s`, 100*worldDraws, replicates(200, 4000), rep.section("a"), replicates(100, 3000), rep.section("c"), replicates(200, 10000), rep.section("b"))
	if *long {
		t.Log("\n" + text)
		if *update && !t.Failed() {
			must.Do(t, os.WriteFile("../reports/research/coverage.md", []byte(text), 0o644))
		}
	}
}

func coverIntervals(t *testing.T, rep *report) {
	designs := []struct {
		name string
		design
	}{
		{"2 players", design{[]float64{-50, 50}, 50, 100}},
		{"6 players", design{[]float64{-220, -120, -30, 40, 130, 220}, 80, 20}},
	}
	n := replicates(200, 4000)
	for di, d := range designs {
		for wi, w := range worlds {
			truth := d.truth(t, w)
			last := len(d.elo) - 1
			gap := truth.Players[last].Elo.Value - truth.Players[0].Elo.Value
			adv := truth.Advantages[0].Elo.Value
			kinds := []ErrorKind{ErrorAuto, ErrorDrawAware}
			if !*long {
				kinds = kinds[:1] // only the default is promised, the other is a row of reports/research/coverage.md
			}
			var hitGap, hitAdv [2]int
			var width [2]float64
			rng := rand.New(rand.NewPCG(uint64(di), uint64(wi)))
			for range n {
				table := d.table(t, w, rng)
				for k, kind := range kinds {
					f := must.Get(table.Fit(Options{Errors: kind}))(t)
					v := f.difference(last, 0).Elo.Interval
					width[k] += (v.Hi - v.Lo) / float64(n)
					if v.Contains(gap) {
						hitGap[k]++
					}
					if f.Advantages[0].Elo.Interval.Contains(adv) {
						hitAdv[k]++
					}
				}
			}
			for k, name := range []string{"pair", "draw-aware"}[:len(kinds)] {
				cg, ca := float64(hitGap[k])/float64(n), float64(hitAdv[k])/float64(n)
				rep.add(fmt.Sprintf("a%d%d%d", di, wi, k), fmt.Sprintf("| %s | %s | %s | %.1f | %.1f | %.0f |", d.name, w.name,
					name, 100*cg, 100*ca, width[k]))
				if k > 0 {
					continue // only the default is promised
				}
				if tol := allowance(0.95, 0.01, n); math.Abs(cg-0.95) > tol || math.Abs(ca-0.95) > tol {
					t.Errorf("%s, %s: coverage of the gap %.3f, of the advantage %.3f", d.name, w.name, cg, ca)
				}
			}
		}
	}
}

// gapFor is the gap at which the pair's mean expected score is that of elo.
func (w world) gapFor(elo, adv float64) float64 {
	lo, hi := -1000.0, 1000.0
	for range 60 {
		mid := (lo + hi) / 2
		p1, p2 := w.expected(mid, adv)
		if (p1+1-p2)/2 < ExpectedScore(elo) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return (lo + hi) / 2
}

func coverSPRT(t *testing.T, rep *report) {
	n := replicates(200, 10000)
	for wi, w := range worlds {
		var wrong, games [2]float64
		above, covered := 0.0, 0.0
		for h, elo := range []float64{0, 50} {
			gap := w.gapFor(elo, 0)
			rng := rand.New(rand.NewPCG(uint64(wi), uint64(h)+77))
			for range n {
				tr := must.Get(NewTracker(SPRT{Elo0: 0, Elo1: 50}, true))(t)
				state := StateContinue
				for state == StateContinue {
					r1, r2 := w.pair(rng, gap, 0, worldDraws)
					state = must.Get(tr.Add(int(r1) + int(2-r2)))(t)
					games[h] += 2 / float64(n)
				}
				if (state == StateAcceptH1) == (h == 0) {
					wrong[h] += 1 / float64(n)
				}
				if h == 0 {
					continue
				}
				r := must.Get(tr.Result())(t)
				if r.Elo.Value > elo {
					above += 1 / float64(n)
				}
				if r.Elo.Interval.Contains(elo) {
					covered += 1 / float64(n)
				}
			}
		}
		rep.add(fmt.Sprintf("b%d", wi), fmt.Sprintf("| pentanomial | %s | %.1f | %.1f | %.0f | %.0f "+
			"%% | %.1f |", w.name, 100*wrong[0], 100*wrong[1], games[0], 100*above, 100*covered))
		for h := range wrong {
			if wrong[h]-0.05 > allowance(0.05, 0.005, n) {
				t.Errorf("%s: error rate %.4f under H%d", w.name, wrong[h], h)
			}
		}
	}
}
