package balance

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"spar/agents"
	"spar/arena/store"
	"spar/arena/study"
	"spar/engines"
)

// randomGames plays games of uniformly random moves.
func randomGames(g *engines.Game, event, from int64, n int, seed uint64) []Game {
	rng := rand.New(rand.NewPCG(seed, 1))
	out := make([]Game, n)
	var legal []engines.Move
	for i := range out {
		p := g.NewPosition()
		for !p.Over() {
			legal = p.AppendMoves(legal[:0])
			p.Play(legal[rng.IntN(len(legal))])
		}
		out[i] = Game{First: "random", Second: "random"}
		out[i].ID, out[i].Event, out[i].Number, out[i].Pair = from+int64(i), event, int64(i), int64(i/2)
		out[i].Moves, out[i].Plies = g.JoinMoves(p.Played()), p.Ply()
		out[i].Result, out[i].Reason = p.Result().String(), p.Reason().String()
		out[i].Hash = from + int64(i) + 1
	}
	return out
}

// record makes a game of classic from its moves: the result follows from them.
func played(t testing.TB, g *engines.Game, id int64, first, second, moves string) Game {
	t.Helper()
	p := g.NewPosition()
	if err := p.PlayText(strings.Fields(moves)); err != nil {
		t.Fatal(err)
	}
	out := Game{First: first, Second: second}
	out.ID, out.Event, out.Number, out.Pair, out.Moves, out.Plies = id, 1, id-1, (id-1)/2, moves, p.Ply()
	out.Result, out.Reason = p.Result().String(), p.Reason().String()
	return out
}

func event(id int64, purpose string, tiers ...string) Event {
	return Event{Event: study.Event{ID: id, Name: fmt.Sprintf("test/%d", id), Purpose: purpose, Seed: 7}, Tiers: tiers}
}

// players gives each name a spec of mcts with so many iterations; 0 is a random player, less a deterministic one.
func players(iterations map[string]int64) map[string]Agent {
	out := map[string]Agent{}
	for name, n := range iterations {
		s := agents.DefaultSpec()
		s.Name, s.Type = name, "mcts"
		s.Budget.Iterations = n
		switch {
		case n == 0:
			s.Type = "random"
		case n < 0:
			s.Type, s.Ties, s.Budget = "heuristic", "first", agents.Budget{}
		}
		out[name] = Agent{Name: name, Spec: &s, Budget: s.Budget}
	}
	return out
}

func measureGames(t testing.TB, d Data, o Options) *Report {
	t.Helper()
	if o.Table == nil && o.SolveMemory == 0 {
		o.SolveMemory = -1
	}
	r, err := Measure(context.Background(), d, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// studyOf stores games as one event.
func studyOf(t testing.TB, g *engines.Game, label, purpose string, games []Game) *store.DB {
	t.Helper()
	ctx := context.Background()
	db, err := store.Open(ctx, filepath.Join(t.TempDir(), "study.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	must := func(id int64, err error) int64 {
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	spec := agents.DefaultSpec()
	spec.Name, spec.Type = "random", "random"
	rules := must(db.RulesID(ctx, label, g.RulesHash(), g.Rules().Canonical()))
	agent := must(db.AgentID(ctx, "random", spec.Canonical()))
	e, err := db.BeginEvent(ctx, study.Event{Name: label + "/test", Purpose: purpose, Seed: 7, Plan: `{"Players":[{"name":"random"}]}`})
	if err != nil {
		t.Fatal(err)
	}
	var rows []study.Game
	for i, x := range games {
		x.Game.Event, x.Game.Number, x.Game.Rules, x.Game.First, x.Game.Second = e.ID, int64(i), rules, agent, agent
		rows = append(rows, x.Game)
	}
	if err := errors.Join(db.Commit(ctx, rows, nil, e.ID), db.Judge(ctx)); err != nil {
		t.Fatal(err)
	}
	return db
}
