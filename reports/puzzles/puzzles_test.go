package puzzles

import (
	"bytes"
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"spar/agents"
	"spar/arena"
	"spar/arena/store"
	"spar/engines"
	"spar/engines/bulk"
	"spar/engines/enginetest"
	"spar/engines/solve"
)

// fullSearch is what a position is worth to its side by looking at all that follows: no table, no proof.
func fullSearch(s *engines.State) int {
	if s.Over() {
		return int(2*s.Result().Score(s.Side())) - 1
	}
	best := -1
	for _, m := range s.AppendMoves(nil) {
		best = max(best, moveWorth(s, m))
	}
	return best
}

func moveWorth(s *engines.State, m engines.Move) int {
	var next engines.State
	next.CopyFrom(s)
	next.Play(m)
	if v := fullSearch(&next); next.Side() == s.Side() {
		return v
	} else {
		return -v
	}
}

func mine(t *testing.T, from Source, seed uint64, l Limits, limit int) []Puzzle {
	t.Helper()
	var all []Puzzle
	if err := FromRules(t.Context(), from, seed, l, limit, func(p Puzzle) error {
		all = append(all, p)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

// In every puzzle exactly one move has the value of the position, by a search of everything, whether a table or a proof
// search found it.
func TestOneMoveKeepsTheValue(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	for name, l := range map[string]Limits{"table": {Nodes: 1, Memory: 1 << 24}, "search": {Nodes: 100_000, Memory: 1}} {
		all := mine(t, Source{"classic", g}, 1, l, 8)
		if len(all) < 4 {
			t.Errorf("%s: only %d puzzles", name, len(all))
		}
		for _, p := range all {
			s, err := g.ParseState(p.Position)
			if err != nil {
				t.Fatal(err)
			}
			value, keeps := fullSearch(&s), ""
			other := -1
			for _, m := range s.AppendMoves(nil) {
				if v := moveWorth(&s, m); v == value {
					keeps += g.MoveText(m)
				} else {
					other = max(other, v)
				}
			}
			if keeps != p.Move || int(p.Value) != value || int(p.Other) != other || p.Proof != name || p.Legal != s.MoveCount() {
				t.Errorf("%s: %+v: %q keeps %d, the best of the others is %d", name, p, keeps, value, other)
			}
		}
	}
}

// The searched and the tabled answer to a position agree, also where a game may go round in circles.
func TestSearchAgreesWithTable(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "vanishing")
	ctx := context.Background()
	tabled, err := newProver(ctx, g, DefaultLimits())
	if err != nil || tabled.table == nil {
		t.Fatal(tabled, err)
	}
	defer tabled.close()
	searched := &prover{nodes: 50_000}
	compared := 0
	for _, p := range mine(t, Source{"vanishing", g}, 3, DefaultLimits(), 10) {
		s, err := g.ParseState(p.Position)
		if err != nil {
			t.Fatal(err)
		}
		want, _, _, err := tabled.solve(ctx, &s)
		if err != nil {
			t.Fatal(err)
		}
		got, unique, known, err := searched.solve(ctx, &s)
		if err != nil {
			t.Fatal(err)
		}
		if !known {
			continue
		}
		compared++
		if !unique || got.move != want.move || got.value != want.value {
			t.Errorf("%s: searched %+v, tabled %+v", p.Position, got, want)
		}
	}
	if compared < 3 {
		t.Errorf("only %d positions compared", compared)
	}
}

// What is asked names the side, the value to keep, and how many plies a win takes; a draw has no such number.
func TestTask(t *testing.T) {
	t.Parallel()
	p, err := newProver(t.Context(), enginetest.Load(t, "classic"), Limits{Nodes: 1, Memory: 1 << 24})
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	for _, c := range []struct{ moves, move, task string }{
		{"a1 b1 a2 b2", "a3", "X to move and win: only one of 5 moves is right, in 1 ply"}, // everything else loses to b3
		{"a1 b2 a2", "a3", "O to move and hold the draw: only one of 6 moves is right"},
	} {
		at := enginetest.Load(t, "classic").NewPosition()
		if err := at.PlayText(strings.Fields(c.moves)); err != nil {
			t.Fatal(err)
		}
		sol, unique, known, err := p.solve(t.Context(), &at.State)
		if err != nil || !unique || !known {
			t.Errorf("%s: unique %t, known %t, %v: %+v", c.moves, unique, known, err, sol)
			continue
		}
		puzzle := Source{"classic", at.Game()}.puzzle(&at.State, sol)
		if puzzle.Move != c.move || puzzle.Task() != c.task {
			t.Errorf("%s: %s, %q", c.moves, puzzle.Move, puzzle.Task())
		}
	}
}

// The puzzle of a day follows from the day and the rules.
func TestDaily(t *testing.T) {
	t.Parallel()
	day := time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC)
	different := map[string]bool{}
	for _, rules := range []string{"vanishing", "rolling"} {
		from := Source{rules, enginetest.Load(t, rules)}
		for i := range 3 {
			p, ok, err := Daily(t.Context(), from, day.AddDate(0, 0, i), DefaultLimits())
			again, _, _ := Daily(t.Context(), from, day.AddDate(0, 0, i).Add(5*time.Hour), DefaultLimits())
			if err != nil || !ok || !cmp.Equal(p, again) {
				t.Errorf("%s: %+v, then %+v, %v", rules, p, again, err)
			}
			different[p.ID] = true
		}
	}
	if len(different) < 5 {
		t.Errorf("%d different puzzles of 6", len(different))
	}
}

// Rules take turns by the day; who has no puzzle is passed over.
func TestDailyOf(t *testing.T) {
	t.Parallel()
	day := time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC)
	from := []Source{{"vanishing", enginetest.Load(t, "vanishing")}, {"rolling", enginetest.Load(t, "rolling")}}
	rules := map[string]int{}
	for i := range 4 {
		p, ok, err := DailyOf(t.Context(), from, day.AddDate(0, 0, i), DefaultLimits())
		if err != nil || !ok {
			t.Fatal(p, ok, err)
		}
		rules[p.Rules]++
	}
	if rules["vanishing"] != 2 || rules["rolling"] != 2 {
		t.Errorf("%v of four days", rules)
	}
	if p, ok, err := DailyOf(t.Context(), nil, day, DefaultLimits()); ok || err != nil {
		t.Errorf("%+v of no rules, %v", p, err)
	}
}

