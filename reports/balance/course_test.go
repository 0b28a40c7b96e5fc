package balance

import (
	"context"
	"testing"

	"spar/arena/campaign"
	"spar/arena/oracle"
	"spar/arena/store"
	"spar/configs/must"
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
	one := []float64{0.6, 0.4, 0.2, 0.55, 0.95}
	two := []float64{0.5, 0.3, 0.7, 0.6, 0.2, 0.1}
	r := withValues(t, []string{centreWin5, cornerLost}, [][]store.PositionValue{positions(one, one), positions(two, two)})
	c := r.Groups[0].Course
	// 12: the winner leads for good after ply 2 of 5 and ply 3 of 6.
	near(t, "decisiveness", c.Decisiveness.Value, (2.0/5+3.0/6)/2)
	// 13: - - + + and - + + - -, the start left out: one change and two.
	near(t, "lead changes", c.LeadChanges.Value, 1.5)
}

func TestExactValuesOfAStudy(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	games := []Game{played(t, g, 1, "random", "random", cornerWin7)}
	db := studyOf(t, g, "classic", campaign.PurposeMirror, games)
	r := must.Get(Study(context.Background(), db, "classic", StudyOptions{Values: &oracle.Options{}}))(t)
	if r.Oracle == nil || r.Oracle.Kind != "exact" || r.Oracle.Noise != 0 {
		t.Fatalf("%+v", r.Oracle)
	}
	// 0.5 0.5 1 1 1 1 1: settled when ply 2 has been played.
	near(t, "decisiveness", r.Groups[0].Course.Decisiveness.Value, 1.0/7)
	if r.Exact.Winner != "draw" || r.Exact.Keeping != 9 {
		t.Errorf("%+v", r.Exact)
	}
	again := must.Get(Study(context.Background(), db, "classic", StudyOptions{}))(t)
	if again.Oracle == nil || again.Oracle.Positions != r.Oracle.Positions {
		t.Error("stored values are not found again")
	}
}
