package balance

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"spar/engines/enginetest"
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
	want := duel{a: 1, b: 0, wins: 2, draws: 4, losses: 2, pairs: [5]float64{1, 0, 0, 1, 0}, alone: 4}
	want.both[2][1], want.both[0][2] = 1, 1
	want.one[0][1], want.one[1][0] = 3, 1
	if d := cmp.Diff([]*duel{&want}, all, cmp.AllowUnexported(duel{})); d != "" {
		t.Fatal(d)
	}
	if same, other := all[0].from(1), all[0].from(0); same != want || other.wins != 2 || other.losses != 2 ||
		other.draws != 4 || other.pairs != [5]float64{0, 1, 0, 0, 1} || other.a != 0 || other.b != 1 || other.alone != 4 {
		t.Errorf("%+v, %+v", same, other)
	}
	table, err := p.table(all)
	if err != nil {
		t.Fatal(err)
	}
	if pairs, _ := table.Pentanomial("a", "b"); pairs != [5]int64{1, 0, 0, 1, 0} || table.Games() != 8 {
		t.Errorf("%d games, pairs %v", table.Games(), pairs)
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

// Games that began with 1 3 (15), 1 4 (15) and 2 5 (10, too few to tell what is chosen there): at the start 30 and 10
// of 40, after 1 half and half of 30. H = -sum p ln p + 1/(2n), and exp(H) counts by games; its variance is ((sum p ln²
// p - H²)/n + 1/(2n²)), times weight² exp(2H).
func TestPolicyAndOpenings(t *testing.T) {
	t.Parallel()
	m := newMeasurer(Options{})
	l := &lineSums{games: 40, lines: []line{
		{prefix{1, 3}.cut(2), 15, 0, 0, 1},
		{prefix{1, 4}.cut(2), 0, 15, 0, 2},
		{prefix{2, 5}.cut(2), 4, 0, 6, 3},
	}}
	plain := -0.75*math.Log(0.75) - 0.25*math.Log(0.25)
	start, after := plain+1.0/80, math.Ln2+1.0/60
	first := (0.75*math.Log(0.75)*math.Log(0.75)+0.25*math.Log(0.25)*math.Log(0.25)-plain*plain)/40 + 1.0/3200
	second := 1.0 / 1800 // without any spread of ln p
	mean := (40*math.Exp(start) + 30*math.Exp(after)) / 70
	half := m.z * math.Sqrt(1600*math.Exp(2*start)*first+900*math.Exp(2*after)*second) / 70
	got := m.policy(l)
	near(t, "policy", got.Value, mean)
	near(t, "lower", got.Lo, mean-half)
	near(t, "upper", got.Hi, mean+half)
	if got.N != 40 {
		t.Errorf("%+v", got)
	}
	for n, enough := range map[uint32]bool{9: false, 19: false, 20: true} { // who always chooses alike has one move
		alike := &lineSums{games: int64(n), lines: []line{{prefix{1}.cut(1), n, 0, 0, 1}}}
		if got := m.policy(alike); got.Known() != enough || enough && got.Value != 1 {
			t.Errorf("of %d games: %+v", n, got)
		}
	}
	g := enginetest.Load(t, "classic")
	legal := g.NewPosition().AppendMoves(nil)
	opened := m.effective(g, 1, []line{{prefix{legal[0]}.cut(1), 5, 3, 2, 1}, {prefix{legal[1]}.cut(1), 20, 0, 10, 2}})
	near(t, "effective", opened.Effective.Value, math.Exp(start))
	near(t, "plain", opened.Plain, math.Exp(plain))
	near(t, "its lower end", opened.Effective.Lo, math.Exp(start-m.z*math.Sqrt(first)))
	near(t, "its upper end", opened.Effective.Hi, math.Exp(start+m.z*math.Sqrt(first)))
	if opened.Seen != 2 || opened.Top[0].Games != 30 || opened.Top[1].Moves != g.MoveText(legal[0]) ||
		opened.Top[1].Games != 10 || opened.Top[1].Score.Value != 0.65 || opened.Effective.Note != "" {
		t.Errorf("%+v", opened)
	}
	for n, want := range map[uint32]string{3: "most openings occurred once, so this is a lower bound", 4: "few games"} {
		if got := m.effective(g, 1, []line{
			{prefix{legal[0]}.cut(1), 1, 0, 0, 1},
			{prefix{legal[1]}.cut(1), n - 1, 0, 0, 2},
		}); got.Effective.Note != want {
			t.Errorf("two openings in %d games: %q", n, got.Effective.Note)
		}
	}
}
