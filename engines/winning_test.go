package engines_test

import (
	"math/rand/v2"
	"testing"

	"spar/configs"
	"spar/engines"
	"spar/engines/enginetest"
)

// Every cell that WinningPlacements names wins when a piece is placed there, under all shipped rules and some that mix
// captures, ages and exact lines.
func TestWinningPlacementsWin(t *testing.T) {
	t.Parallel()
	games := map[string]*engines.Game{}
	for _, name := range configs.Names(configs.Games) {
		games[name] = enginetest.Load(t, name)
	}
	for name, set := range map[string][]string{
		"converts and ages":       {"vanishing", "board.columns=4", "board.rows=4", "surround.threshold=2"},
		"converts and ages later": {"rolling", "board.columns=4", "board.rows=4", "surround.threshold=2"},
		"removes and ages": {
			"vanishing", "board.columns=4", "board.rows=4", "surround.threshold=2",
			"surround.effect=remove",
		},
		"exact lines with captures": {"gomoku9", "win.line=3", "win.overlines=false", "surround.threshold=2"},
		"ages from a ply on":        {"vanishing", "pieces.removal_from_ply=12"},
		"reuses the oldest cell":    {"vanishing", "pieces.reuse_vacated=true"},
		"torus":                     {"vanishing", "board.columns=5", "board.rows=4", "board.wrap=torus"},
	} {
		games[name] = enginetest.Load(t, set[0], set[1:]...)
	}
	for name, g := range games {
		rng := rand.New(rand.NewPCG(17, 18))
		for range 40 {
			p := g.NewPosition()
			for !p.Over() && p.Ply() < 80 {
				for b := p.WinningPlacements(); !b.Empty(); b = b.Rest() {
					next := p.Clone()
					if next.Play(engines.PlaceMove(b.First())); next.Result() != engines.Winner(p.Side()) {
						t.Fatalf("%s: %s does not win in %s", name, g.CellName(b.First()), p.Text())
					}
				}
				moves := p.AppendMoves(nil)
				p.Play(moves[rng.IntN(len(moves))])
			}
		}
	}
}
