package playout

import (
	"math"
	"math/rand/v2"
	"testing"

	"spar/engines"
	"spar/engines/enginetest"
)

// Shares of the results of uniformly random play, with the sources of the numbers: exact ones are from an enumeration
// of all games, sampled ones from independent programs, n games each. Kernels and play move by move must both give them
// within four standard errors.
func TestRandomPlayHasTheKnownShares(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		game          string
		set           []string
		first, second float64
		n             float64 // games behind the numbers; 0 = exact
		plies         float64 // mean length; 0 = not known
		play          int     // games of this test
	}{
		{"classic", nil, 737. / 1260, 121. / 420, 0, 7.6261905, 40_000},
		{"rolling", nil, 0.5727626, 0.4272374, 0, 0, 20_000},
		{"vanishing", []string{"draw.repetition=0"}, 0.5270808, 0.4729192, 0, 0, 20_000},
		{"connect4", nil, 0.5559, 0.4415, 6e6, 21.315, 20_000},
		{
			"checkerboard",
			[]string{"placement.opening=[]", "draw.repetition=0", "draw.max_plies=200"},
			0.1543,
			0.1539, 6e6, 169.35, 4_000,
		},
		{"checkerboard", []string{"pieces.cap=12"}, 713. / 1500, 737. / 1500, 1500, 133, 2_000},
		{"draughts", []string{"draw.repetition=2"}, 0.3757, 0.3944, 75_000, 65.09, 12_000},
		{"ctor", nil, 0.4734, 0.4732, 6e6, 100, 4_000},
		{"ctor", []string{"surround.cascade=true"}, 1476. / 3000, 1476. / 3000, 3000, 100, 3_000},
		{"ctor", []string{"surround.threshold=6"}, 1345. / 3000, 1324. / 3000, 3000, 100, 3_000},
		{"ctor", []string{"board.wrap=none"}, 1442. / 3000, 1370. / 3000, 3000, 100, 3_000},
		{"infiltration", nil, 11. / 600, 13. / 600, 600, 392, 500},
	} {
		g := enginetest.Load(t, c.game, c.set...)
		p := New(g, rand.NewPCG(20, 26), true)
		for _, way := range []struct {
			name string
			n    int
			run  func(*engines.State) (engines.Result, int)
		}{
			{"kernel", c.play, p.Run},
			{"move by move", c.play / 4, func(*engines.State) (engines.Result, int) {
				s := g.NewPosition()
				for !s.Over() {
					s.Play(p.Move(&s.State))
				}
				return s.Result(), s.Ply()
			}},
		} {
			var count [4]float64
			plies, squares := 0.0, 0.0
			start := g.NewState()
			for range way.n {
				r, k := way.run(&start)
				count[r]++
				plies += float64(k)
				squares += float64(k) * float64(k)
			}
			n := float64(way.n)
			within := func(what string, got, want, variance float64) {
				spread := variance / n
				if c.n > 0 {
					spread += variance / c.n
				}
				if se := math.Sqrt(spread) + 1e-4; math.Abs(got-want) > 4*se {
					t.Errorf("%s %v, %s: %s %.5f, known to be %.5f, standard error %.5f", c.game, c.set, way.name,
						what, got, want, se)
				}
			}
			within("first wins", count[engines.FirstWins]/n, c.first, c.first*(1-c.first))
			within("second wins", count[engines.SecondWins]/n, c.second, c.second*(1-c.second))
			if c.plies > 0 {
				mean := plies / n
				within("mean plies", mean, c.plies, squares/n-mean*mean+1)
			}
		}
	}
}