// Perfect play solves all; a score carries its interval, and what was played instead.
func TestRate(t *testing.T) {
	t.Parallel()
	suite := mine(t, Source{"vanishing", enginetest.Load(t, "vanishing")}, 2, DefaultLimits(), 6)
	suite = append(suite, mine(t, Source{"rolling", enginetest.Load(t, "rolling")}, 2, DefaultLimits(), 4)...)
	suite = append(suite, mine(t, Source{"rolling[draw.max_plies=90]", enginetest.Load(t, "rolling", "draw.max_plies=90")},
		2, DefaultLimits(), 2)...)
	var file bytes.Buffer
	for _, p := range suite {
		if err := json.NewEncoder(&file).Encode(p); err != nil {
			t.Fatal(err)
		}
	}
	back, err := Read(&file, "suite.jsonl", new(bulk.Games))
	if err != nil || !cmp.Equal(back, suite) {
		t.Fatalf("%v\n%s", err, cmp.Diff(suite, back))
	}
	for name, all := range map[string]bool{"perfect": true, "random": false} {
		spec, err := agents.LoadSpec(name)
		if err != nil {
			t.Fatal(err)
		}
		s, err := Rate(t.Context(), spec, suite, new(bulk.Games), 1)
		again, _ := Rate(t.Context(), spec, suite, new(bulk.Games), 1)
		if err != nil || s.Puzzles != 12 || (s.Solved == 12) != all || s.Solved+int64(len(s.Failed)) != 12 ||
			!cmp.Equal(s, again) || len(s.ByRules) != 3 || s.ByRules[0].Puzzles != 6 ||
			s.ByRules[2].Rules != "rolling[draw.max_plies=90]" {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
		if !(s.Lo <= s.Share && s.Share <= s.Hi && s.Lo < s.Hi) {
			t.Errorf("%s: %v in [%v, %v]", name, s.Share, s.Lo, s.Hi)
		}
	}
}

// What is no suite is refused with its line.
func TestReadRefuses(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                   "s.jsonl: not a suite of puzzles: it is empty",
		"\n{\"rules\":\"classik\"}":          "s.jsonl:2: not a suite",
		`{"rules":"classic","position":"x"}`: "s.jsonl:1: not a suite",
		`{"rules":"classic","move":"d4"}`:    "s.jsonl:1: not a suite",
		`{"rules":"vanishing","set":{"pieces.cap":"4"},"rules_hash":"0123456789abcdef","position":"x"}`: "s.jsonl:1: found under other rules: vanishing[pieces.cap=4] has the hash ",
	} {
		if _, err := Read(strings.NewReader(text), "s.jsonl", new(bulk.Games)); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// Puzzles of a study name the game that they come from, one a game at most.
func TestFromStudy(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	db, err := store.Open(ctx, filepath.Join(t.TempDir(), "s.db"), store.Create)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	plan, err := arena.LoadPlan("p.yaml", []byte("{name: x, games: [rolling], agents: [random, greedy], pairs: 8}"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := arena.Run(ctx, ctx, plan, db, arena.Options{}); err != nil {
		t.Fatal(err)
	}
	games := map[int64]bool{}
	if err := FromStudy(ctx, db, "rolling", DefaultLimits(), 3, func(p Puzzle) error {
		if games[p.Game] || p.Game == 0 || p.Value == solve.Loss || p.Rules != "rolling" {
			t.Errorf("%+v", p)
		}
		games[p.Game] = true
		return nil
	}); err != nil || len(games) != 3 {
		t.Errorf("%d puzzles, %v", len(games), err)
	}
}
