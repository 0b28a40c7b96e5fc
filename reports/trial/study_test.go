package trial

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"spar/arena"
	"spar/arena/evidence"
	"spar/arena/store"
	"spar/arena/store/storetest"
	"spar/arena/study"
	"spar/configs/must"
	"spar/ratings"
)

// contested is a study in which a and b have met, and c has looked in. Games have two plies of the opening and eight
// after it, take one second of their first player and a quarter of one of the second, and 30 and 7 nodes.
func contested(t *testing.T) *store.DB {
	t.Helper()
	ctx := t.Context()
	db := storetest.New(t)
	ids := map[string]int64{}
	for _, e := range []string{"cup", "later"} {
		event, err := db.BeginEvent(ctx, study.Event{Name: e, Purpose: "tournament", Plan: "{}"})
		if ids[e] = event.ID; err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"a", "b", "c"} {
		ids[name] = must.Get(db.AgentID(ctx, name, `{"type":"random"}`))(t)
	}
	for _, name := range []string{"classic", "other"} {
		ids[name] = must.Get(db.RulesID(ctx, name, "hash of "+name, "{}"))(t)
	}
	for i, g := range []struct {
		event, rules  string
		pair          int64
		first, second string
		result        string
		hash          int64
		marks         evidence.Marks
	}{
		{"cup", "classic", 0, "a", "b", "first", 1, 0}, // 1 + ½ points of a
		{"cup", "classic", 0, "b", "a", "draw", 2, 0},
		{"cup", "classic", 1, "b", "a", "first", 3, 0}, // 0 + 0
		{"cup", "classic", 1, "a", "b", "second", 4, 0},
		{"cup", "classic", 2, "a", "b", "first", 5, 0}, // no exchange of seats
		{"cup", "classic", 2, "a", "b", "first", 6, 0},
		{"cup", "classic", 3, "a", "b", "first", 7, 0}, // half a pair
		{"cup", "classic", 4, "a", "c", "first", 8, 0}, // another opponent
		{"cup", "classic", 4, "c", "a", "second", 9, 0},
		{"cup", "classic", 5, "a", "b", "first", 10, evidence.Surplus},
		{"cup", "classic", 5, "b", "a", "second", 11, evidence.Surplus},
		{"cup", "other", 6, "a", "b", "draw", 12, 0}, // ½ + ½
		{"cup", "other", 6, "b", "a", "draw", 13, 0},
		{"cup", "classic", 7, "b", "a", "first", 3, 0}, // pair 1 once more
		{"cup", "classic", 7, "a", "b", "second", 4, 0},
		{"cup", "classic", 8, "c", "b", "first", 14, 0},
		{"cup", "classic", 8, "b", "c", "second", 15, 0},
		{"later", "classic", 0, "b", "a", "second", 16, 0}, // 1 + 1
		{"later", "classic", 0, "a", "b", "first", 17, 0},
		{"later", "classic", 3, "b", "a", "draw", 18, 0}, // not the other half of that of the cup
		{"cup", "classic", 9, "a", "c", "first", 19, 0},  // three agents make no pair
		{"cup", "classic", 9, "b", "a", "first", 20, 0},
		{"cup", "classic", 10, "c", "a", "first", 21, 0},
		{"cup", "classic", 10, "a", "b", "first", 22, 0},
	} {
		if err := db.Commit(ctx, []study.Game{{
			Event: ids[g.event], Number: int64(i), Rules: ids[g.rules], First: ids[g.first], Second: ids[g.second], Pair: g.pair,
			OpeningPlies: 2, Plies: 10,
			Moves: "a1", Result: g.result, Reason: "line", Hash: g.hash, Marks: g.marks, FirstMS: 1000, SecondMS: 250,
			FirstNodes: 30, SecondNodes: 7,
		}}, nil, 0); err != nil {
			t.Fatal(err)
		}
	}
	return db
}

