package serve

import (
	"fmt"
	"math"
	"testing"

	"spar/arena/store"
	"spar/arena/store/storetest"
	"spar/arena/study"
	"spar/configs/must"
	"spar/engines/enginetest"
)

// met is a study in which a and b have met in six pairs: a has won four and lost one of six as first, won three and
// lost two as second.
func met(t *testing.T) *store.DB {
	t.Helper()
	ctx := t.Context()
	db := storetest.New(t)
	e := must.Get(db.BeginEvent(ctx, study.Event{Name: "cup", Purpose: "tournament", Plan: "{}"}))(t)
	var agents [2]int64
	for i, name := range []string{"a", "b"} {
		agents[i] = must.Get(db.AgentID(ctx, name, `{"type":"random"}`))(t)
	}
	g := enginetest.Load(t, "classic")
	rules := must.Get(db.RulesID(ctx, "classic", g.RulesHash(), g.Rules().Canonical()))(t)
	for i, r := range []string{
		"first", "first", "first", "first", "first", "draw", "first", "second", "draw",
		"second", "second", "second",
	} {
		g := study.Game{
			Event: e.ID, Number: int64(i), Rules: rules, First: agents[i%2], Second: agents[1-i%2],
			Pair: int64(i / 2), Moves: "a1", Plies: 5 + i%3, Result: r, Reason: "line", Hash: int64(i),
		}
		must.Do(t, db.Commit(ctx, []study.Game{g}, nil, 0))
	}
	return db
}

// Of twelve games the first player has won six and drawn two: 58.3 %. By pair he has 2, 2, 1.5, 1, 0.5 and 0 points, whose
// squared deviations are 10/3: the variance of the mean is 10/3/12² · 6/5, that of 8.75 trials. The interval is Wilson's
// by Student's t with 5 degrees of freedom.
func TestRulesOfAStudy(t *testing.T) {
	t.Parallel()
	s := &Server{base: t.Context()}
	got, err := s.rulesRows(&opened{db: met(t)})
	if err != nil || len(got) != 1 {
		t.Fatal(got, err)
	}
	const p, n, z = 7.0 / 12, 8.75, 2.570581836
	middle := (p + z*z/(2*n)) / (1 + z*z/n)
	half := z * math.Sqrt(p*(1-p)/n+z*z/(4*n*n)) / (1 + z*z/n)
	want := fmt.Sprintf("classic: 58 %% (%.0f to %.0f), 12 games; 17 %%; 6.0", 100*(middle-half), 100*(middle+half))
	row := (&studyBody{Rules: got}).Listed().Rows[0]
	if text := fmt.Sprintf("%s: %s; %s; %s", row[0], row[1], row[2], row[3]); text != want {
		t.Errorf("%s, want %s", text, want)
	}
}
