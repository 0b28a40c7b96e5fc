package playing

import (
	"reflect"
	"strings"
	"testing"

	"spar/configs/must"
	"spar/configs/plain"
	"spar/engines/enginetest"
	"spar/reports/board"
)

// drawn is the board after some moves, as whoever is to move sees it.
func drawn(t *testing.T, from string, moves string, rules ...string) Grid {
	t.Helper()
	p := enginetest.Load(t, rules[0], rules[1:]...).NewPosition()
	must.Do(t, p.PlayText(strings.Fields(moves)))
	f := board.Of(&p.State)
	return (&Drawing{Pos: p, Frame: &f, Play: true, From: from}).Grid()
}

// names are those of a board's cells row by row, ghosts in brackets.
func names(g Grid) string {
	var rows []string
	for _, r := range g.Rows {
		var cells []string
		for _, c := range r.Cells {
			name := c.Name
			if c.Ghost {
				name = "(" + name + ")"
			}
			cells = append(cells, name)
		}
		rows = append(rows, strings.Join(cells, " "))
	}
	return strings.Join(rows, "/")
}

// After the players have exchanged sides, the edges to connect have the colours of those who now connect them.
func TestGoalsAfterASwap(t *testing.T) {
	t.Parallel()
	for moves, want := range map[string]string{"a3": "goal1 legal", "a3 swap": "goal2 legal"} {
		cell := drawn(t, "", moves, "hex5", "turn.pie=seats").Rows[0].Cells[2]
		if got := cell.Class; got != want {
			t.Errorf("%s: %q, want %s", moves, got, want)
		}
	}
}

// Edges that meet have the cells of the other side beyond them; nothing else has.
func TestGhosts(t *testing.T) {
	t.Parallel()
	for wrap, want := range map[string]string{
		"none":    "a1 b1 c1/a2 b2 c2/a3 b3 c3",
		"columns": "(c1) a1 b1 c1 (a1)/(c2) a2 b2 c2 (a2)/(c3) a3 b3 c3 (a3)",
		"rows":    "(a3) (b3) (c3)/a1 b1 c1/a2 b2 c2/a3 b3 c3/(a1) (b1) (c1)",
		"torus":   "(c3) (a3) (b3) (c3) (a3)/(c1) a1 b1 c1 (a1)/(c2) a2 b2 c2 (a2)/(c3) a3 b3 c3 (a3)/(c1) (a1) (b1) (c1) (a1)",
	} {
		g := drawn(t, "", "", "classic", "board.wrap="+wrap)
		if got := names(g); got != want || g.Ghosts != (wrap == "torus" || wrap == "columns") ||
			strings.Join(g.Columns, "") != "abc" ||
			g.Class != plain.If(g.Ghosts, "board w5 r3", "board w3 r3") {
			t.Errorf("%s: %s, want %s", wrap, got, want)
		}
		first := 0
		for _, r := range g.Rows {
			for _, c := range r.Cells {
				if c.First {
					first++
					if c.Ghost {
						t.Error("the keyboard comes in beyond an edge")
					}
				}
			}
		}
		if first != 1 {
			t.Errorf("%s: the keyboard comes in at %d cells", wrap, first)
		}
	}
}

// A cell says to those who hear the page what stands there and what can be done.
func TestLabels(t *testing.T) {
	t.Parallel()
	cellOf := func(g Grid, name string) Cell {
		for _, r := range g.Rows {
			for _, c := range r.Cells {
				if c.Name == name && !c.Ghost {
					return c
				}
			}
		}
		t.Fatalf("no cell %s", name)
		return Cell{}
	}
	old := drawn(t, "", "a1 b1 a2 b2 c3 c1", "vanishing")
	for name, want := range map[string]string{
		"a1": "a1, X, age 1, leaves next",
		"a2": "a2, X, age 2, leaves after that", "c3": "c3, X, age 3", "b3": "b3, empty, legal, would remove a1",
	} {
		if got := cellOf(old, name); got.Label != want {
			t.Errorf("%q, want %q", got.Label, want)
		}
	}
	if c := cellOf(old, "b3"); !c.Act || c.Send != "b3" || c.Field != "move" || c.Removes != "0" || c.First ||
		!cellOf(old, "c2").First {
		t.Errorf("%+v", c)
	}
	if c := cellOf(old, "c3"); c.Act || strings.Contains(c.Class, "legal") {
		t.Errorf("%+v", c)
	}
	const deployed = "a1 b1 a2 b2 c3 c2" // X on a1 a2 c3, O on b1 b2 c2, in tapatan, where pieces then move
	can := drawn(t, "", deployed, "tapatan")
	if c := cellOf(can, "a2"); c.Label != "a2, X, can move" || c.Field != "from" || c.Send != "a2" ||
		!strings.Contains(c.Class, "can") || can.From != "" {
		t.Errorf("%+v", c)
	}
	chosen := drawn(t, "a2", deployed, "tapatan")
	if c := cellOf(chosen, "a2"); c.Label != "a2, X, chosen" || c.Send != "" || !c.First || chosen.From != "a2" ||
		!strings.Contains(c.Class, " chosen") {
		t.Errorf("%+v", c)
	}
	if c := cellOf(chosen, "a3"); c.Label != "a3, empty, legal" || c.Send != "a2-a3" || !c.Act || c.First {
		t.Errorf("%+v", c)
	}
	if drop := drawn(t, "C@", "b3xb2 b1xb2", "dobutsu"); drop.From != "the chick" {
		t.Errorf("%q drops", drop.From)
	}
	if none := drawn(t, "b1", deployed, "tapatan"); none.From != "" {
		t.Errorf("%s of the other side was chosen", none.From)
	}
}

