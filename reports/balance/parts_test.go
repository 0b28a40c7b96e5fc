package balance

import (
	"testing"

	"spar/ratings"
)

// A histogram has a bar for each length, or for as many together as make 40 bars at most, from a multiple of that many
// on; all games are in one of them.
func TestBarsOfLengths(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		lengths     []int
		width, from int
		n           int
	}{
		{[]int{7}, 1, 7, 1},
		{[]int{5, 9, 9, 7}, 1, 5, 5},
		{[]int{3, 42}, 1, 3, 40},
		{[]int{3, 43}, 2, 2, 21},
		{[]int{9, 100}, 3, 9, 31},
		{[]int{10, 90}, 3, 9, 28},
	} {
		d := &dist{}
		for _, x := range c.lengths {
			d.add(x)
		}
		got := bars(d, &dist{})
		if len(got) != c.n || got[0].From != c.from {
			t.Errorf("%v: %d bars from %d, want %d from %d", c.lengths, len(got), got[0].From, c.n, c.from)
		}
		sum := int64(0)
		for i, b := range got {
			n := int64(0)
			for _, x := range c.lengths {
				if b.From <= x && x <= b.To {
					n++
				}
			}
			if sum += b.Count; b.Count != n || b.To-b.From+1 != c.width || i > 0 && b.From != got[i-1].To+1 {
				t.Errorf("%v: bar %d is %+v, want %d games", c.lengths, i, b, n)
			}
		}
		if sum != int64(len(c.lengths)) {
			t.Errorf("%v: %d games in the bars", c.lengths, sum)
		}
	}
	if got := bars(&dist{}, &dist{}); got == nil || len(got) != 0 {
		t.Errorf("bars of nothing: %v", got)
	}
}

// The number of games beside a score is that of the score: with forfeits, distinct games may be more than these.
func TestCountedGamesAreThoseOfTheScore(t *testing.T) {
	t.Parallel()
	score := ratings.WithInterval(0.55, 0.53, 0.58, 327)
	score.Unit = "games"
	g := Group{Games: 360, Distinct: 293, Forfeits: 33}
	if got := g.Counted(score); got != "327 games" {
		t.Errorf("%q, want 327 games", got)
	}
}
