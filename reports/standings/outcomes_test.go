package standings

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"spar/engines"
	"spar/ratings"
)

// The live view without a test names the leader; with one it says nothing of a lead before there is a pair, and about how long it takes
// as the test sees it, in games.
func TestLiveLine(t *testing.T) {
	t.Parallel()
	test := &ratings.SPRT{Elo0: 0, Elo1: 50, Alpha: 0.05, Beta: 0.05}
	plain, tested := NewLive("a", nil), NewLive("a", test)
	if _, _, ok := plain.Ahead(); ok {
		t.Error("a run without a test knows when it ends")
	}
	if _, _, ok := tested.Ahead(); ok {
		t.Error("it is known how long a test takes before its first pair")
	}
	if got := tested.Line(); strings.Contains(got, "ahead") || strings.Contains(got, "leads") {
		t.Errorf("before the first pair: %s", got)
	}
	for i, r := range []engines.Result{engines.FirstWins, engines.Drawn, engines.FirstWins, engines.SecondWins} {
		for _, l := range []*Live{plain, tested} {
			l.Add(LiveGame{Rules: "x", First: "b", Second: "a", Pair: int64(i), Result: engines.SecondWins})
			l.Add(LiveGame{Rules: "x", First: "a", Second: "b", Pair: int64(i), Result: r})
		}
	}
	// a has the points of the second seat, and of the first 1, ½, 1, 0: pairs of 2, 1½, 2, 1.
	if want := [5]float64{2: 1, 3: 1, 4: 2}; tested.penta != want {
		t.Fatalf("%v", tested.penta)
	}
	if got := plain.Line(); !strings.HasPrefix(got, "a leads, Elo +") || !strings.HasSuffix(got, "; mean length 0.0 plies, 0 faults") {
		t.Error(got)
	}
	if got := tested.Line(); !strings.HasPrefix(got, "sequential test of Elo 0 against 50: ") || !strings.Contains(got, "; a is ahead by +") {
		t.Error(got)
	}
	h0, h1, err := test.Ahead([]float64{0, 0, 1, 1, 2})
	least, most, ok := tested.Ahead()
	if err != nil || !ok || least != 2*min(h0, h1) || most != 2*max(h0, h1) || least <= 0 || least >= most {
		t.Errorf("%g to %g games, %t; the test says %g and %g pairs", least, most, ok, h0, h1)
	}
}

// How far ratings go from game to game: 75 % and 50 % of the points are 95 and 0 Elo from the mean of two, whose standard deviation is
// 95.4/√2; a game that all agents play alike moves nothing.
func TestSpreadOfRatings(t *testing.T) {
	t.Parallel()
	var b ratings.Builder
	for game, wins := range map[string]int64{"ctor": 60, "checkerboard": 40} {
		if err := errors.Join(b.AddPairs("a", "b", game, ratings.FirstWins, ratings.SecondWins, wins), b.AddPairs("a", "b", game, ratings.SecondWins, ratings.FirstWins, 80-wins)); err != nil {
			t.Fatal(err)
		}
	}
	p := Pool{Table: b.Table(), Played: 320}
	if err := p.Rate(ratings.Options{PerStratum: true}); err != nil {
		t.Fatal(err)
	}
	if got := p.spread([]string{"checkerboard", "ctor"}); !strings.Contains(got, "(standard deviation 67, 2 games)") || !strings.Contains(got, " has -95 to +0 Elo") && !strings.Contains(got, " has +0 to +95 Elo") {
		t.Error(got)
	}
	if got := p.spread([]string{"ctor"}); got != "" {
		t.Errorf("from one game: %q", got)
	}
}

// One game is a score, too; between two agents the difference is said in a line of its own, of the better one over the other.
func TestTextOfTwo(t *testing.T) {
	t.Parallel()
	var b ratings.Builder
	if err := b.AddCount("b", "a", "x", 0, 0, 1); err != nil {
		t.Fatal(err)
	}
	p := Pool{Table: b.Table(), Played: 1, Distinct: 1}
	if err := p.Rate(ratings.Options{}); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := p.Text(&out, Extras{}); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); !strings.Contains(got, "100.0 %") || !strings.Contains(got, "0.0 %") || !strings.Contains(got, "a over b: (+") {
		t.Error(got)
	}
}

// Shares of Nash averaging have intervals where few agents ask for little time: up to twelve unasked, up to forty on request.
func TestIntervalsOfNashShares(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		agents int
		detail bool
		want   bool
	}{{3, false, true}, {13, false, false}, {41, true, false}} {
		var b ratings.Builder
		for i := range c.agents { // each beats the next, round in a circle
			for range 3 {
				if err := b.AddCount(fmt.Sprintf("a%02d", i), fmt.Sprintf("a%02d", (i+1)%c.agents), "", 8, 1, 1); err != nil {
					t.Fatal(err)
				}
			}
		}
		p := Pool{Table: b.Table(), Played: int64(30 * c.agents)}
		if err := p.Rate(ratings.Options{}); err != nil {
			t.Fatal(err)
		}
		var got Intransitivity
		if err := p.cyclicRows(p.Table.Hodge(), &got, c.detail); err != nil {
			t.Fatal(err)
		}
		if len(got.Agents) != c.agents {
			t.Fatalf("%d rows", len(got.Agents))
		}
		if some := got.Agents[0].Nash.Lo != nil; some != c.want {
			t.Errorf("%d agents, asked %t: intervals %t", c.agents, c.detail, some)
		}
	}
}
