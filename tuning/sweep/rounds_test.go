package sweep

import (
	"path/filepath"
	"slices"
	"testing"
)

// Of an odd field the larger half goes on: 7 candidates are 7, 4 and 2 in the rounds, with twice the games each time,
// and one is left; 5 with three finalists wanted are 5, then 3. The games by hand, one tier: 7x4 + 4x8 + 2x16 = 92, and
// 5x4 = 20; a finalist is measured again with 6 games. A field that is no larger than what is wanted plays one round.
func TestHalvingRoundsUp(t *testing.T) {
	t.Parallel()
	const text = `
name: odd
rules: gomoku9
knobs: [{knob: board.columns, from: 3, to: 9}]
set: {win.line: 3, board.rows: 3, draw.max_plies: 9}
design: halving
tiers: [1]
games: 4
fresh: 6
targets: ["length>=5"]
`
	for _, c := range []struct {
		overrides []string
		fields    []int // candidates of each round
		games     []int // of each candidate in each round
		kept      []int
		planned   int64
	}{
		{[]string{"best=1"}, []int{7, 4, 2}, []int{4, 8, 16}, []int{4, 2, 1}, 7*4 + 4*8 + 2*16},
		{[]string{"best=2"}, []int{7, 4}, []int{4, 8}, []int{4, 2}, 7*4 + 4*8},
		{[]string{"best=3", "knobs=[{knob: board.columns, values: [4, 5, 6, 7, 9]}]"}, []int{5}, []int{4}, []int{3}, 5 * 4},
		{[]string{"best=7"}, []int{7}, []int{4}, []int{7}, 7 * 4},
	} {
		s := mustLoad(t, text, c.overrides...)
		if first, fresh := s.Planned(); first != c.planned || fresh != int64(6*s.Best) {
			t.Errorf("%v: %d and %d games planned, want %d and %d", c.overrides, first, fresh, c.planned, 6*s.Best)
		}
		r := playWith(t, s, filepath.Join(t.TempDir(), "odd.db"), inPassing(2))
		var fields, games, kept []int
		for i, round := range r.Rounds {
			fields, games, kept = append(fields, round.Candidates), append(games, round.Games), append(kept, len(round.Kept))
			if round.Round != i+1 {
				t.Errorf("%v: round %d is called %d", c.overrides, i+1, round.Round)
			}
		}
		if !slices.Equal(fields, c.fields) || !slices.Equal(games, c.games) || !slices.Equal(kept, c.kept) {
			t.Errorf("%v: fields of %v, games %v, kept %v; want %v, %v, %v", c.overrides, fields, games, kept, c.fields, c.games,
				c.kept)
		}
		if want := c.planned + int64(6*s.Best); r.Games != want || len(r.Again) != s.Best {
			t.Errorf("%v: %d games, %d measured again; want %d and %d", c.overrides, r.Games, len(r.Again), want, s.Best)
		}
		// Everybody keeps the games of all his rounds: a finalist of three rounds has 4 + 8 + 16.
		for _, v := range r.Variants {
			n := int64(0)
			for i, round := range r.Rounds {
				if i == 0 || slices.Contains(r.Rounds[i-1].Kept, v.Rules) {
					n += int64(round.Games)
				}
			}
			if got := v.Numbers["length"].N; got != n {
				t.Errorf("%v: %s rests on %d games, want %d", c.overrides, v.Rules, got, n)
			}
		}
	}
}
