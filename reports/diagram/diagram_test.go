package diagram

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"spar/configs"
	"spar/configs/must"
	"spar/engines"
	"spar/engines/enginetest"
	"spar/reports/chart"
)

// Every shipped game can be drawn at its start and after its first moves, with a text that names every piece.
func TestDiagramsOfShippedGames(t *testing.T) {
	t.Parallel()
	for _, name := range configs.Names(configs.Games) {
		g := must.Get(engines.Named(name))(t)
		p := g.NewPosition()
		var moves []string
		for range 6 {
			if p.Over() {
				break
			}
			m := p.AppendMoves(nil)[0]
			moves = append(moves, g.MoveText(m))
			p.Play(m)
		}
		d, err := Of(g.NewPosition(), moves)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var b bytes.Buffer
		if err := chart.Write(&b, d, "svg", d.Alt()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for c, on := range p.Board() {
			if at := g.CellName(engines.Cell(c)); (on == "X" || on == "O") && !strings.Contains(d.Alt(), at) {
				t.Errorf("%s: no %s in %q", name, at, d.Alt())
			}
		}
	}
}

// Pieces bear the number of the move that brought them where they are; the last step is an arrow.
func TestNumbersAndArrows(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "tapatan")
	d := must.Get(Of(g.NewPosition(), strings.Fields("a1 b1 a2 b2 c3 c2 c3-b3")))(t)
	if want := map[int]int{0: 1, 1: 2, 3: 3, 4: 4, 5: 6, 7: 7}; !reflect.DeepEqual(d.Numbers, want) {
		t.Errorf("%v, want %v", d.Numbers, want)
	}
	if !reflect.DeepEqual(d.Arrows, [][2]int{{8, 7}}) {
		t.Errorf("%v", d.Arrows)
	}
}

// Words tell what the picture shows besides pieces: the chick that each side captured, and the cell that an arrow blocked.
func TestWordsOfHandsAndBlockedCells(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ game, moves, want string }{
		{"dobutsu", "b3xb2 c1xb2", "; in hand: Forest 1 chick, Sky 1 chick; an arrow from c1 to b2."},
		{"amazons", "j7-h5 c5=#", "; blocked: c5."},
	} {
		d := must.Get(Of(enginetest.Load(t, c.game).NewPosition(), strings.Fields(c.moves)))(t)
		if got := d.Alt(); !strings.HasSuffix(got, c.want) {
			t.Errorf("%q, want at its end %q", got, c.want)
		}
	}
}
