package engines_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"spar/configs/must"
	"spar/engines"
	"spar/engines/enginetest"
	"spar/engines/grid"
	"spar/engines/rules"
)

// convertsAndAges is a game in which pieces captured together age in the order of their cells.
func convertsAndAges(t *testing.T) *engines.Game {
	t.Helper()
	r := rules.DefaultRules()
	r.Name = "converts and ages"
	r.Board = grid.Board{Columns: 6, Rows: 2, Wrap: "columns"}
	r.Territory = "halves"
	r.Turn = rules.Turn{Placements: 2, FirstTurn: 3, Pie: rules.PieStones}
	r.Placement.Gravity = true
	r.Pieces = rules.Pieces{Cap: 3, Removal: "after_win", RemovalFromPly: 7}
	r.Surround = rules.Surround{Threshold: 1, Effect: "convert", Cascade: true}
	r.Win = rules.Win{Line: 4, Region: "enemy"}
	r.Draw.Repetition = 2
	g := must.Get(engines.Compile(r))(t)
	return g
}

// pliesToWin is the length of the shortest win that the side to move can force within so many plies, negative for the
// longest loss, 0 for neither: plain minimax without symmetry. Known has what was found before, by the whole text of a
// position.
func pliesToWin(s *engines.State, most int, known map[string]int) int {
	text, _, _ := strings.Cut(s.Text(), " last=")
	key := fmt.Sprint(most, text)
	if v, ok := known[key]; ok {
		return v
	}
	best, side := -1<<20, s.Side()
	defer func() { known[key] = best }()
	for _, m := range s.AppendMoves(nil) {
		next := *s
		next.Play(m)
		v := 0 // plies to a win of side after the move, below 0 to a loss
		switch {
		case next.Result() == engines.Winner(side):
			best = 1
			return best
		case next.Result() == engines.Winner(1-side):
			v = -1
		case next.Over() || most <= 1:
		default:
			if v = pliesToWin(&next, most-1, known); next.Side() != side {
				v = -v
			}
			switch {
			case v > 0:
				v++
			case v < 0:
				v--
			}
		}
		if rank(v) > rank(best) {
			best = v
		}
	}
	return best
}

// rank orders values: fast wins, slow wins, none, slow losses, fast losses.
func rank(v int) int {
	switch {
	case v == -1<<20:
		return v
	case v > 0:
		return 1000 - v
	case v < 0:
		return -1000 - v
	}
	return 0
}

// Where ages meet converting captures no symmetry holds: an image of a position may be worth something else.
func TestCanonicalHashTellsValuesApart(t *testing.T) {
	t.Parallel()
	g := convertsAndAges(t)
	var hashes []uint64
	for text, plies := range map[string]int{
		"X..OO./...O.. X 9 ages=a1|d1,d2,e1 left=2": -12,
		".X..OO/....O. X 9 ages=b1|e1,e2,f1 left=2": -8,
	} {
		s := must.Get(g.ParseState(text))(t)
		if got := pliesToWin(&s, 12, map[string]int{}); got != plies {
			t.Errorf("%s: %d plies, expected %d", text, got, plies)
		}
		hashes = append(hashes, s.CanonicalHash())
	}
	if hashes[0] == hashes[1] {
		t.Error("positions lost in 12 and in 8 plies share a canonical hash")
	}
	if n := len(g.Symmetries()); n != 1 {
		t.Errorf("%d symmetries, expected the identity alone", n)
	}
}

// A swap turns the board over where the sides connect different edges. An image that no longer is one then is no
// symmetry: a fall to the left differs from one to the bottom, while half a turn of a rhombus stays half a turn.
func TestSymmetriesOutliveASwap(t *testing.T) {
	t.Parallel()
	connecting := []string{
		"win.line=0",
		"win.connect=left_right",
		"second.win.line=0",
		"second.win.connect=top_bottom",
		"turn.pie=true",
	}
	for _, c := range []struct {
		name string
		set  []string
		want int
	}{
		{"classic", append(connecting, "placement.gravity=true"), 1},
		{"classic", append(connecting, "placement.gravity=true", "turn.pie=false"), 2},
		{"classic", connecting, 4}, // half a turn and the two reflections that keep the edges
		{"hex5", []string{"turn.pie=true"}, 2},
	} {
		g := enginetest.Load(t, c.name, c.set...)
		if n := len(g.Symmetries()); n != c.want {
			t.Errorf("%s %v: %d symmetries, want %d", c.name, c.set, n, c.want)
		}
	}
}

