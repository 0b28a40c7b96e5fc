package trial

import (
	"math"
	"slices"
	"testing"

	"spar/ratings"
)

func pairsOf(rules string, from int64, points ...int) *Pairs {
	p := &Pairs{Rules: rules, Pentanomial: make([]float64, 5), seen: map[[2]int64]bool{}}
	for i, x := range points {
		p.Pentanomial[x]++
		p.order = append(p.order, judged{from + 2*int64(i), x})
		p.seen[[2]int64{from, int64(x)}] = true
		p.Games += 2
	}
	return p
}

// A test over several rules looks at their pairs in the order in which they were played, and its verdict is that of the first bound.
func TestJudgePooled(t *testing.T) {
	t.Parallel()
	won, lost := slices.Repeat([]int{4, 3, 4}, 20), slices.Repeat([]int{0, 1, 0}, 60)
	test := ratings.SPRT{Elo0: 0, Elo1: 100}
	state := func(p *Pairs) string {
		v, err := p.Judge(test)
		if err != nil {
			t.Fatal(err)
		}
		return v.State
	}
	a, b := pairsOf("a", 1, won...), pairsOf("b", 1000, lost...)
	if s := state(a); s != "accept_h1" {
		t.Errorf("won: %s", s)
	}
	if s := state(b); s != "accept_h0" {
		t.Errorf("lost: %s", s)
	}
	a.Drawn, b.Drawn = 0.25, 0.5 // of 120 and of 360 games
	pool := Pool([]*Pairs{b, a})
	if math.Abs(pool.Drawn-210.0/480) > 1e-12 {
		t.Errorf("a share of %g of all is drawn", pool.Drawn)
	}
	if s := state(pool); s != "accept_h1" || pool.Rules != "b, a" || pool.Games != 480 || !pool.Pooled || pool.Distinct != 4 {
		t.Errorf("won first: %s, %+v", s, pool)
	}
	if Pool([]*Pairs{a}) != a {
		t.Error("one set of rules is no pool")
	}
}

// Normalized Elo is the score above one half in standard deviations of a game, times 800/ln 10.
func TestNormalizedElo(t *testing.T) {
	t.Parallel()
	counts := []float64{10, 40, 95, 52, 13}
	v, err := Evaluate(ratings.SPRT{Elo0: 0, Elo1: 10}, counts)
	if err != nil {
		t.Fatal(err)
	}
	n, mean, square := 0.0, 0.0, 0.0
	for i, c := range counts {
		n, mean, square = n+c, mean+c*float64(i)/4, square+c*float64(i*i)/16
	}
	mean /= n
	sigma := math.Sqrt((square/n - mean*mean) * 2) // of one game of two
	want := (mean - 0.5) / sigma * 800 / math.Ln10
	if v.NElo == nil || math.Abs(v.NElo.Value-want) > 0.05*math.Abs(want) || !(v.NElo.Lo < want && want < v.NElo.Hi) {
		t.Errorf("%+v, want %.2f", v.NElo, want)
	}
}
