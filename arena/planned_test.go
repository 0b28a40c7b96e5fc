package arena

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"spar/agents"
	"spar/agents/eval"
	"spar/arena/live"
	"spar/arena/study"
	"spar/engines"
	"spar/engines/enginetest"
)

// Openings of a file are read into the plan, comments and empty lines left out; an opening that cannot be played is named by its number.
func TestOpeningsOfAFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	read := func(lines string) (*Tournament, error) {
		if err := os.WriteFile(filepath.Join(dir, "o.txt"), []byte(lines), 0o644); err != nil {
			t.Fatal(err)
		}
		return LoadPlan(filepath.Join(dir, "p.yaml"), []byte("name: p\ngames: [classic]\nagents: [greedy, random]\nformat: match\npairs: 1\nopenings: {file: o.txt}\n"))
	}
	p, err := read("# two\n\n b2 a1 # centre\na1\n")
	if err != nil || !slices.Equal(p.Openings.Lines, []string{"b2 a1", "a1"}) {
		t.Errorf("%v, %v", p, err)
	}
	if p, err := read("b2\n"); err != nil || len(p.Openings.Lines) != 1 {
		t.Errorf("%v", err)
	}
	for lines, want := range map[string]string{"# none\n": "o.txt has no openings", "b2\na1 a1\n": "opening 2 in classic", "a1 b1 a2 b2 a3\n": "opening 1 in classic: the game is over after it"} {
		if _, err := read(lines); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", lines, err, want)
		}
	}
}

// The report goes with the study, unless it was placed by itself, there is none, or the study stays where it is.
func TestInto(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		report, to string
		placed     bool
		want       string
	}{
		{"out/p-report", "x/y.db", false, "x/y-report"}, {"out/p-report", "x/y.db", true, "out/p-report"}, {"", "x/y.db", false, ""}, {"r", "out/../out/p.db", false, "r"},
	} {
		p := &Tournament{}
		p.Database, p.Report = "out/p.db", c.report
		if p.Into(c.to, c.placed); p.Report != c.want || p.Database != c.to {
			t.Errorf("%+v: %s and %s", c, p.Database, p.Report)
		}
	}
}

