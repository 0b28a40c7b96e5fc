package record

import (
	"bytes"
	"database/sql"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"spar/arena"
	"spar/arena/store"
	"spar/arena/store/storetest"
	"spar/arena/study"
	"spar/configs/must"
)

// The games of an event are summed over rules and machines; thinking and nodes over all events, purposes by name in
// their order.
func TestSumsOfEvents(t *testing.T) {
	t.Parallel()
	played := []store.Played{
		{Event: 1, Games: 10, Counts: 8, Faults: 1, Timed: 2, Spent: 3 * time.Second, Nodes: 100},
		{Event: 2, Games: 5, Counts: 5, Spent: 2 * time.Second, Nodes: 50},
		{Event: 1, Games: 20, Counts: 17, Faults: 3, Timed: 4, Spent: 1500 * time.Millisecond, Nodes: 1000},
	}
	builds := []store.Stretch{{Event: 1, Games: 30}, {Event: 2, Games: 5}}
	var r Record
	for _, e := range []study.Event{
		{ID: 1, Name: "a", Purpose: "tournament"},
		{ID: 2, Name: "b", Purpose: "tuning"},
		{ID: 3, Name: "c", Purpose: "tournament"},
	} {
		r.addEvent(e, played, builds)
	}
	if r.Games != 35 || r.Spent != 6.5 || r.Nodes != 1150 || len(r.Events) != 3 {
		t.Errorf("%d games, %g s, %d nodes, %d events", r.Games, r.Spent, r.Nodes, len(r.Events))
	}
	if e := r.Events[0]; e.Games != 30 || e.Counts != 25 || e.Faults != 4 || e.Timed != 6 || len(e.Builds) != 1 ||
		e.Builds[0].Games != 30 {
		t.Errorf("%+v", e)
	}
	if d := cmp.Diff([]Purpose{{"tournament", 2, 30, 25}, {"tuning", 1, 5, 5}}, r.Purposes); d != "" {
		t.Error(d)
	}
}

