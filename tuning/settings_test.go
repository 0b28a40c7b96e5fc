package tuning

import (
	"encoding/json"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"spar/arena"
	"spar/configs"
)

// The fewest games of a method, by hand, and that as many are enough.
func TestFewestGames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		method string
		params int
		want   int
	}{
		{methodSPSA, 6, 64},
		{methodSPSA, 7, 70},
		{methodCMA, 1, 80},
		{methodCMA, 6, 140},
		{methodCMA, 7, 140},
		{methodTD, 12, 50},
		{methodTD, 13, 52},
		{methodFit, 6, 100},
		{methodFit, 7, 105},
		{methodPipeline, 10, 200},
		{methodPipeline, 11, 220},
	} {
		x := &Tuning{Plan: Plan{Method: c.method}, Params: make([]Param, c.params)}
		if got, why := x.least(); got != c.want || why == "" {
			t.Errorf("%s of %d numbers: %d games (%s), want %d", c.method, c.params, got, why, c.want)
		}
	}
	for games, ok := range map[string]bool{"110": true, "109": false} { // 11 weights have an effect in vanishing
		_, err := Load("inside.yaml", []byte(inside), "games="+games)
		if n := len(loadInside(t).Params); n != 11 || (err == nil) != ok {
			t.Errorf("%s games of %d numbers: %v", games, n, err)
		}
	}
}

// What a file leaves out: a test over fewer than 3000 games asks for a difference of 20 Elo, over more for 10; what it says stays, though
// it be nothing.
func TestWhatATuningLeavesOut(t *testing.T) {
	t.Parallel()
	none := 0
	for _, c := range []struct {
		plan Plan
		want Validation
		at   int
	}{
		{Plan{Games: 2999}, Validation{Pairs: 200, Deeper: 200, Most: 2000, Elo1: 20}, 5},
		{Plan{Games: 3000}, Validation{Pairs: 200, Deeper: 200, Most: 2000, Elo1: 10}, 5},
		{Plan{Games: 9000, Validation: Validation{Pairs: 30, Elo1: 15, Pool: []string{}}, Checks: Checks{Points: &none}}, Validation{Pairs: 30, Deeper: 30, Most: 2000, Elo1: 15}, 0},
	} {
		x := &Tuning{Plan: c.plan}
		x.defaults()
		v := x.Validation
		if v.Pairs != c.want.Pairs || v.Deeper != c.want.Deeper || v.Most != c.want.Most || v.Elo1 != c.want.Elo1 || (len(v.Pool) == 3) != (c.plan.Validation.Pool == nil) || *x.Checks.Points != c.at || x.Checks.Pairs != 100 || x.Learn.Share != 0.1 {
			t.Errorf("%+v: %+v, %d checks of %d pairs", c.plan, v, *x.Checks.Points, x.Checks.Pairs)
		}
	}
}

// The stage that learns from the course of games has all of the games, or the share of a pipeline in whole pairs; a search alone has none.
func TestGamesOfTheFirstStage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		method string
		games  int
		learn  Learn
		want   int
		learns string
	}{
		{methodSPSA, 500, Learn{Method: methodTD, Share: 0.5}, 0, ""},
		{methodCMA, 500, Learn{Method: methodTD, Share: 0.5}, 0, ""},
		{methodTD, 501, Learn{Share: 0.5}, 501, methodTD},
		{methodFit, 500, Learn{}, 500, methodFit},
		{methodPipeline, 500, Learn{Method: methodTD, Share: 0.1}, 50, methodTD},
		{methodPipeline, 510, Learn{Method: methodFit, Share: 0.1}, 50, methodFit}, // 51 are no whole pairs
	} {
		x := &Tuning{Plan: Plan{Method: c.method, Games: c.games, Learn: c.learn}}
		if got := x.learnGames(); got != c.want || x.learns() != c.learns {
			t.Errorf("%s of %d games, %+v: %d by %q", c.method, c.games, c.learn, got, x.learns())
		}
	}
}

// An agent keeps the name of its file unless the tuning gives it another; an agent that is not there is none.
func TestNameOfTheAgent(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"": "greedy", "mine": "mine"} {
		if s, err := loadAgent(arena.AgentRef{Agent: "greedy", Name: name}); err != nil || s.Name != want || s.Type != "heuristic" {
			t.Errorf("%q: %s of type %s, %v", name, s.Name, s.Type, err)
		}
	}
	if _, err := loadAgent(arena.AgentRef{Agent: "gredy", Name: "mine"}); err == nil || !strings.Contains(err.Error(), "gredy") {
		t.Errorf("%v", err)
	}
	if _, err := Load("inside.yaml", []byte(inside), "agent=gredy"); err == nil || !strings.Contains(err.Error(), `no shipped agent called "gredy"`) {
		t.Errorf("%v", err)
	}
}

// Bounds are open on either side; the start may lie on them, but not beyond, and they must leave room.
func TestBoundsOfANumber(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		min, max   *float64
		text, want string
	}{
		{nil, nil, "any to any", ""},
		{new(1.0), nil, "1 to any", ""},
		{nil, new(2.5), "any to 2.5", ""},
		{new(2.0), new(3.0), "2 to 3", ""},
		{new(1.0), new(2.0), "1 to 2", ""},
		{new(2.5), nil, "2.5 to any", "x: the bounds 2.5 to any exclude the start, 2"},
		{nil, new(1.0), "any to 1", "x: the bounds any to 1 exclude the start, 2"},
		{new(3.0), new(4.0), "3 to 4", "x: the bounds 3 to 4 exclude the start, 2"},
		{new(2.0), new(2.0), "2 to 2", "x: min 2 is not below max 2"},
		{new(3.0), new(1.0), "3 to 1", "x: min 3 is not below max 1"},
	} {
		p := Param{Path: "x", Start: 2, Min: c.min, Max: c.max}
		got := ""
		if err := p.check(); err != nil {
			got = err.Error()
		}
		if got != c.want || p.Bounds() != c.text {
			t.Errorf("%s: %q, want %s: %q", p.Bounds(), got, c.text, c.want)
		}
	}
}

