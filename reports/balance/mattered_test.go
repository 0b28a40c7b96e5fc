package balance

import (
	"context"
	"slices"
	"strings"
	"testing"

	"spar/arena/study"
	"spar/engines"
	"spar/engines/enginetest"
)

// What mattered follows from the positions by hand.
func TestMattered(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, rules string
		set         []string
		mechanic    int
		at, move    string
		yes, known  bool
	}{
		{"the piece that leaves would have made a line", "vanishing", nil, useLeaves, "XX./OO./..X X 5 ages=a1,b1,c3|a2,b2", "c1", true, true},
		{"the other side wins at once, whatever leaves", "vanishing", nil, useLeaves, "X../OO./X.X X 5 ages=c3,a1,a3|a2,b2", "c1", false, true},
		{"only captures arrive", "breakthrough", nil, useTakes, "OOO...../.X....../......../......../......../......../......../XX...... X 20", "b2xa1", true, true},
		{"a step arrives, too", "breakthrough", nil, useTakes, "OO....../.X....../......../......../......../......../......../XX...... X 20", "b2xa1", false, true},
		{"there is nothing but captures", "clobber", nil, useTakes, "", "a1xb1", false, false},
		{
			"what falls makes a line", "connect4",
			[]string{"pieces.cap=3", "win.line=3", "placement.falls=true", "draw.max_plies=90"},
			useFalls,
			"......./......./......./......./O....../XOO.X.X X 6 ages=a6,e6,g6|b6,c6,a5", "d6", true, true,
		},
	} {
		g := enginetest.Load(t, c.rules, c.set...)
		p := g.NewPosition()
		if c.at != "" {
			s, err := g.ParseState(c.at)
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
				continue
			}
			p = engines.PositionAt(s)
		}
		m, err := p.ParseMove(c.move)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		x, err := newMatter(g)
		if err != nil {
			t.Fatal(err)
		}
		if yes, known, err := x.mattered(context.Background(), c.mechanic, p, m); yes != c.yes || known != c.known || err != nil {
			t.Errorf("%s: %v (known %v, %v), want %v (known %v)", c.name, yes, known, err, c.yes, c.known)
		}
	}
}

// Of a game three happenings of a mechanic are looked at, those of the agents alone: under vanishing a stone leaves with each ply from the
// seventh on. Where every move is of the mechanic nothing is to be told, and of moves that do not replay nothing is counted.
func TestMatteredOfAGame(t *testing.T) {
	t.Parallel()
	cycle := strings.Fields("a1 b1 b2 a2 a3 c3 c2 b3 c1 a1 b1") // nobody ever has three in a row, and the oldest stone makes room
	for _, c := range []struct {
		name, rules string
		moves       []string
		opening     int
		mechanic    int
		want        float64
	}{
		{"three of five", "vanishing", cycle, 0, useLeaves, 3},
		{"two", "vanishing", cycle[:8], 0, useLeaves, 2},
		{"none yet", "vanishing", cycle[:6], 0, useLeaves, 0},
		{"behind an opening", "vanishing", cycle[:8], 7, useLeaves, 1},
		{"captures alone", "clobber", []string{"a1xb1", "c1xb1"}, 0, useTakes, 0},
		{"no such move", "vanishing", append(slices.Clone(cycle), "a1"), 0, useLeaves, 0},
	} {
		g := enginetest.Load(t, c.rules)
		x, err := newMatter(g)
		if err != nil {
			t.Fatal(err)
		}
		hits, all, err := x.game(t.Context(), c.moves, c.opening)
		if err != nil || all[c.mechanic] != c.want || hits[c.mechanic] < 0 || hits[c.mechanic] > all[c.mechanic] {
			t.Errorf("%s: %g of %g, %v; want of %g", c.name, hits[c.mechanic], all[c.mechanic], err, c.want)
		}
	}
}

// How often a mechanic mattered is the share of the happenings looked at, over the first games; one that never happened has none.
func TestMatteredShare(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "vanishing")
	games := map[int64][]string{1: strings.Fields("a1 b1 b2 a2 a3 c3 c2 b3 c1 a1 b1"), 2: strings.Fields("a1 b1 b2 a2 a3 c3 c2 b3"), 3: strings.Fields("a1 b1")}
	x, err := newMatter(g)
	if err != nil {
		t.Fatal(err)
	}
	mattered, looked := 0.0, 0.0
	for _, moves := range games {
		hits, all, err := x.game(t.Context(), moves, 0)
		if err != nil {
			t.Fatal(err)
		}
		mattered, looked = mattered+hits[useLeaves], looked+all[useLeaves]
	}
	p := &pass{data: &Data{Game: g, Find: func(_ context.Context, id int64) (Game, error) {
		return Game{Game: study.Game{ID: id, Moves: strings.Join(games[id], " ")}}, nil
	}}}
	group := &Group{Alive: []Use{{Mechanic: mechanics()[useFalls].name}, {Mechanic: mechanics()[useLeaves].name}}}
	if err := newMeasurer(Options{}).mattered(t.Context(), p, group, &groupData{early: []int64{1, 2, 3}}); err != nil {
		t.Fatal(err)
	}
	if got := group.Alive[1].Mattered; looked != 5 || got.N != 2 || got.Value != mattered/looked || got.Value == 1 || group.Alive[0].Mattered.OK() {
		t.Errorf("%+v, want %g of %g; what never falls: %+v", got, mattered, looked, group.Alive[0].Mattered)
	}
}
