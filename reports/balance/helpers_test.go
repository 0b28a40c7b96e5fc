package balance

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"spar/agents"
	"spar/arena/evidence"
	"spar/arena/store"
	"spar/arena/store/storetest"
	"spar/arena/study"
	"spar/configs/must"
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
	must.Do(t, p.PlayText(strings.Fields(moves)))
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
			s.Type = "heuristic"
			s.Ties = "first"
			s.Budget = agents.Budget{}
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
	r := must.Get(Measure(context.Background(), d, o))(t)
	return r
}

// studyOf stores games as one event.
func studyOf(t testing.TB, g *engines.Game, label, purpose string, games []Game) *store.DB {
	t.Helper()
	ctx := context.Background()
	db := storetest.New(t)
	spec := agents.DefaultSpec()
	spec.Name, spec.Type = "random", "random"
	rules := must.Get(db.RulesID(ctx, label, g.RulesHash(), g.Rules().Canonical()))(t)
	agent := must.Get(db.AgentID(ctx, "random", spec.Canonical()))(t)
	e := must.Get(db.BeginEvent(ctx, study.Event{
		Name: label + "/test", Purpose: purpose, Seed: 7,
		Plan: `{"Players":[{"name":"random"}]}`,
	}))(t)
	var rows []study.Game
	for i, x := range games {
		x.Game.Event = e.ID
		x.Game.Number = int64(i)
		x.Game.Rules = rules
		x.Game.First = agent
		x.Game.Second = agent
		rows = append(rows, x.Game)
	}
	must.Do(t, errors.Join(db.Commit(ctx, rows, nil, e.ID), db.Judge(ctx)))
	return db
}

// records is Data of games at hand, without a study. They are marked here.
func records(g *engines.Game, label string, events []Event, players map[string]Agent, games []Game) Data {
	count := map[int64]int64{}
	for _, game := range games {
		count[game.Event]++
	}
	events = slices.Clone(events)
	for i, e := range events {
		events[i].Games = count[e.ID]
	}
	events = slices.DeleteFunc(events, func(e Event) bool { return e.Games == 0 })
	d := Data{Game: g, Label: label, Events: events, Agents: players}
	games = slices.Clone(games)
	var judge evidence.Judge
	var names []string
	for i := range games {
		x := &games[i]
		at := slices.IndexFunc(events, func(e Event) bool { return e.ID == x.Event })
		if at < 0 {
			continue
		}
		x.Marks = judge.Mark(evidence.Facts{
			Purpose: events[at].Purpose, First: int64(index(&names, x.First)),
			Second: int64(index(&names, x.Second)), Hash: x.hash(),
			Forfeit: evidence.IsForfeit(x.Reason), Timed: x.Timed, Certain: d.certain(x.First) && d.certain(x.Second),
		})
	}
	d.Games = func(context.Context) iter.Seq2[*Game, error] {
		return func(yield func(*Game, error) bool) {
			for _, game := range games {
				if !yield(&game, nil) {
					return
				}
			}
		}
	}
	d.Find = func(_ context.Context, id int64) (Game, error) {
		for _, game := range games {
			if game.ID == id {
				return game, nil
			}
		}
		return Game{}, fmt.Errorf("no game %d", id)
	}
	return d
}