// Features are named one by one, or with mirror in pairs, named without own_; a tempo has no other side. A pattern ends in a star, or is
// the whole name.
func TestNamesOfFeatures(t *testing.T) {
	t.Parallel()
	plain, pairs := features(false), features(true)
	at := func(all [][]string, name string) int {
		return slices.IndexFunc(all, func(pair []string) bool { return nameOf(pair) == name })
	}
	if i, k := at(plain, "own_centre"), at(plain, "enemy_centre"); i < 0 || k < 0 || at(plain, "tempo") < 0 || at(plain, "centre") >= 0 {
		t.Errorf("%v", plain)
	}
	if i := at(pairs, "centre"); i < 0 || !slices.Equal(pairs[i], []string{"own_centre", "enemy_centre"}) || at(pairs, "tempo") < 0 || 2*len(pairs) != len(plain)+1 {
		t.Errorf("%v", pairs)
	}
	for _, c := range []struct {
		pattern string
		pair    []string
		want    bool
	}{
		{"*", []string{"tempo"}, true},
		{"own_need_*", []string{"own_need_1"}, true},
		{"own_need_*", []string{"own_centre"}, false},
		{"own_need", []string{"own_need_1"}, false},
		{"own_need_1", []string{"own_need_1"}, true},
		{"need_*", []string{"own_need_1", "enemy_need_1"}, true},
		{"need_1", []string{"own_need_1", "enemy_need_1"}, true},
		{"own_need_1", []string{"own_need_1", "enemy_need_1"}, false},
	} {
		if got := matches(c.pattern, c.pair); got != c.want {
			t.Errorf("%s means %v: %t", c.pattern, c.pair, got)
		}
	}
}

// A stored plan has no knobs of other methods than its own, which a file may not state, and of learning none that only a pipeline has.
func TestWhatAStoredPlanMeans(t *testing.T) {
	t.Parallel()
	stored := []byte(`{"rules":"a","agent":"b","method":"x","games":9,"spsa":{},"cma":{},"learn":{"method":"td","share":0.1,"alpha":1}}`)
	for method, want := range map[string][2]string{
		methodSPSA: {"agent games method rules spsa", ""}, methodCMA: {"agent cma games method rules", ""},
		methodTD: {"agent games learn method rules", "alpha"}, methodFit: {"agent games learn method rules", "alpha"},
		methodPipeline: {"agent games learn method rules spsa", "alpha method share"},
	} {
		for _, opponents := range [][]string{nil, {"/home/x.yaml"}} {
			text, err := meant(stored, Plan{Method: method, Opponents: opponents, Rules: arena.GameRef{Rules: "/r.yaml"}, Agent: arena.AgentRef{Agent: "/a.yaml"}})
			if err != nil {
				t.Fatal(err)
			}
			var got map[string]any
			if err := json.Unmarshal(text, &got); err != nil {
				t.Fatal(err)
			}
			_, told := got["opponents"]
			delete(got, "opponents")
			learn, _ := got["learn"].(map[string]any)
			keys := func(m map[string]any) string { return strings.Join(slices.Sorted(maps.Keys(m)), " ") }
			if keys(got) != want[0] || keys(learn) != want[1] || told != (opponents != nil) || !strings.Contains(string(text), "/r.yaml") || !strings.Contains(string(text), "/a.yaml") {
				t.Errorf("%s with opponents %v: %s", method, opponents, text)
			}
		}
	}
	if _, err := meant([]byte("{"), Plan{}); err == nil {
		t.Error("half a plan is a plan")
	}
}

// What a study calls by a name is shipped, or the file of that name among those at hand; of other agents than self each must be there.
func TestFilesOfAStudy(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	mine := filepath.Join(folder, "mine.yaml")
	for _, c := range []struct {
		kind       configs.Kind
		name, want string
	}{
		{configs.Agents, "greedy", "greedy"},
		{configs.Agents, "mine.yaml", mine},
		{configs.Agents, "elsewhere/mine.yaml", mine},
		{configs.Games, "mine.yaml", mine},
		{configs.Agents, "other.yaml", ""},
		{configs.Games, "greedy", ""},
	} {
		got, err := served(c.kind, c.name, []string{filepath.Join(folder, "theirs.yaml"), mine})
		if got != c.want || (err != nil) != (c.want == "") || err != nil && !errors.Is(err, ErrMissing) {
			t.Errorf("%s: %s, %v; want %s", c.name, got, err, c.want)
		}
	}
	own := Files{Agents: []string{mine}}
	names := []string{"mine.yaml", self, "greedy"}
	if got, err := own.agents(names); err != nil || !slices.Equal(got, []string{mine, self, "greedy"}) || names[0] != "mine.yaml" {
		t.Errorf("%v of %v, %v", got, names, err)
	}
	if _, err := own.agents([]string{self, "other.yaml"}); !errors.Is(err, ErrMissing) {
		t.Errorf("%v", err)
	}
}
