package solve

import (
	"compress/gzip"
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strconv"
	"testing"

	"spar/configs/must"
	"spar/engines"
	"spar/engines/enginetest"
	"spar/engines/rules"
)

func solve(t testing.TB, g *engines.Game) *Table {
	t.Helper()
	table := must.Get(Solve(t.Context(), g, Options{}))(t)
	return table
}

// goldenGame is one game of solved_3x3.json, which three independent programs have computed.
type goldenGame struct {
	Rules       string
	Set         map[string]any
	States      uint64
	ByValue     Split                        `json:"by_value"`
	BySide      map[string]Split             `json:"by_side"`
	Reduced     uint64                       `json:"states_up_to_8_symmetries"`
	MaxDTW      int                          `json:"max_dtw"`
	ByDTW       map[string]map[string]uint64 `json:"by_dtw"`
	EmptyBoard  goldenValue                  `json:"empty_board"`
	Openings    map[string]goldenValue
	Positions   []goldenPosition
	MaxExamples [][]string `json:"max_dtw_examples"`
	Variation   []string   `json:"principal_variation"`
}

type goldenValue struct {
	Value string
	DTW   int
}

type goldenPosition struct {
	Moves []string
	goldenValue
	Best       []string
	MoveValues map[string][2]any `json:"move_values"`
}

func golden(t testing.TB) map[string]goldenGame {
	t.Helper()
	f := must.Get(os.Open("testdata/solved_3x3.json.gz"))(t)
	defer f.Close()
	z := must.Get(gzip.NewReader(f))(t)
	var all struct{ Games map[string]goldenGame }
	must.Do(t, json.NewDecoder(z).Decode(&all))
	return all.Games
}

func (v Value) golden() goldenValue { return goldenValue{v.Outcome.String(), v.DTW} }

func TestGoldenFacts(t *testing.T) {
	t.Parallel()
	for name, want := range golden(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			table := solve(t, enginetest.Load(t, want.Rules, rules.Overrides(want.Set)...))
			s := table.Stats()
			if s.States != want.States || s.Split != want.ByValue || s.Reduced != want.Reduced ||
				s.MaxDTW != want.MaxDTW {
				t.Errorf("got %+v, want %d states %+v, %d reduced, longest %d", s, want.States, want.ByValue,
					want.Reduced, want.MaxDTW)
			}
			if s.BySide != [2]Split{want.BySide["X"], want.BySide["O"]} {
				t.Errorf("by side: got %v, want %v", s.BySide, want.BySide)
			}
			for kind, counts := range map[string]map[int]uint64{"win": s.Wins, "loss": s.Losses} {
				got := map[string]uint64{}
				for d, n := range counts {
					got[strconv.Itoa(d)] = n
				}
				if !maps.Equal(got, want.ByDTW[kind]) {
					t.Errorf("%s by distance: got %v, want %v", kind, got, want.ByDTW[kind])
				}
			}
			if s.Root.golden() != (goldenValue{want.EmptyBoard.Value, want.EmptyBoard.DTW}) {
				t.Errorf("the empty board is a %v, want %v", s.Root, want.EmptyBoard)
			}
			openings := map[string]goldenValue{}
			for _, o := range s.Openings {
				openings[o.Move] = o.Value.golden()
			}
			if !maps.Equal(openings, want.Openings) {
				t.Errorf("openings: got %v, want %v", openings, want.Openings)
			}
			checkPositions(t, table, want)
		})
	}
}

// On the bent lines of a star the vulture jumps along the lines. The numbers are those of an independent retrograde
// solver, which lists positions with a decided value apart from those without a move.
func TestJumpsAlongBentLines(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file, set  string
		won, drawn uint64
	}{
		{"testdata/kaooa.yaml", "pieces.supply=5", 900, 7971},
		{"testdata/kaooa.yaml", "pieces.supply=4", 230, 5826},
	} {
		data := must.Get(os.ReadFile(c.file))(t)
		g := must.Get(engines.Load(c.file, data, c.set))(t)
		if s := solve(t, g).Stats(); s.Root.Outcome != Draw || s.Split.Win != c.won || s.Split.Draw != c.drawn {
			t.Errorf("%s: %v, %+v, want a draw, %d won and %d drawn", c.set, s.Root, s.Split, c.won, c.drawn)
		}
	}
}

func checkPositions(t *testing.T, table *Table, want goldenGame) {
	g := enginetest.Load(t, want.Rules, rules.Overrides(want.Set)...)
	for _, p := range want.Positions {
		pos := g.NewPosition()
		must.Do(t, pos.PlayText(p.Moves))
		if v, ok := table.Lookup(&pos.State); !ok || v.golden() != p.goldenValue {
			t.Errorf("%v: got %v %v, want %v", p.Moves, v, ok, p.goldenValue)
		}
		got := map[string]goldenValue{}
		for _, r := range table.Moves(&pos.State) {
			got[g.MoveText(r.Move)] = r.Value.golden()
		}
		expected := map[string]goldenValue{}
		for m, v := range p.MoveValues {
			dtw, _ := v[1].(float64)
			expected[m] = goldenValue{v[0].(string), int(dtw)}
		}
		if !maps.Equal(got, expected) {
			t.Errorf("%v: moves %v, want %v", p.Moves, got, expected)
		}
		var best []string
		for _, r := range table.Best(&pos.State) {
			best = append(best, g.MoveText(r.Move))
		}
		if !slices.Equal(best, p.Best) {
			t.Errorf("%v: best %v, want %v", p.Moves, best, p.Best)
		}
	}
	for _, moves := range want.MaxExamples {
		pos := g.NewPosition()
		must.Do(t, pos.PlayText(moves))
		if v, ok := table.Lookup(&pos.State); !ok || v.DTW != want.MaxDTW {
			t.Errorf("%v: got %v, want a distance of %d", moves, v, want.MaxDTW)
		}
	}
	pos := g.NewPosition()
	for i, m := range want.Variation {
		if best := table.Best(&pos.State); len(best) == 0 || g.MoveText(best[0].Move) != m {
			t.Fatalf("ply %d of the longest play: best %v, want %s first", i+1, best, m)
		}
		must.Do(t, pos.PlayText([]string{m}))
	}
}