func TestReferences(t *testing.T) {
	t.Parallel()
	for want, set := range map[string][]string{`"greedy"`: nil, `{rules: "greedy", set: {"a.b": 1}}`: {"a.b=1"}} {
		if got := RefText("rules", "greedy", set); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// A knob without effect is told with where and why; two of one agent with one reason share a line.
func TestIdleKnobs(t *testing.T) {
	t.Parallel()
	idle := func(agent string) []string {
		p, err := LoadPlan("p.yaml", []byte("name: p\ngames: [classic, vanishing]\nagents: ["+agent+", random]\nformat: match\npairs: 1\n"))
		if err != nil {
			t.Fatal(err)
		}
		return p.idle()
	}
	if got := idle("{agent: minimax-2, set: {budget.depth: 3}}"); len(got) != 0 {
		t.Errorf("%q", got)
	}
	one := idle("{agent: minimax-2, set: {budget.iterations: 10}}")
	if len(one) != 1 || !strings.Contains(one[0], "budget.iterations has no effect under classic, vanishing: ") {
		t.Errorf("%q", one)
	}
	g := enginetest.Load(t, "vanishing")
	var lost []string
	for _, name := range eval.Names() {
		if !eval.Counts(name, g) && !eval.Counts(name, enginetest.Load(t, "classic")) {
			lost = append(lost, name)
		}
	}
	two := idle("{agent: handmade, set: {weights." + lost[0] + ": 1, weights." + lost[1] + ": 1}}")
	if want := "weights." + lost[0] + ", weights." + lost[1] + " have no effect under classic, vanishing: the rules have nothing"; len(two) != 1 || !strings.Contains(two[0], want) {
		t.Errorf("%q", two)
	}
}

// What two workers thought must be alike but for the time that it took.
func TestThoughtsAlike(t *testing.T) {
	t.Parallel()
	with := func(ms float64, nodes int64) *Result {
		return &Result{Moves: "a1", Thoughts: []study.Ply{{Ply: 1, MS: ms, Nodes: nodes}}}
	}
	if err := with(1, 5).Alike(with(2, 5)); err != nil {
		t.Error(err)
	}
	if err := with(1, 5).Alike(with(1, 6)); err == nil || !strings.Contains(err.Error(), "thoughts at ply 1") {
		t.Errorf("%v", err)
	}
}

// A player keeps so many agents, at least two, and lets go of the one that has not been used for longest.
func TestAgentsKept(t *testing.T) {
	t.Parallel()
	p := NewPlayer(NewKit(), "x")
	for n, want := range map[int]int{0: mostAgents, 1: 2, 2: 2, 7: 7} {
		if got := NewPlayer(NewKit(), "x").Keep(n).most; got != want {
			t.Errorf("%d: %d", n, got)
		}
	}
	for name, used := range map[string]int64{"a": 3, "b": 1, "c": 2} {
		p.agents[agentKey{spec: name}] = &kept{used: used}
	}
	p.clock = 4
	p.dropOldest()
	if p.agents[agentKey{spec: "b"}] != nil || len(p.agents) != 2 {
		t.Errorf("%v", p.agents)
	}
	g, kit := enginetest.Load(t, "classic"), NewKit()
	of := map[string]agentKey{}
	for i, name := range []string{"a", "b", "c"} {
		s := agents.DefaultSpec()
		s.Name, s.Type, s.Params.Scale = name, "heuristic", float64(100+i)
		of[name] = agentKey{spec: kit.Entrant(s, g, agents.Budget{}).Spec}
	}
	two := NewPlayer(kit, "x").Keep(2)
	for turn, c := range []struct{ use, left string }{{"a", "a"}, {"b", "ab"}, {"a", "ab"}, {"c", "ac"}, {"b", "bc"}, {"b", "bc"}} {
		if _, err := two.agent(t.Context(), of[c.use], g); err != nil {
			t.Fatal(err)
		}
		left := ""
		for _, name := range []string{"a", "b", "c"} {
			if two.agents[of[name]] != nil {
				left += name
			}
		}
		if left != c.left || len(two.agents) != len(left) {
			t.Errorf("turn %d, %s: %s are kept, want %s", turn+1, c.use, left, c.left)
		}
	}
}

// Who looks at the boards sees what a player plays, with names and number, and who watches it hears of every ply; either may be there
// without the other. When the context has ended nothing is played, and there is no result.
func TestWhatAPlayerTells(t *testing.T) {
	t.Parallel()
	g, kit := enginetest.Load(t, "classic"), NewKit()
	kit.AddRules(g)
	var seats [2]Entrant
	for i, name := range []string{"a", "b"} {
		s := agents.DefaultSpec()
		s.Name, s.Type = name, "random"
		seats[i] = kit.Entrant(s, g, agents.Budget{})
	}
	task := NewTask(g, Slot{Number: 6}, seats, nil, 7, 1)
	for _, c := range []struct{ looks, watches bool }{{true, true}, {true, false}, {false, true}, {false, false}} {
		p, boards, plies := NewPlayer(kit, "w"), live.NewFeed(time.Now).Boards(), 0
		boards.Look()
		if c.looks {
			p.Show(boards, 3)
		}
		if c.watches {
			p.Watch(func() { plies++ })
		}
		r, err := p.Play(t.Context(), &task)
		if err != nil || r.Plies < 5 || r.Worker != "w" || r.Slot != task.Slot {
			t.Fatalf("%+v: %+v, %v", c, r, err)
		}
		if want := map[bool]int{true: r.Plies}[c.watches]; plies != want {
			t.Errorf("%+v: %d plies were told, want %d", c, plies, want)
		}
		b, ok := boards.Look()[3]
		if ok != c.looks || ok && (b.First != "a" || b.Second != "b" || b.Number != 6 || b.Machine != "" || b.Position == nil) {
			t.Errorf("%+v: shown %t, %+v", c, ok, b)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if r, err := NewPlayer(kit, "w").Play(ended, &task); !errors.Is(err, context.Canceled) || r.Slot != (Slot{}) || r.Worker != "" || r.Reason != "" {
		t.Errorf("after the end: %+v, %v", r, err)
	}
}

// Results of a batch are handed over together once 20 milliseconds have passed, and at its end; where a game cannot be played, those before
// it are handed over first. Here every ply takes a millisecond.
func TestResultsAreHandedOver(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g, kit := enginetest.Load(t, "classic"), NewKit()
		kit.AddRules(g)
		s := agents.DefaultSpec()
		s.Name, s.Type = "a", "random"
		seat := kit.Entrant(s, g, agents.Budget{})
		var batch []Task
		for n := range int64(12) {
			batch = append(batch, NewTask(g, Slot{Number: n}, [2]Entrant{seat, seat}, nil, 7, uint64(n)))
		}
		handed := func(batch []Task) (sizes, want []int, err error) {
			results := make(chan []Result, len(batch)+1)
			err = NewPlayer(kit, "w").Watch(func() { time.Sleep(time.Millisecond) }).playAll(t.Context(), batch, results)
			close(results)
			plies, games, number := 0, 0, int64(0)
			for rs := range results {
				sizes = append(sizes, len(rs))
				for _, r := range rs {
					if r.Number != number {
						t.Errorf("game %d comes in the place of game %d", r.Number, number)
					}
					number++
					if plies, games = plies+r.Plies, games+1; plies >= 20 {
						want = append(want, games)
						plies, games = 0, 0
					}
				}
			}
			if games > 0 {
				want = append(want, games)
			}
			return sizes, want, err
		}
		if sizes, want, err := handed(batch); err != nil || !slices.Equal(sizes, want) || len(sizes) < 3 {
			t.Errorf("%v at a time, want %v: %v", sizes, want, err)
		}
		batch[1].Rules = "others"
		if sizes, _, err := handed(batch); err == nil || !slices.Equal(sizes, []int{1}) {
			t.Errorf("%v at a time before a game that cannot be played: %v", sizes, err)
		}
		if sizes, _, err := handed(batch[1:]); err == nil || len(sizes) > 0 {
			t.Errorf("%v at a time of none: %v", sizes, err)
		}
	})
}

// lots has games without an end, of agents a and b in turn, two at a time.
type lots struct {
	Source
	agents []string
	n      int64
}

func (l *lots) Next(n int, _ bool) (out []Task) {
	for range n {
		e := Entrant{Spec: l.agents[l.n%int64(len(l.agents))]}
		out = append(out, Task{Seats: [2]Entrant{e, e}, Slot: Slot{Number: l.n}})
		l.n++
	}
	return out
}

// A batch is some milliseconds of work, and small beside what was played; a game of unknown length goes alone, and none goes beyond the limit.
func TestBatches(t *testing.T) {
	t.Parallel()
	quick, slow := cost{"", "quick"}, cost{"", "slow"}
	for name, c := range map[string]struct {
		agents       []string
		given, limit int64
		want         []int
	}{
		"at the start":      {[]string{"quick"}, 0, 0, []int{1}},
		"a thirty-second":   {[]string{"quick"}, 320, 0, []int{10}},
		"at most 64":        {[]string{"quick"}, 1e6, 0, []int{64}},
		"up to the limit":   {[]string{"quick"}, 1e6, 1e6 + 3, []int{3}},
		"beyond the limit":  {[]string{"quick"}, 1e6, 1e6, []int{0}},
		"half a batch each": {[]string{"slow"}, 1e6, 0, []int{2, 2}}, // twice 0.9 ms a game: two games are 3.6 ms and what is around them
		"not known":         {[]string{"quick", "new"}, 1e6, 0, []int{1, 1, 1, 1}},
	} {
		x := &conductor{source: &lots{agents: c.agents}, given: c.given, limit: c.limit, costs: map[cost]time.Duration{quick: time.Microsecond, slow: 900 * time.Microsecond}}
		for i, want := range c.want {
			batch := x.next(false)
			if len(batch) != want || x.before != want {
				t.Errorf("%s: batch %d has %d games, want %d", name, i, len(batch), want)
			}
		}
	}
}

// An agent of a plan has the name that it is given, or its own with what is changed.
func TestNamesOfAPlansAgents(t *testing.T) {
	t.Parallel()
	for want, ref := range map[string]AgentRef{
		"greedy": {Agent: "greedy"}, "greedy[ties=first]": {Agent: "greedy", Set: map[string]any{"ties": "first"}}, "mine": {Agent: "greedy", Name: "mine", Set: map[string]any{"ties": "first"}},
	} {
		if s, err := loadAgent(ref); err != nil || s.Name != want {
			t.Errorf("%+v: %s, %v", ref, s.Name, err)
		}
	}
	if _, err := loadAgent(AgentRef{Agent: "nobody"}); err == nil {
		t.Error("an agent that is none")
	}
	for set, want := range map[int]int{1: 1, 3: 3, 0: runtime.GOMAXPROCS(0)} {
		p := &Tournament{}
		if p.Workers = set; p.WorkerCount() != want {
			t.Errorf("%d workers: %d", set, p.WorkerCount())
		}
	}
	// What was learned for other rules is no evaluation here.
	for rules, want := range map[string]string{"breakthrough": "", "classic": "agents[0]: breakthrough/learned: "} {
		_, err := LoadPlan("p.yaml", []byte("name: p\ngames: ["+rules+"]\nagents: [breakthrough/learned, random]\nformat: match\npairs: 1\n"))
		if (err != nil) != (want != "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", rules, err, want)
		}
	}
}

// Who can force a win within so many plies: whoever has won, not who has drawn; and a side that loses after each of its moves.
func TestForced(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		moves string
		plies int
		want  engines.Result
	}{
		{"", 2, engines.Ongoing},
		{"a1 b1 a2 b2 a3", 0, engines.FirstWins},
		{"a1 b1 a2 b2", 0, engines.Ongoing},
		{"a1 b1 a2 b2", 1, engines.FirstWins},
		{"a1 b1 a2 b2 c3", 1, engines.SecondWins},
		{"a1 b1 b2", 1, engines.Ongoing}, // two plies: O blocks c3, and X has a3 and a2 as well
		{"a1 b1 b2 c3", 3, engines.FirstWins},
		{"a1 b1 b2", 2, engines.Ongoing},
		{"a1 b2 c3 c1 a3", 2, engines.FirstWins}, // both a2 and b3 win: O stops one
		{"a1 b2 c3 c1 a3", 1, engines.Ongoing},
		{"b2 a1 c1 a3 a2 c2 b3 b1 c3", 3, engines.Ongoing}, // full, and drawn
		{"b2 a1 c1 a3 a2 c2 b3 b1", 1, engines.Ongoing},    // the last cell draws
	} {
		p := enginetest.Load(t, "classic").NewPosition()
		if err := p.PlayText(strings.Fields(c.moves)); err != nil {
			t.Fatal(err)
		}
		if got := forced(p, c.plies); got != c.want {
			t.Errorf("%q within %d: %s, want %s", c.moves, c.plies, got, c.want)
		}
	}
}

