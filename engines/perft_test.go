package engines_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"spar/configs"
	"spar/configs/must"
)

// Counts of move sequences that other programs have agreed on; depths that take longer than a moment are left to
// "spar perft".
func TestPerftGolden(t *testing.T) {
	t.Parallel()
	const most = 500_000
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
			set = map[string]any{
				"board.columns": table.Columns,
				"board.rows":    table.Rows,
				"win.line":      table.Line,
				"pieces.cap":    table.Cap,
			}
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

// The counts of every shipped game, a line each: those of the six original games and of connect four are known from
// elsewhere; the rest are counted by the reference implementation, too, as far as it gets (package enginetest).
func TestPerftShipped(t *testing.T) {
	t.Parallel()
	const most = 100_000
	names := configs.Names(configs.Games)
	lines := make([]string, len(names))
	t.Run("games", func(t *testing.T) {
		for i, name := range names {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				s := load(t, name, nil).NewState()
				line := name
				for depth := 1; depth <= 9; depth++ {
					n := s.Perft(depth)
					if line += fmt.Sprint(" ", n); n*uint64(s.MoveCount()) > most || n == 0 {
						break
					}
				}
				lines[i] = line + "\n"
			})
		}
	})
	golden(t, "golden/perft_shipped.txt", strings.Join(lines, ""))
}

func readJSON(t *testing.T, file string, v any) {
	t.Helper()
	data := must.Get(os.ReadFile(file))(t)
	must.Do(t, json.Unmarshal(data, v))
}