// The pairs of two agents are those of both seats in which each game counts, by the points of the one that is asked
// about.
func TestContest(t *testing.T) {
	t.Parallel()
	db := contested(t)
	const second = 10_000_000_000 // where the ids of the second event begin
	type row struct {
		rules           string
		pentanomial     []float64
		distinct, games int
		drawn           float64
		order           []judged
	}
	for _, c := range []struct {
		event, agent, opponent string
		want                   []row
	}{
		{"", "a", "b", []row{
			{"classic", []float64{2, 0, 0, 1, 1}, 3, 8, 1.0 / 8, []judged{{2, 3, 0}, {4, 0, 0}, {15, 0, 0}, {second + 19, 4, 0}}},
			{"other", []float64{0, 0, 1, 0, 0}, 1, 2, 1, []judged{{13, 2, 0}}},
		}},
		{"", "b", "a", []row{
			{"classic", []float64{1, 1, 0, 0, 2}, 3, 8, 1.0 / 8, []judged{{2, 1, 0}, {4, 4, 0}, {15, 4, 0}, {second + 19, 0, 0}}},
			{"other", []float64{0, 0, 1, 0, 0}, 1, 2, 1, []judged{{13, 2, 0}}},
		}},
		{"later", "a", "b", []row{{"classic", []float64{0, 0, 0, 0, 1}, 1, 2, 0, []judged{{second + 19, 4, 0}}}}},
		{"", "a", "c", []row{{"classic", []float64{0, 0, 0, 0, 1}, 1, 2, 0, []judged{{9, 4, 0}}}}},
	} {
		got, err := Contest(t.Context(), db, c.event, c.agent, c.opponent)
		if err != nil || len(got) != len(c.want) {
			t.Errorf("%s against %s in %q: %d rules, %v", c.agent, c.opponent, c.event, len(got), err)
			continue
		}
		for i, p := range got {
			w := c.want[i]
			if p.Rules != w.rules || p.Agent != c.agent || p.Opponent != c.opponent ||
				!slices.Equal(p.Pentanomial, w.pentanomial) || p.Distinct != w.distinct || p.Games != w.games ||
				math.Abs(p.Drawn-w.drawn) > 1e-12 || !slices.EqualFunc(p.order, w.order, func(a, b judged) bool {
				return a.game == b.game && a.points == b.points && a.opening != 0
			}) {
				t.Errorf("%s against %s in %q: %+v, want %+v", c.agent, c.opponent, c.event, p, w)
			}
			half := float64(w.games) / 2 // each has as many games from either seat
			if p.Thinking != 2.5*half {
				t.Errorf("%s against %s in %q: %g s", c.agent, c.opponent, c.event, p.Thinking)
			}
		}
	}
	for _, c := range [][3]string{{"later", "a", "c"}, {"", "a", "nobody"}, {"never", "a", "b"}} {
		if _, err := Contest(t.Context(), db, c[0], c[1], c[2]); !errors.Is(err, ErrNoPairs) ||
			!strings.Contains(err.Error(), c[1]+" and "+c[2]) {
			t.Errorf("%v: %v", c, err)
		}
	}
}

// The test of a match is that of its plan, for its two agents in their order; an event without one has none.
func TestPlanned(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	db := storetest.New(t)
	for _, text := range []string{
		"{name: tested, games: [classic], agents: [random, greedy], format: match, pairs: 1, stop: {sprt: {elo0: 5, " +
			"elo1: 60}}}",
		"{name: untested, games: [classic], agents: [random, greedy], format: match, pairs: 1}",
	} {
		plan := must.Get(arena.LoadPlan("p.yaml", []byte(text)))(t)
		must.Get(arena.Run(ctx, ctx, plan, db, arena.Options{}))(t)
	}
	events, err := db.Events(ctx)
	if err != nil || len(events) != 2 {
		t.Fatal(events, err)
	}
	if test, agent, opponent, ok := Planned(events[0]); !ok || test == nil || test.Elo0 != 5 || test.Elo1 != 60 || agent != "random" ||
		opponent != "greedy" {
		t.Errorf("%+v of %s and %s, %t", test, agent, opponent, ok)
	}
	three := strings.Replace(events[0].Plan, `"Players":[`, `"Players":[{"Name":"third"},`, 1)
	wrong := strings.Replace(events[0].Plan, `60`, `-60`, 1)
	if three == events[0].Plan || wrong == events[0].Plan {
		t.Fatalf("the plan is stored in another form: %s", three)
	}
	for _, plan := range []string{events[1].Plan, "", "{", "{}", three, wrong} {
		if test, agent, opponent, _ := Planned(study.Event{Plan: plan}); test != nil {
			t.Errorf("%+v of %s and %s in %q", test, agent, opponent, plan)
		}
	}
}

