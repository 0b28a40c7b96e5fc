package arena_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"

	"spar/agents"
	"spar/arena"
	"spar/arena/store"
	"spar/engines"
)

// centre is an agent of one's own: it takes the middle of the board while it is free, else anything.
type centre struct{}

func (centre) NewGame(agents.Seed) {}

func (centre) Choose(_ context.Context, p *engines.Position, _ agents.Budget, rng *rand.Rand) (agents.Decision, error) {
	if m, err := p.ParseMove("b2"); err == nil {
		return agents.Decision{Move: m}, nil
	}
	legal := p.AppendMoves(nil)
	return agents.Decision{Move: legal[rng.IntN(len(legal))]}, nil
}

// A tournament between an agent of one's own and a shipped one, stored in a study that spar's commands read.
func ExampleRun() {
	plan, err := arena.LoadPlan("mine.yaml", []byte(`
name: mine
games: [classic]
agents: [random, {agent: random, name: centre, set: {type: own, own.kind: centre}}]
pairs: 200
seed: 1
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	folder, err := os.MkdirTemp("", "spar-example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	ctx := agents.WithRegistry(context.Background(), agents.Registry{
		"centre": func(context.Context, agents.Spec, *engines.Game) (agents.Agent, error) { return centre{}, nil },
	})
	study, err := store.Open(ctx, filepath.Join(folder, "mine.db"), store.Create)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer study.Close()
	sum, err := arena.Run(ctx, ctx, plan, study, arena.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	points := map[string]float64{}
	for g, err := range study.Games(ctx, store.Filter{}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		result, _ := engines.ParseResult(g.Result)
		points[g.FirstName] += result.Score(engines.First)
		points[g.SecondName] += result.Score(engines.Second)
	}
	fmt.Println(sum.Played, "games,", sum.Faults, "faults; the middle is worth something:",
		points["centre"] > points["random"]+50)
	// Output:
	// 400 games, 0 faults; the middle is worth something: true
}
