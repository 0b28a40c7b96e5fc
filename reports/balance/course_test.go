package balance

import (
	"context"
	"math"
	"slices"
	"testing"

	"spar/arena/campaign"
	"spar/arena/oracle"
	"spar/arena/store"
	"spar/engines/enginetest"
)

func withValues(t *testing.T, moves []string, values [][]store.PositionValue) *Report {
	g := enginetest.Load(t, "classic")
	v := &oracle.Values{Name: "by hand", Games: map[int64][]store.PositionValue{}}
	var games []Game
	for i, m := range moves {
		games = append(games, played(t, g, int64(i+1), "mcts", "mcts", m))
		v.Games[int64(i+1)] = values[i]
	}
	return measureGames(t, records(g, "classic", []Event{event(1, campaign.PurposeMirror, "mcts")},
		players(map[string]int64{"mcts": 100}), games), Options{Oracle: v})
}

// Two games: the first player wins in five plies after trailing, the second player wins in six.
//
//	ply     0    1    2    3    4    5    6
//	game 1  0.60 0.40 0.20 0.55 0.95 1
//	game 2  0.50 0.30 0.70 0.60 0.20 0.10 0
func TestGoldenCourse(t *testing.T) {
	t.Parallel()
	one, two := []float64{0.6, 0.4, 0.2, 0.55, 0.95}, []float64{0.5, 0.3, 0.7, 0.6, 0.2, 0.1}
	r := withValues(t, []string{centreWin5, cornerLost}, [][]store.PositionValue{positions(one, one), positions(two, two)})
	c := r.Groups[0].Course
	// 12: the winner leads for good after ply 2 of 5 and ply 3 of 6; with 0.9 and more after ply 3 of 5 and ply 4 of 6.
	near(t, "decisiveness", c.Decisiveness.Value, (2.0/5+3.0/6)/2)
	near(t, "settled", c.Settled.Value, (3.0/5+4.0/6)/2)
	// 13: - - + + and - + + - -, the start left out: one change and two, in 11 plies.
	near(t, "lead changes", c.LeadChanges.Value, 1.5)
	near(t, "per ten plies", c.LeadPer10.Value, 30.0/11)
	// 14: game 1 trails with 0.4 and 0.2, game 2 (seen by its winner) with 0.3 and 0.4.
	drama1 := (math.Sqrt(0.2) + math.Sqrt(0.6)) / 2
	drama2 := (math.Sqrt(0.4) + math.Sqrt(0.2)) / 2
	near(t, "drama", c.Drama.Value, (drama1+drama2)/2)
	near(t, "comebacks", c.Comebacks.Value, 0.5)
	// 15: the last third is ply 4 of 5 (4·0.95·0.05 = 0.19) and plies 4 and 5 of 6 (0.64 and 0.36).
	near(t, "late uncertainty", c.Late.Value, (0.19+0.5)/2)
	near(t, "first point", c.Uncertainty[0].Y.Value, (0.96+1)/2)
	// 16: plies 1 to 5 of game 1 gain their movers -0.2, 0.2, 0.35, -0.4 and 0.05; plies 1 to 6 of game 2 -0.2, -0.4,
	// -0.1, 0.4, -0.1 and 0.1. The largest are 0.35 at ply 3 of 5 and 0.4 at ply 4 of 6. Both searches say the same: no
	// noise.
	near(t, "killer", c.Killer.Value, (0.35+0.4)/2)
	near(t, "killer noise", c.KillerNoise.Value, 0)
	near(t, "killer at", c.KillerAt.Value, (3.0/5+4.0/6)/2)
	// 21, after Browne: game 1 gains 0.2 at ply 2, which is taken back with more, and 0.35 at ply 3, which is not. Game
	// 2 gains 0.4 at ply 4, of which ply 5 takes nothing back (0.2 to 0.1): kept. The last ply of each game has no
	// reply: 2 of 3.
	near(t, "permanence", r.Groups[0].Permanence.Browne.Value, 2.0/3)
	// Calibration: squares 0.16 0.36 0.64 0.2025 0.0025 of game 1 and 0.25 0.09 0.49 0.36 0.04 0.01 of game 2.
	near(t, "Brier", r.Oracle.Brier.Value, (1.365+1.24)/11)
	if bins := r.Oracle.Bins; len(bins) == 0 || bins[0].Count != 1 || bins[0].From != 0.1 {
		t.Errorf("%+v", bins)
	}
}

