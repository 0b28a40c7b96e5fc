package arena_test

import (
	"fmt"
	"strings"
	"testing"

	"spar/arena"
)

// Every match-up plays every game in pairs, round by round, so that a run that is stopped early is balanced.
func TestScheduleIsBalanced(t *testing.T) {
	t.Parallel()
	p := plan(t, smallPlan)
	s := arena.NewSchedule(p)
	if n, exact := s.Total(); n != 3*4*3*2 || !exact {
		t.Fatalf("%d games (exact %v), want 3 pairs of 3 match-ups in 4 games", n, exact)
	}
	var jobs []arena.Job
	for j := range s.Jobs {
		jobs = append(jobs, j)
	}
	if len(jobs) != 72 {
		t.Fatalf("%d jobs", len(jobs))
	}
	type seating struct{ rules, first, second int }
	played := map[seating]int{}
	for n, j := range jobs {
		if j.Number != int64(n) || j.Pair != int64(n/2) || j.First == j.Second {
			t.Fatalf("job %d: %+v", n, j)
		}
		mate := jobs[n^1]
		if mate.Pair != j.Pair || mate.Opening != j.Opening || mate.Rules != j.Rules || mate.First != j.Second ||
			mate.Second != j.First {
			t.Fatalf("jobs %+v and %+v are no pair", j, mate)
		}
		played[seating{j.Rules, j.First, j.Second}]++
		if n%24 == 23 { // the end of a round
			for k, count := range played {
				if count != n/24+1 {
					t.Fatalf("after round %d %+v has been played %d times", n/24+1, k, count)
				}
			}
		}
	}
	if len(played) != 4*3*2 {
		t.Errorf("%d seatings, want both of 3 match-ups in 4 games", len(played))
	}
}

// The number of games is exact where every game of the schedule is played, and otherwise the most there may be: no agent
// is withdrawn and no stop rule ends it.
func TestTotal(t *testing.T) {
	t.Parallel()
	const four = "name: x\ngames: [classic, rolling]\nagents: [random, greedy, minimax-2, minimax-4]\npairs: 3\n"
	for _, c := range []struct {
		text  string
		games int64
		exact bool
	}{
		{"", 6 * 3 * 2 * 2, true},
		{"faults: {withdraw: 2}\n", 6 * 3 * 2 * 2, false},
		{"stop: {width: 100}\n", 6 * 3 * 2 * 2, false},
		{"stop: {minutes: 1}\n", 6 * 3 * 2 * 2, false},
		{"format: ladder\nfaults: {withdraw: 2}\n", 3 * 3 * 2 * 2, false},
		{"format: swiss\nrounds: 2\n", 2 * 2 * 3 * 2 * 2, true},
		{"format: swiss\nrounds: 2\nfaults: {withdraw: 2}\n", 2 * 2 * 3 * 2 * 2, false},
		{"format: swiss\nrounds: 2\nstop: {minutes: 1}\n", 2 * 2 * 3 * 2 * 2, false},
	} {
		if games, exact := arena.NewSchedule(plan(t, four+c.text)).Total(); games != c.games || exact != c.exact {
			t.Errorf("%q: %d games, exact %t; want %d, %t", c.text, games, exact, c.games, c.exact)
		}
	}
}