func TestRecordInWords(t *testing.T) {
	t.Parallel()
	for seconds, want := range map[float64]string{0: "0.0s", 9.94: "9.9s", 10: "10s", 75.4: "1m15s"} {
		if got := lasted(seconds); got != want {
			t.Errorf("%g: %s, want %s", seconds, got, want)
		}
	}
	hash := strings.Repeat("0123456789", 4)
	for commit, want := range map[string]string{
		"": "unknown", "abc": "abc", hash[1:]: hash[1:], hash: hash[:12],
		hash + "+changed": hash[:12] + "+changed",
	} {
		if got := shortCommit(commit); got != want {
			t.Errorf("%s: %s, want %s", commit, got, want)
		}
	}
	for text, want := range map[string]string{`{"a":1}`: `{"a":1}`, "name: x": `"name: x"`, "": `""`} {
		if got := string(raw(text)); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	r := &Record{
		DB: "x.db", Games: 1, Events: []Event{{Event: "a", PlanHash: hash, Games: 1, Builds: []Build{{Games: 1}}}},
		Machines: []Machine{{Games: 1}},
		Agents:   []Agent{{Agent: "x", Hash: "h9"}, {Agent: "y", Rules: []string{"p", "q"}}},
	}
	var out bytes.Buffer
	must.Do(t, r.Text(&out))
	for _, want := range []string{
		"x.db: 1 game of 1 event under 0 sets of rules", "012345678901  -", "unknown", "local",
		"x under no rules: type=; h9\n", "y under p, q: type=; hash unknown: an older version of Spar",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}

// A study says who played what under which rules, and lets its games be played again: all, or an even share of them;
// where a game is another one now, it says which and where.
func TestVerifyAndReplay(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	x := must.Get(arena.LoadPlan("p.yaml", []byte("name: p\ngames: [vanishing]\nagents: [greedy, random]\nformat: "+
		"match\npairs: 10\nseed: 3\n")))(t)
	db := storetest.New(t)
	if _, err := Replay(ctx, db, 1, 1, nil); !errors.Is(err, ErrNone) {
		t.Errorf("nothing played: %v", err)
	}
	must.Get(arena.Run(ctx, ctx, x, db, arena.Options{}))(t)
	r := must.Get(Read(ctx, db))(t)
	if len(r.Agents) != 2 || len(r.Rules) != 1 || r.Rules[0].Games != 20 || len(r.Machines) != 1 ||
		r.Machines[0].Games != 20 || len(r.Agents[0].Rules) != 1 || r.Agents[0].Hash == "" || r.Events[0].Format != "match" {
		t.Errorf("%+v", r)
	}
	if v, err := Verify(ctx, db, func(err error) { t.Error(err) }); err != nil || v.Games != 20 || v.Bad+int64(len(v.Open)) != 0 {
		t.Errorf("%+v, %v", v, err)
	}
	for share, again := range map[float64]int64{1: 20, 0.25: 5} {
		got, err := Replay(ctx, db, share, 2, func(g study.Game, d arena.Difference) { t.Errorf("%+v: %+v", g, d) })
		if err != nil || got.Again != again || got.Differ != 0 || got.Searched != 0 || len(got.LeftOut) != 0 ||
			len(got.Other) != 0 {
			t.Errorf("a share of %g: %+v, %v", share, got, err)
		}
	}
}

// Games that were changed in their study are found: those whose rows no longer fit their moves by replaying the moves,
// those with other moves by letting the agents play. What was timed is left out, and an agent without games is known
// without rules.
func TestChangedGamesAreFound(t *testing.T) {
	t.Parallel()
	ctx, path := t.Context(), filepath.Join(t.TempDir(), "s.db")
	x := must.Get(arena.LoadPlan("p.yaml", []byte("name: p\ngames: [classic]\nagents: [mcts-100, random]\nformat: "+
		"match\npairs: 6\nseed: 3\n")))(t)
	db := storetest.Open(t, path)
	must.Get(arena.Run(ctx, ctx, x, db, arena.Options{}))(t)
	must.Get(db.AgentID(ctx, "idle", `{"type":"random"}`))(t)
	raw := must.Get(sql.Open(store.Driver, path))(t)
	defer raw.Close()
	for _, change := range []string{
		"UPDATE games SET moves = 'b2 a1 c2 a2 a3' WHERE id IN (9, 4)", // not over by then
		"UPDATE games SET first_nodes = first_nodes + 1, second_nodes = second_nodes + 1 WHERE id = 6",
		"UPDATE games SET timed = 1 WHERE id = 7",
		"UPDATE games SET reason = 'forfeit_error', moves = 'b2 a1', plies = 2 WHERE id IN (11, 12)",
	} {
		must.Get(raw.ExecContext(ctx, change))(t)
	}
	bad := 0
	if v, err := Verify(ctx, db, func(error) { bad++ }); err != nil || v.Games != 12 || int(v.Bad) != bad || bad != 8 {
		t.Errorf("%+v and %d told of, %v; want games 4, 7, 9, 11 and 12, and the marks of 7, 11 and 12", v, bad, err)
	}
	told := 0
	r := must.Get(Replay(ctx, db, 1, 2, func(study.Game, arena.Difference) { told++ }))(t)
	if r.Again != 11 || r.Differ != 4 || told != 4 || r.Searched != 1 || len(r.Other) != 4 || r.Other[0].ID != 4 ||
		r.Other[1].ID != 9 || len(r.LeftOut) != 1 || r.LeftOut[0].Games != 1 {
		t.Errorf("%+v", r)
	}
	all := must.Get(Read(ctx, db))(t)
	out := map[string]int64{}
	for _, e := range all.Events {
		for _, l := range e.LeftOut {
			out[l.Why] += l.Games
		}
	}
	if d := cmp.Diff(r.LeftOut, listed(out)); d != "" {
		t.Errorf("the record leaves out other games than playing again: %s", d)
	}
	rules := map[string]int{}
	for _, a := range all.Agents {
		rules[a.Agent] += 1 + len(a.Rules)
	}
	if d := cmp.Diff(map[string]int{"mcts-100": 2, "random": 2, "idle": 1}, rules); d != "" {
		t.Error(d)
	}
}

// A plan is printed without Go's names, and else as it is stored.
func TestPrintedPlan(t *testing.T) {
	t.Parallel()
	for stored, want := range map[string]string{
		`{"Plan":{"name":"a","Own":1},"Rules":[{"Label":"classic","Hash":"ab"}],"Players":[{"name":"random"}]}`: `{"plan":{"name":"a","Own":1},"players":[{"name":"random"}],"rules":[{"label":"classic","hash":"ab"}]}`,
		`{"Rules":"ab","Seed":9007199254740993,"Pool":[]}`:                                                      `{"pool":[],"rules":"ab","seed":9007199254740993}`,
		`{"version":1,"rules":{"rules":"classic"}}`:                                                             `{"rules":{"rules":"classic"},"version":1}`,
		`{}`:   `{}`,
		`null`: `null`,
		`old`:  `"old"`,
	} {
		if got := string(printed(stored)); got != want {
			t.Errorf("%s is printed as %s, want %s", stored, got, want)
		}
	}
}
