package ratings

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"spar/configs/must"
)

func pairsOf(n int) (pairs [][2]int) {
	for i := range n {
		for j := i + 1; j < n; j++ {
			pairs = append(pairs, [2]int{i, j})
		}
	}
	return pairs
}

// canonical are the patterns of points between n agents, each once however they are named.
func canonical(n int) (out [][5][5]int) {
	pairs := pairsOf(n)
	seen := map[int]bool{}
	for code := range 1 << (2 * len(pairs)) {
		if !seen[code] {
			r := patternOf(n, pairs, code)
			markAlike(n, pairs, r, seen)
			out = append(out, r)
		}
	}
	return out
}

// Of all patterns of up to four agents, and a quarter of those of five, a difference is open on a side where a
// direction leads along which no result becomes less probable: each who won all rises at least as far as his opponent,
// and those who shared the points rise alike (Albert & Anderson 1984). Rising or not is all that counts, so that a
// direction is a set of agents.
func TestOpenSidesOfAllPatterns(t *testing.T) {
	t.Parallel()
	patterns := 0
	for n := 2; n <= 5; n++ {
		for x, r := range canonical(n) {
			if patterns++; n == 5 && x%4 != 0 {
				continue // a quarter of the largest
			}
			open := map[[2]int]bool{} // the first may rise above the second without bound
			for rising := range 1 << n {
				rises := func(i int) bool { return rising>>i&1 == 1 }
				possible := true
				for i := range n {
					for j := range n {
						possible = possible && !(r[i][j] == 1 && rises(j) && !rises(i) || r[i][j] == 3 && rises(i) != rises(j))
					}
				}
				for i := range n {
					for j := range n {
						open[[2]int{i, j}] = open[[2]int{i, j}] || possible && rises(i) && !rises(j)
					}
				}
			}
			table := tableOf(t, n, r, 6)
			o := newOpenEnds(newSeparation(table, make([]int, 1), []bool{false}, nil), nil)
			for i := range n {
				for j := range n {
					if got, want := o.of(i, []int{j}), (side{open[[2]int{i, j}], open[[2]int{j, i}]}); i != j && got != want {
						t.Fatalf("%v: %d and %d: %+v, want %+v", r, i, j, got, want)
					}
				}
			}
		}
	}
	if patterns != 3+16+218+9608 { // the directed graphs of 2 to 5 points, A000273 of the OEIS
		t.Errorf("%d patterns", patterns)
	}
}

// In a sample of the patterns, what HeadToHead says agrees with the likelihood maximised by brute force with the
// difference held on a grid: on an open side it never falls, on the other it does. The bound on the other side is where
// it has fallen by oneSidedDrop.
func TestBoundsOfPatterns(t *testing.T) {
	t.Parallel()
	for n := 2; n <= 4; n++ {
		for x, r := range canonical(n) {
			if n < 4 || x%16 == 0 {
				checkPattern(t, n, r, 6)
			}
		}
	}
	for code := 7; code < 1<<20; code += 170_173 {
		checkPattern(t, 5, patternOf(5, pairsOf(5), code), 6)
	}
}

// What is said of the order of agents who are separated comes from the games: another prior says the same, and where a
// difference is open on one side the likelihood of superiority is 1 less the probability of such results between
// equals.
func TestOrderOfSeparatedAgents(t *testing.T) {
	t.Parallel()
	for x, r := range canonical(4) {
		if x%5 != 0 {
			continue
		}
		table := tableOf(t, 4, r, 12)
		narrow := mustFit(t, table, Options{NoAdvantage: true, Errors: ErrorNaive, priorSD: 100})
		wide := mustFit(t, table, Options{NoAdvantage: true, Errors: ErrorNaive, priorSD: 2000})
		ranges := func(f *Fit) map[string][2]int {
			out := map[string][2]int{}
			for _, k := range f.Ranks(1) {
				out[k.Name] = [2]int{k.Lo, k.Hi}
			}
			return out
		}
		if d := cmp.Diff(narrow.LOS(), wide.LOS(), cmpopts.EquateApprox(0, 1e-6)); d != "" {
			t.Errorf("%v: LOS by another prior: %s", r, d)
		}
		if d := cmp.Diff(ranges(narrow), ranges(wide)); d != "" {
			t.Errorf("%v: ranks by another prior: %s", r, d)
		}
	}
	var b Builder
	must.Do(t, b.AddCount("a", "b", "", 8, 0, 0))
	d := must.Get(mustFit(t, b.Table(), Options{NoAdvantage: true}).Difference("a", "b"))(t)
	near(t, "LOS after 8 wins", d.LOS, 1-1.0/256, 1e-5, 0) // equals win 8 of 8 with probability 2^-8
}

// patternOf decodes the points of i against j: 0 did not meet, 1 i won all, 2 j won all, 3 half each.
func patternOf(n int, pairs [][2]int, code int) (r [5][5]int) {
	for x, p := range pairs {
		v := code >> (2 * x) & 3
		r[p[0]][p[1]] = v
		r[p[1]][p[0]] = []int{0, 2, 1, 3}[v]
	}
	return r
}