// A tournament file is refused with every mistake in its place.
func TestLoadPlanRefuses(t *testing.T) {
	t.Parallel()
	const head = "name: x\npairs: 2\n"
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"one agent", head + "games: [classic]\nagents: [random]", []string{"t.yaml:4:9: a tournament needs at " +
			"least two agents"}},
		{"no game", head + "games: []\nagents: [random, greedy]", []string{"t.yaml:3:8: a tournament needs a game"}},
		{"no pairs", "name: x\ngames: [classic]\nagents: [random, greedy]", []string{"t.yaml:1:1: pairs is missing"}},
		{"the same agent twice", head + "games: [classic]\nagents: [random, random]", []string{"t.yaml:4:9: two agents are " +
			"both named \"random\"; rename one with `name:`"}},
		{
			"the same game twice", head + "games: [classic, classic]\nagents: [random, greedy]",
			[]string{"t.yaml:3:8: duplicate game: classic"},
		},
		{"unknown names", head + "games: [clasic]\nagents: [random, gredy]", []string{
			`t.yaml:3:9: games[0]: no shipped game called "clasic"; did you mean classic?`,
			`t.yaml:4:18: agents[1]: no shipped agent called "gredy"; did you mean greedy?`,
		}},
		{"wrong knobs", head + "games: [{rules: classic, set: {win.line: 4}}]\nagents: [random, {agent: greedy, set: " +
			"{tie: first}}]", []string{
			"t.yaml:3:32: games[0].set.win.line: a line of 4 does not fit",
			`t.yaml:4:40: agents[1].set.tie: no key "tie"; did you mean ties?`,
		}},
		{"wrong knobs one below the other", head + "games:\n  - rules: vanishing\n    set:\n      pieces.cp: 4\n      " +
			"wni.line: 3\nagents: [random, greedy]", []string{
			`t.yaml:6:7: games[0].set.pieces.cp: no key "pieces.cp"; did you mean pieces.cap?`,
			`t.yaml:7:7: games[0].set.wni.line: no key "wni.line"; did you mean win.line?`,
		}},
		{"a wrong knob in brackets", head + "games: [classic, 'vanishing[pieces.cp=4]']\nagents: [random, greedy]", []string{
			`t.yaml:3:18: games[1]: pieces.cp=4: no key "pieces.cp"; did you mean pieces.cap?`,
		}},
		{"a seed of another tournament", head + "games: [classic]\nformat: gauntlet\nseeds: [randon]\nagents: " +
			"[random, greedy]", []string{
			`t.yaml:5:8: no agent of this tournament is named "randon"; did you mean random?`,
		}},
		{"a seed among agents that are wrong", head + "games: [classic]\nformat: gauntlet\nseeds: [greedy]\nagents: " +
			"[random, gredy]", []string{
			`t.yaml:6:18: agents[1]: no shipped agent called "gredy"; did you mean greedy?`,
		}},
		{"nobody left to play the seeds", head + "games: [classic]\nformat: gauntlet\nseeds: [random, greedy]\nagents: " +
			"[random, greedy]", []string{
			"t.yaml:5:8: every agent is in \"seeds\", so no opponents are left",
		}},
		{"wrong form and wrong names", "name: x\npairs: 0\ngames: [clasic]\nagents: {random: 1}\nformat: knock", []string{
			"t.yaml:2:8: pairs: expected a whole number from 1 to 10000000, found 0",
			`t.yaml:3:9: games[0]: no shipped game called "clasic"`,
			"t.yaml:4:9: agents: expected a list, found keys and values",
			`t.yaml:5:9: format: "knock" is not one of round-robin`,
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p, err := arena.LoadPlan("t.yaml", []byte(c.text))
			if err == nil || p != nil {
				t.Fatalf("loaded: %+v", p)
			}
			rest := err.Error()
			for _, w := range c.want {
				at := strings.Index(rest, w)
				if at < 0 {
					t.Fatalf("%s\nlacks, or has in another order: %s", err, w)
				}
				rest = rest[at:]
			}
			if n := strings.Count(err.Error(), "t.yaml:"); n != len(c.want) {
				t.Errorf("%d mistakes, want %d:\n%v", n, len(c.want), err)
			}
		})
	}
}

// Where one side wins whatever is drawn a plan that wants balanced openings is refused, and told what else there is.
func TestBalancedOpeningsAreRefused(t *testing.T) {
	t.Parallel()
	const text = "name: x\npairs: 2\ngames: [classic, rolling]\nagents: [random, greedy]\nopenings: balanced\n"
	_, err := arena.LoadPlan("t.yaml", []byte(text))
	want := "t.yaml:5:11: rolling: no opening of at most 3 random plies is balanced; change plies, or set openings: " +
		"{draw: any, plies: 3}"
	if got := fmt.Sprint(err); !strings.HasPrefix(got, want) {
		t.Errorf("%s\nwant %s", got, want)
	}
	p, err := arena.LoadPlan("t.yaml", []byte(strings.Replace(text, ", rolling", "", 1)))
	if err != nil || p.Openings.Draw != "balanced" {
		t.Errorf("%+v %v", p, err)
	}
	if p, err = arena.LoadPlan("t.yaml", []byte(strings.Replace(text, "balanced", "{draw: any, plies: 3}",
		1))); err != nil || p.Openings.Draw != "" || p.Openings.Plies != 3 {
		t.Errorf("%+v %v", p.Openings, err)
	}
}
