package tuning

import (
	"errors"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"spar/agents/eval"
	"spar/arena"
	"spar/arena/evidence"
	"spar/arena/store"
	"spar/arena/study"
	"spar/engines/enginetest"
	"spar/tuning/fit"
)

// A pair of weights keeps its ratio; one that stands alone leads, its counterpart begins with the other sign.
func TestPairs(t *testing.T) {
	t.Parallel()
	x := loadInside(t)
	pair := []string{"own_need_1", "enemy_need_1"}
	for _, c := range []struct {
		own, enemy, start float64
		want              []Target
	}{
		{4, -2, 4, []Target{{"weights.own_need_1", 1}, {"weights.enemy_need_1", -0.5}}},
		{4, 0, 4, []Target{{"weights.own_need_1", 1}, {"weights.enemy_need_1", -1}}},
		{0, -2, -2, []Target{{"weights.enemy_need_1", 1}, {"weights.own_need_1", -1}}},
		{0, 0, 0, []Target{{"weights.own_need_1", 1}, {"weights.enemy_need_1", -1}}},
	} {
		x.Start.Weights = eval.Weights{pair[0]: c.own, pair[1]: c.enemy}
		if p := x.weightParam(0, pair, ParamRef{}); p.Start != c.start || !reflect.DeepEqual(p.Targets, c.want) {
			t.Errorf("%g and %g: %+v", c.own, c.enemy, p)
		}
	}
	x.Start.Weights = eval.Weights{pair[1]: 3}
	if p := x.weightParam(0, pair[1:], ParamRef{}); p.Start != 3 || len(p.Targets) != 1 {
		t.Errorf("%+v", p)
	}
}

// What is left out of a study's games is counted: moves of openings, moves that were forced, and final positions; of
// the others every second is taken where half are enough. A result is seen from the side that moved.
func TestPositionsOfAStudy(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	row := store.Row{
		Game:      study.Game{Moves: "b2 a1 c1 a3 a2 c2 b3 b1 c3", Result: "draw", OpeningPlies: 2},
		RulesName: "classic", RulesJSON: g.Rules().Canonical(),
	}
	// 9 plies without 2 of the opening and the last, which is forced
	for every, want := range map[int]int{1: 6, 2: 3, 4: 1} {
		r := &studyReader{out: &StudyFit{}, every: every}
		if err := r.read(row); err != nil || len(r.samples) != want || r.out.Opening != 2 || r.out.Forced != 1 {
			t.Errorf("every %d: %d samples, %+v, %v", every, len(r.samples), r.out, err)
		}
	}
	r := &studyReader{out: &StudyFit{}, every: 1}
	row.Moves, row.Result, row.OpeningPlies = "a1 b1 a2 b2 a3", "first", 0
	if err := r.read(row); err != nil || len(r.samples) != 4 || r.samples[0].Result != 1 || r.samples[1].Result != 0 {
		t.Errorf("%+v, %v", r.samples, err)
	}
}

// Weights are learnt from the games of a study that may be learnt from: a set for each phase that they reach.
func TestFitStudy(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	db, err := store.Open(ctx, filepath.Join(t.TempDir(), "s.db"), store.Create)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	play := func(text string) {
		p, err := arena.LoadPlan("p.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := arena.Run(ctx, ctx, p, db, arena.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	play("name: few\ngames: [classic]\nagents: [greedy, random]\nformat: match\npairs: 10\nopenings: {plies: " +
		"1}\nseed: 2\n")
	if _, err := FitStudy(ctx, db, StudyOptions{}); !errors.Is(err, fit.ErrData) ||
		!strings.Contains(err.Error(), "too few") {
		t.Errorf("%v", err)
	}
	play("name: more\ngames: [classic]\nagents: [greedy, random]\nformat: match\npairs: 60\nopenings: {plies: " +
		"2}\nseed: 3\n")
	for _, c := range []struct {
		o    StudyOptions
		sets []string
		late int
	}{
		{StudyOptions{Ridges: []float64{1}}, []string{"weights"}, 0},
		{StudyOptions{Ridges: []float64{1}, LateFrom: 5}, []string{"weights", "late_weights"}, 5},
		// no position of a game that goes on is so late
		{StudyOptions{Ridges: []float64{1}, LateFrom: 9}, []string{"weights"}, 0},
		{StudyOptions{Ridges: []float64{1}, Event: "more", Positions: 100}, []string{"weights"}, 0},
	} {
		got, err := FitStudy(ctx, db, c.o)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got.Sets, c.sets) || got.Agent.LateFrom != c.late || len(got.Agent.Weights) == 0 ||
			(len(got.Agent.Late) > 0) != (c.late > 0) || got.Agent.Weights["own_need_1"] <= 0 {
			t.Errorf("%+v: sets %v, %+v", c.o, got.Sets, got.Agent)
		}
		if openings := 2*got.Games - got.Opening; c.o.Event != "" && openings != 0 || c.o.Event == "" && openings <= 0 {
			t.Errorf("%+v: %d games, %d plies of openings", c.o, got.Games, got.Opening)
		}
	}
	// As many positions as are wanted are taken, all if there are no more; games that do not count are left out, and
	// fifty are enough.
	plies, first := 0, int64(-1)
	for row, err := range db.Games(ctx, store.Filter{Event: "more"}) {
		if err != nil {
			t.Fatal(err)
		}
		if plies += row.Plies; first < 0 {
			first = row.Event
		}
	}
	samples := func(o StudyOptions) int {
		t.Helper()
		o.Ridges = []float64{1}
		got, err := FitStudy(ctx, db, o)
		if err != nil {
			t.Fatal(err)
		}
		return got.Model.Samples
	}
	all := samples(StudyOptions{Event: "more"})
	if exact, half := samples(StudyOptions{Event: "more", Positions: plies}),
		samples(StudyOptions{Event: "more", Positions: plies - 1}); exact != all || half != all/2 {
		t.Errorf("%d positions of all, %d for as many plies, %d for fewer", all, exact, half)
	}
	play("name: fifty\ngames: [classic]\nagents: [greedy, random]\nformat: match\npairs: 25\nopenings: {plies: " +
		"1}\nseed: 4\n")
	if got, err := FitStudy(ctx, db, StudyOptions{Event: "fifty", Ridges: []float64{1}}); err != nil || got.Games != 50 ||
		got.Model.Games != 50 {
		t.Errorf("fifty games: %v", err)
	}
	if err := db.Commit(ctx, nil, []study.Marked{{Number: 3, Marks: evidence.Superseded}}, first); err != nil {
		t.Fatal(err)
	}
	if got, err := FitStudy(ctx, db, StudyOptions{Event: "more", Ridges: []float64{1}}); err != nil || got.Games != 119 ||
		got.Model.Games != 119 {
		t.Errorf("all but a superseded one of 120 games: %+v, %v", got, err)
	}
	for want, o := range map[string]StudyOptions{
		`no games of "clasic"`: {Rules: "clasic"},
		`no event "mor"`:       {Event: "mor"}, "no features": {Positions: 1},
	} {
		if _, err := FitStudy(ctx, db, o); !errors.Is(err, fit.ErrData) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	play("name: other\ngames: [vanishing]\nagents: [greedy, random]\nformat: match\npairs: 1\nseed: 3\n")
	if _, err := FitStudy(ctx, db, StudyOptions{}); err == nil ||
		!strings.Contains(err.Error(), "several rules (classic, vanishing)") {
		t.Errorf("%v", err)
	}
}