// A kit knows what it was given, and nothing else.
func TestKitKnows(t *testing.T) {
	t.Parallel()
	k := NewKit()
	defer k.Close()
	hash := k.AddRules(enginetest.Load(t, "classic"))
	if g, ok := k.Rules(hash); !ok || g.RulesHash() != hash {
		t.Error("the rules are not there")
	}
	if _, ok := k.Rules("other"); ok {
		t.Error("rules that nobody gave")
	}
	k.AddSpec("x", agents.Spec{Name: "a"})
	if s, ok := k.Spec("x"); !ok || s.Name != "a" {
		t.Error("the agent is not there")
	}
	if _, ok := k.Spec("y"); ok {
		t.Error("an agent that nobody gave")
	}
}

// A game that cannot be played ends the playing, though others have nothing to do and no more tasks come.
func TestLocalEndsWithAFailure(t *testing.T) {
	t.Parallel()
	k := NewKit()
	defer k.Close()
	l := NewLocal(k, 3)
	defer l.Close()
	tasks, ended := make(chan []Task, 1), make(chan error, 1)
	tasks <- []Task{{Rules: "nobody knows them"}}
	go func() { ended <- l.Play(t.Context(), tasks, make(chan []Result)) }()
	select {
	case err := <-ended:
		if err == nil {
			t.Error("no error")
		}
	case <-time.After(20 * time.Second):
		close(tasks)
		t.Error("it waits for more tasks")
	}
}