// markAlike marks the patterns that are this one with other names.
func markAlike(n int, pairs [][2]int, r [5][5]int, seen map[int]bool) {
	names := make([]int, n)
	var permute func(at, used int)
	permute = func(at, used int) {
		if at == n {
			code := 0
			for x, p := range pairs {
				code |= r[names[p[0]]][names[p[1]]] << (2 * x)
			}
			seen[code] = true
			return
		}
		for i := range n {
			if used>>i&1 == 0 {
				names[at] = i
				permute(at+1, used|1<<i)
			}
		}
	}
	permute(0, 0)
}

// tableOf is a table of these games between any two who met.
func tableOf(t *testing.T, n int, r [5][5]int, games float64) *Table {
	t.Helper()
	var b Builder
	for i := range n {
		must.Do(t, b.AddPlayer(string(rune('a'+i))))
		for j := range n {
			m := int64(games) / 2
			count := [][3]int64{{}, {m, 0, 0}, {0, 0, m}, {m / 3, m / 3, m / 3}}[r[i][j]]
			if err := b.AddCount(string(rune('a'+i)), string(rune('a'+j)), "", count[0], count[1], count[2]); i != j &&
				err != nil {
				t.Fatal(err)
			}
		}
	}
	return b.Table()
}

func checkPattern(t *testing.T, n int, r [5][5]int, games float64) {
	t.Helper()
	f := mustFit(t, tableOf(t, n, r, games), Options{NoAdvantage: true, Errors: ErrorDrawAware})
	for i := range n {
		for j := range n {
			h := must.Get(f.HeadToHead(string(rune('a'+i)), string(rune('a'+j))))(t)
			if i == j || !h.Comparable || i > j && n > 3 {
				continue
			}
			const far, farther = 60.0, 64.0 // in natural units: a result that is left there has a likelihood of 1
			best := math.Inf(-1)
			for x := -far; x <= far; x += 10 {
				best = max(best, heldMaximum(n, r, games, i, j, x))
			}
			falls := func(x float64) bool { return best-heldMaximum(n, r, games, i, j, x) > 0.5 }
			if h.Elo.Interval.LoOpen == falls(-farther) || h.Elo.Interval.HiOpen == falls(farther) {
				t.Fatalf("%v: %d and %d: %+v, but the likelihood falls below %t, above %t", r, i, j, h.Elo.Interval,
					falls(-farther), falls(farther))
			}
			drop := math.Log(20) // such results have a probability of 5 % at the bound
			for _, end := range []struct {
				open, other bool
				at          float64
			}{{h.Elo.Interval.LoOpen, h.Elo.Interval.HiOpen, h.Elo.Interval.Lo}, {
				h.Elo.Interval.HiOpen, h.Elo.Interval.LoOpen,
				h.Elo.Interval.Hi,
			}} {
				if !end.open && end.other {
					if got := best - heldMaximum(n, r, games, i, j, end.at*eloUnit); math.Abs(got-drop) > 0.01 {
						t.Fatalf("%v: %d and %d: the likelihood falls by %v at the bound %v, want %v", r, i, j, got, end.at, drop)
					}
				}
			}
		}
	}
}

// heldMaximum is the largest log-likelihood with rating i - rating j = x: gradient steps one rating at a time (the
// likelihood is concave), each by bisection of its derivative within ±150.
func heldMaximum(n int, r [5][5]int, games float64, i, j int, x float64) float64 {
	theta := make([]float64, n)
	theta[i] = x
	share := func(a, b int) float64 { return [4]float64{0, 1, 0, 0.5}[r[a][b]] }
	slope := func(a int) (s float64) {
		for b := range n {
			switch up, down := 1/(1+math.Exp(theta[a]-theta[b])), 1/(1+math.Exp(theta[b]-theta[a])); r[a][b] {
			case 1:
				s += up
			case 2:
				s -= down
			case 3:
				s += (up - down) / 2
			}
		}
		return s
	}
	for range 300 {
		moved := 0.0
		for a := range n {
			if a == i {
				continue
			}
			was, lo, hi := theta[a], -150.0, 150.0
			for range 45 {
				theta[a] = (lo + hi) / 2
				s := slope(a)
				if a == j { // i moves along
					theta[i] = theta[a] + x
					s = slope(a) + slope(i)
				}
				if s > 0 {
					lo = theta[a]
				} else {
					hi = theta[a]
				}
			}
			moved = max(moved, math.Abs(theta[a]-was))
		}
		if moved < 1e-7 {
			break
		}
	}
	ll := 0.0
	for a := range n {
		for b := range n {
			if r[a][b] != 0 {
				ll += games * share(a, b) * -math.Log1p(math.Exp(theta[b]-theta[a])) // both orders: half the games of either
			}
		}
	}
	return ll
}
