package tuning

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"spar/arena"
	"spar/arena/evidence"
	"spar/arena/store"
	"spar/arena/study"
	"spar/engines/enginetest"
	"spar/ratings"
)

func openStudy(t *testing.T) *store.DB {
	t.Helper()
	db, err := store.Open(t.Context(), t.TempDir()+"/s.db")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// An unreliable worker's games leave the study, but for those that were played again alike. Where one of them belongs to a search, all
// later ones of the search go with it, its checks and its landscapes; the hall of a search or its checks goes on from there, and any other
// cannot.
func TestWhatAnUnreliableWorkerTakesWithIt(t *testing.T) {
	t.Parallel()
	purposes := []string{purposeTraining, purposeCheck, purposeLandscape, "validation", purposeTraining}
	all := []int64{0, 1, 2, 3, 4}
	g := enginetest.Load(t, "classic")
	type games map[int][]int64 // numbers, by event
	for _, c := range []struct {
		purpose string // whose hall finds it out
		cheated games
		tested  games // ... that were played again alike
		want    games // that leave
		goesOn  bool
	}{
		{"validation", games{1: {2}, 3: {1, 4}}, nil, games{1: {2}, 3: {1, 4}}, true},
		{"validation", games{0: {3}, 3: {0}}, nil, games{0: {3, 4}, 1: all, 2: all, 3: {0}}, false},
		{purposeLandscape, games{4: {4}}, nil, games{1: all, 2: all, 4: {4}}, false},
		{purposeCheck, games{0: {0, 2}}, nil, games{0: all, 1: all, 2: all}, true},
		{purposeTraining, games{0: {1, 2, 3}, 4: {0}}, games{0: {1, 2}, 4: {0}}, games{0: {3, 4}, 1: all, 2: all}, true},
	} {
		db, ctx := openStudy(t), t.Context()
		rules, err := db.RulesID(ctx, "classic", g.RulesHash(), g.Rules().Canonical())
		if err != nil {
			t.Fatal(err)
		}
		agent, err := db.AgentID(ctx, "a", "{}")
		if err != nil {
			t.Fatal(err)
		}
		var played []study.Game
		for i, p := range purposes {
			e, err := db.BeginEvent(ctx, study.Event{Name: fmt.Sprint(i), Purpose: p, Plan: fmt.Sprint(i)})
			if err != nil || e.ID != int64(i+1) {
				t.Fatal(e, err)
			}
			for _, n := range all {
				row := study.Game{Event: e.ID, Number: n, Pair: n, Rules: rules, First: agent, Second: agent, Moves: "a1 b1 a2 b2 a3", Result: "first", Reason: "line", Plies: 5, Worker: "honest", Hash: n}
				if slices.Contains(c.cheated[i], n) {
					row.Worker = "cheat"
				}
				played = append(played, row)
			}
		}
		if err := db.Commit(ctx, played, nil, 1); err != nil {
			t.Fatal(err)
		}
		d := &arena.Distrust{Worker: "cheat", Why: "a test", Tested: func(s arena.Slot) bool { return slices.Contains(c.tested[int(s.Event-1)], s.Number) }}
		err = (&hall{db: db, purpose: c.purpose}).supersede(ctx, d)
		if again := errors.As(err, new(*arena.Distrust)); err == nil || again != c.goesOn {
			t.Errorf("%v, seen by %s: %v", c.cheated, c.purpose, err)
		}
		got := games{}
		for row, err := range db.Games(ctx, store.Filter{}) {
			if err != nil {
				t.Fatal(err)
			}
			if i := int(row.Event - 1); row.Marks&evidence.Superseded != 0 {
				got[i] = append(got[i], row.Number%1_000_000_000) // it has left its place to another
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%v, seen by %s: %v leave, want %v", c.cheated, c.purpose, got, c.want)
		}
	}
}

// The looks of a tuning are its examinations with other plans, up to the one that is this one; those of others, even where the name begins
// alike, and other events are none.
func TestWhichLookThisIs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		events  []study.Event
		look    int
		earlier string
	}{
		{nil, 1, ""},
		{[]study.Event{{Name: "x", Purpose: purposeTraining, Plan: "mine"}}, 1, ""},
		{[]study.Event{{Name: "x validation 1", Purpose: "validation", Plan: "other"}}, 2, "x validation 1"},
		{[]study.Event{{Name: "x validation 1", Purpose: "validation", Plan: "mine"}, {Name: "x validation 2", Purpose: "validation", Plan: "other"}}, 1, ""},
		{[]study.Event{{Name: "x validation 1", Purpose: "validation", Plan: "a"}, {Name: "x validation 2", Purpose: "validation", Plan: "mine"}}, 2, "x validation 1"},
		{[]study.Event{{Name: "xy validation 1", Purpose: "validation", Plan: "a"}, {Name: "x validation 9", Purpose: "tournament", Plan: "b"}, {Name: "x checks", Purpose: purposeCheck, Plan: "c"}}, 1, ""},
	} {
		db := openStudy(t)
		for _, e := range c.events {
			if _, err := db.BeginEvent(t.Context(), e); err != nil {
				t.Fatal(err)
			}
		}
		x := &examiner{t: &Tuning{Plan: Plan{Name: "x"}}, out: &Examination{}}
		if err := x.look(t.Context(), db, "mine"); err != nil || x.out.Look != c.look || strings.Join(x.out.Earlier, " ") != c.earlier {
			t.Errorf("%v: look %d after %q, %v", c.events, x.out.Look, x.out.Earlier, err)
		}
	}
}