func TestGoldenKillersWithNoise(t *testing.T) {
	t.Parallel()
	// One search gains 0.2, 0.1 and 0.4, the other 0.5, -0.1 and 0.2: the mean of the largest is 0.45; chosen by one
	// and measured by the other 0.2 both ways. The differences 0.3, 0, -0.2 over sqrt 2 gain at most 0.2/sqrt 2.
	a := &arc{
		rec: &record{id: 1, half: 2, replay: replay{}, plies: 3}, side: []int{0, 1, 0},
		values: make([]store.PositionValue, 3),
		one:    []float64{0.5, 0.7, 0.6, 1}, two: []float64{0.2, 0.7, 0.8, 1}, v: []float64{0.35, 0.7, 0.7, 1},
	}
	c := newMeasurer(Options{}).course([]*arc{a}, deadZone(0.1, false), false)
	near(t, "raw", c.KillerRaw.Value, 0.45)
	near(t, "corrected", c.Killer.Value, 0.2)
	near(t, "noise", c.KillerNoise.Value, 0.2/math.Sqrt2)
	near(t, "dead zone", c.DeadZone, 0.2)
	if c.LeadChanges.Value != 0 {
		t.Errorf("values within the dead zone change the lead: %v", c.LeadChanges.Value)
	}
	if exact := newMeasurer(Options{}).course([]*arc{a}, 0, true); exact.Killer.Known() {
		t.Error("exact values have killer moves")
	}
}

func TestGoldenSnowball(t *testing.T) {
	t.Parallel()
	// Won with 0.2, 0.6 and 0.7, lost with 0.6: of three pairs one is in order, one a tie.
	near(t, "AUC", auc([]float64{0.2, 0.6, 0.7, 0.6}, []float64{1, 0, 1, 1}), 0.5)
	if !math.IsNaN(auc([]float64{0.2, 0.6}, []float64{1, 1})) {
		t.Error("an AUC of wins alone")
	}
	// Logits of -L and L with results 1 of 4 and 3 of 4: the slope is ln 3 / L; with values 0.25 and 0.75 it is 1.
	v := []float64{0.25, 0.25, 0.25, 0.25, 0.75, 0.75, 0.75, 0.75}
	near(t, "slope", logitSlope(v, []float64{1, 0, 0, 0, 1, 1, 1, 0}), 1)
	if !math.IsNaN(logitSlope([]float64{0.2, 0.8}, []float64{0, 1})) {
		t.Error("a slope of separated results")
	}
}

func TestGoldenClarity(t *testing.T) {
	t.Parallel()
	values := positions([]float64{0.5, 0.5, 0.5, 0.5, 0.5}, nil)
	for i := range values {
		v := &values[i]
		v.Near.Valid, v.Near.Float64 = true, []float64{1, 0.25, 0.5, 0.25, 0.2}[i]
		v.Variance.Valid, v.Variance.Float64 = true, 0.01*float64(i)
		v.Shallow.Valid, v.Shallow.Float64 = i != 0, []float64{0, 1, 0, 0.5, 1}[i]
	}
	forced := slices.Clone(values) // where there is but one move nothing is to be seen
	for i := range forced {
		forced[i].Legal, forced[i].Near.Float64 = 1, 1
	}
	c := withValues(t, []string{centreWin5, centreWin5}, [][]store.PositionValue{values, forced}).Groups[0].Clarity
	if c.Positions != 5 || c.Narrow.N != 1 {
		t.Errorf("%d positions of %d games, want 5 of 1", c.Positions, c.Narrow.N)
	}
	near(t, "narrow", c.Narrow.Value, 2.2/5)
	near(t, "variance", c.Variance.Value, 0.02)
	near(t, "shallow", c.Shallow.Value, 2.5/4)
	// Plies 0 and 1 of 5 are the first third, 2 and 3 the second, 4 the last.
	near(t, "opening", c.Phases[0].Narrow.Value, 0.625)
	near(t, "end", c.Phases[2].Narrow.Value, 0.2)
}

func TestExactValuesOfAStudy(t *testing.T) {
	t.Parallel()
	// With a1 the first player keeps the draw, with b1 the second gives it away (half a point), the rest keeps what is
	// left: 6 of 7.
	g := enginetest.Load(t, "classic")
	games := []Game{played(t, g, 1, "random", "random", cornerWin7)}
	db := studyOf(t, g, "classic", campaign.PurposeMirror, games)
	r, err := Study(context.Background(), db, "classic", StudyOptions{Values: &oracle.Options{}})
	if err != nil {
		t.Fatal(err)
	}
	a := r.Groups[0].Accuracy
	near(t, "kept", a.Kept.Value, 6.0/7)
	near(t, "loss", a.MeanLoss.Value, 0.5/7)
	near(t, "perfect", a.Perfect.Value, 0)
	if r.Oracle == nil || r.Oracle.Kind != "exact" || r.Oracle.Noise != 0 {
		t.Fatalf("%+v", r.Oracle)
	}
	// 0.5 0.5 1 1 1 1 1: settled when ply 2 has been played; squares of 0.5 twice.
	near(t, "decisiveness", r.Groups[0].Course.Decisiveness.Value, 1.0/7)
	near(t, "Brier", r.Oracle.Brier.Value, 0.5/7)
	if r.Exact.Winner != "draw" || r.Exact.Keeping != 9 {
		t.Errorf("%+v", r.Exact)
	}
	again, err := Study(context.Background(), db, "classic", StudyOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if again.Oracle == nil || again.Oracle.Brier != r.Oracle.Brier {
		t.Error("stored values are not found again")
	}
}
