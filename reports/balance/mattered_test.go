package balance

import (
	"context"
	"testing"

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
		{
			"the piece that leaves would have made a line", "vanishing", nil, useLeaves, "XX./OO./..X X 5 ages=a1,b1,c3|a2,b2",
			"c1", true, true,
		},
		{
			"the other side wins at once, whatever leaves", "vanishing", nil, useLeaves, "X../OO./X.X X 5 ages=c3,a1,a3|a2,b2",
			"c1", false, true,
		},
		{
			"only captures arrive", "breakthrough", nil, useTakes,
			"OOO...../.X....../......../......../......../......../......../XX...... X 20", "b2xa1", true, true,
		},
		{
			"a step arrives, too", "breakthrough", nil, useTakes,
			"OO....../.X....../......../......../......../......../......../XX...... X 20", "b2xa1", false, true,
		},
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
		if yes, known, err := x.mattered(context.Background(), c.mechanic, p, m); yes != c.yes || known != c.known ||
			err != nil {
			t.Errorf("%s: %v (known %v, %v), want %v (known %v)", c.name, yes, known, err, c.yes, c.known)
		}
	}
}
