package ratings

import (
	"math"
	"testing"
)

// The open sides of every difference, for patterns of points between up to five agents, agree with the
// likelihood maximised by brute force with the difference held on a grid: on an open side it never falls, on the other it does. The bound on
// the other side is where it has fallen by oneSidedDrop.
func TestOpenSidesOfAllPatterns(t *testing.T) {
	t.Parallel()
	const games = 6.0
	patterns := 0
	for n := 2; n <= 5; n++ {
		var pairs [][2]int
		for i := range n {
			for j := i + 1; j < n; j++ {
				pairs = append(pairs, [2]int{i, j})
			}
		}
		seen := map[int]bool{}
		for code := range 1 << (2 * len(pairs)) {
			if seen[code] {
				continue
			}
			result := patternOf(n, pairs, code)
			markAlike(n, pairs, result, seen)
			if n == 4 && code%4 != 0 || n == 5 && code%307 != 0 { // a sample of the 218 patterns of four and the 9,608 of five agents
				continue
			}
			patterns++
			checkPattern(t, n, result, games)
		}
	}
	t.Logf("%d patterns", patterns)
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

func checkPattern(t *testing.T, n int, r [5][5]int, games float64) {
	t.Helper()
	var b Builder
	for i := range n {
		if err := b.AddPlayer(string(rune('a' + i))); err != nil {
			t.Fatal(err)
		}
		for j := range n {
			m := int64(games) / 2
			count := [][3]int64{{}, {m, 0, 0}, {0, 0, m}, {1, 1, 1}}[r[i][j]]
			if err := b.AddCount(string(rune('a'+i)), string(rune('a'+j)), "", count[0], count[1], count[2]); i != j && err != nil {
				t.Fatal(err)
			}
		}
	}
	f := mustFit(t, b.Table(), Options{NoAdvantage: true, Errors: ErrorDrawAware})
	for i := range n {
		for j := range n {
			h, err := f.HeadToHead(string(rune('a'+i)), string(rune('a'+j)))
			if err != nil {
				t.Fatal(err)
			}
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
				t.Fatalf("%v: %d and %d: %+v, but the likelihood falls below %t, above %t", r, i, j, h.Elo.Interval, falls(-farther), falls(farther))
			}
			drop := 1.6448536269514722 * 1.6448536269514722 / 2
			for _, end := range []struct {
				open, other bool
				at          float64
			}{{h.Elo.Interval.LoOpen, h.Elo.Interval.HiOpen, h.Elo.Interval.Lo}, {h.Elo.Interval.HiOpen, h.Elo.Interval.LoOpen, h.Elo.Interval.Hi}} {
				if !end.open && end.other {
					if got := best - heldMaximum(n, r, games, i, j, end.at*eloUnit); math.Abs(got-drop) > 0.01 {
						t.Fatalf("%v: %d and %d: the likelihood falls by %v at the bound %v, want %v", r, i, j, got, end.at, drop)
					}
				}
			}
		}
	}
}

// heldMaximum is the largest log-likelihood with rating i - rating j = x: gradient steps one rating at a time (the problem is concave), each
// by bisection of its derivative within ±150.
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
