package engines_test

import (
	"encoding/json"
	"os"
	"testing"
)

// Counts of move sequences that other programs have agreed on; depths that take longer than a moment are left to
// "spar perft".
func TestPerftGolden(t *testing.T) {
	t.Parallel()
	const most = 2_000_000
	var small struct {
		Tables []struct {
			Name, Rules   string
			Set           map[string]any
			Columns, Rows int
			Line, Cap     int
			Nodes         []uint64
		}
	}
	readJSON(t, "testdata/golden/perft_3x3.json", &small)
	for _, table := range small.Tables {
		set := table.Set
		if set == nil {
			set = map[string]any{"board.columns": table.Columns, "board.rows": table.Rows, "win.line": table.Line, "pieces.cap": table.Cap}
		}
		s := load(t, table.Rules, set).NewState()
		for i, want := range table.Nodes {
			if want > most {
				break
			}
			if got := s.Perft(i + 1); got != want {
				t.Errorf("%s: perft %d = %d, want %d", table.Name, i+1, got, want)
			}
		}
	}
	var large struct {
		Entries []struct {
			Rules string
			Set   map[string]any
			Moves []string
			Depth int
			Nodes uint64
		}
	}
	readJSON(t, "testdata/golden/perft_8x8.json", &large)
	for _, e := range large.Entries {
		if e.Nodes > most {
			continue
		}
		p := load(t, e.Rules, e.Set).NewPosition()
		if err := p.PlayText(e.Moves); err != nil {
			t.Fatalf("%s: %v", e.Rules, err)
		}
		if got := p.Perft(e.Depth); got != e.Nodes {
			t.Errorf("%s %v after %v: perft %d = %d, want %d", e.Rules, e.Set, e.Moves, e.Depth, got, e.Nodes)
		}
	}
}

// The counts of every shipped game. Those of the six original games and of connect four are known from elsewhere; the rest
// were counted by the reference implementation.
func TestPerftShipped(t *testing.T) {
	t.Parallel()
	tables := map[string][]uint64{
		"classic":          {9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872},
		"rolling":          {9, 72, 504, 3024, 15120, 54720, 148176, 300672, 597456},
		"vanishing":        {9, 72, 504, 3024, 15120, 54720, 148176, 396576, 1059984},
		"checkerboard":     {32, 992, 31744, 984064},
		"infiltration":     {32, 1024, 31744, 984064},
		"ctor":             {100, 9900, 970200},
		"connect4":         {7, 49, 343, 2401, 16807, 117649, 823536, 5673234},
		"gomoku9":          {81, 6480, 511920},
		"torus-vanishing":  {25, 600, 13800, 303600},
		"infiltration-6x6": {18, 324, 5508, 93636},
	}
	for name, want := range tables {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := load(t, name, nil).NewState()
			for i, n := range want {
				if got := s.Perft(i + 1); got != n {
					t.Errorf("perft %d = %d, want %d", i+1, got, n)
				}
			}
		})
	}
}

func readJSON(t *testing.T, file string, v any) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, v); err != nil {
		t.Fatal(err)
	}
}
