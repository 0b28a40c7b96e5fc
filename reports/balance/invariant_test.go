package balance

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"spar/arena/campaign"
	"spar/configs/must"
	"spar/engines"
	"spar/engines/enginetest"
)

// Whatever the rules, random games give a report without a NaN, whose moves all replay.
func TestAnyRules(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		g := must.Get(engines.Compile(enginetest.RandomRules().Draw(rt, "rules")))(rt)
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1))
		var games []Game
		for i := range 4 {
			p := g.NewPosition()
			var legal []engines.Move
			for !p.Over() && p.Ply() < 100 {
				legal = p.AppendMoves(legal[:0])
				p.Play(legal[rng.IntN(len(legal))])
			}
			x := Game{First: "random", Second: "random"}
			x.ID, x.Event, x.Pair, x.Moves, x.Plies = int64(i+1), 1, int64(i/2), g.JoinMoves(p.Played()), p.Ply()
			x.Result, x.Reason, x.OpeningPlies = p.Result().String(), p.Reason().String(), i%2
			if !p.Over() {
				x.Result, x.Reason = "draw", "clock"
			}
			games = append(games, x)
		}
		o := Options{SolveMemory: -1}
		r, err := Measure(context.Background(), records(g, "random", []Event{event(1, campaign.PurposeMirror, "random")},
			players(map[string]int64{"random": 0}), games), o)
		if err != nil {
			rt.Fatal(err)
		}
		sound(t, r)
		if r.Study.BadGames != 0 {
			rt.Errorf("%d games do not replay", r.Study.BadGames)
		}
	})
}

// Turning or mirroring the board, each game in its own way, changes nothing but the example games.
func TestSymmetricGamesGiveTheSameReport(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"vanishing", "torus-vanishing"} {
		g := enginetest.Load(t, name)
		games := randomGames(g, 1, 1, 200, 9)
		rng := rand.New(rand.NewPCG(5, 6))
		turned := make([]Game, len(games))
		for i, x := range games {
			image := g.Symmetries()[rng.IntN(len(g.Symmetries()))]
			p := g.NewPosition()
			q := g.NewPosition()
			must.Do(t, p.PlayText(strings.Fields(x.Moves)))
			for _, m := range p.Played() {
				q.Play(engines.TransformMove(m, image))
			}
			turned[i] = x
			turned[i].Moves = g.JoinMoves(q.Played())
		}
		report := func(games []Game) *Report {
			return measureGames(t, records(g, name, []Event{event(1, campaign.PurposeMirror, "random")},
				players(map[string]int64{"random": 0}), games), Options{})
		}
		one, two := report(games), report(turned)
		for _, r := range []*Report{one, two} {
			r.Samples = nil
		}
		if d := cmp.Diff(one, two, cmpopts.IgnoreUnexported(Report{})); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

func TestCancelled(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	d := records(g, "classic", []Event{event(1, campaign.PurposeMirror, "random")}, nil, randomGames(g, 1, 1, 5000, 1))
	if _, err := Measure(ctx, d, Options{SolveMemory: -1}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
