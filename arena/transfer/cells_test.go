package transfer

import (
	"bytes"
	"context"
	"testing"

	"spar/configs/must"
)

// Cells are 1 where the first player stands, -1 where the second does: with every ply of classic they take turns.
// Planes are bytes where pieces have no age, and shares where a cap makes them leave.
func TestCells(t *testing.T) {
	t.Parallel()
	for rules, dtype := range map[string]string{"classic": "|u1", "vanishing": "<f4"} {
		db := played(t, "{name: x, games: ["+rules+"], agents: [random, greedy], pairs: 1}")
		var file bytes.Buffer
		must.Do(t, PositionsNPZ(context.Background(), db, PositionOptions{With: []string{"cells", "planes"}},
			&file))
		arrays := readNPZ(t, file.Bytes())
		cells, plies := arrays["cells"], arrays["ply"].numbers
		for i, ply := range plies {
			var count [3]int // -1, 0, 1
			for _, x := range cells.numbers[9*i : 9*i+9] {
				count[int(x)+1]++
			}
			if before := int(ply) - 1; rules == "classic" && count != [3]int{before / 2, 9 - before, (before + 1) / 2} {
				t.Errorf("ply %d: %v of -1, 0 and 1", before+1, count)
			}
		}
		if got := arrays["planes"].dtype; got != dtype {
			t.Errorf("%s: planes are %s, want %s", rules, got, dtype)
		}
	}
}