// factsOf are the facts of a position by name.
func factsOf(t *testing.T, moves string, rules ...string) map[string]string {
	t.Helper()
	p := enginetest.Load(t, rules[0], rules[1:]...).NewPosition()
	frames, sides := must.Get2(board.Replay(p, strings.Fields(moves)))(t)
	out := map[string]string{}
	for _, f := range Facts(p, frames, sides, strings.Fields(moves)) {
		out[f.Name] = f.Value
	}
	return out
}

// What the rules make worth knowing is said, and nothing that they do not have.
func TestFacts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rules []string
		moves string
		want  map[string]string
	}{
		{[]string{"classic"}, "b2", map[string]string{"Pieces on the board": "X 1, O 0", "Plies": "1", "Legal moves": "8"}},
		{[]string{"classic"}, "a1 b1 a2 b2 a3", map[string]string{"Pieces on the board": "X 3, O 2", "Plies": "5"}},
		{[]string{"vanishing", "draw.max_plies=40", "draw.repetition=3"}, "a1 b1 a2 b2 c3", map[string]string{
			"Pieces on the board": "X 3 of 3, O 2 of 3", "Leaves next (X)": "a1, then a2",
			"Occurrences of this position": "1 of 3", "Plies": "5 of 40", "Legal moves": "4",
		}},
		// after six plies the same stones lay there
		{
			[]string{"vanishing", "draw.repetition=3", "draw.max_plies=0"},
			"a1 c1 a2 c2 b1 b3 b2 a3 a1 c1 a2 c2 b1 b3",
			map[string]string{
				"Pieces on the board": "X 3 of 3, O 3 of 3", "Leaves next (X)": "a1, then a2", "Leaves next (O)": "c1, then c2",
				"Occurrences of this position": "2 of 3", "Plies": "14", "Legal moves": "3",
			},
		},
		{[]string{"infiltration"}, "", map[string]string{
			"Pieces on the board": "X 0, O 0", "In hand": "X 10, O 10", "Phase": "deploying",
			"Occurrences of this position": "1 of 3", "Plies": "0 of 400", "Legal moves": "32",
		}},
		{[]string{"hex5", "turn.pie=seats"}, "a2 swap", map[string]string{
			"Sides exchanged": "Red has the moves and goals that the rules give Blue, and the reverse", "Pieces on the board": "Red 0, Blue 1",
			"Plies": "2", "Legal moves": "24",
		}},
		{
			[]string{"classic", "pieces.cap=3", "draw.max_plies=9", "draw.repetition=0"},
			"a1",
			map[string]string{"Pieces on the board": "X 1 of 3, O 0 of 3", "Plies": "1 of 9", "Legal moves": "8"},
		},
		{
			[]string{"classic", "turn.placements=2"},
			"a1 b1",
			map[string]string{
				"Pieces on the board": "X 1, O 1", "Pieces left in this turn": "1", "Plies": "2",
				"Legal moves": "7",
			},
		},
		// it captures nothing
		{
			[]string{"classic", "turn.pie=true"},
			"b2 swap",
			map[string]string{"Pieces on the board": "X 0, O 1", "Plies": "2", "Legal moves": "8"},
		},
		{
			[]string{"konane"},
			"",
			map[string]string{
				"Pieces on the board": "Black 18, White 18", "Opening": "step 1 of 2: on a1, f6, c3, d4", "Plies": "0",
				"Legal moves": "4",
			},
		},
		{
			[]string{"classic", "turn.first_turn=2"},
			"",
			map[string]string{
				"Pieces on the board": "X 0, O 0", "Pieces left in this turn": "2", "Plies": "0",
				"Legal moves": "9",
			},
		},
	} {
		if got := factsOf(t, c.moves, c.rules...); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%v %s: %v\nwant %v", c.rules, c.moves, got, c.want)
		}
	}
	if got := factsOf(t, "", "reversi6"); got["Captured"] != "" {
		t.Errorf("%v", got)
	}
	p := enginetest.Load(t, "reversi6").NewPosition()
	if got := factsOf(t, p.Game().MoveText(p.AppendMoves(nil)[0]),
		"reversi6"); got["Captured"] != "by Black 1, by White 0" {
		t.Errorf("%v", got)
	}
}

// Hexagons touch six others, squares eight, and cells at edges that meet those on the other side.
func TestNear(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		game, at string
		want     int // cells that are near, itself with them
	}{{"hex5", "c3", 7}, {"hex5", "a1", 3}, {"hex5", "e1", 4}, {"classic", "b2", 9}, {"classic", "a1", 4}, {
		"ctor",
		"a1", 9,
	}, {"rolling", "c3", 4}} {
		g := enginetest.Load(t, c.game)
		at := must.Get(g.ParseCell(c.at))(t)
		n := 0
		for i := range g.Cells() {
			if near(g, i, int(at)) != near(g, int(at), i) {
				t.Errorf("%s: %s and %d are not near each other in the same way", c.game, c.at, i)
			}
			if near(g, i, int(at)) {
				n++
			}
		}
		if n != c.want {
			t.Errorf("%s: %d cells are near %s, want %d", c.game, n, c.at, c.want)
		}
	}
}