// What a study says about a tuning that cannot be shown: its rules are not those of that name, or are not there; its agents are others; or
// there are no games.
func TestStoredTuningThatHasChanged(t *testing.T) {
	t.Parallel()
	x := loadInside(t)
	plan, err := x.Canonical()
	if err != nil {
		t.Fatal(err)
	}
	e := study.Event{Name: "inside", Purpose: purposeTraining, Plan: plan}
	for name, c := range map[string]struct {
		hash, plan string
		want       string
	}{
		"no rules":     {"", plan, "the rules vanishing have changed since"},
		"other rules":  {"other", plan, "the rules vanishing have changed since"},
		"other agents": {x.Game.RulesHash(), strings.Replace(plan, `"Start":{`, `"Start":{"x":1,`, 1), "the agents of inside have changed since"},
		"no games":     {x.Game.RulesHash(), plan, `holds no "inside checks"`},
	} {
		db := openStudy(t)
		if c.hash != "" {
			if _, err := db.RulesID(t.Context(), x.Label, c.hash, x.Game.Rules().Canonical()); err != nil {
				t.Fatal(err)
			}
		}
		other := e
		other.Plan = c.plan
		if _, err := db.BeginEvent(t.Context(), other); err != nil {
			t.Fatal(err)
		}
		_, r, exam, err := Stored(t.Context(), db, e, Files{})
		if !errors.Is(err, ErrMissing) || !strings.Contains(err.Error(), c.want) || r != nil || exam != nil {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	broken := e
	broken.Plan = `{"Plan": 7}`
	if _, _, _, err := Stored(t.Context(), nil, broken, Files{}); err == nil || !strings.HasPrefix(err.Error(), "plan of inside: ") {
		t.Errorf("a plan that is none: %v", err)
	}
}

// An examination that has fewer different openings than pairs to a match says so, and not where they are just enough.
func TestExaminationOfFewOpenings(t *testing.T) {
	t.Parallel()
	x := loadInside(t, "rules=classic", "openings={plies: 3}")
	book := x.openings(3, true)
	enough := int(book.distinct(1000))
	for pairs, warned := range map[int]bool{enough - 1: false, enough: false, enough + 1: true} {
		x.Validation.Pairs = pairs
		for _, base := range []int64{0, 5} {
			e := &examiner{t: x, h: &hall{book: book}, out: &Examination{}, openingBase: base}
			for _, result := range []ratings.Outcome{0, 1, 2} {
				if err := e.builder.Add(ratings.Game{First: "a", Second: "b", Result: result}); err != nil {
					t.Fatal(err)
				}
			}
			if err := e.conclude(); err != nil {
				t.Fatal(err)
			}
			if (len(e.out.Warnings) == 1) != warned || e.out.Openings != min(int64(enough), int64(pairs)+base) || e.out.Optimism != nil {
				t.Errorf("%d pairs from opening %d: %d openings of %d, %q", pairs, base, e.out.Openings, enough, e.out.Warnings)
			}
		}
	}
}
