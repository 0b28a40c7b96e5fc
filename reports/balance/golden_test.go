package balance

import (
	"math"
	"testing"

	"spar/arena/campaign"
	"spar/arena/store"
	"spar/engines/enginetest"
)

// The games of classic that the numbers below are worked out from. Columns a to c, rows 1 to 3 from the top.
const (
	centreWin5 = "b2 a1 a2 c1 c2"             // the first player wins on row 2
	cornerWin7 = "a1 b1 b2 c3 a3 c1 a2"       // the first player wins on column a
	cornerLost = "a1 b2 a2 a3 b1 c1"          // the second player wins on the diagonal a3 b2 c1
	cornerDraw = "a1 b2 c3 b1 b3 a3 c1 c2 a2" // full board
)

// near compares with the precision of the calculations in the comments.
func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 5e-5*max(1, math.Abs(want)) || math.IsNaN(got) {
		t.Errorf("%s = %.6f, want %.6f", what, got, want)
	}
}

// five games: 3 wins of the first player (two of them equal), a draw, a loss.
func fiveGames(t *testing.T) *Report {
	g := enginetest.Load(t, "classic")
	var games []Game
	for i, moves := range []string{centreWin5, centreWin5, cornerWin7, cornerLost, cornerDraw} {
		games = append(games, played(t, g, int64(i+1), "mcts", "mcts", moves))
	}
	return measureGames(t, records(g, "classic", []Event{event(1, campaign.PurposeMirror, "mcts")},
		players(map[string]int64{"mcts": 100}), games), Options{})
}

func TestGoldenOutcome(t *testing.T) {
	t.Parallel()
	r := fiveGames(t)
	g := r.Groups[r.Headline]
	o := g.Outcome
	if o.FirstWins != 3 || o.Draws != 1 || o.SecondWins != 1 || o.Caps != 0 {
		t.Fatalf("%+v", o)
	}
	// Measure 1, Wilson for 3 of 5 with z = 1.96: middle (0.6 + 3.8415/10)/(1 + 3.8415/5) = 0.5566,
	// half 1.96/1.7683 * sqrt(0.24/5 + 3.8415/100) = 0.3258.
	near(t, "first", o.First.Value, 0.6)
	near(t, "first lo", o.First.Lo, 0.23072)
	near(t, "first hi", o.First.Hi, 0.88238)
	near(t, "draw", o.Draw.Value, 0.2)
	near(t, "second", o.Second.Value, 0.2)
	near(t, "decisive", o.Decisive.Value, 0.75)
	// Measure 2: score (3 + 0.5)/5 = 0.7, with the variance (3*0.09 + 0.04 + 0.49)/(5*4) = 0.04, that of 0.21/0.04 = 5.25
	// trials: Wilson's interval with Student's 2.776: middle (0.7 + 7.707/10.5)/(1 + 7.707/5.25) = 0.58102,
	// half 2.776/2.468 * sqrt(0.04 + 7.707/110.25) = 0.37293.
	near(t, "score", o.Score.Value, 0.7)
	near(t, "score lo", o.Score.Lo, 0.20809)
	near(t, "score hi", o.Score.Hi, 0.95396)
	near(t, "elo", o.Elo.Value, 400*math.Log10(7.0/3))
	near(t, "elo lo", o.Elo.Lo, 400*math.Log10(o.Score.Lo/(1-o.Score.Lo)))
	if o.First.Note == "" {
		t.Error("five games come without a warning")
	}
	// Measure 5: four of five by a line.
	if len(g.Ends.Reasons) != 2 || g.Ends.Reasons[0].Reason != "line" || g.Ends.Reasons[0].By["first"] != 3 ||
		g.Ends.Reasons[1].Kind != "draw" {
		t.Errorf("%+v", g.Ends.Reasons)
	}
	near(t, "line", g.Ends.Reasons[0].Share.Value, 0.8)
	near(t, "completion", g.Ends.Completion.Value, 1)
}

func TestGoldenLength(t *testing.T) {
	t.Parallel()
	l := fiveGames(t).Groups[0].Length
	// Measure 6: plies 5 5 6 7 9. Type 7: the 95 % quantile stands at 0.95*4 = 3.8: 7 + 0.8*2. Mean 6.4.
	near(t, "median", l.All.Median.Value, 6)
	near(t, "p5", l.All.P5.Value, 5)
	near(t, "p95", l.All.P95.Value, 8.6)
	near(t, "mean", l.All.Mean.Value, 6.4)
	// With five games the least of them exceeds the median with chance 1/32 > 2.5 %: no interval of 95 % from order
	// statistics, but no game has fewer plies than none.
	if l.All.Median.LoOpen || l.All.Median.Lo != 0 || !l.All.Median.HiOpen {
		t.Errorf("median: %+v", l.All.Median)
	}
	if l.All.Min != 5 || l.All.Max != 9 || len(l.Histogram) != 5 || l.Histogram[0].Count != 2 {
		t.Errorf("%+v %+v", l.All, l.Histogram)
	}
}

func TestGoldenChoiceAndVariety(t *testing.T) {
	t.Parallel()
	r := fiveGames(t)
	g := r.Groups[0]
	// 9, 8, 7 ... legal moves: 35 in five plies, 39 in six, 42 in seven, 45 in nine, 196 over 32 plies, of
	// which the ninth of the draw is forced.
	near(t, "mean choice", g.Choice.Mean.Value, 196.0/32)
	near(t, "forced", g.Choice.Forced.Value, 1.0/32)
	if p := g.Choice.ByPly; len(p) != 9 || p[5].Games != 3 || p[5].Median.Value != 4 || p[8].Forced != 1 {
		t.Errorf("%+v", p)
	}
	// The centre twice and a corner three times: H = 0.67301, with (2-1)/(2·5) added exp(0.77301).
	v := g.Variety.Openings[0]
	near(t, "plain", v.Plain, math.Exp(0.673012))
	near(t, "effective openings", v.Effective.Value, math.Exp(0.773012))
	if v.Seen != 2 || v.Top[0].Moves != "a1" || v.Top[0].Games != 3 {
		t.Errorf("%+v", v)
	}
	near(t, "score of the corner", v.Top[0].Score.Value, 0.5)
	near(t, "distinct", g.DistinctOf.Value, 0.8)
}

// values makes position values with alternating sides from the first player's values of two searches.
func positions(one, two []float64) []store.PositionValue {
	var out []store.PositionValue
	for i := range one {
		v := store.PositionValue{Ply: i, Side: i % 2, Value: one[i], Legal: 9 - i}
		if two != nil {
			v.Again = &two[i]
		}
		out = append(out, v)
	}
	return out
}