func pairsOf(rules string, from int64, points ...int) *Pairs {
	p := &Pairs{Rules: rules, Pentanomial: make([]float64, 5), seen: map[[2]int64]bool{}}
	for i, x := range points {
		p.Pentanomial[x]++
		p.order = append(p.order, judged{from + 2*int64(i), x, 0})
		p.seen[[2]int64{from, int64(x)}] = true
		p.Games += 2
	}
	return p
}

// A test over several rules looks at their pairs in the order in which they were played, and its verdict is that of the
// first bound.
func TestJudgePooled(t *testing.T) {
	t.Parallel()
	won := slices.Repeat([]int{4, 3, 4}, 20)
	lost := slices.Repeat([]int{0, 1, 0}, 60)
	test := ratings.SPRT{Elo0: 0, Elo1: 100}
	state := func(p *Pairs) string {
		v := must.Get(p.Judge(test))(t)
		return v.State
	}
	a, b := pairsOf("a", 1, won...), pairsOf("b", 1000, lost...)
	if s := state(a); s != "accept_h1" {
		t.Errorf("won: %s", s)
	}
	if s := state(b); s != "accept_h0" {
		t.Errorf("lost: %s", s)
	}
	a.Drawn, b.Drawn = 0.25, 0.5 // of 120 and of 360 games
	pool := Pool([]*Pairs{b, a})
	if math.Abs(pool.Drawn-210.0/480) > 1e-12 {
		t.Errorf("a share of %g of all is drawn", pool.Drawn)
	}
	a.Thinking, b.Thinking = 3, 15
	if p := Pool([]*Pairs{b, a}); p.Thinking != 18 {
		t.Errorf("%g s in all", p.Thinking)
	}
	if s := state(pool); s != "accept_h1" || pool.Rules != "b, a" || pool.Games != 480 || !pool.Pooled ||
		pool.Distinct != 4 {
		t.Errorf("won first: %s, %+v", s, pool)
	}
	if Pool([]*Pairs{a}) != a {
		t.Error("one set of rules is no pool")
	}
}

// Normalized Elo is the score above one half in standard deviations of a game, times 800/ln 10.
func TestNormalizedElo(t *testing.T) {
	t.Parallel()
	counts := []float64{10, 40, 95, 52, 13}
	v := must.Get(Evaluate(ratings.SPRT{Elo0: 0, Elo1: 10}, counts))(t)
	n, mean, square := 0.0, 0.0, 0.0
	for i, c := range counts {
		n += c
		mean += c * float64(i) / 4
		square += c * float64(i*i) / 16
	}
	mean /= n
	sigma := math.Sqrt((square/n - mean*mean) * 2) // of one game of two
	want := (mean - 0.5) / sigma * 800 / math.Ln10
	if x := v.NElo; math.Abs(x.Value-want) > 0.05*math.Abs(want) || !(x.Lo < want && want < x.Hi) {
		t.Errorf("%+v, want %.2f", x, want)
	}
	if v, err := Evaluate(ratings.SPRT{Elo0: 0, Elo1: 10}, []float64{2: 9}); err != nil || v.NElo.Known() {
		t.Errorf("of scores that are all equal: %+v, %v", v.NElo, err)
	}
}
