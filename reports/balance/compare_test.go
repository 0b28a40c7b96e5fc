package balance

import (
	"math"
	"slices"
	"strings"
	"testing"

	"spar/arena/campaign"
	"spar/engines/enginetest"
)

// pairsOf makes pairs of games between two agents: each text is the results of a, as first and then as second player,
// of w, d, l.
func pairsOf(from int64, eventID int64, a, b string, results ...string) []Game {
	var out []Game
	for i, pair := range results {
		for seat := range pair {
			g := Game{First: a, Second: b}
			g.ID, g.Event, g.Pair = from+int64(2*i+seat), eventID, int64(i)
			g.Reason, g.Moves, g.Plies = "line", centreWin5, 5
			points := strings.IndexByte("ldw", pair[seat])
			if seat == 1 {
				g.First, g.Second, points = b, a, 2-points
			}
			g.Hash = g.ID
			g.Result = [...]string{"second", "draw", "first"}[points]
			out = append(out, g)
		}
	}
	return out
}

func repeat(n int, text string) []string {
	return slices.Repeat([]string{text}, n)
}

// Measures 7 and 8. Of twelve pairs t1 wins six by 2:0 and splits six with t0: 0.75, so 190.85 Elo. Of 48 t2 wins
// twelve and splits 36 with t1: 0.625, so 88.74 Elo. Depth (190.85 + 88.74)/70.4365 = 3.9694 rungs. t0 is random: only
// the second step is a doubling. As in a search, only the tiers that search play against themselves, too: the ladder
// begins below them.
func TestGoldenLadder(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	games := append(pairsOf(1, 1, "t1", "t0", append(repeat(6, "ww"), repeat(6, "wl")...)...),
		pairsOf(101, 1, "t2", "t1", append(repeat(12, "ww"), repeat(36, "lw")...)...)...)
	r := measureGames(t, records(g, "classic", []Event{
		event(2, campaign.PurposeMirror, "t1", "t2"),
		event(1, campaign.PurposeLadder, "t0", "t1", "t2"),
	}, players(map[string]int64{"t0": 0, "t1": 100, "t2": 200}), games),
		Options{})
	l := r.Ladder
	if l == nil || len(l.Rungs) != 2 {
		t.Fatalf("%+v", l)
	}
	near(t, "step 1", l.Rungs[0].Elo.Value, 400*math.Log10(3))
	near(t, "step 2", l.Rungs[1].Elo.Value, 400*math.Log10(0.625/0.375))
	near(t, "depth", l.Depth.Value, 3.9694)
	near(t, "slope", l.Slope.Value, 88.7395)
	// Student with 11 degrees (2.20099) on pair scores of variance 0.0625: 0.75 ± 2.20099·sqrt(0.0625/11).
	lo := 0.75 - 2.200985*math.Sqrt(0.0625/11)
	near(t, "step 1 lo", l.Rungs[0].Elo.Lo, 400*math.Log10(lo/(1-lo)))
	// Lower sides add by squares: those of both steps.
	side := math.Hypot(l.Rungs[0].Elo.Value-l.Rungs[0].Elo.Lo, l.Rungs[1].Elo.Value-l.Rungs[1].Elo.Lo)
	near(t, "depth lo", l.Depth.Lo, l.Depth.Value-side/70.43650362)
	if !l.LowerBound || l.Saturated != "" || l.Rungs[1].Elo.Unit != "pairs" || l.Rungs[1].Elo.N != 48 ||
		l.Rungs[0].Elo.Note == "" {
		t.Errorf("%+v", l)
	}
	if r.Tiers[1].Doubling != 0 || r.Tiers[2].Doubling != 1 || r.Tiers[0].Doubling != -1 {
		t.Errorf("%+v", r.Tiers)
	}
}

// Measures 3 and 4: the first player scores 20, 25 and 30 of 40 at budgets 100, 200 and 800.
func TestGoldenTrend(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	var games []Game
	id := int64(1)
	for i, wins := range []int{20, 25, 30} {
		for k := range 40 {
			x := played(t, g, id, []string{"a", "b", "c"}[i], []string{"a", "b", "c"}[i], centreWin5)
			x.Hash = id
			if k >= wins {
				x.Result = "second"
			}
			games = append(games, x)
			id++
		}
	}
	r := measureGames(t, records(g, "classic", []Event{event(1, campaign.PurposeMirror, "a", "b", "c")},
		players(map[string]int64{"a": 100, "b": 200, "c": 800}), games), Options{})
	near(t, "points", r.Trends.Score.Points[1].Number.Value, 0.625)
	near(t, "rise", r.Trends.Rise.Value, 0.25)
	if r.Headline != 2 || r.Groups[2].Key != "mirror/c" {
		t.Errorf("the headline is %s", r.Groups[r.Headline].Key)
	}
}

