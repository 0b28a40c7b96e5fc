package enginetest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"spar/configs"
	"spar/configs/must"
	"spar/engines"
)

// loadKinds loads a shipped game, or one of testdata/kinds.
func loadKinds(t testing.TB, name string) *engines.Game {
	t.Helper()
	file := filepath.Join("testdata", "kinds", name+".yaml")
	data, err := os.ReadFile(file)
	if err != nil {
		file, data = must.Get2(configs.Read(configs.Games, name))(t)
	}
	g := must.Get(engines.Load(file, data))(t)
	return g
}

// Counts of turns that other programs have found; testdata/kinds/perft.json states the program of each. The reference
// counts the same turns.
func TestPerftOfKinds(t *testing.T) {
	t.Parallel()
	const most = 60_000
	var games map[string]struct {
		Turns     []uint64
		Positions map[string][2]uint64 // turns, and their number
	}
	data, err := os.ReadFile("testdata/kinds/perft.json")
	if err == nil {
		err = json.Unmarshal(data, &games)
	}
	if err != nil {
		t.Fatal(err)
	}
	for name, game := range games {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := loadKinds(t, name)
			Conform(t, g, 1, 60, 1)
			s := g.NewState()
			for i, want := range game.Turns {
				if want > most {
					break
				}
				if got := s.PerftTurns(i + 1); got != want {
					t.Errorf("%d turns: %d, want %d", i+1, got, want)
				}
			}
			for text, want := range game.Positions {
				if s, err := g.ParseState(text); err != nil || s.PerftTurns(int(want[0])) != want[1] {
					t.Errorf("%s: %d turns, want %d (%v)", text, s.PerftTurns(int(want[0])), want, err)
				}
			}
		})
	}
}
