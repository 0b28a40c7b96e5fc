package balance

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Games of two agents against each other, from the side of the one whose name comes first: two with the seats swapped
// and of one number are a pair, whatever their order; the third of a pair waits for a fourth.
func TestDuels(t *testing.T) {
	t.Parallel()
	p := newPass(&Data{Label: "r"}, nil)
	p.names = []string{"b", "a"}
	for _, x := range []struct {
		event, first int32
		pair         int64
		half         uint8
	}{
		{0, 1, 0, 2}, {0, 0, 0, 1}, // a wins and draws: 3 half points
		{0, 0, 1, 2}, {0, 1, 1, 0}, // b wins both, as the first at first: 0
		{0, 1, 2, 1},               // alone
		{0, 1, 3, 1}, {0, 1, 3, 1}, // twice in the same seat: no pair
		{1, 0, 0, 0}, // of another event: alone, a wins as second
		{2, 0, 0, 0}, // of one that is left out
	} {
		p.matched(&record{
			event: x.event, first: x.first, second: 1 - x.first, pair: x.pair, half: x.half,
			inOrder: x.first == 1,
		}, false)
	}
	p.matched(&record{first: 1, second: 1, inOrder: true, half: 2}, false) // against itself
	p.settle()
	all := p.duels(func(event int32) bool { return event < 2 })
	want := duel{a: 1, b: 0, wins: 2, draws: 4, losses: 2, pairs: [5]float64{1, 0, 0, 1, 0}, effect: 1, alone: 4}
	if d := cmp.Diff([]*duel{&want}, all, cmp.AllowUnexported(duel{})); d != "" {
		t.Fatal(d)
	}
	if same, other := all[0].from(1), all[0].from(0); !reflect.DeepEqual(same, want) || other.wins != 2 || other.losses != 2 ||
		other.draws != 4 || other.pairs != [5]float64{0, 1, 0, 0, 1} || other.a != 0 || other.b != 1 || other.alone != 4 {
		t.Errorf("%+v, %+v", same, other)
	}
	// Pairs are the units where at most a tenth as many games are alone.
	m := newMeasurer(Options{})
	for alone, of := range map[int64]string{0: "pairs", 4: "pairs", 5: "games"} {
		_, score := m.duel(duel{wins: 60, losses: 20 + alone, pairs: [5]float64{4, 6, 10, 14, 6}, alone: alone})
		if score.Unit != of || (score.Note == "Spar skips games whose pair is incomplete") != (alone == 4) {
			t.Errorf("%d alone: %s, %q", alone, score.Unit, score.Note)
		}
	}
}