// Measure 10. Two of the three classes of first moves: the centre scores 7 of 8, the corner 5 of 8.
func TestGoldenFirstMoves(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	var games []Game
	for _, c := range []struct {
		moves [2]string // images of one opening
		wins  int
	}{{[2]string{cornerWin7, "c3 c2 b2 a1 c1 a3 b3"}, 5}, {[2]string{centreWin5, centreWin5}, 7}} {
		for i := range 8 {
			id := int64(len(games) + 1)
			x := played(t, g, id, "top", "top", c.moves[i%2])
			x.Opening, x.OpeningPlies, x.Hash, x.Pair, x.Result = id, 1, id, id, "first"
			if i >= c.wins {
				x.Result = "second"
			}
			games = append(games, x)
		}
	}
	r := measureGames(t, records(g, "classic", []Event{event(1, campaign.PurposeFirstMove, "top")},
		players(map[string]int64{"top": 100}), games), Options{})
	f := r.FirstMove
	if f == nil || f.Source != "forced" || len(f.Moves) != 2 || f.Moves[0].Move != "b2" || f.Moves[1].Move != "a1" ||
		len(f.Moves[1].Images) != 4 || len(f.Moves[1].Cells) != 4 {
		t.Fatalf("%+v", f)
	}
	near(t, "centre", f.Moves[0].Score.Value, 7.0/8)
	near(t, "corner", f.Moves[1].Score.Value, 5.0/8)
	// Sign test of 7 to 1: 2*(1+8)/256 = 0.0703125, times two after Holm.
	near(t, "p", f.Moves[0].P, 2*0.0703125)
}

// Where every game ends alike nothing shows that the two of a pair are independent, and the pairs count: 20 of 20 is
// surely over 83.9 %. A mean of one half is as uncertain as with 1.5 pairs of two wins and 1.5 of two losses. An agent against itself from the true
// start has no pairs.
func TestPairsThatNeverVary(t *testing.T) {
	t.Parallel()
	const z2 = 1.959963984540054 * 1.959963984540054
	g := enginetest.Load(t, "classic")
	for _, c := range []struct {
		name, first, second string
		opening             int
		units               float64
	}{
		{"two agents from the start", "a", "b", 0, 20},
		{"two agents from openings", "a", "b", 1, 20},
		{"one agent from openings", "a", "a", 1, 20},
		{"one agent from the start", "a", "a", 0, 40},
	} {
		var games []Game
		for i := range 40 {
			first, second := c.first, c.second
			if i%2 == 1 {
				first, second = second, first
			}
			x := played(t, g, int64(i+1), first, second, "b2 a1 c1 a3 a2 c2 b1 b3 c3")
			x.Hash, x.OpeningPlies = int64(i+1), c.opening
			games = append(games, x)
		}
		r := measureGames(t, records(g, "classic", []Event{event(1, "tournament")},
			players(map[string]int64{"a": 100, "b": 100}), games), Options{})
		o, ends := r.Groups[0].Outcome, r.Groups[0].Ends
		never := z2 / (c.units + z2) // Wilson's limit of what was never seen
		near(t, c.name+": draws", o.Draw.Lo, 1-never)
		near(t, c.name+": wins", o.First.Hi, never)
		near(t, c.name+": completion", ends.Completion.Lo, 1-never)
		near(t, c.name+": reason", ends.Reasons[0].Share.Lo, 1-never)
		n := 0.25 / (1.5 * 0.5 / (c.units * c.units))
		z := map[float64]float64{20: 2.093024054, 40: 2.022690920}[c.units]
		near(t, c.name+": score", o.Score.Hi, 0.5+z*math.Sqrt(0.25/n+z*z/(4*n*n))/(1+z*z/n))
		if o.Draw.N != 40 || o.Draw.Unit != "games" || o.Score.N != 40 || o.Score.Note != "" {
			t.Errorf("%s: %+v, %+v", c.name, o.Draw, o.Score)
		}
	}
}