// A quarter turn takes columns to rows: it is a symmetry only where lines of both count alike, for both sides.
func TestSymmetriesKeepLines(t *testing.T) {
	t.Parallel()
	for set, want := range map[string]int{
		"win.line=3":                                  8,
		"win.directions=[columns, diagonals]":         4,
		"second={win: {line: 3, directions: [rows]}}": 4,
	} {
		if n := len(enginetest.Load(t, "classic", set).Symmetries()); n != want {
			t.Errorf("classic %s: %d symmetries, want %d", set, n, want)
		}
	}
	losing := enginetest.Load(t, "classic", "win.line=0", "lose.line=3", "win.directions=[columns]")
	if n := len(losing.Symmetries()); n != 4 {
		t.Errorf("columns of 3 lose: %d symmetries, want 4", n)
	}
}

// A swap turns hexagons upside down, and what was no line may be one then: b2 and a1 do not touch, b10 and a11 do. It
// counts where whoever has it now places next, as a line that is not his last placement's.
func TestSwapMakesALine(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic", "board.columns=2", "board.rows=11", "board.shape=hex", "territory=halves",
		"turn.placements=2", "turn.first_turn=3", "turn.pie=true", "win.line=2", "win.region=enemy")
	p := g.NewPosition()
	if err := p.PlayText([]string{"b2", "a7", "a1", "swap", "a8", "b1"}); err != nil || p.Over() {
		t.Fatalf("%s, %v", p.Text(), err)
	}
	if err := p.PlayText([]string{"a7"}); err != nil || p.Result() != engines.SecondWins ||
		p.Reason() != engines.ByLine {
		t.Errorf("%s, %v: expected a line of the second player", p.Text(), err)
	}
}

// Two positions that differ only in whether the pie is still to come are two positions.
func TestHashKnowsThePie(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic", "turn.placements=2", "turn.first_turn=2", "turn.pie=true",
		"surround.threshold=1", "surround.effect=remove")
	before, after := g.NewPosition(), g.NewPosition()
	must.Do(t, before.PlayText([]string{"b2"}))
	must.Do(t, after.PlayText([]string{"a1", "c3", "swap", "b2"}))
	if before.Board()[1] != ".X." || before.PliesLeft() != after.PliesLeft() || before.Side() != after.Side() {
		t.Fatalf("%s and %s: expected the same board and side to move", before.Text(), after.Text())
	}
	if before.Hash() == after.Hash() {
		t.Errorf("%s and %s share a hash", before.Text(), after.Text())
	}
}

// Symmetric positions of a large board have one LargeKey, others have others, and a key leads back to the position.
func TestLargeKeys(t *testing.T) {
	t.Parallel()
	for _, g := range []*engines.Game{
		load(t, "classic", map[string]any{"board.columns": 11, "board.rows": 11, "win.line": 5, "second": "{first_turn: 2}"}),
		load(t, "international-draughts", nil), load(t, "los-alamos", nil), load(t, "tablut", nil),
	} {
		c, err := g.NewLargeCodec()
		if err != nil || !c.Large() {
			t.Fatal(g.Name(), err)
		}
		type name struct {
			key   engines.LargeKey
			kinds engines.Kinds
		}
		of := func(s *engines.State) (n name, ok bool) {
			n.key, n.kinds, ok = c.CanonicalLarge(s)
			return n, ok
		}
		random, seen := rand.New(rand.NewPCG(1, 2)), map[name]uint64{}
		for range 20 {
			for s := g.NewState(); !s.Over() && s.Ply() < 200; {
				key, ok := of(&s)
				image := s.Transform(g.Symmetries()[random.IntN(len(g.Symmetries()))])
				other, _ := of(&image)
				var back engines.State
				c.DecodeLarge(&key.key, key.kinds, &back)
				if again, _ := of(&back); !ok || other != key || again != key ||
					back.Side() == s.Side() && back.CanonicalHash() != s.CanonicalHash() {
					t.Fatalf("%s: back from its key %s", s.Text(), back.Text())
				}
				if known, ok := seen[key]; ok && known != back.CanonicalHash() {
					t.Fatalf("%s: its key is that of another position", s.Text())
				}
				seen[key] = back.CanonicalHash()
				moves := s.AppendMoves(nil)
				s.Play(moves[random.IntN(len(moves))])
			}
		}
	}
}
