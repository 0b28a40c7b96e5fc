package ratings

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"spar/configs/must"
)

// Under one rating and one advantage both tests reject one table in twenty, whatever ties the games of a pair together;
// where a player's rating, or what the first move is worth to him, differs from game to game or from the others', they
// notice.
func TestInteractions(t *testing.T) {
	t.Parallel()
	elo := []float64{0, 60, -40, 100}
	table := func(rng *rand.Rand, w world, pairs int, change func(player, game int) float64,
		seat func(player int) float64,
	) *Table {
		var b Builder
		for game := range 3 {
			for i := range elo {
				for j := range i {
					for range pairs {
						gap := elo[i] + change(i, game) - elo[j] - change(j, game)
						adv := 40*float64(game) + (seat(i)+seat(j))/2
						r1, r2 := w.pair(rng, gap, adv, worldDraws)
						must.Do(t, b.AddPairs(fmt.Sprint(i), fmt.Sprint(j), fmt.Sprint("game ", game), r1, r2, 1))
					}
				}
			}
		}
		return b.Table()
	}
	every := func(string) bool { return true }
	none := func(int, int) float64 { return 0 }
	level := func(int) float64 { return 0 }
	const tables = 250
	for _, w := range worlds {
		for _, pairs := range []int{3, 20} {
			rng := rand.New(rand.NewPCG(3, uint64(pairs)))
			game, seat := 0, 0
			for range tables {
				x := mustFit(t, table(rng, w, pairs, none, level), Options{PerStratum: true}).Interactions(every)
				if x.Game.DF != 12 || x.Seat.DF != 3 {
					t.Fatalf("%+v", x)
				}
				if x.Game.P < 0.05 {
					game++
				}
				if x.Seat.P < 0.05 {
					seat++
				}
			}
			for what, n := range map[string]int{"game": game, "seat": seat} {
				if share := float64(n) / tables; share > 0.09 || what == "game" && share < 0.012 {
					t.Errorf("%s, %d pairs, %s: p < 0.05 in %.1f %% of true models", w.name, pairs, what, 100*share)
				}
			}
		}
	}
	// Player 0 is 300 Elo better in the last game than in the first two; to player 3 the first move is worth 400 Elo
	// more.
	rng := rand.New(rand.NewPCG(4, 4))
	last := func(player, game int) float64 {
		if player == 0 && game == 2 {
			return 300
		}
		return 0
	}
	fit := mustFit(t, table(rng, worlds[0], 20, last, level), Options{PerStratum: true})
	if x := fit.Interactions(every); x.Game.P > 1e-4 {
		t.Errorf("another rating in one game: %+v", x)
	}
	// Games that are not wanted are not looked at: six match-ups in two games leave six degrees of freedom, in one game
	// none.
	if x := fit.Interactions(func(stratum string) bool { return stratum != "game 2" }); x.Game.DF != 6 {
		t.Errorf("without the last game: %+v", x)
	}
	if x := fit.Interactions(func(stratum string) bool { return stratum == "game 2" }); x.Game.DF != 0 || x.Game.P != 1 {
		t.Errorf("the last game alone: %+v", x)
	}
	own := func(player int) float64 {
		if player == 3 {
			return 800
		}
		return 0
	}
	if x := mustFit(t, table(rng, worlds[0], 20, none, own),
		Options{PerStratum: true}).Interactions(every); x.Seat.P > 1e-4 || x.Player != "3" {
		t.Errorf("another advantage of one player: %+v", x)
	}
	// One game, two players: there is nothing to test.
	x := mustFit(t, build(t, func(b *Builder) error { return b.AddPairs("a", "b", "", FirstWins, Draw, 20) }),
		Options{}).Interactions(every)
	if x.Game != (Interaction{P: 1}) || x.Seat.P != 1 || x.Player != "" {
		t.Errorf("%+v", x)
	}
}
